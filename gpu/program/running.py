"""Running a program for its counts, or to look at the accesses of its nests."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from logca.common.errors import TraceError
from logca.common.limits import Limits
from logca.gpu.nests.nest import Columns, work
from logca.trace.compile.driver import Compiled, compile_program
from logca.trace.execute.run import ENDED, Run, run

__all__ = [
    "ALIGNMENT",
    "Counted",
    "Executable",
    "Sources",
    "aligned",
    "counted",
    "passed",
]

ALIGNMENT = 256
"""Least alignment of `cudaMalloc`, by the CUDA C++ Programming Guide, "Device Memory
Accesses" [B]."""

_GLOBAL = re.compile(r"^(@[^=\n]+ = [^\n]*\bglobal \[[^\n]*, align )(\d+)", re.MULTILINE)
_MALLOC = re.compile(r"(\bcall\b[^@\n]*)@malloc\(i64 ([^)\n]*)\)")
_DECLARED = re.compile(r"^declare [^\n]*@aligned_alloc\(", re.MULTILINE)

_PASSED_BY = 1 << 24
"""After so many accesses of nests of which enough is known the program is run again for the rest,
so that they need not be decoded [1]."""

_PLENTY = 1 << 30
"""If a run may record fewer accesses, no nest shares its run with another one, so that how much is
seen of it does not depend on the others [1]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Executable:
    """A compiled program and what it is run with."""

    compiled: Compiled  # the program, with calls inlined
    arguments: tuple[str, ...]
    limits: Limits  # what it may take
    stdin: bytes = b""

    def run(self, nests: Sequence[int] = (), **how: Any) -> Run:
        """Run it with its arguments, and record what these nests access."""
        return run(
            self.compiled,
            nests=tuple(nests),
            arguments=self.arguments,
            stdin=self.stdin,
            limits=self.limits,
            **how,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Sources:
    """The C files of a program, how they are compiled, and what the program is run with."""

    paths: tuple[Path, ...]
    defines: Mapping[str, object]
    includes: tuple[str, ...]
    flags: tuple[str, ...]
    arguments: tuple[str, ...]
    stdin: bytes
    limits: Limits

    def executable(self, sizes: Mapping[str, int]) -> Executable:
        """The program compiled for some values of its macros, its arrays as a GPU aligns them."""
        built = compile_program(
            self.paths,
            defines={**self.defines, **sizes},
            includes=self.includes,
            flags=self.flags,
            inline=True,
            by_elements=True,
        )
        return Executable(
            compiled=replace(built, ir=aligned(built.ir, ALIGNMENT)),
            arguments=self.arguments,
            stdin=self.stdin,
            limits=self.limits,
        )


def aligned(ir: str, to: int) -> str:
    """A module whose global arrays and what `malloc` gives begin at multiples of so many bytes.

    C aligns arrays to 16 bytes; `cudaMalloc` to 256 at least. Which of both decides how many lines
    a warp touches: a program traced in the place of one with device memory needs the latter.

    Examples
    --------
    >>> print(aligned("@A = internal global [9 x float] zeroinitializer, align 16", 256))
    @A = internal global [9 x float] zeroinitializer, align 256
    """
    found = _GLOBAL.sub(lambda each: f"{each[1]}{max(to, int(each[2]))}", ir)
    found, calls = _MALLOC.subn(rf"\1@aligned_alloc(i64 {to}, i64 \2)", found)
    if calls and not _DECLARED.search(found):
        # before the functions: what follows them are metadata
        place = max(0, found.find("\ndefine "))
        found = f"{found[:place]}\ndeclare ptr @aligned_alloc(i64, i64)\n{found[place:]}"
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """A program that was run for its counts."""

    program: Executable
    counts: tuple[int, ...]  # executions of each block, then of each edge [1]
    ending: str  # what a reader should know of how it ended


def counted(program: Executable) -> Counted:
    """Run a program for the executions of its blocks and edges."""
    found = program.run()
    if found.ending not in ENDED:
        raise _failure(found, program)
    return Counted(
        program=program,
        counts=(*map(int, found.block_counts), *map(int, found.edge_counts)),
        ending="; ".join(
            [
                *([_status_words(found)] if found.status else []),
                *(f"not seen: {each}" for each in found.unseen),
            ]
        ),
    )


def passed(
    program: Executable, nests: Sequence[int], look: Callable[[int, Columns], bool]
) -> frozenset[int]:
    """Show accesses of nests until it is enough of each; those that a limit of the trace cut off.

    Nests of which enough was shown while others were waited for are not traced further; the
    program is run again from its start for the others, if need be.
    """
    alone = program.limits.records < _PLENTY
    cut: set[int] = set()
    for waiting in [{nest} for nest in nests] if alone else [set(nests)]:
        while waiting:
            found, begun = _shown(program, waiting, look)
            if waiting and found.ending != "enough":
                if found.ending not in ENDED:
                    raise _failure(found, program)
                cut |= waiting if found.truncated else set()
                break
            if found.recorded >= program.limits.records:
                cut |= begun
                waiting -= begun
    return frozenset(cut)


def _shown(
    program: Executable, waiting: set[int], look: Callable[[int, Columns], bool]
) -> tuple[Run, set[int]]:
    """Run a program once, and take from the nests that wait those of which enough was shown.

    Of the others those are given that had begun.
    """
    begun: set[int] = set()
    more = 0

    def show(chunk: Any) -> bool:
        nonlocal more
        for nest, columns in _by_nest(chunk):
            if nest not in waiting:
                more += len(columns.access)
                continue
            begun.add(nest)
            if look(nest, columns):
                waiting.discard(nest)
                begun.discard(nest)
        return not waiting or (more > _PASSED_BY and not begun)

    return program.run(sorted(waiting), on_chunk=show, counts=False), begun


def _by_nest(chunk: Any) -> list[tuple[int, Columns]]:
    """The rows of a chunk, nest by nest."""
    columns = Columns(
        access=chunk.access,
        address=chunk.address,
        size=chunk.size,
        launch=chunk.launch,
        iterations=chunk.iterations,
    )
    first = chunk.nest[:1]
    if np.all(chunk.nest == first):
        return [(int(nest), columns) for nest in first]
    return [(int(nest), columns.where(chunk.nest == nest)) for nest in np.unique(chunk.nest)]


def _status_words(run: Run) -> str:
    """Note on an exit status that is not 0; many programs return something."""
    lines = run.stderr.decode("utf-8", "replace").strip().splitlines()
    said = f" and said: {lines[-1][:200]}" if lines else ""
    return f"the program ended with exit status {run.status}{said}"


def _failure(found: Run, program: Executable) -> TraceError:
    """The error of a run that did not end as the program should."""
    words = found.stderr.decode("utf-8", "replace").strip().splitlines()
    told = f" (it said: {words[-1][:200]})" if words and found.ending == "crash" else ""
    return TraceError(f"{found.message}{told}{_remedy(found, program)}")


def _remedy(found: Run, program: Executable) -> str:
    """Remedy for a limit that was reached, in words that follow the message."""
    if found.ending == "memory":
        return "; run a smaller problem (-D of its size, or its arguments), or raise the limit"
    if found.ending != "time":
        return ""
    static = program.compiled.program
    hot = ""
    counts = found.block_counts.tolist()
    if any(counts):
        loops = [loop for loop in static.loops if loop.parent is None]
        works = {loop.id: work(static, counts, loop.id) for loop in loops}
        top = max(works, key=lambda loop: works[loop], default=None)
        if top is not None:
            loop = static.loops[top]
            hot = (
                f"; most of the time went into the loop at {loop.file}:{loop.line} in "
                f"{loop.source_function}"
            )
    return (
        f"{hot}; if it does end, run a smaller problem (-D of its size, or its arguments) or "
        "raise the time limit"
    )
