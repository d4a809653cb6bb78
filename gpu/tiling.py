"""Tiles in shared memory: what the threads of a block read again and again, read once.

The threads of a block go through their innermost loop in steps. Before each step they copy what
they will read in it, a tile, to shared memory; barriers stand before and after. Where the elements
of a tile are, in the array and in shared memory, follows from the affine addresses.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod

from logca.gpu.arrays import Array, arrays
from logca.gpu.nest import NestTrace
from logca.gpu.skews import Skew
from logca.gpu.threads import Layout
from logca.trace.nesting import chain_of

__all__ = ["Tile", "own_threads", "tiles"]

_WORTH = 2.0
"""A tile must be read at least so many times over [1]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tile:
    """What a block reads of an array in a step.

    Parameters
    ----------
    array : Array
        The array.
    accesses : tuple of int
        Static accesses that read the tile [1].
    origins : tuple of tuple of int
        For each of them where it begins in the tile, along the directions of the array [1].
    inside : tuple of tuple of int
        Along each direction of the array by how much the place in the tile moves with each thread
        or iteration, loops by their places, the nest's outermost first [1].
    extents : tuple of int
        Elements along the directions of the array [1].
    low : int
        First byte of the tile at the first threads and iterations [B].
    level : int or None
        The loop whose iterations are taken in steps, by its place; None if there is none [1].
    step : int
        Iterations of a step [1].
    again : float
        How many times a step reads each element [1].
    """

    array: Array
    accesses: tuple[int, ...]
    origins: tuple[tuple[int, ...], ...]
    inside: tuple[tuple[int, ...], ...]
    extents: tuple[int, ...]
    low: int
    level: int | None
    step: int
    again: float

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
) -> tuple[Tile, ...]:
    """The tiles that are worth having.

    Parameters
    ----------
    trace : NestTrace
        Accesses of one launch.
    grid : Layout
        Its blocks.
    step : int
        Iterations of the innermost loop that a step takes [1].
    skewed : mapping of int to tuple of Skew
        Skews of the loops around static accesses.
    """
    found = []
    for array in arrays(trace, skewed):
        if array.stored:
            continue
        families: dict[tuple[object, ...], list[int]] = {}
        for place, (access, function) in enumerate(
            zip(array.accesses, array.functions, strict=True)
        ):
            chain = chain_of(trace.loops, trace.accesses[access].loop, trace.nest)
            if function is not None and chain and access not in skewed:
                families.setdefault((function[2:], chain), []).append(place)
        for family in families.values():
            for places in _neighbours(trace, grid, array, family):
                tile = _tile(trace, grid, step, array, places)
                if tile.again >= _WORTH and tile.elements > 1:
                    found.append(tile)
    return tuple(found)


def own_threads(grid: Layout, collapse: int, place: int) -> int:
    """Threads of a block along a loop; loops further out than z are not divided [1].

    Parameters
    ----------
    grid : Layout
        The blocks.
    collapse : int
        Loops that are threads [1].
    place : int
        The loop, the outermost being 0 [1].
    """
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


def _tile(trace: NestTrace, grid: Layout, step: int, array: Array, places: Sequence[int]) -> Tile:
    collapse = trace.collapse
    numbers = tuple(array.accesses[place] for place in places)
    functions = [array.functions[place] for place in places]
    bases = [function[0] for function in functions if function is not None]
    coefficients = next(function[2:] for function in functions if function is not None)
    chain = chain_of(trace.loops, trace.accesses[numbers[0]].loop, trace.nest)
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
    return Tile(
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
