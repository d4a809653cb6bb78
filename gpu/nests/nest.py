"""Loop nests as kernels, and their memory accesses by the iterations of their threads.

An access between the collapsed loops is given to every thread of its row. Two loops that become
threads can change places.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from logca.common.errors import LogcaError
from logca.trace.ir.program import Access, Loop, Program, chain_of

__all__ = [
    "Columns",
    "Evidence",
    "Nest",
    "NestError",
    "NestTables",
    "NestTrace",
    "PrivateCopy",
    "Reduction",
    "exchanged",
    "is_private",
    "joined",
    "launches_in",
    "nest_trace",
    "of_launch",
    "private_accesses",
    "shifted",
    "spread",
    "whole_work",
    "with_exchanged_loops",
    "with_only",
    "without",
    "work",
]

Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """Evidence that iterations of a loop can run side by side."""

    # whether it iterated in the run, or its subscripts tell, or it iterates once by its bounds and
    # so has nothing to pass on, or nothing tells
    kind: Literal["seen", "subscripts", "once", "unknown"]
    iterations: int  # most iterations of one entry that were recorded [1]
    carries: str = ""  # what its subscripts say that it does carry; mostly nothing


@dataclass(frozen=True, slots=True, kw_only=True)
class PrivateCopy:
    """Memory of which each iteration of a loop can have its own."""

    accesses: frozenset[int]  # all that reach it in that loop [1]
    arrays: tuple[str, ...]  # what the source calls it
    size: int  # of one copy, at the work size [B]
    # whether its content after the last iteration may be needed, as `lastprivate` has it
    last: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Reduction:
    """A value that the threads of a nest gather, or elements of an array that they update."""

    name: str  # what the source calls it; empty if unknown
    operation: str  # as of `logca.trace.ir.program.Gathered`
    type: str  # LLVM type of a value
    accesses: frozenset[int] = frozenset()  # those that update it; none if it is in a register [1]
    single: bool = True  # whether it is one value; else elements of an array, by atomic operations
    # share of the updates that reach the element which most of them reach [1]
    hottest: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Nest:
    """A loop nest for the GPU."""

    loops: tuple[int, ...]  # its loops that become threads, outermost first [1]
    reason: str  # why it was chosen
    # loops inside that could become threads too if they were in a kernel of their own, see
    # `logca.gpu.loops.parallelism` [1]
    deeper: tuple[int, ...] = ()
    # for each of its loops what tells that its iterations are independent; empty of a nest that a
    # directive names, or that is predicted despite its dependences
    evidence: tuple[Evidence, ...] = ()
    private: tuple[PrivateCopy, ...] = ()  # memory of which each thread has a copy
    reductions: tuple[Reduction, ...] = ()  # what its threads gather
    # stores that threads make to the same places, and that were seen to write the same values [1]
    alike: frozenset[int] = frozenset()
    # loop, collapse: its outermost loop, and how many from there inwards become threads [1]
    loop: int = field(init=False)
    collapse: int = field(init=False)

    def __post_init__(self) -> None:
        """Carry what all ask for."""
        object.__setattr__(self, "loop", self.loops[0])
        object.__setattr__(self, "collapse", len(self.loops))


def work(program: Program, counts: Sequence[int], loop: int) -> int:
    """Instructions executed in a loop and in those inside it [1]."""
    blocks = program.loops[loop].blocks
    return sum(counts[block] * len(program.blocks[block].instructions) for block in blocks)


def whole_work(program: Program, counts: Sequence[int]) -> int:
    """Instructions executed in a program [1]."""
    return sum(
        count * len(block.instructions) for count, block in zip(counts, program.blocks, strict=True)
    )


def spread(
    launch: NDArray[Any], iterations: NDArray[Any], collapse: int
) -> tuple[Integers, NDArray[Any]]:
    """Rows of a trace with such accesses repeated: where each comes from, and its iterations.

    Accesses that no thread could make, because the loops inside did not run, are left out.

    Examples
    --------
    >>> launch = np.zeros(4, int)
    >>> rows, iterations = spread(launch, np.array([[0, -1], [0, 0], [0, 1], [1, 0]]), 2)
    >>> rows.tolist()
    [0, 1, 0, 2, 3]
    >>> iterations.tolist()
    [[0, 0], [0, 0], [0, 1], [0, 1], [1, 0]]
    """
    outer = iterations[:, :collapse].astype(np.int64)
    shallow = np.flatnonzero(outer[:, -1] < 0)
    deep = np.flatnonzero(outer[:, -1] >= 0)
    extents = outer.max(axis=0, initial=0) + 1
    low = _linear(launch, np.maximum(outer, 0), extents)
    changes = np.flatnonzero(np.diff(low[deep], prepend=-1))
    threads = low[deep][changes]
    high = _linear(launch[shallow], np.where(outer < 0, extents - 1, outer)[shallow], extents)
    begin = np.searchsorted(threads, low[shallow])
    counts = np.searchsorted(threads, high, side="right") - begin
    which = np.repeat(begin - np.cumsum(counts) + counts, counts) + np.arange(counts.sum())
    copies = np.repeat(shallow, counts)
    made = iterations[copies]
    made[:, :collapse] = iterations[deep][changes][which, :collapse]
    order = np.lexsort((copies, which))
    at = changes[which][order]
    return (
        np.insert(deep, at, copies[order]),
        np.insert(iterations[deep], at, made[order], axis=0),
    )


def _linear(launch: NDArray[Any], outer: Integers, extents: Integers) -> Integers:
    """One ascending number for each thread."""
    number = launch.astype(np.int64)
    for level, extent in enumerate(extents.tolist()):
        number = number * extent + outer[:, level]
    return number


def launches_in(launch: NDArray[np.int32]) -> tuple[Integers, Integers]:
    """The launches of some rows, ascending, and the first row of each [1].

    Examples
    --------
    >>> numbers, first = launches_in(np.array([0, 0, 3, 3, 3], np.int32))
    >>> numbers.tolist(), first.tolist()
    ([0, 3], [0, 2])
    """
    changes = np.flatnonzero(launch[1:] != launch[:-1]) + 1
    first = np.concatenate([np.zeros(min(1, len(launch)), np.int64), changes])
    numbers = launch[first].astype(np.int64)
    if np.any(numbers[1:] < numbers[:-1]):  # a nest in a function that calls itself
        numbers, first = np.unique(launch, return_index=True)
    return numbers, first


class NestError(LogcaError, ValueError):
    """The loop nest does not map to threads, or its trace is not whole; the message says why."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Columns:
    """Memory accesses of a loop nest, in program order."""

    access: NDArray[np.uint32]  # static access [1]
    address: NDArray[np.uint64]  # first byte [B]
    size: NDArray[np.uint32]  # how many bytes [B]
    launch: NDArray[np.int32]  # how often the nest had been entered before; never falls [1]
    # a row for each access: iterations of the loops around it, the nest's outermost first, -1
    # where there are fewer loops; of 64 bit only where a loop is longer than 32 bit can count [1]
    iterations: NDArray[Any]

    def where(self, kept: NDArray[Any] | slice) -> Self:
        """The rows that a mask, an index or a slice names."""
        if not isinstance(kept, slice) and kept.dtype == np.bool_ and kept.all():
            return self
        return replace(self, **{name: getattr(self, name)[kept] for name in _COLUMNS})


