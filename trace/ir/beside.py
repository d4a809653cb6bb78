"""The later functions of a large module, analysed by a process beside this one.

That numbers blocks, loops and accesses from 0, and who asked goes on from its own numbers. If it
answers nothing, the functions are left to the one who asked.
"""

import pickle
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from operator import attrgetter
from typing import IO, Any

from logca.common.processes import command
from logca.trace.ir.functions import Place
from logca.trace.ir.program import (
    Access,
    BasicBlock,
    CrossingRegister,
    Function,
    Instruction,
    Loop,
)

__all__ = ["Parts", "added", "analysed_beside", "boundary", "questioned"]

LARGE_TEXT = 1 << 23
"""Longest assembly that takes less time than a process to start and to answer [B]."""
OWN_SHARE = 0.53
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


def boundary(ir: str) -> int:
    """Where the functions start that another process analyses; the end of a module without."""
    if len(ir) <= LARGE_TEXT:
        return len(ir)
    first, last = ir.find("\ndefine "), ir.rfind("\ndefine ")
    return ir.find("\ndefine ", first + int(OWN_SHARE * (last - first))) + 1 or len(ir)


@contextmanager
def analysed_beside(
    ir: str, start: int, spelling: Mapping[str, str]
) -> Iterator[Callable[[], Parts | None]]:
    """A process that analyses a module from a function on, and a function that waits for it."""
    with tempfile.TemporaryFile() as question, tempfile.TemporaryFile() as answer:
        pickle.dump((ir, start, dict(spelling)), question)
        question.seek(0)
        process = subprocess.Popen(
            command("logca.trace.ir.reading"),
            stdin=question,
            stdout=answer,
            stderr=subprocess.DEVNULL,
        )

        def waited() -> Parts | None:
            if process.wait():
                return None
            answer.seek(0)
            return unpacked(*pickle.load(answer))

        try:
            yield waited
        finally:
            process.kill()
            process.wait()


def questioned(answer: Callable[[str, int, Mapping[str, str]], Parts]) -> None:
    """Answer the question that is the standard input, in the process beside."""
    source: IO[bytes] = sys.stdin.buffer
    pickle.dump(packed(answer(*pickle.load(source))), sys.stdout.buffer, protocol=5)
    sys.stdout.flush()


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
