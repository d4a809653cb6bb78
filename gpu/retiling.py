"""A launch whose threads read tiles from shared memory, made from one whose threads do not.

Loads, accesses to the tile, barriers, and what a thread computes for them become those of the same
program written in tiles, see examples/polybench/gemm_tiled.c.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from math import ceil

import numpy as np
from numpy.typing import NDArray

from logca.gpu.instructions import Instructions
from logca.gpu.nest import NestTrace
from logca.gpu.threads import Layout
from logca.gpu.tiled import TiledLaunch
from logca.gpu.tiling import Tile, own_threads
from logca.gpu.traces import kept_of
from logca.gpu.variants import LaunchInput

__all__ = ["in_tiles"]

Integers = NDArray[np.int64]


def in_tiles(
    given: LaunchInput, grid: Layout, found: Sequence[Tile], *, room: int, warp_size: int
) -> LaunchInput:
    """A launch whose threads read tiles.

    Parameters
    ----------
    given : LaunchInput
        The launch as it is; has a trace.
    grid : Layout
        Its blocks where it was traced.
    found : sequence of Tile
        The tiles.
    room : int
        Elements by which a row of a tile is longer in shared memory [1].
    warp_size : int
        Threads of a warp [1].
    """
    trace, executed = given.trace, given.executed
    assert trace is not None
    moved = {access for tile in found for access in tile.accesses}
    steps = {tile: _steps_of(tile, executed) for tile in found}
    shared = _shared(trace, grid, found, room)
    loading = [_loading(trace, grid, tile) for tile in found]
    rest = kept_of(trace, set(executed.memory) - moved)
    most = max(steps.values(), default=0.0)
    return replace(
        given,
        trace=rest,
        executed=_executed(trace, executed, grid, found, steps, warp_size),
        tiled=TiledLaunch(
            shared=shared,
            memory=_joined(trace, rest, loading),
            filling=frozenset(_filling(trace, place) for place in range(len(found))),
            size=sum(tile.size(room) for tile in found),
            barriers=2 * most if any(tile.level is not None for tile in found) else 1.0,
        ),
    )


def _steps_of(tile: Tile, executed: Instructions) -> float:
    """Steps of a thread [1]."""
    counts = [executed.memory.get(access, 0.0) for access in tile.accesses]
    return max(counts) / tile.step


def _filling(trace: NestTrace, place: int) -> int:
    """A number for the stores that fill a tile, which the program does not have."""
    return len(trace.accesses) + place


def _executed(
    trace: NestTrace,
    executed: Instructions,
    grid: Layout,
    found: Sequence[Tile],
    steps: Mapping[Tile, float],
    warp_size: int,
) -> Instructions:
    """Instructions with loads of tiles: their addresses, and one loop around each step.

    Of an array with rows each load has an address there and in the tile, with one multiplication
    and one addition for each row that it steps over, and adds the tile's place to each index. Where
    not all warps load equally often it is their mean.
    """
    moved = {access for tile in found for access in tile.accesses}
    computation = dict(executed.computation)

    def more(name: str, count: float) -> None:
        if count:
            computation[name] = computation.get(name, 0.0) + count

    loads = {}
    shared = {site: each for site, each in executed.memory.items() if site in moved}
    for place, tile in enumerate(found):
        count = ceil(tile.elements / warp_size) / grid.warps_per_block(warp_size) * steps[tile]
        loads[tile.accesses[0]] = shared[_filling(trace, place)] = count
        rows = len(tile.extents) - 1
        more("mul", count * 2 * rows)
        more("add", count * (2 * rows + len(tile.extents)))
    most = max((steps[tile] for tile in found if tile.level is not None), default=0.0)
    more("add", most)
    more("br", most)
    return replace(
        executed,
        memory={site: each for site, each in executed.memory.items() if site not in moved},
        shared=shared,
        loads=loads,
        computation=computation,
    )


def _shared(trace: NestTrace, grid: Layout, found: Sequence[Tile], room: int) -> NestTrace | None:
    """The accesses to tiles; each tile is an array of its own that begins at address 0."""
    tables, address = list(trace.accesses), trace.address.copy()
    for number, tile in enumerate(found):
        steps = tile.steps(room)
        for access, origin in zip(tile.accesses, tile.origins, strict=True):
            mine = np.flatnonzero(trace.access == access)
            within = _within(trace, grid, tile, mine)
            at = np.zeros(len(mine), np.int64)
            for begin, own, size in zip(origin, tile.inside, steps, strict=True):
                at += (begin + within @ np.array(own, np.int64)) * size
            address[mine] = at.astype(np.uint64)
            tables[access] = replace(tables[access], array=f"tile {number}")
    moved = {access for tile in found for access in tile.accesses}
    return kept_of(replace(trace, address=address, accesses=tuple(tables)), moved)


def _within(trace: NestTrace, grid: Layout, tile: Tile, rows: NDArray[np.int64]) -> Integers:
    """Iterations from the first ones of the block and of the step on; others are 0 [1]."""
    found = np.zeros((len(rows), trace.iterations.shape[1]), np.int64)
    for place in range(trace.collapse):
        own = own_threads(grid, trace.collapse, place)
        found[:, place] = trace.iterations[rows, place] % own
    if tile.level is not None:
        found[:, tile.level] = trace.iterations[rows, tile.level] % tile.step
    return found


def _loading(trace: NestTrace, grid: Layout, tile: Tile) -> NestTrace:
    """The loads of a tile: in each step thread t of a block copies elements t, t + threads, ..."""
    first = tile.accesses[0]
    rows = np.flatnonzero(trace.access == first)
    within = _within(trace, grid, tile, rows)
    if tile.level is not None:
        begin = within[:, tile.level] == 0
        rows, within = rows[begin], within[begin]
    function = next(
        each
        for access, each in zip(tile.array.accesses, tile.array.functions, strict=True)
        if access == first and each is not None
    )
    coefficients = np.array(function[2:], np.int64)
    origin = tile.low - function[0] + trace.address[rows].view(np.int64) - within @ coefficients
    thread = np.zeros(len(rows), np.int64)
    for place in range(trace.collapse):
        own = own_threads(grid, trace.collapse, place)
        thread = thread * own + within[:, place]
    parts = []
    for turn in range(ceil(tile.elements / grid.threads_per_block)):
        element = thread + turn * grid.threads_per_block
        kept = element < tile.elements
        index = np.unravel_index(element[kept], tile.extents)
        address = origin[kept] + sum(
            at * step for at, step in zip(index, tile.array.steps, strict=True)
        )
        iterations = trace.iterations[rows[kept]].copy()
        if tile.level is not None:
            iterations[:, tile.level] //= tile.step
        parts.append((rows[kept], address.astype(np.uint64), iterations))
    which = np.concatenate([part[0] for part in parts])
    return replace(
        trace,
        access=trace.access[which],
        address=np.concatenate([part[1] for part in parts]),
        size=trace.size[which],
        launch=trace.launch[which],
        iterations=np.concatenate([part[2] for part in parts]),
    )


def _joined(trace: NestTrace, rest: NestTrace | None, loading: Collection[NestTrace]) -> NestTrace:
    parts = [*([] if rest is None else [rest]), *loading]
    return replace(
        trace,
        access=np.concatenate([part.access for part in parts]),
        address=np.concatenate([part.address for part in parts]),
        size=np.concatenate([part.size for part in parts]),
        launch=np.concatenate([part.launch for part in parts]),
        iterations=np.concatenate([part.iterations for part in parts]),
    )
