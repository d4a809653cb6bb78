"""What rows of a coupling cost in a partition, and what a move would change.

This module imports numba: import it where partitions are searched, not before.
"""

from typing import Any

import numpy as np
from numba.extending import register_jitable

__all__ = ["add_row"]

FINAL = 6 << 3
"""States below this are outcomes [1]."""


@register_jitable
def _walk(rows: Any, mapped: Any, row: int, state: Any, place: int, moved: int) -> Any:
    """What a row costs if it counts, from a state before one of its entries on.

    The block `moved` is taken to be on the other core than it is.
    """
    home = np.int64(rows.side[row])
    while state >= FINAL and place < rows.start[row + 1]:
        code = np.int64(rows.entry[place])
        other = code >> 3
        there = np.int64(mapped[other])
        if other == moved:
            there = 1 - there
        state = np.int64(rows.moves[home, state | (code & 7) | (1 - (there ^ home))])
        place += 1
    return rows.weight[row] * (rows.price[home, state >> 3] - rows.base[row])


@register_jitable
def add_row(rows: Any, mapped: Any, change: Any, row: int, sign: int) -> None:
    """Add what a row contributes to the changes, or take it away."""
    block, home = rows.block[row], np.int64(rows.side[row])
    state = np.int64(rows.initial[home]) << 3
    if np.int64(mapped[block]) != home:
        change[block] += sign * _walk(rows, mapped, row, state, rows.start[row], block)
        return
    now = _walk(rows, mapped, row, state, rows.start[row], -1)
    change[block] -= sign * now
    # blocks of entries behind the last one that is looked at change nothing
    for place in range(rows.start[row], rows.start[row + 1]):
        if state < FINAL:
            break
        code = np.int64(rows.entry[place])
        if rows.leading[place]:
            other = code >> 3
            change[other] += sign * (_walk(rows, mapped, row, state, place, other) - now)
        near = 1 - (np.int64(mapped[code >> 3]) ^ home)
        state = np.int64(rows.moves[home, state | (code & 7) | near])
