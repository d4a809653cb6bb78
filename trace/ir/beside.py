"""The later functions of a large module, analysed by a process beside this one.

That numbers blocks, loops and accesses from 0, and who asked goes on from its own numbers. If it
answers nothing, the functions are left to the one who asked.
"""

import pickle
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import IO

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
"""How much of a module stays here, where the answer is read as well [1]."""


@dataclass(slots=True)
class Parts:
    """What functions of a program consist of, as in `Program`; and where their loops start."""

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
            found: Parts = pickle.load(answer)
            return found

        try:
            yield waited
        finally:
            process.kill()
            process.wait()


def questioned(answer: Callable[[str, int, Mapping[str, str]], Parts]) -> None:
    """Answer the question that is the standard input, in the process beside."""
    source: IO[bytes] = sys.stdin.buffer
    pickle.dump(answer(*pickle.load(source)), sys.stdout.buffer, protocol=5)
    sys.stdout.flush()


def added(parts: Parts, more: Parts) -> None:
    """Add parts of functions whose numbers go on where those of the first ones end."""
    block, loop, access = len(parts.blocks), len(parts.loops), len(parts.accesses)

    def moved(numbers: tuple[int, ...]) -> tuple[int, ...]:
        return tuple([block + number for number in numbers])

    def other(number: int | None) -> int | None:
        return None if number is None else loop + number

    def following(each: Instruction) -> Instruction:
        if not each.incoming:
            return each
        return replace(each, incoming=tuple([(name, block + at) for name, at in each.incoming]))

    parts.functions += (
        replace(each, blocks=moved(each.blocks), irreducible=moved(each.irreducible))
        for each in more.functions
    )
    parts.blocks += (
        replace(
            each,
            id=block + each.id,
            instructions=tuple([following(one) for one in each.instructions]),
            successors=moved(each.successors),
            loop=other(each.loop),
        )
        for each in more.blocks
    )
    parts.loops += (
        replace(
            each,
            id=loop + each.id,
            header=block + each.header,
            latches=moved(each.latches),
            blocks=frozenset(block + number for number in each.blocks),
            parent=other(each.parent),
        )
        for each in more.loops
    )
    parts.starts += more.starts
    parts.accesses += (
        replace(
            each,
            id=access + each.id,
            block=block + each.block,
            loop=other(each.loop),
            private_to=other(each.private_to),
        )
        for each in more.accesses
    )
    parts.values += (
        replace(each, defined_in=block + each.defined_in, used_in=moved(each.used_in))
        for each in more.values
    )
