"""Accesses and instructions of a tiled kernel's threads, and the sampled blocks.

An iteration of the block loops together with one of the thread loops is a thread. What stands in
the body of a block but in no thread loop is done by every thread alike.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import prod

import numpy as np
from numpy.typing import NDArray

from logca.gpu.devices.parameters import GpuDevice
from logca.gpu.nests.nest import Columns, NestTrace, nest_trace, with_only
from logca.gpu.program.workload import Workload
from logca.gpu.sampling.plan import EVERYTHING, SamplePlan, arguments, control_accesses, looked_at
from logca.gpu.sampling.sample import Seen
from logca.gpu.stages.blocks_and_occupancy import Shape, shape_of
from logca.gpu.stages.instructions import Instructions, of_thread
from logca.gpu.stages.shared_memory import TiledLaunch
from logca.gpu.tiles.tile import Tile, TileError
from logca.trace.ir.program import Access, Loop, Program

__all__ = [
    "barriers_of_thread",
    "by_threads",
    "plan_of_tile",
    "shape_of_tile",
    "tile_executions",
    "tile_instructions",
    "tile_trace",
    "tiled_launch",
]

_KEPT = 1 << 21
"""Accesses that are kept; of long threads that is only the beginning [1]."""


def shape_of_tile(tile: Tile, device: GpuDevice) -> Shape:
    """The shape of a kernel in tiles: the block that the source says, with its shared memory."""
    return shape_of(
        (1,) * tile.directions, device, block=tile.block, shared_memory=tile.arrays.size
    )


def plan_of_tile(workload: Workload, tile: Tile, shape: Shape) -> SamplePlan:
    """Plan of the trace to keep: the blocks of the first batches, of some launches."""
    static, nest = workload.static, tile.nest
    size = workload.size_of(nest, at_work_size=False)
    extents, number = size.extents, size.launches
    rest, window = shape.window_blocks, []
    for extent in (max(1, round(extent)) for extent in reversed(extents)):
        window.append(rest if number > 1 else min(rest, extent))
        rest = -(-rest // extent) if number == 1 else rest
    columns = {
        access.id: column
        for access in static.accesses_of[nest.loop]
        for column in _own_columns(static, tile, access)[:1]
    }
    accesses = sum(workload.traced[access.block] for access in static.accesses_of[nest.loop]) / max(
        1, prod(extents) * number
    )
    launches = looked_at(number)
    most = _KEPT / max(1.0, accesses * len(launches) * shape.window_blocks)
    longest = _longest(workload, tile, columns)
    of_kernel = arguments(static, nest.loop)
    control = control_accesses(static, nest.loop, nest.collapse)
    return SamplePlan(
        static=static,
        nest=nest,
        arguments=of_kernel,
        control=control,
        unmade=of_kernel | control,
        launches=launches,
        window=tuple(reversed(window)),
        number=number,
        extents=extents,
        inside=EVERYTHING if most >= 1 or not longest else max(1, int(most * longest)),
        columns=columns,
    )


def _longest(workload: Workload, tile: Tile, columns: Mapping[int, int]) -> float:
    """Iterations of the longest of the threads' own outermost loops [1]."""
    static = workload.static
    loops = {
        static.chain_of(static.accesses[access].loop, tile.nest.loop)[column]
        for access, column in columns.items()
    }
    return max((workload.trips(loop, at_work_size=False).mean for loop in loops), default=0.0)


def _own_columns(static: Program, tile: Tile, access: Access) -> list[int]:
    """Columns of the loops around an access that a thread runs, outermost first [1]."""
    others = tile.thread_loops.union(tile.blocks)
    chain = static.chain_of(access.loop, tile.nest.loop)
    return [column for column, loop in enumerate(chain) if loop not in others]


def tile_instructions(workload: Workload, tile: Tile, *, loops_only: bool) -> Instructions:
    """Instructions that a thread executes.

    What stands in a thread loop, all threads of the block have done together; everything else in
    the body of a block, each of its threads does.
    """
    static, arrays = workload.static, tile.arrays
    times, threads = tile_executions(workload, tile)
    if loops_only:
        times = {
            number: each
            for number, each in times.items()
            if _in_a_loop(tile, static.chain_of(static.blocks[number].loop))
        }
    found = of_thread(
        static,
        tile.loops,
        times,
        threads=threads,
        private=arrays.own,
        shared=arrays.shared,
        registers=arrays.registers | arguments(static, tile.nest.loop),
    )
    return replace(
        found,
        memory={site: each for site, each in found.memory.items() if site not in arrays.loads},
        loads={site: each for site, each in found.memory.items() if site in arrays.loads},
    )


