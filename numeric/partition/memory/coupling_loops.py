"""The loops over rows of a coupling: what they cost, and bounds of that.

This module imports numba: import it where couplings are evaluated, not before.
"""

from typing import Any

import numba
import numpy as np

from logca.numeric.partition.memory import reaching
from logca.numeric.partition.memory.reaching import FINAL, extremes, spread
from logca.trace.compiling import compiled

__all__ = ["bound_rows", "cost_rows", "lone_rows", "total_of_rows"]


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


def _lone_rows(
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
    """What each row costs with all other blocks on the other core."""
    for place in range(group.shape[0] - 1):
        block, home = place >> 1, place & 1
        for row in range(group[place], group[place + 1]):
            state = np.int64(first[home]) << 3
            for at in range(start[row], start[row + 1]):
                near = 1 if entry[at] >> 3 == block else 0
                state = np.int64(moves[home, state + (entry[at] & 7 | near)])
            result[row] = weight[row] * (price[home, state >> 3] - base[row])


def _bound_rows(
    fixed: Any,
    group: Any,
    start: Any,
    entry: Any,
    weight: Any,
    base: Any,
    moves: Any,
    price: Any,
    first: Any,
    low: Any,
    high: Any,
) -> None:
    """Bounds of rows while only some blocks have their place: 0 CPU, 1 accelerator, -1 open."""
    for place in range(group.shape[0] - 1):
        block, home = place >> 1, place & 1
        if fixed[block] == 1 - home:
            continue
        for row in range(group[place], group[place + 1]):
            mask = 1 << np.int64(first[home])
            for at in range(start[row], start[row + 1]):
                other = entry[at] >> 3
                there = home if other == block else fixed[other]
                code = np.int64(entry[at] & 7)
                mask = spread(moves, home, mask, code, there != 1 - home, there != home)
                if mask < 1 << FINAL:
                    break
            least, most = extremes(price, home, mask)
            high[row] = weight[row] * (most - base[row])
            if fixed[block] == home:
                low[row] = weight[row] * (least - base[row])


cost_rows = compiled(_cost_rows)
total_of_rows = compiled(_total_of_rows)
lone_rows = compiled(_lone_rows)
bound_rows = compiled(_bound_rows, reaching)