_COLUMNS = tuple(each.name for each in fields(Columns))
_Rows = TypeVar("_Rows", bound=Columns)


def joined(parts: Sequence[_Rows]) -> _Rows:
    """The rows of all parts, one after the other, with what else the first one has."""
    columns = {name: np.concatenate([getattr(part, name) for part in parts]) for name in _COLUMNS}
    return replace(parts[0], **columns)


@dataclass(frozen=True, slots=True, kw_only=True)
class NestTables:
    """A nest in the static tables of its program."""

    accesses: tuple[Access, ...]  # all static accesses of the program, by number
    loops: tuple[Loop, ...]  # all loops of the program, by number
    nest: int  # the outermost loop [1]
    collapse: int  # outer loops that become threads [1]

    def chain_of(self, loop: int | None) -> tuple[int, ...]:
        """The loop and those around it in the nest, outermost first; none outside of the nest."""
        return chain_of(self.loops, loop, self.nest)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NestTrace(Columns):
    """Accesses with the tables that they refer to; made and checked by `nest_trace`."""

    accesses: tuple[Access, ...]  # all static accesses of the program, by number
    loops: tuple[Loop, ...]  # all loops of the program, by number
    nest: int  # the outermost loop [1]
    collapse: int  # outer loops that become threads [1]
    launches: tuple[int, ...]  # the launches that are there, ascending [1]
    # for each of them, how many iterations the collapsed loops have, outermost first [1]
    extents: tuple[tuple[int, ...], ...]

    def chain_of(self, loop: int | None) -> tuple[int, ...]:
        """The loop and those around it in the nest, outermost first; none outside of the nest."""
        return chain_of(self.loops, loop, self.nest)


