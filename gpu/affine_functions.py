"""Affine functions through given values, exactly: solved from a few rows, checked on every row.

The first row that contradicts the functions found so far joins the rows that they are solved from.
Each such row raises the rank, so there are at most as many rounds as there are coefficients; a row
that contradicts and cannot join shows that the values are not affine.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

import numpy as np
from numpy.typing import NDArray

from logca.gpu.affine import Affine
from logca.trace.compiling import compiled

__all__ = ["Contradiction", "Rows", "affine_functions", "solved"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Rows:
    """Points at which functions of several static accesses have values.

    Parameters
    ----------
    access : array of uint32
        Static access [1].
    launch : array of int32
        Launch [1].
    iterations : array of int32
        A row of iterations for each [1].
    """

    access: NDArray[np.uint32]
    launch: NDArray[np.int32]
    iterations: NDArray[np.int32]


@dataclass(frozen=True, slots=True, kw_only=True)
class Contradiction:
    """The values of a static access are not affine.

    Parameters
    ----------
    row : int
        The first row that does not fit those before it [1].
    """

    row: int


def affine_functions(
    rows: Rows, values: NDArray[np.int64], position: NDArray[np.int64], count: int
) -> list[Affine | Contradiction]:
    """For each static access the affine function that has the given values in its rows.

    Of several such functions, as where a column never changes, it is the one in which columns
    further right have the coefficient 0.

    Parameters
    ----------
    rows : Rows
        Where the values are.
    values : array of int64
        The values [any].
    position : array of int64
        For each number of a static access its place in the result; all must have rows [1].
    count : int
        Number of places [1].

    Returns
    -------
    list of tuple or Contradiction
        Coefficients: constant, launch, iterations [unit of the values].
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
            solution = solved([each[:-1] for each in basis[place]])
            if solution is None:
                found[place] = Contradiction(row=row)
                waiting.discard(place)
                continue
            scale = lcm(*(each.denominator for each in solution))
            numerators[place] = [int(each * scale) for each in solution]
            denominators[place] = scale
    return found


def solved(equations: Sequence[Sequence[int]]) -> list[Fraction] | None:
    """Solution of linear equations, exact; unknowns that they leave open are 0.

    Parameters
    ----------
    equations : sequence of sequence of int
        Coefficients of the unknowns, then the right-hand side [any].

    Returns
    -------
    list of Fraction or None
        The unknowns; None if the equations contradict each other [any].

    Examples
    --------
    >>> solved([[1, 2, 8], [1, 5, 14]])
    [Fraction(4, 1), Fraction(2, 1)]
    >>> solved([[1, 2, 8], [1, 2, 9]]) is None
    True
    """
    rest = [[Fraction(each) for each in equation] for equation in equations]
    unknowns = len(rest[0]) - 1
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
    if any(each[-1] for each in rest):
        return None
    values = {column: row[-1] for column, row in pivots}
    return [values.get(column, Fraction(0)) for column in range(unknowns)]


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