def tile_executions(workload: Workload, tile: Tile) -> tuple[dict[int, float], float]:
    """Executions of each block of the program by a thread, and the number of threads [1]."""
    static = workload.static
    entered = [workload.trips(loop).iterations for loop in tile.blocks]
    times = {}
    for number in static.loops[tile.nest.loop].blocks:
        around = static.chain_of(static.blocks[number].loop)
        own = [loop for loop in around if loop in tile.thread_loops]
        level = max(place for place, loop in enumerate(tile.blocks) if loop in around)
        times[number] = workload.work[number] / (entered[level] * prod(tile.extents[: len(own)]))
    return times, float(entered[-1] * prod(tile.extents))


def barriers_of_thread(workload: Workload, tile: Tile) -> float:
    """Barriers that a thread waits at [1] (no_sync_insts of wang2017, eq. 23)."""
    blocks = workload.trips(tile.blocks[-1]).iterations
    return sum(workload.trips(loop).iterations for loop in tile.barriers) / blocks


def _in_a_loop(tile: Tile, around: Sequence[int]) -> bool:
    """True if a thread goes through a place in a loop of its own."""
    return not tile.thread_loops.union(tile.blocks).issuperset(around)


Integers = NDArray[np.int64]


def tile_trace(tile: Tile, seen: Seen) -> NestTrace | None:
    """The accesses kept of a nest, by threads; None if there are none.

    Its tables have loops and accesses as the threads see them.
    """
    plan = seen.plan
    static = plan.static
    if not seen.parts:
        return None
    unmade = plan.unmade
    for step in tile.threads:
        unmade |= control_accesses(static, step[0], len(step))
    columns = seen.columns()
    columns = columns.where(np.isin(columns.launch, sorted(seen.launches)))
    columns = columns.where(~np.isin(columns.access, sorted(unmade)))
    if not len(columns.access):
        return None
    launches = np.unique(columns.launch).tolist()
    blocks = [seen.launches[launch].extents for launch in launches]
    if plan.number == 1:
        blocks = [tuple(max(1, round(mean)) for mean in plan.extents)]
    most = np.max(blocks, axis=0).tolist()
    window = [min(window, extent) for window, extent in zip(plan.window, most, strict=True)]
    return by_threads(static, tile, columns, blocks=blocks, window=window)


def by_threads(
    static: Program,
    tile: Tile,
    columns: Columns,
    *,
    blocks: Sequence[tuple[int, ...]],
    window: Sequence[int],
) -> NestTrace:
    """The accesses of a nest as its threads make them.

    `blocks` are there in each launch, and those in the `window` do what stands outside of some of
    their loops.
    """
    rows, iterations = _by_threads(static, tile, columns, window)
    columns = replace(columns.where(rows), iterations=iterations)
    _check_registers(static, tile, columns)
    loops, accesses = _tables(static, tile)
    return nest_trace(
        columns,
        accesses=accesses,
        loops=loops,
        nest=tile.nest.loop,
        collapse=tile.directions,
        extents=[tile.merged(extents) for extents in blocks],
    )


def tiled_launch(
    workload: Workload, tile: Tile, trace: NestTrace | None, executed: Instructions
) -> TiledLaunch:
    """The part of a launch that concerns shared memory, from all of its accesses."""
    return TiledLaunch(
        shared=with_only(trace, executed.shared),
        memory=with_only(trace, {*executed.memory, *executed.loads}),
        filling=tile.arrays.filling,
        size=tile.arrays.size,
        barriers=barriers_of_thread(workload, tile),
    )


