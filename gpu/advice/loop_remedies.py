"""Remedies that take the body of threads apart: kernels of their own, with more loops as threads.

A loop that carries nothing may be distributed over the loops in its body: each becomes a kernel.
In each of these, a loop in whose iterations no dependence differs may be moved out past the ones
around it and become threads as well; the serial ones then run inside each thread
(``for (i) for (k) for (j) C[i][j] += A[i][k] * B[k][j]`` has a thread for each i and j).
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from math import prod

import numpy as np
from numpy.typing import NDArray

from logca.gpu.advice.loop_parts import LoopPart, handed_on, parts_of, turned
from logca.gpu.advice.results import PartLaunches, RemedyCandidate
from logca.gpu.nests.nest import (
    Columns,
    NestTrace,
    joined,
    launches_in,
    nest_trace,
    of_launch,
    private_accesses,
    with_only,
)
from logca.gpu.prediction.nest_samples import NestSample
from logca.gpu.program.running import passed
from logca.gpu.sampling.plan import arguments
from logca.gpu.stages.blocks_and_occupancy import Shape, shape_of
from logca.gpu.stages.instructions import Instructions, innermost_blocks, of_thread
from logca.gpu.stages.launches_in_sequence import Launch
from logca.trace.ir.program import Access, Loop, Program

__all__ = ["DISTRIBUTED", "distributed"]

DISTRIBUTED = "distributed loops"
"""The name of the remedy."""

_KEPT = 1 << 21
"""Accesses of a part that are kept; of long threads that is only the beginning [1]."""


def distributed(sample: NestSample) -> Iterator[RemedyCandidate]:
    """The body of a nest's threads taken apart, if a part then has more loops as threads.

    Its new loops along x and y stand in both orders.
    """
    parts = parts_of(sample)
    more = [part for part in parts if len(part.threads) > sample.nest.collapse]
    if not more:
        return
    static, nest = sample.workload.static, sample.nest
    names = handed_on(sample, parts)
    if names is None:
        return
    conditions = (
        (f"{', '.join(names)} of each thread must be kept in an array between the kernels",)
        if names
        else ()
    )

    def line(loop: int) -> int:
        return static.loops[loop].line

    for inner in (False, True):
        arranged = [turned(part) if inner else part for part in parts]
        ways = []
        for part in (each for each in arranged if each in more or turned(each) in more):
            trips = sample.workload
            shape = " x ".join(
                f"{max(1, round(trips.trips(n).mean)):,}" for n in reversed(part.threads)
            )
            within = f", with that of line {line(part.serial[0])} inside" if part.serial else ""
            lines = " and ".join(str(line(loop)) for loop in part.threads)
            ways.append(f"the loops at lines {lines} as threads ({shape}){within}")
        split = (
            f"distribute the loop at line {line(nest.loop)} over {len(parts)} kernels; "
            if len(parts) > 1
            else ""
        )
        yield RemedyCandidate(
            name=DISTRIBUTED,
            array="",
            accesses=(),
            what=f"{split}{'; '.join(ways)}",
            conditions=conditions,
            parts=_launches_of(tuple(arranged)),
        )


def _launches_of(
    parts: tuple[LoopPart, ...],
) -> Callable[[NestSample], tuple[PartLaunches, ...]]:
    """A function that makes the launches of all parts from the kernel as it is."""
    found: list[PartLaunches] = []  # the program runs for it, and they are asked for twice

    def made(sample: NestSample) -> tuple[PartLaunches, ...]:
        if not found:
            traces = _traces(sample, parts)
            for part, trace in zip(parts, traces, strict=True):
                times, threads = _times(sample, part)
                executed = _executed(sample, part, trace, times, threads)
                found.append(
                    PartLaunches(
                        loops=part.threads,
                        times=times,
                        launches=tuple(_launches(sample, part, trace, executed)),
                    )
                )
        return tuple(found)

    return made


def _shape(sample: NestSample, part: LoopPart) -> Shape:
    block = sample.shape.block if len(part.threads) == sample.nest.collapse else None
    return shape_of(_extents(sample, part, True), sample.device, block=block)


def _extents(sample: NestSample, part: LoopPart, at_work_size: bool) -> tuple[int, ...]:
    trips = (sample.workload.trips(loop, at_work_size=at_work_size) for loop in part.threads)
    return tuple(max(1, round(each.mean)) for each in trips)


def _launches(
    sample: NestSample, part: LoopPart, trace: NestTrace | None, executed: Instructions
) -> Iterator[Launch]:
    """The launches of a part that were sampled."""
    shape, extents = _shape(sample, part), _extents(sample, part, True)
    trace = with_only(trace, executed.memory)
    for which in sample.classes:
        factors = {
            **dict.fromkeys(part.threads, 1.0),
            **dict(zip(sample.nest.loops, which.extents, strict=True)),
        }
        grid = shape.grid(
            tuple(
                max(1, round(extent * factors[loop]))
                for loop, extent in zip(part.threads, extents, strict=True)
            )
        )
        own = of_launch(trace, which.launch)
        yield Launch(
            shape=shape,
            grid=grid,
            traced=None if own is None else shape.grid(own.extents[0]),
            occupancy=shape.occupancy(grid),
            trace=own,
            executed=executed.times(which.work),
            tiled=None,
            times=which.share * sample.number,
        )


def _times(sample: NestSample, part: LoopPart) -> tuple[dict[int, float], float]:
    """Executions of each block by a thread of a part at the work size, and its threads [1]."""
    workload = sample.workload
    static, counts = workload.static, workload.work
    extents = _extents(sample, part, True)
    threads = sample.number * prod(workload.trips(loop).mean for loop in part.threads)
    mean = dict(zip(part.threads, extents, strict=True))
    only = part.blocks
    if sample.model.innermost_only:
        deepest = part.chain[-1] if part.chain else None
        leaves = None if deepest is None else innermost_blocks(static, deepest)
        if leaves is None and part.serial:
            leaves = static.loops[part.serial[-1]].blocks
        only = part.blocks if leaves is None else leaves & part.blocks
    times = {}
    for block in only:
        around = static.chain_of(static.blocks[block].loop)
        # what stands outside of a loop that became threads is executed by each of them
        missing = prod(mean[loop] for loop in part.threads if loop not in around)
        times[block] = counts[block] * missing / threads
    return times, threads


def _executed(
    sample: NestSample,
    part: LoopPart,
    trace: NestTrace | None,
    times: Mapping[int, float],
    threads: float,
) -> Instructions:
    """Instructions of a thread of a part, at the work size."""
    static = sample.workload.static
    return of_thread(
        static,
        part.threads,
        times,
        threads=threads,
        private=private_accesses(trace),
        registers=arguments(static, sample.nest.loop),
    )


def _traces(sample: NestSample, parts: Sequence[LoopPart]) -> list[NestTrace | None]:
    """Run the program, and keep the accesses of the first threads of each part."""
    nest = sample.nest
    kept: list[list[Columns]] = [[] for _ in parts]
    wanted = np.array(sorted({which.launch for which in sample.classes}), np.int32)
    windows = [_window(sample, part) for part in parts]

    def look(_: int, each: Columns) -> bool:
        known = np.isin(each.launch, wanted)
        for part, window, own in zip(parts, windows, kept, strict=True):
            mask = known & np.isin(each.access, np.fromiter(part.accesses, np.uint32))
            for column, most in window.items():
                mask &= each.iterations[:, column] < most
            if mask.any():
                own.append(each.where(mask))
        outermost = max(window.get(0, 1 << 30) for window in windows)
        last = int(each.launch[-1])
        past = last == wanted[-1] and each.iterations[-1, 0] >= outermost
        return last > wanted[-1] or bool(past)

    passed(sample.workload.executable, [nest.loop], look)
    return [_trace(sample, part, own) for part, own in zip(parts, kept, strict=True)]


def _window(sample: NestSample, part: LoopPart) -> dict[int, int]:
    """For columns of the trace the iterations below which accesses are kept [1]."""
    static = sample.workload.static
    shape, extents = _shape(sample, part), _extents(sample, part, False)
    grid = shape.grid(extents)
    blocks = shape.window_blocks
    wide, high = grid.grid[0], grid.grid[0] * grid.grid[1]
    rows = (blocks, -(-blocks // wide), -(-blocks // high))
    around = [*sample.nest.loops, *part.chain]
    found = {}
    for loop, row, threads in zip(reversed(part.threads), rows, grid.block, strict=False):
        found[around.index(loop)] = row * threads
    inside = prod(
        min(each, found.get(around.index(loop), each))
        for loop, each in zip(part.threads, extents, strict=True)
    )
    often = sum(sample.workload.traced[static.accesses[site].block] for site in part.accesses)
    whole = prod(extents) * max(1, sample.seen.plan.number)
    kept = often / whole * inside * len(sample.classes)
    if part.serial and kept > _KEPT:
        trips = sample.workload.trips(part.serial[0], at_work_size=False).mean
        found[around.index(part.serial[0])] = max(1, int(trips * _KEPT / kept))
    return found


def _trace(sample: NestSample, part: LoopPart, columns: Sequence[Columns]) -> NestTrace | None:
    """The trace of a part whose loops stand in another order, thread by thread."""
    if not columns:
        return None
    static, nest = sample.workload.static, sample.nest
    rows = joined(columns)
    depth = rows.iterations.shape[1]
    before = [*nest.loops, *part.chain]
    after = [*part.threads, *part.serial]
    rows = _repeated(static, part, rows, before)
    order = [before.index(loop) for loop in after]
    order += [column for column in range(depth) if column not in order]
    iterations = np.ascontiguousarray(rows.iterations[:, order])
    keys = (*iterations[:, : len(part.threads)].T[::-1], rows.launch)
    # what a thread does stays in the order of its serial loops, and there in that of the program
    inner = iterations[:, len(part.threads) : len(after)]
    place = np.lexsort((*inner.T[::-1], *keys))
    rows = replace(rows, iterations=iterations).where(place)
    launches, first = launches_in(rows.launch)
    seen = np.maximum.reduceat(rows.iterations[:, : len(part.threads)], first, axis=0) + 1
    whole = np.maximum(seen, np.array(_extents(sample, part, False)))
    accesses, loops = _tables(static, part, before, after)
    return nest_trace(
        rows,
        accesses=accesses,
        loops=loops,
        nest=after[0],
        collapse=len(part.threads),
        extents=whole.tolist() if len(launches) == 1 else seen.tolist(),
    )


def _repeated(static: Program, part: LoopPart, rows: Columns, before: Sequence[int]) -> Columns:
    """Rows in which every thread makes what stands outside of a loop that became threads."""
    for loop in part.threads:
        column = before.index(loop)
        outside = rows.iterations[:, column] < 0
        if not outside.any():
            continue
        number = int(rows.iterations[:, column].max()) + 1
        times: NDArray[np.int64] = np.where(outside, number, 1)
        index = np.repeat(np.arange(len(times)), times)
        iterations = rows.iterations[index]
        copies = np.flatnonzero(outside[index])
        iterations[copies, column] = np.tile(np.arange(number), int(outside.sum()))
        rows = replace(rows.where(index), iterations=iterations)
    return rows


def _tables(
    static: Program, part: LoopPart, before: Collection[int], after: Sequence[int]
) -> tuple[list[Access], list[Loop]]:
    """Accesses and loops as they are nested then."""
    parents: dict[int, int | None] = dict(zip(after[1:], after, strict=False))
    deepest = part.chain[-1] if part.chain else part.threads[-1]
    loops = []
    for loop in static.loops:
        parent = loop.parent
        if loop.id == after[0]:
            parent = static.loops[next(iter(before))].parent
        elif loop.id in parents:
            parent = parents[loop.id]
        elif parent == deepest:
            parent = after[-1]
        loops.append(replace(loop, parent=parent))
    accesses = []
    for access in static.accesses:
        if access.id in part.accesses and access.loop in before:
            around = set(static.chain_of(access.loop))
            inside = [loop for loop in part.serial if loop in around]
            access = replace(access, loop=inside[-1] if inside else part.threads[-1])
        accesses.append(access)
    return accesses, loops
