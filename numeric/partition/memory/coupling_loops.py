"""The loops over rows of a coupling: what they cost.

This module imports numba: import it where couplings are evaluated, not before.
"""

from typing import Any

import numba
import numpy as np

from logca.numeric.partition.memory.reaching import FINAL
from logca.trace.compiling import compiled

__all__ = ["cost_rows", "total_of_rows"]


@numba.njit
def _end_of(
    row: Any, home: Any, mapped: Any, start: Any, entry: Any, moves: Any, first: Any
) -> Any:
    """The state in which a row ends."""
    state = np.int64(first[home]) << 3
    for at in range(start[row], start[row + 1]):
        near = 1 - (mapped[entry[at] >> 3] ^ home)
        state = np.int64(moves[home, state + (entry[at] & 7 | near)])
        if state < FINAL << 3:
            break
    return state >> 3


def _cost_rows(
    mapped: Any,
    group: Any,
    start: Any,
    entry: Any,
    weight: Any,
    base: Any,
    moves: Any,
    price: Any,
    first: Any,
    result: Any,
) -> None:
    for block in range(mapped.shape[0]):
        home = np.int64(mapped[block])
        for row in range(group[2 * block + home], group[2 * block + home + 1]):
            state = _end_of(row, home, mapped, start, entry, moves, first)
            result[row] = weight[row] * (price[home, state] - base[row])


def _total_of_rows(
    mapped: Any,
    group: Any,
    start: Any,
    entry: Any,
    weight: Any,
    base: Any,
    moves: Any,
    price: Any,
    first: Any,
) -> Any:
    total = 0
    for block in range(mapped.shape[0]):
        home = np.int64(mapped[block])
        for row in range(group[2 * block + home], group[2 * block + home + 1]):
            state = _end_of(row, home, mapped, start, entry, moves, first)
            total += weight[row] * (price[home, state] - base[row])
    return total


cost_rows = compiled(_cost_rows)
total_of_rows = compiled(_total_of_rows)