def _by_threads(
    static: Program, tile: Tile, columns: Columns, window: Sequence[int]
) -> tuple[Integers, NDArray[np.int32]]:
    """Rows of the trace, those that several threads do repeated, and their new iterations."""
    own, ranges = len(tile.blocks), [*window, *tile.extents]
    depth = columns.iterations.shape[1]
    at = np.full((len(columns.access), len(ranges) + depth - own), -1, np.int32)
    for number in np.unique(columns.access).tolist():
        mine = np.flatnonzero(columns.access == number)
        chain = static.chain_of(static.accesses[number].loop, tile.nest.loop)
        inner = len(ranges)
        for column, loop in enumerate(chain):
            step = next((each for each in tile.threads if loop in each), ())
            if column < own:
                place = column
            elif step:
                place = own + step.index(loop)
            else:
                place, inner = inner, inner + 1
            at[mine, place] = columns.iterations[mine, column]
        _check_threads(static, tile, static.accesses[number], at[mine, own : len(ranges)])
    missing = at[:, : len(ranges)] < 0
    copies = np.where(missing, np.array(ranges), 1).prod(axis=1)
    rows = np.repeat(np.arange(len(at)), copies)
    at = at[rows]
    which = np.arange(len(rows)) - np.repeat(np.cumsum(copies) - copies, copies)
    for place in reversed(range(len(ranges))):
        absent = missing[rows, place]
        at[absent, place] = which[absent] % ranges[place]
        which[absent] //= ranges[place]
    outer = np.zeros((len(at), tile.directions), np.int32)
    outer[:, tile.directions - own :] = at[:, :own]
    outer *= np.array(tuple(reversed(tile.block)), np.int32)
    outer[:, tile.directions - len(tile.extents) :] += at[:, own : len(ranges)]
    return rows, np.concatenate([outer, at[:, len(ranges) :]], axis=1)


def _check_threads(static: Program, tile: Tile, access: Access, threads: NDArray[np.int32]) -> None:
    for extent, last in zip(tile.extents, threads.max(axis=0, initial=-1).tolist(), strict=True):
        if last >= extent:
            raise TileError(
                f"{access.file}:{access.line}: a block has thread {last}, where it should have "
                f"{extent} along this loop: all blocks have the same threads"
            )


def _check_registers(static: Program, tile: Tile, columns: Columns) -> None:
    """Refuse arrays with one element a thread of which an element is reached by two threads."""
    mine = np.flatnonzero(np.isin(columns.access, sorted(tile.arrays.registers)))
    if not len(mine):
        return
    outer = columns.iterations[mine, : tile.directions].astype(np.int64)
    own = np.array(tuple(reversed(tile.block)))
    keys = [*(outer % own).T, *(outer // own).T, columns.address[mine], columns.launch[mine]]
    order = np.lexsort(keys)
    same = np.ones(len(order) - 1, bool)
    for key in keys[tile.directions :]:
        same &= np.diff(key[order].astype(np.int64)) == 0
    other = np.any(np.diff((outer % own)[order], axis=0) != 0, axis=1)
    if np.any(same & other):
        place = int(np.flatnonzero(same & other)[0])
        access = static.accesses[int(columns.access[mine][order[place]])]
        one, two = ((outer % own)[order[place + step]].tolist() for step in (0, 1))
        raise TileError(
            f"{access.file}:{access.line}: {access.array} is private, but threads {one} and {two} "
            "of a block reach the same element: index it with the loops of the threads alone"
        )


def _tables(static: Program, tile: Tile) -> tuple[list[Loop], list[Access]]:
    """Loops and accesses with the threads' loops taken out, and as many others as directions."""
    loops = list(static.loops)
    innermost = loops[tile.blocks[-1]]
    while len(loops) < len(static.loops) + tile.directions - len(tile.blocks):
        innermost = replace(
            innermost, id=len(loops), parent=innermost.id, depth=innermost.depth + 1
        )
        loops.append(innermost)
    threads = tile.thread_loops

    def outside(loop: int | None) -> int | None:
        while loop is not None and loop in threads:
            loop = static.loops[loop].parent
        return innermost.id if loop == tile.blocks[-1] else loop

    accesses = list(static.accesses)
    for each in static.accesses_of[tile.nest.loop]:
        accesses[each.id] = replace(each, loop=outside(each.loop))
    for loop in static.loops:
        if loop.parent is not None and loop.id not in tile.blocks:
            loops[loop.id] = replace(loop, parent=outside(loop.parent))
    return loops, accesses
