"""In which iterations a static access runs: from one affine bound to another, loop by loop.

The iterations of the innermost loop in which it runs must follow each other without a gap for any
iterations of the loops around; where they begin and end must be affine in those. Then the same is
asked of the loops around, with the iterations in which it runs at all. So a loop that is sometimes
empty and a condition such as ``if (j <= i)`` are bounds like others.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from logca.gpu.affine import Affine
from logca.gpu.affine_functions import Contradiction, Rows, affine_functions
from logca.trace.compiling import compiled

__all__ = ["Bounds", "Gap", "bounds"]

Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """Where a static access runs.

    Parameters
    ----------
    launches : tuple of int
        All launches in which it runs [1].
    lower, upper : tuple of tuple of int
        First iteration of each loop, and the one after the last, as in `AffineSite` [1].
    """

    launches: tuple[int, ...]
    lower: tuple[Affine, ...]
    upper: tuple[Affine, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """The iterations in which a static access runs have no affine bounds.

    Parameters
    ----------
    row : int
        The first row that shows it [1].
    level : int
        The loop, 0 for the nest's outermost [1].
    inside : bool
        Whether iterations are left out between others, rather than bounds being not affine.
    """

    row: int
    level: int
    inside: bool


def bounds(rows: Rows, position: Integers, depths: Integers) -> list[Bounds | Gap]:
    """Bounds of all static accesses.

    Parameters
    ----------
    rows : Rows
        All accesses of a trace in program order.
    position : array of int64
        For each number of a static access its place in the result [1].
    depths : array of int64
        Loops around each [1].
    """
    count = len(depths)
    level = depths - 1
    numbers = np.flatnonzero(position >= 0)
    inner: list[list[tuple[Affine, Affine]]] = [[] for _ in range(count)]
    found: list[Bounds | Gap | None] = [None] * count
    launches: list[tuple[int, ...]] = [()] * count
    origin: Integers | None = None
    while level.max() >= 0:
        begin, end, gap = _runs_of(rows, position, level)
        for place in np.flatnonzero(gap >= 0).tolist():
            row = int(gap[place] if origin is None else origin[gap[place]])
            found[place] = found[place] or Gap(row=row, level=int(level[place]), inside=True)
        places = position[rows.access[begin]]
        column = level[places]
        lower = rows.iterations[begin, column].astype(np.int64)
        upper = rows.iterations[end, column].astype(np.int64) + 1
        origin = begin if origin is None else origin[begin]
        outer = rows.iterations[begin]
        outer[np.arange(outer.shape[1]) >= column[:, None]] = 0
        rows = Rows(access=rows.access[begin], launch=rows.launch[begin], iterations=outer)
        active = np.unique(places)
        dense = np.full(len(position), -1, np.int64)
        dense[numbers] = np.searchsorted(active, position[numbers])
        pairs = zip(
            affine_functions(rows, lower, dense, len(active)),
            affine_functions(rows, upper, dense, len(active)),
            strict=True,
        )
        for place, pair in zip(active.tolist(), pairs, strict=True):
            broken = [each.row for each in pair if isinstance(each, Contradiction)]
            if broken:
                row = int(origin[min(broken)])
                found[place] = found[place] or Gap(row=row, level=int(level[place]), inside=False)
                continue
            size = int(level[place]) + 2
            low, high = (tuple(each)[:size] for each in pair if not isinstance(each, Contradiction))
            inner[place].append((low, high))
            if size == 2:
                launches[place] = tuple(rows.launch[places == place].tolist())
        level = level - 1
    return [
        known
        or Bounds(
            launches=own,
            lower=tuple(low for low, _ in reversed(pairs)),
            upper=tuple(high for _, high in reversed(pairs)),
        )
        for known, own, pairs in zip(found, launches, inner, strict=True)
    ]


def _runs_of(
    rows: Rows, position: Integers, level: Integers
) -> tuple[Integers, Integers, Integers]:
    """First and last rows of runs along the loop of each place's level; first gaps by place."""
    gap = np.full(len(level), -1, np.int64)
    columns = rows.access, position, rows.launch, rows.iterations, level
    none = np.empty(0, np.int64)
    number = compiled(_runs)(*columns, none, none, gap)
    begin, end = np.empty(number, np.int64), np.empty(number, np.int64)
    compiled(_runs)(*columns, begin, end, gap)
    return begin, end, gap


def _runs(
    access: NDArray[np.uint32],
    position: Integers,
    launch: NDArray[np.int32],
    iterations: NDArray[np.int32],
    level: Integers,
    begin: Integers,
    end: Integers,
    gap: Integers,
) -> int:
    """Count the runs, and write down where they begin and end if there is room to."""
    count = 0
    last = np.full(level.shape[0], -1, np.int64)
    current = np.full(level.shape[0], -1, np.int64)
    for row in range(access.shape[0]):
        place = position[access[row]]
        inner = level[place]
        if inner < 0:
            continue
        before = last[place]
        new = before < 0 or launch[row] != launch[before]
        if not new:
            for each in range(inner):
                if iterations[row, each] != iterations[before, each]:
                    new = True
                    break
        if new:
            if count < begin.shape[0]:
                begin[count] = row
            current[place] = count
            count += 1
        elif iterations[row, inner] != iterations[before, inner] + 1 and gap[place] < 0:
            gap[place] = row
        if current[place] < end.shape[0]:
            end[current[place]] = row
        last[place] = row
    return count
