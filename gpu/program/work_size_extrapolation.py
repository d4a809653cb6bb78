"""From small sizes to the work size: executions of every block as polynomials of a program's size.

A loop nest whose bounds are affine in the sizes executes each of its blocks a polynomial number of
times. The polynomial is taken from runs at equally spaced small sizes by Newton's forward
differences, in whole numbers and so exactly; the runs go one degree further than it needs, and must
agree. Whether the same polynomial holds further out is for a larger run to say.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import product
from math import comb, gcd, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from logca.common.errors import LogcaError
from logca.gpu.program.running import Executable

__all__ = [
    "ScalingError",
    "SizeGrid",
    "affordable_points",
    "at_most",
    "extrapolated",
    "largest_point",
    "program_shape",
    "same_shape",
    "size_grid",
    "size_words",
]

_TILE = 32
_Point = tuple[int, ...]


class ScalingError(LogcaError, ValueError):
    """Counts cannot be carried over from the traced size to the work size."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SizeGrid:
    """Small sizes to run at, and where the work size lies from them."""

    # for each run the steps that each macro is away from the traced size; none at first [1]
    points: tuple[_Point, ...]
    sizes: tuple[Mapping[str, int], ...]  # the values of the macros there [1]
    target: _Point  # the work size in these steps [1]
    degree: int  # largest sum of steps: one more than the degree of the polynomials [1]
    steps: Mapping[str, int]  # how far a step takes each macro that does not keep its value [1]

    def size_at(self, point: _Point) -> dict[str, int]:
        """The macros so many steps away from the traced size [1]."""
        moved = zip(self.steps.items(), point, strict=True)
        first = self.sizes[0]
        return {**first, **{name: first[name] + step * at for (name, step), at in moved}}


