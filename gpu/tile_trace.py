"""The trace of a kernel in tiles as one of ordinary threads.

A thread of the GPU is an iteration of the block loops together with one of the thread loops. So the
columns of both become one column for each direction, ``block * threads of a block + thread``, and
the thread loops vanish from between the loops that a thread runs. What stands in the body of a
block but in no thread loop is done by every thread alike.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from logca.gpu.instructions import Instructions
from logca.gpu.nest import NestTrace, control_accesses, made_by_no_thread, nest_trace
from logca.gpu.running import Columns
from logca.gpu.sampling import Sample, Wanted
from logca.gpu.tile_errors import TileError
from logca.gpu.tile_instructions import barriers_of_thread
from logca.gpu.tiled import TiledLaunch
from logca.gpu.tiles import Tile
from logca.gpu.traces import kept_of, launch_of
from logca.gpu.workload import Workload
from logca.trace.nesting import accesses_of, chain_of
from logca.trace.program import Access, Loop, Program

__all__ = ["tile_trace", "tiled_launch"]

Integers = NDArray[np.int64]


def tile_trace(static: Program, tile: Tile, wanted: Wanted, sample: Sample) -> NestTrace | None:
    """The accesses kept of a nest, by threads; None if there are none.

    Its tables have loops and accesses as the threads see them.

    Parameters
    ----------
    static : Program
        The program.
    tile : Tile
        The nest.
    wanted : Wanted
        What was to be kept.
    sample : Sample
        What was.

    Raises
    ------
    TileError
        If a block has not the same threads every time, or two threads reach one element of an array
        that each is to have for itself.
    """
    if not sample.parts:
        return None
    columns = sample.columns()
    columns = columns.where(np.isin(columns.launch, sorted(sample.launches)))
    columns = columns.where(~np.isin(columns.access, sorted(_left_out(static, tile))))
    if not len(columns.access):
        return None
    launches = np.unique(columns.launch).tolist()
    blocks = [sample.launches[launch].extents for launch in launches]
    if wanted.number == 1:
        blocks = [tuple(max(1, round(mean)) for mean in wanted.extents)]
    rows, iterations = _by_threads(static, tile, columns, np.max(blocks, axis=0).tolist(), wanted)
    columns = columns.where(rows)
    _check_registers(static, tile, columns, iterations)
    loops, accesses = _tables(static, tile)
    return nest_trace(
        access=columns.access,
        address=columns.address,
        launch=columns.launch,
        iterations=iterations,
        size=columns.size,
        accesses=accesses,
        loops=loops,
        nest=tile.nest.loop,
        collapse=tile.directions,
        extents=[tile.merged(each) for each in blocks],
    )


def tiled_launch(
    load: Workload, tile: Tile | None, trace: NestTrace | None, executed: Instructions, launch: int
) -> TiledLaunch | None:
    """What a launch has to do with shared memory; None if it does not work in tiles.

    Parameters
    ----------
    load : Workload
        The program and its counts.
    tile : Tile or None
        The nest.
    trace : NestTrace or None
        Its accesses by threads; None if there are none.
    executed : Instructions
        What a thread executes.
    launch : int
        The launch [1].
    """
    if tile is None:
        return None
    own = None if trace is None else launch_of(trace, launch)
    return TiledLaunch(
        shared=kept_of(own, executed.shared),
        memory=kept_of(own, {*executed.memory, *executed.loads}),
        filling=tile.arrays.filling,
        size=tile.arrays.size,
        barriers=barriers_of_thread(load, tile),
    )


def _left_out(static: Program, tile: Tile) -> frozenset[int]:
    """Accesses that no thread makes: arguments, and tests of loops of blocks or of threads."""
    found = made_by_no_thread(static, tile.nest.loop, tile.nest.collapse)
    for step in tile.threads:
        found |= control_accesses(static, step[0], len(step))
    return found


def _by_threads(
    static: Program,
    tile: Tile,
    columns: Columns,
    blocks: Sequence[int],
    wanted: Wanted,
) -> tuple[Integers, NDArray[np.int32]]:
    """Rows of the trace, those that several threads do repeated, and their new iterations."""
    own = len(tile.blocks)
    ranges = [
        *(min(window, extent) for window, extent in zip(wanted.window, blocks, strict=True)),
        *tile.extents,
    ]
    depth = columns.iterations.shape[1]
    at = np.full((len(columns.access), len(ranges) + depth - own), -1, np.int32)
    for number in np.unique(columns.access).tolist():
        mine = np.flatnonzero(columns.access == number)
        chain = chain_of(static.loops, static.accesses[number].loop, tile.nest.loop)
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


def _check_registers(
    static: Program, tile: Tile, columns: Columns, iterations: NDArray[np.int32]
) -> None:
    """Refuse arrays with one element a thread of which an element is reached by two threads."""
    mine = np.flatnonzero(np.isin(columns.access, sorted(tile.arrays.registers)))
    if not len(mine):
        return
    outer = iterations[mine, : tile.directions].astype(np.int64)
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
    for each in accesses_of(static, tile.nest.loop):
        accesses[each.id] = replace(each, loop=outside(each.loop))
    for loop in static.loops:
        if loop.parent is not None and loop.id not in tile.blocks:
            loops[loop.id] = replace(loop, parent=outside(loop.parent))
    return loops, accesses
