"""Affine loop nests, and affine functions through given values, exactly.

An affine function is its whole-number coefficients: the constant, what each launch adds, then
what each iteration of each loop adds. A row that contradicts the functions found so far joins
the rows that they are solved from.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

import numpy as np
from numpy.typing import NDArray

from logca.common.errors import LogcaError
from logca.common.jit import compiled
from logca.trace.ir.program import Access, Loop

__all__ = [
    "Affine",
    "AffineError",
    "AffineNest",
    "AffineSite",
    "Contradiction",
    "Points",
    "affine_functions",
    "extents_of",
    "extremes",
    "solved",
    "unspanned",
    "value_of",
    "with_value",
]

Affine = tuple[int, ...]


class AffineError(LogcaError, ValueError):
    """A nest is not affine, or affine functions of several sizes do not fit together."""

    def __init__(
        self, reason: str, *, access: Access | None = None, record: int | None = None
    ) -> None:
        super().__init__(f"{access.file}:{access.line}: {reason}" if access else reason)
        self.reason = reason
        self.file = access.file if access else ""
        self.line = access.line if access else 0
        self.record = record


@dataclass(frozen=True, slots=True, kw_only=True)
class AffineSite:
    """A static access: in which iterations it runs, and where it reaches."""

    access: int  # number of the static access [1]
    size: int  # bytes that it moves [B]
    # loops around it, the nest's outermost first; the collapsed ones even if it stands between
    # them, because every thread makes it [1]
    loops: tuple[int, ...]
    address: Affine  # affine function of launch and iterations [B]
    launches: tuple[int, int]  # the first launch in which it runs, and the one after the last [1]
    # lower, upper: for each loop around it, outermost first, the first iteration in which it
    # runs, and the one after the last: affine functions of launch and the iterations further out
    # [1]
    lower: tuple[Affine, ...]
    upper: tuple[Affine, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AffineNest:
    """A loop nest that is affine."""

    sites: tuple[AffineSite, ...]  # static accesses that run, in program order
    # accesses, loops: static tables of the program, by number
    accesses: tuple[Access, ...]
    loops: tuple[Loop, ...]
    # nest, collapse: outermost loop, and how many loops from it on become threads [1]
    nest: int
    collapse: int
    depth: int  # iteration columns of the trace [1]
    launches: tuple[int, int]  # the first launch, and the one after the last [1]
    # iterations of each collapsed loop: constant, and what each launch adds [1]
    extents: tuple[Affine, ...]


def value_of(function: Affine, point: Sequence[int]) -> int:
    """Value of an affine function [unit of the function].

    Examples
    --------
    >>> value_of((100, 0, 8), (3, 2))
    116
    """
    constant, *steps = function
    return constant + sum(step * each for step, each in zip(steps, point, strict=False))


def extents_of(nest: AffineNest, launch: int) -> tuple[int, ...]:
    """Iterations of the collapsed loops in a launch, outermost first [1]."""
    first, end = nest.launches
    if not first <= launch < end:
        raise AffineError(f"launch {launch} is not one of those from {first} to {end - 1}")
    return tuple(max(0, value_of(extent, (launch,))) for extent in nest.extents)


def extremes(site: AffineSite) -> tuple[int, int]:
    """Lowest and highest address at which a static access begins [B].

    From the innermost loop outwards the iteration is replaced by the bound that makes the address
    least, or greatest; an affine function of affine bounds is affine again.
    """
    found = []
    for sign in (-1, 1):
        function = list(site.address)
        for lower, upper in zip(reversed(site.lower), reversed(site.upper), strict=True):
            step = function.pop()
            last = (upper[0] - 1, *upper[1:])
            for place, part in enumerate(last if sign * step > 0 else lower):
                function[place] += step * part
        constant, step = function
        first, end = site.launches
        found.append(constant + step * (end - 1 if sign * step > 0 else first))
    return found[0], found[1]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Points:
    """Points at which functions of several static accesses have values."""

    access: NDArray[np.uint32]  # static access [1]
    launch: NDArray[np.int32]  # launch [1]
    iterations: NDArray[np.int32]  # a row of iterations for each [1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Contradiction:
    """The values of a static access are not affine."""

    row: int  # the first row that does not fit those before it [1]


def affine_functions(
    rows: Points, values: NDArray[np.int64], position: NDArray[np.int64], count: int
) -> list[Affine | Contradiction]:
    """For each static access the affine function that has the given values in its rows.

    Of several such functions, as where a column never changes, it is the one in which columns
    further right have the coefficient 0.
    """
    width = rows.iterations.shape[1] + 2
    numerators = np.zeros((count, width), np.int64)
    numerators[:, 0] = 1
    denominators = np.zeros(count, np.int64)  # 0 times any value is not 1: the first row deviates
    basis: list[list[tuple[int, ...]]] = [[] for _ in range(count)]
    found: list[Affine | Contradiction] = [Contradiction(row=-1)] * count
    waiting = set(range(count))
    while waiting:
        first = np.full(count, -2, np.int64)
        first[list(waiting)] = -1
        compiled(_first_deviations)(
            rows.access,
            position,
            values,
            rows.launch,
            rows.iterations,
            numerators,
            denominators,
            first,
        )
        for place in sorted(waiting):
            row = int(first[place])
            if row < 0:
                whole = int(denominators[place]) == 1
                last = basis[place][-1][-1]
                coefficients = tuple(numerators[place].tolist())
                found[place] = coefficients if whole else Contradiction(row=last)
                waiting.discard(place)
                continue
            point = [1, int(rows.launch[row]), *rows.iterations[row].tolist()]
            basis[place].append((*point, int(values[row]), row))
            solution = with_value([each[:-1] for each in basis[place]])
            if solution is None:
                found[place] = Contradiction(row=row)
                waiting.discard(place)
                continue
            numerators[place], denominators[place] = solution
    return found


def with_value(equations: Sequence[Sequence[int]]) -> tuple[list[int], int] | None:
    """Solution of linear equations over its common denominator; None if there is none.

    Examples
    --------
    >>> with_value([[1, 2, 8], [1, 5, 15]])
    ([10, 7], 3)
    """
    solution = solved(equations)
    if solution is None:
        return None
    scale = lcm(*(each.denominator for each in solution))
    return [int(each * scale) for each in solution], scale


def solved(equations: Sequence[Sequence[int]]) -> list[Fraction] | None:
    """Solution of linear equations, exact; unknowns that they leave open are 0.

    Examples
    --------
    >>> solved([[1, 2, 8], [1, 5, 14]])
    [Fraction(4, 1), Fraction(2, 1)]
    >>> solved([[1, 2, 8], [1, 2, 9]]) is None
    True
    """
    unknowns = len(equations[0]) - 1
    pivots, rest = _eliminated(equations, unknowns)
    if any(each[-1] for each in rest):
        return None
    values = {column: row[-1] for column, row in pivots}
    return [values.get(column, Fraction(0)) for column in range(unknowns)]


def unspanned(points: Sequence[Sequence[int]]) -> list[list[int]]:
    """Vectors with the product 0 with each point; one has another with a point not spanned by them.

    Examples
    --------
    >>> unspanned([[1, 0, 0], [1, 2, 2]])
    [[0, -1, 1]]
    """
    unknowns = len(points[0])
    pivots, _ = _eliminated(points, unknowns)
    found = []
    for free in sorted({*range(unknowns)} - {column for column, _ in pivots}):
        vector = [Fraction(int(column == free)) for column in range(unknowns)]
        for column, row in pivots:
            vector[column] = -row[free]
        scale = lcm(*(each.denominator for each in vector))
        found.append([int(each * scale) for each in vector])
    return found


def _eliminated(
    equations: Sequence[Sequence[int]], unknowns: int
) -> tuple[list[tuple[int, list[Fraction]]], list[list[Fraction]]]:
    """Rows that each alone have 1 in a column, with that column; the other rows, without any."""
    rest = [[Fraction(each) for each in equation] for equation in equations]
    pivots: list[tuple[int, list[Fraction]]] = []
    for column in range(unknowns):
        row = next((each for each in rest if each[column]), None)
        if row is None:
            continue
        rest.remove(row)
        row = [each / row[column] for each in row]
        rest = [_less(each, row, column) for each in rest]
        pivots = [(place, _less(each, row, column)) for place, each in pivots]
        pivots.append((column, row))
    return pivots, rest


def _less(row: list[Fraction], pivot: list[Fraction], column: int) -> list[Fraction]:
    return [each - row[column] * part for each, part in zip(row, pivot, strict=True)]


def _first_deviations(
    access: NDArray[np.uint32],
    position: NDArray[np.int64],
    values: NDArray[np.int64],
    launch: NDArray[np.int32],
    iterations: NDArray[np.int32],
    numerators: NDArray[np.int64],
    denominators: NDArray[np.int64],
    first: NDArray[np.int64],
) -> None:
    """Where ``first`` is -1, put the first row there whose value is another one."""
    for row in range(access.shape[0]):
        place = position[access[row]]
        if first[place] != -1:
            continue
        total = numerators[place, 0] + numerators[place, 1] * launch[row]
        for level in range(iterations.shape[1]):
            total += numerators[place, level + 2] * iterations[row, level]
        if total != denominators[place] * values[row]:
            first[place] = row