def size_grid(
    trace: Mapping[str, int], work: Mapping[str, int], *, degree: int, tile: int = 0
) -> SizeGrid:
    """The sizes to run at for polynomials up to a degree.

    Steps are multiples of 32 where that divides the way, so that tiles stay whole, but smaller
    where they would more than double the traced size. Macros that keep their value take none.

    Examples
    --------
    >>> grid = size_grid({"N": 128}, {"N": 1024}, degree=2)
    >>> [size["N"] for size in grid.sizes], grid.target
    ([128, 160, 192, 224], (28,))
    """
    for name in sorted({*trace, *work}):
        for kind, sizes in (("traced", trace), ("work", work)):
            if name not in sizes:
                raise ScalingError(f"macro {name} has no {kind} size; give it for both")
            if sizes[name] < 1:
                raise ScalingError(f"the {kind} size {name}={sizes[name]} must be at least 1")
    moving = [name for name in trace if work[name] != trace[name]]
    order = degree + 1
    steps = {name: _step(trace[name], work[name], order, tile) for name in moving}
    target = tuple((work[name] - trace[name]) // steps[name] for name in moving)
    points = tuple(_points(target, order))
    first = SizeGrid(points=(), sizes=(trace,), target=target, degree=order, steps=steps)
    return replace(first, points=points, sizes=tuple(map(first.size_at, points)))


def same_shape(program: Executable, first: Executable, size: Mapping[str, int]) -> Executable:
    """The program, unless macros made another one of it than at the traced size."""
    if program_shape(program) == program_shape(first):
        return program
    raise ScalingError(
        f"at {size_words(size)} the program has other blocks than at the traced size, because a "
        "macro chooses between pieces of code: trace it at a size that has those of the work size, "
        "or at the work size itself (-D)"
    )


def size_words(size: Mapping[str, int]) -> str:
    """The macros of a size in words."""
    return ", ".join(f"{name} = {value}" for name, value in size.items())


def program_shape(program: Executable) -> str:
    """A digest of blocks, accesses and loops of a program, as far as sizes do not change them."""
    static = program.compiled.program
    shape = [
        [(block.function, block.name, block.successors) for block in static.blocks],
        [(access.block, access.index) for access in static.accesses],
        [loop.parent for loop in static.loops],
    ]
    return sha256(repr(shape).encode()).hexdigest()


def at_most(cost: float, size: Mapping[str, int], large: Mapping[str, int], degree: float) -> float:
    """Upper bound at a larger size of a polynomial without negative coefficients [1]."""
    growth = max(large[name] / size[name] for name in size)
    return float(cost * max(1.0, growth) ** degree)


def largest_point(grid: SizeGrid, cost: Callable[[_Point], float], most: float) -> _Point | None:
    """The point nearest to the work size, on the straight way there, that costs no more than this.

    Examples
    --------
    >>> grid = size_grid({"N": 128}, {"N": 1024}, degree=2)
    >>> grid.size_at(largest_point(grid, lambda point: float(point[0]), 10.5))
    {'N': 448}
    """
    way = max(grid.target, default=0)

    def at(part: int) -> _Point:
        return tuple(to * part // way for to in grid.target)

    if way and cost(grid.target) <= most:
        return grid.target
    part = bisect_right(range(1, way), most, key=lambda each: cost(at(each)))
    known = max(map(max, grid.points), default=0) if way else 0
    return at(part) if part and max(at(part)) > known else None


def affordable_points(
    grid: SizeGrid, costs: Sequence[int], most: float, attempts: int
) -> list[_Point]:
    """Points that `largest_point` finds for costs that are polynomials, to be tried in order.

    Should one cost more than was thought, the next one costs an eighth of it.

    Examples
    --------
    >>> grid = size_grid({"N": 4}, {"N": 1000}, degree=3)
    >>> affordable_points(grid, [size["N"] ** 3 for size in grid.sizes], 1e6, 3)
    [(96,), (46,), (21,)]
    """
    value = _polynomials([(cost,) for cost in costs], grid)

    def cost(point: _Point) -> float:
        return float(value(point)[0])

    points: list[_Point] = []
    while len(points) < attempts and (point := largest_point(grid, cost, most)) is not None:
        points.append(point)
        most = cost(point) / 8
    return points


def extrapolated(
    counts: Sequence[Sequence[int] | NDArray[np.int64]], grid: SizeGrid, point: _Point | None = None
) -> tuple[int, ...]:
    """Counts at the work size, or at another point, from those at the points of the grid.

    Examples
    --------
    >>> grid = size_grid({"N": 4}, {"N": 1000}, degree=3)
    >>> extrapolated([(size["N"] ** 3, 7) for size in grid.sizes], grid)
    (1000000000, 7)
    """
    return _polynomials(counts, grid)(grid.target if point is None else point)


def _polynomials(
    counts: Sequence[Sequence[int] | NDArray[np.int64]], grid: SizeGrid
) -> Callable[[_Point], tuple[int, ...]]:
    """Counts at any point, from those at the points of the grid."""
    known = {at: np.array(own, object) for at, own in zip(grid.points, counts, strict=True)}
    leading: dict[_Point, NDArray[Any]] = {}

    def value(point: _Point) -> tuple[int, ...]:
        if point in known:
            return tuple(int(count) for count in known[point])
        if not leading:
            leading.update(_differences(known, grid))
        total = np.zeros(len(counts[0]), object)
        for order, difference in leading.items():
            total += difference * prod(map(comb, point, order))
        return tuple(int(count) for count in total)

    return value


def _differences(
    known: Mapping[_Point, NDArray[Any]], grid: SizeGrid
) -> dict[_Point, NDArray[Any]]:
    """Newton's forward differences of counts, by how often a step along each direction is taken."""
    found = {}
    for order in grid.points:
        difference = np.zeros(len(known[order]), object)
        for below in product(*(range(top + 1) for top in order)):
            sign = (-1) ** (sum(order) - sum(below))
            difference += sign * prod(map(comb, order, below)) * known[below]
        if sum(order) == grid.degree and np.any(difference != 0):
            raise ScalingError(
                f"the program's counts are no polynomials of degree {grid.degree - 1} in its "
                "size: trace it at the work size itself"
            )
        found[order] = difference
    return found


def _points(target: _Point, order: int) -> Iterator[_Point]:
    """Points whose steps add up to no more than the order, none of them beyond the target."""
    reach = [range(min(order, to) + 1) for to in target]
    return (point for point in product(*reach) if sum(point) <= order)


def _step(trace: int, work: int, order: int, tile: int) -> int:
    """Distance from one size to the next: a divisor of the way, with its sign [1]."""
    step = gcd(work - trace, tile or _TILE)
    sign = 1 if work > trace else -1
    most = trace + step * order if tile else 2 * trace
    while step > 1 and not 1 <= trace + sign * step * order <= most:
        step //= 2
    return sign * step