def nest_trace(
    columns: Columns,
    *,
    accesses: Sequence[Access],
    loops: Sequence[Loop],
    nest: int,
    collapse: int,
    extents: Sequence[Sequence[int]] | None = None,
) -> NestTrace:
    """The checked trace of a nest.

    Accesses outside of some of the collapsed loops are given to all threads, see
    `spread`. Extents that are not given are those that the accesses reach.
    """
    if not len(columns.access):
        raise NestError("the loop nest made no memory access in this run; nothing to predict")
    if not 1 <= collapse <= columns.iterations.shape[1]:
        raise NestError(
            f"collapse must be from 1 to {columns.iterations.shape[1]}, the depth of the nest, "
            f"not {collapse}"
        )
    if np.any(columns.launch[1:] < columns.launch[:-1]):
        raise NestError("launches of the trace are not in ascending order")
    if columns.iterations[:, collapse - 1].min() < 0:
        rows, iterations = spread(columns.launch, columns.iterations, collapse)
        if not len(rows):
            raise NestError(
                f"no iteration of all {collapse} collapsed loops made a memory access; "
                "collapse fewer loops"
            )
        columns = replace(columns.where(rows), iterations=iterations)
    launches, first = launches_in(columns.launch)
    found = np.maximum.reduceat(columns.iterations[:, :collapse], first, axis=0) + 1
    given = found.tolist() if extents is None else [list(each) for each in extents]
    if len(given) != len(launches) or any(len(each) != collapse for each in given):
        raise NestError(f"extents must be {len(launches)} times {collapse} numbers")
    if np.any(np.asarray(given) < found):
        raise NestError(f"extents {given} are smaller than the iterations in the trace")
    return NestTrace(
        **{name: getattr(columns, name) for name in _COLUMNS},
        accesses=tuple(accesses),
        loops=tuple(loops),
        nest=nest,
        collapse=collapse,
        launches=tuple(launches.tolist()),
        extents=tuple(tuple(each) for each in given),
    )


def is_private(nest: NestTables | NestTrace, access: Access) -> bool:
    """True if each thread has an array of its own, declared inside the thread's body."""
    chain = nest.chain_of(access.loop)
    for loop in reversed(nest.chain_of(access.private_to)):
        if loop in chain:
            return chain.index(loop) >= nest.collapse - 1
    return False


def private_accesses(nest: NestTables | NestTrace | None) -> frozenset[int]:
    """Accesses to arrays of which each thread has one of its own [1]."""
    if nest is None:
        return frozenset()
    return frozenset(access.id for access in nest.accesses if is_private(nest, access))


def without(trace: NestTrace, accesses: Collection[int]) -> NestTrace:
    """The trace less some static accesses: those of private or shared memory, say."""
    keep = np.ones(len(trace.accesses), bool)
    keep[list(accesses)] = False
    kept = keep[trace.access]
    if kept.all():
        return trace
    if not kept.any():
        raise NestError("all accesses of the loop nest were left out; nothing to predict")
    extents = dict(zip(trace.launches, trace.extents, strict=True))
    rest = trace.where(kept)
    launches = launches_in(rest.launch)[0].tolist()
    return replace(
        rest,
        launches=tuple(launches),
        extents=tuple(extents[launch] for launch in launches),
    )


def exchanged(numbers: Iterable[int]) -> tuple[int, ...]:
    """Numbers of the collapsed loops, outermost first, with the last two exchanged [any].

    Examples
    --------
    >>> exchanged((3, 40, 64))
    (3, 64, 40)
    """
    *outer, second, first = numbers
    return (*outer, first, second)


def with_exchanged_loops(trace: NestTrace) -> NestTrace:
    """The trace with the two innermost collapsed loops exchanged."""
    depth = trace.iterations.shape[1]
    order = [*exchanged(range(trace.collapse)), *range(trace.collapse, depth)]
    return replace(
        trace,
        iterations=np.ascontiguousarray(trace.iterations[:, order]),
        extents=tuple(exchanged(each) for each in trace.extents),
    )


def with_only(trace: NestTrace | None, accesses: Collection[int]) -> NestTrace | None:
    """The trace of some accesses; None if there are none of them."""
    if trace is None:
        return None
    made = np.zeros(len(trace.accesses), bool)
    made[trace.access] = True
    there = set(np.flatnonzero(made).tolist())
    return without(trace, there - set(accesses)) if there & set(accesses) else None


def of_launch(trace: NestTrace | None, launch: int) -> NestTrace | None:
    """The trace of one launch; None if it made none of the accesses."""
    if trace is None or launch not in trace.launches:
        return None
    place = trace.launches.index(launch)
    begin, end = np.searchsorted(trace.launch, [launch, launch + 1])
    part = trace.where(slice(begin, end))
    return replace(part, launches=(launch,), extents=(trace.extents[place],))


def shifted(trace: NestTrace, begin: Sequence[int]) -> NestTrace:
    """The trace of a window, as if the launch began there.

    Only so are its threads those of the first batches to the stages behind.
    """
    iterations = trace.iterations.copy()
    iterations[:, : trace.collapse] -= np.array(begin, np.int32)
    return replace(trace, iterations=iterations)
