"""Blocks that nothing couples: the best choice for an area, by dynamic programming over areas.

Equal blocks are taken together: of c equal ones any number is a sum of 1, 2, 4, ... and a rest.
"""

import numpy as np
from numpy.typing import NDArray

__all__ = ["best_choice"]

Integers = NDArray[np.int64]
Mask = NDArray[np.bool_]

LARGEST_TABLE = 2_000_000_000
"""How many decisions may be remembered, one bit each [1]."""

LARGEST_SUM = 2**62


def best_choice(gain: Integers, area: Integers, capacity: int) -> Mask | None:
    """Which blocks gain most within an area; nothing if there are too many for a table.

    Parameters
    ----------
    gain : array of int64
        What each saves [scaled cycles].
    area : array of int64
        What each takes, at least 0 [1].
    capacity : int
        The area, at least 0 [1].
    """
    chosen: Mask = (gain > 0) & (area == 0)
    useful = np.flatnonzero((gain > 0) & (area > 0) & (area <= capacity))
    if int(area[useful].sum()) <= capacity:
        chosen[useful] = True
        return chosen
    kinds, kind, count = np.unique(
        np.stack((gain[useful], area[useful])), axis=1, return_inverse=True, return_counts=True
    )
    pieces = [
        (which, number) for which, total in enumerate(count.tolist()) for number in _numbers(total)
    ]
    total = int(gain[useful].astype(np.float64).sum())
    if len(pieces) * (capacity + 1) > LARGEST_TABLE or total > LARGEST_SUM:
        return None
    taken = np.zeros((len(pieces), capacity // 8 + 1), np.uint8)
    best = np.zeros(capacity + 1, np.int64)
    for row, (which, number) in enumerate(pieces):
        value, size = kinds[0, which] * number, int(kinds[1, which]) * number
        if size > capacity:
            continue
        better = best[: capacity + 1 - size] + value
        wins = np.zeros(capacity + 1, np.bool_)
        np.greater(better, best[size:], out=wins[size:])
        np.maximum(better, best[size:], out=best[size:])
        taken[row] = np.packbits(wins)
    left = np.zeros(len(count), np.int64)
    room = capacity
    for row in range(len(pieces) - 1, -1, -1):
        if taken[row, room >> 3] >> (7 - (room & 7)) & 1:
            which, number = pieces[row]
            left[which] += number
            room -= int(kinds[1, which]) * number
    for place, which in zip(useful.tolist(), kind.ravel().tolist(), strict=True):
        if left[which]:
            left[which] -= 1
            chosen[place] = True
    return chosen


def _numbers(total: int) -> list[int]:
    """Numbers whose partial sums are all numbers up to the total."""
    found, size = [], 1
    while size <= total:
        found.append(size)
        total -= size
        size *= 2
    return [*found, total] if total else found
