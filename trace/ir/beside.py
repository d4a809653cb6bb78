"""The later functions of a large module, analysed by a process beside this one.

That numbers blocks, loops and accesses from 0, and who asked goes on from its own numbers. If it
answers nothing, the functions are left to the one who asked.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from operator import attrgetter
from typing import Any

from logca.trace.ir.functions import Place
from logca.trace.ir.program import (
    Access,
    BasicBlock,
    CrossingRegister,
    Function,
    Instruction,
    Loop,
)

__all__ = ["Parts", "added", "boundary", "is_long", "packed", "unpacked"]

LARGE_TEXT = 1 << 23
"""Longest assembly that takes less time than a process to start and to answer [B]."""
OWN_SHARE = 0.55
"""Share of a module that stays here, where the answer is read as well [1]."""


NAMES = tuple(each.name for each in fields(Instruction))
VALUES = attrgetter(*NAMES)
put = object.__setattr__
"""Sets what is frozen: of objects that came from the other process, and are nobody else's yet."""
Rows = list[list[tuple[Any, ...]]]
"""The values of the instructions of each block."""


@dataclass(slots=True)
class Parts:
    """Parts of functions of a program, as in `Program`; and where their loops start."""

    functions: list[Function] = field(default_factory=list)
    blocks: list[BasicBlock] = field(default_factory=list)
    loops: list[Loop] = field(default_factory=list)
    starts: list[Place] = field(default_factory=list)
    accesses: list[Access] = field(default_factory=list)
    values: list[CrossingRegister] = field(default_factory=list)


def is_long(ir: str) -> bool:
    """True if a process beside this one is worth to be started for half of a module."""
    return len(ir) > LARGE_TEXT


def boundary(ir: str) -> int:
    """Where the functions start that another process analyses; the end of a module without."""
    if not is_long(ir):
        return len(ir)
    first, last = ir.find("\ndefine "), ir.rfind("\ndefine ")
    return ir.find("\ndefine ", first + int(OWN_SHARE * (last - first))) + 1 or len(ir)


def packed(parts: Parts) -> tuple[Parts, Rows]:
    """Parts that lose their instructions, and these as plain values: a third of the time."""
    rows = [[VALUES(each) for each in block.instructions] for block in parts.blocks]
    for block in parts.blocks:
        put(block, "instructions", ())
    return parts, rows


def unpacked(parts: Parts, rows: Rows) -> Parts:
    """The parts with their instructions."""
    new, setters = Instruction.__new__, [getattr(Instruction, name).__set__ for name in NAMES]
    for block, row in zip(parts.blocks, rows, strict=True):
        instructions = []
        for values in row:
            made = new(Instruction)
            for setter, value in zip(setters, values, strict=True):
                setter(made, value)
            instructions.append(made)
        put(block, "instructions", tuple(instructions))
    return parts


def added(parts: Parts, more: Parts) -> None:
    """Add parts that nobody else has, numbered on where those of the first ones end."""
    block, loop, access = len(parts.blocks), len(parts.loops), len(parts.accesses)

    def moved(numbers: Iterable[int]) -> tuple[int, ...]:
        return tuple([block + number for number in numbers])

    def other(number: int | None) -> int | None:
        return None if number is None else loop + number

    for function in more.functions:
        put(function, "blocks", moved(function.blocks))
        put(function, "irreducible", moved(function.irreducible))
    for each in more.blocks:
        put(each, "id", block + each.id)
        put(each, "successors", moved(each.successors))
        put(each, "loop", other(each.loop))
        for one in each.instructions:
            if one.incoming:
                put(one, "incoming", tuple([(name, block + at) for name, at in one.incoming]))
    for inner in more.loops:
        put(inner, "id", loop + inner.id)
        put(inner, "header", block + inner.header)
        put(inner, "latches", moved(inner.latches))
        put(inner, "blocks", frozenset(moved(inner.blocks)))
        put(inner, "parent", other(inner.parent))
    for site in more.accesses:
        put(site, "id", access + site.id)
        put(site, "block", block + site.block)
        put(site, "loop", other(site.loop))
        put(site, "private_to", other(site.private_to))
    for value in more.values:
        put(value, "defined_in", block + value.defined_in)
        put(value, "used_in", moved(value.used_in))
    for kind in fields(Parts):
        getattr(parts, kind.name).extend(getattr(more, kind.name))
