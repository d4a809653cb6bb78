"""The trace of one loop nest: what its outer loops, as threads, will read and write.

The columns are those of the trace, in program order; the tables say which static access a number
means and which loops are around it. Of the iteration columns the first belongs to the outermost
loop of the nest, and the first `collapse` of them become threads.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from logca.gpu.arguments import arguments
from logca.gpu.spreading import spread
from logca.trace.nesting import chain_of, loops_of
from logca.trace.program import Access, Loop, Program

__all__ = [
    "NestError",
    "NestTrace",
    "control_accesses",
    "is_private",
    "made_by_no_thread",
    "nest_trace",
    "without",
]


class NestError(ValueError):
    """The loop nest does not map to threads, or its trace is not whole; the message says why."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NestTrace:
    """Memory accesses of a loop nest; made and checked by `nest_trace`.

    Parameters
    ----------
    access : array of uint32
        Static access [1].
    address : array of uint64
        First byte [B].
    size : array of uint32
        How many bytes [B].
    launch : array of int32
        How often the nest had been entered before; never falls [1].
    iterations : array of int32
        A row for each access: iterations of the loops around it, the nest's outermost first,
        -1 where there are fewer loops [1].
    accesses : tuple of Access
        All static accesses of the program, by number.
    loops : tuple of Loop
        All loops of the program, by number.
    nest : int
        The outermost loop [1].
    collapse : int
        Outer loops that become threads [1].
    launches : tuple of int
        The launches that are there, ascending [1].
    extents : tuple of tuple of int
        For each of them, how many iterations the collapsed loops have, outermost first [1].
    """

    access: NDArray[np.uint32]
    address: NDArray[np.uint64]
    size: NDArray[np.uint32]
    launch: NDArray[np.int32]
    iterations: NDArray[np.int32]
    accesses: tuple[Access, ...]
    loops: tuple[Loop, ...]
    nest: int
    collapse: int
    launches: tuple[int, ...]
    extents: tuple[tuple[int, ...], ...]

    def rows(self) -> list[dict[str, object]]:
        """What the stage prints: one row for each launch."""
        starts = np.searchsorted(self.launch, self.launches)
        counts = np.diff(starts, append=len(self.launch))
        return [
            {"launch": launch, "threads": " x ".join(map(str, extents)), "accesses": int(count)}
            for launch, extents, count in zip(self.launches, self.extents, counts, strict=True)
        ]


def nest_trace(
    *,
    access: NDArray[np.uint32],
    address: NDArray[np.uint64],
    launch: NDArray[np.int32],
    iterations: NDArray[np.int32],
    accesses: Sequence[Access],
    loops: Sequence[Loop],
    nest: int,
    collapse: int,
    size: NDArray[np.uint32] | None = None,
    extents: Sequence[Sequence[int]] | None = None,
) -> NestTrace:
    """The checked trace of a nest.

    Accesses outside of some of the collapsed loops are given to all threads, see
    `logca.gpu.spreading`.

    Parameters
    ----------
    access, address, launch, iterations : array
        Columns, see `NestTrace` [1].
    accesses, loops : sequence
        Static tables of the program.
    nest, collapse : int
        Outermost loop, and how many loops from it on become threads [1].
    size : array of uint32, optional
        Bytes of each access; those of the static accesses if left out [B].
    extents : sequence of sequence of int, optional
        Iterations of the collapsed loops in each launch, for a trace that does not reach all of
        them; found in the trace if left out [1].

    Raises
    ------
    NestError
        If the columns do not fit together, or there is nothing in them.
    """
    access = np.ascontiguousarray(access, np.uint32)
    launch = np.ascontiguousarray(launch, np.int32)
    iterations = np.ascontiguousarray(iterations, np.int32)
    if not len(access):
        raise NestError("the loop nest made no memory access in this run; nothing to predict")
    if not len(access) == len(address) == len(launch) == len(iterations):
        raise NestError("the columns of the trace differ in length")
    if not 1 <= collapse <= iterations.shape[1]:
        raise NestError(
            f"collapse must be from 1 to {iterations.shape[1]}, the depth of the nest, "
            f"not {collapse}"
        )
    if np.any(launch[1:] < launch[:-1]):
        raise NestError("launches of the trace are not in ascending order")
    if access.max() >= len(accesses):
        raise NestError(f"access {access.max()} is not one of the program's {len(accesses)}")
    size = _sizes(access, accesses) if size is None else size
    if iterations[:, collapse - 1].min() < 0:
        rows, iterations = spread(launch, iterations, collapse)
        if not len(rows):
            raise NestError(
                f"no iteration of all {collapse} collapsed loops made a memory access; "
                "collapse fewer loops"
            )
        access, launch = access[rows], launch[rows]
        address, size = np.asarray(address)[rows], np.asarray(size)[rows]
    launches, first = np.unique(launch, return_index=True)
    found = np.maximum.reduceat(iterations[:, :collapse], first, axis=0) + 1
    given = found.tolist() if extents is None else [list(each) for each in extents]
    if len(given) != len(launches) or any(len(each) != collapse for each in given):
        raise NestError(f"extents must be {len(launches)} times {collapse} numbers")
    if np.any(np.asarray(given) < found):
        raise NestError(f"extents {given} are smaller than the iterations in the trace")
    return NestTrace(
        access=access,
        address=np.ascontiguousarray(address, np.uint64),
        size=np.ascontiguousarray(size, np.uint32),
        launch=launch,
        iterations=iterations,
        accesses=tuple(accesses),
        loops=tuple(loops),
        nest=nest,
        collapse=collapse,
        launches=tuple(launches.tolist()),
        extents=tuple(tuple(each) for each in given),
    )


