"""Tiles in shared memory for what the threads of a block read again and again.

Before each step of their innermost loop the threads copy what they will read in it; barriers
stand before and after. The launch becomes that of examples/polybench/gemm_tiled.c.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil, prod

import numpy as np
from numpy.typing import NDArray

from logca.gpu.advice.arrays import Array, Skew, arrays
from logca.gpu.nests.nest import NestTrace, joined, with_only
from logca.gpu.stages.blocks_and_occupancy import Layout, warps_of
from logca.gpu.stages.instructions import Instructions
from logca.gpu.stages.launches_in_sequence import Launch
from logca.gpu.stages.shared_memory import TiledLaunch

__all__ = [
    "SharedTile",
    "in_tiles",
    "own_threads",
    "tiles",
]

_WORTH = 2.0
"""A tile must be read at least so many times over [1]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedTile:
    """The elements of an array that a block reads in a step."""

    array: Array  # the array
    accesses: tuple[int, ...]  # static accesses that read the tile [1]
    # for each of them where it begins in the tile, along the directions of the array [1]
    origins: tuple[tuple[int, ...], ...]
    # along each direction of the array by how much the place in the tile moves with each thread
    # or iteration, loops by their places, the nest's outermost first [1]
    inside: tuple[tuple[int, ...], ...]
    extents: tuple[int, ...]  # elements along the directions of the array [1]
    low: int  # first byte of the tile at the first threads and iterations [B]
    # the loop whose iterations are taken in steps, by its place; None if there is none [1]
    level: int | None
    step: int  # iterations of a step [1]
    again: float  # how many times a step reads each element [1]

    @property
    def elements(self) -> int:
        """Elements of the tile [1]."""
        return prod(self.extents)

    def steps(self, room: int) -> tuple[int, ...]:
        """Steps along the directions in shared memory, rows longer by some elements [B]."""
        row = self.extents[-1] + (room if len(self.extents) > 1 else 0)
        rows = (*self.extents[1:-1], row) if len(self.extents) > 1 else ()
        return tuple(prod(rows[place:]) * self.array.element for place in range(len(rows) + 1))

    def size(self, room: int) -> int:
        """Shared memory that it takes [B]."""
        return self.extents[0] * self.steps(room)[0]


def tiles(
    trace: NestTrace, grid: Layout, step: int, skewed: Mapping[int, tuple[Skew, ...]]
) -> tuple[SharedTile, ...]:
    """The tiles that are worth having."""
    found = []
    for array in arrays(trace, skewed):
        if array.stored:
            continue
        families: dict[tuple[object, ...], list[int]] = {}
        for place, (access, function) in enumerate(
            zip(array.accesses, array.functions, strict=True)
        ):
            chain = trace.chain_of(trace.accesses[access].loop)
            if function is not None and chain and access not in skewed:
                families.setdefault((function[2:], chain), []).append(place)
        for family in families.values():
            for places in _neighbours(trace, grid, array, family):
                tile = _tile(trace, grid, step, array, places)
                if tile.again >= _WORTH and tile.elements > 1:
                    found.append(tile)
    return tuple(found)


def own_threads(grid: Layout, collapse: int, place: int) -> int:
    """Threads of a block along a loop; loops further out than z are not divided [1]."""
    direction = collapse - 1 - place
    return min(grid.block[direction], grid.extents[place]) if direction < 3 else 1


def _neighbours(
    trace: NestTrace, grid: Layout, array: Array, places: Sequence[int]
) -> Iterator[list[int]]:
    """Accesses whose distance is less than a block is long, so that they read a tile together."""
    at = {
        place: _parts(array, function[0] - array.base)
        for place in places
        if (function := array.functions[place]) is not None
    }
    most = max(own_threads(grid, trace.collapse, place) for place in range(trace.collapse))
    while at:
        together = [next(iter(at))]
        for one in together:
            together += [
                other
                for other in at
                if other not in together
                and all(abs(a - b) < most for a, b in zip(at[one], at[other], strict=True))
            ]
        yield sorted(together)
        at = {place: parts for place, parts in at.items() if place not in together}