def made_by_no_thread(program: Program, nest: int, collapse: int) -> frozenset[int]:
    """Accesses that a C program makes and a kernel does not; a `NestTrace` must not have them [1].

    They load what a kernel is given as an argument, see `logca.gpu.arguments`, or only decide
    whether a collapsed loop goes on.

    Parameters
    ----------
    program : Program
        With calls inlined.
    nest, collapse : int
        Outermost loop, and how many loops from it on become threads [1].
    """
    return arguments(program, nest) | control_accesses(program, nest, collapse)


def control_accesses(program: Program, nest: int, collapse: int) -> frozenset[int]:
    """Accesses that only decide whether a collapsed loop goes on [1].

    They are in the header of a loop whose test stands at its top, as in
    ``for (i = 0; i < n[0]; i++)``, and run once more than the body does.

    Parameters
    ----------
    program : Program
        With calls inlined.
    nest, collapse : int
        Outermost loop, and how many loops from it on become threads [1].
    """
    depth = program.loops[nest].depth
    headers = {
        loop.header
        for loop in loops_of(program, nest)
        if loop.depth < depth + collapse
        and loop.header not in loop.latches
        and not set(program.blocks[loop.header].successors) <= loop.blocks
    }
    return frozenset(access.id for access in program.accesses if access.block in headers)


def is_private(trace: NestTrace, access: Access) -> bool:
    """Whether each thread has an array of its own, declared inside the thread's body."""
    chain = chain_of(trace.loops, access.loop, trace.nest)
    for loop in reversed(chain_of(trace.loops, access.private_to)):
        if loop in chain:
            return chain.index(loop) >= trace.collapse - 1
    return False


def without(trace: NestTrace, accesses: Collection[int]) -> NestTrace:
    """The trace less some static accesses: those of private or shared memory, say.

    Parameters
    ----------
    trace : NestTrace
        The trace.
    accesses : collection of int
        Which to leave out [1].

    Raises
    ------
    NestError
        If nothing is left.
    """
    leave = np.zeros(len(trace.accesses), bool)
    leave[list(accesses)] = True
    kept = ~leave[trace.access]
    if kept.all():
        return trace
    if not kept.any():
        raise NestError("all accesses of the loop nest were left out; nothing to predict")
    extents = dict(zip(trace.launches, trace.extents, strict=True))
    launches = np.unique(trace.launch[kept]).tolist()
    return replace(
        trace,
        access=trace.access[kept],
        address=trace.address[kept],
        size=trace.size[kept],
        launch=trace.launch[kept],
        iterations=trace.iterations[kept],
        launches=tuple(launches),
        extents=tuple(extents[launch] for launch in launches),
    )


def _sizes(access: NDArray[np.uint32], accesses: Sequence[Access]) -> NDArray[np.uint32]:
    static = np.array([each.size for each in accesses], np.uint32)
    sizes = static[access]
    if not sizes.all():
        raise NestError("the trace has copies of memory whose size only the run knows; give size")
    return sizes