def _tile(
    trace: NestTrace, grid: Layout, step: int, array: Array, places: Sequence[int]
) -> SharedTile:
    collapse = trace.collapse
    numbers = tuple(array.accesses[place] for place in places)
    functions = [array.functions[place] for place in places]
    bases = [function[0] for function in functions if function is not None]
    coefficients = next(function[2:] for function in functions if function is not None)
    chain = trace.chain_of(trace.accesses[numbers[0]].loop)
    depth = max(len(chain), collapse)
    level = depth - 1 if depth > collapse else None
    runs = [1] * len(coefficients)
    for place in range(collapse):
        runs[place] = own_threads(grid, collapse, place)
    if level is not None:
        mine = trace.iterations[trace.access == numbers[0], level]
        runs[level] = min(step, int(mine.max()) + 1)
    parts = [_parts(array, coefficient) for coefficient in coefficients]
    inside = tuple(
        tuple(part[direction] for part in parts) for direction in range(len(array.steps))
    )
    first = min(bases)
    origins = [_parts(array, base - first) for base in bases]
    low, high = [], []
    for direction, own in enumerate(inside):
        reach = [coefficient * (run - 1) for coefficient, run in zip(own, runs, strict=True)]
        at = [origin[direction] for origin in origins]
        low.append(min(at) + sum(min(0, each) for each in reach))
        high.append(max(at) + sum(max(0, each) for each in reach))
    extents = tuple(end - begin + 1 for begin, end in zip(low, high, strict=True))
    reads = len(numbers) * prod(runs)
    return SharedTile(
        array=array,
        accesses=numbers,
        origins=tuple(
            tuple(each - begin for each, begin in zip(origin, low, strict=True))
            for origin in origins
        ),
        inside=inside,
        extents=extents,
        low=first + sum(begin * each for begin, each in zip(low, array.steps, strict=True)),
        level=level,
        step=runs[level] if level is not None else 1,
        again=reads / prod(extents),
    )


def _parts(array: Array, distance: int) -> tuple[int, ...]:
    """A distance by the directions of the array, each part as short as can be [1]."""
    parts = []
    for step in array.steps:
        whole = (2 * distance + step) // (2 * step)
        parts.append(whole)
        distance -= whole * step
    return tuple(parts)


Integers = NDArray[np.int64]


def in_tiles(launch: Launch, found: Sequence[SharedTile], *, room: int) -> Launch:
    """A launch whose threads read tiles."""
    trace, executed, grid = launch.trace, launch.executed, launch.traced
    assert trace is not None
    assert grid is not None
    moved = {access for tile in found for access in tile.accesses}
    steps = {tile: _steps_of(tile, executed) for tile in found}
    shared = _shared(trace, grid, found, room)
    loading = [_loading(trace, grid, tile) for tile in found]
    rest = with_only(trace, set(executed.memory) - moved)
    most = max(steps.values(), default=0.0)
    warp_size = launch.shape.device.warp_size
    changed = replace(
        launch,
        trace=rest,
        executed=_executed(trace, executed, grid, found, steps, warp_size),
    )
    return changed.in_tiles(
        TiledLaunch(
            shared=shared,
            memory=joined(loading if rest is None else [rest, *loading]),
            filling=frozenset(_filling(trace, place) for place in range(len(found))),
            size=sum(tile.size(room) for tile in found),
            barriers=2 * most if any(tile.level is not None for tile in found) else 1.0,
        )
    )


def _steps_of(tile: SharedTile, executed: Instructions) -> float:
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
    found: Sequence[SharedTile],
    steps: Mapping[SharedTile, float],
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
        count = (
            ceil(tile.elements / warp_size)
            / warps_of(grid.threads_per_block, warp_size)
            * steps[tile]
        )
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


def _shared(
    trace: NestTrace, grid: Layout, found: Sequence[SharedTile], room: int
) -> NestTrace | None:
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
    return with_only(replace(trace, address=address, accesses=tuple(tables)), moved)


def _within(trace: NestTrace, grid: Layout, tile: SharedTile, rows: NDArray[np.int64]) -> Integers:
    """Iterations from the first ones of the block and of the step on; others are 0 [1]."""
    found = np.zeros((len(rows), trace.iterations.shape[1]), np.int64)
    for place in range(trace.collapse):
        own = own_threads(grid, trace.collapse, place)
        found[:, place] = trace.iterations[rows, place] % own
    if tile.level is not None:
        found[:, tile.level] = trace.iterations[rows, tile.level] % tile.step
    return found


def _loading(trace: NestTrace, grid: Layout, tile: SharedTile) -> NestTrace:
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
        part = replace(trace.where(rows[kept]), address=address.astype(np.uint64))
        if tile.level is not None:
            part.iterations[:, tile.level] //= tile.step
        parts.append(part)
    return joined(parts)
