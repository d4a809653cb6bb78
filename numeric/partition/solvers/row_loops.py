"""What rows of a coupling cost in a partition, and what a move would change.

This module imports numba: import it where partitions are searched, not before.
"""

from typing import Any

import numpy as np
from numba.extending import register_jitable

from logca.trace.compiling import compiled

__all__ = ["add_row", "first_entries", "gather"]

FINAL = 6 << 3
"""States below this are outcomes [1]."""


@register_jitable
def _walk(rows: Any, mapped: Any, row: int, state: Any, place: int, moved: Any) -> Any:
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


def _first_entries(block: Any, start: Any, entry: Any, seen: Any, leading: Any, count: Any) -> None:
    """Mark the first entry of each block in each row; count the rows of each block.

    Entries of a row's own block are not marked; `seen` is -1 for all blocks at first.
    """
    for row in range(block.shape[0]):
        seen[block[row]] = row
        count[block[row]] += 1
        for place in range(start[row], start[row + 1]):
            other = entry[place] >> 3
            if seen[other] != row:
                seen[other] = row
                leading[place] = True
                count[other] += 1


def _gather(block: Any, start: Any, entry: Any, leading: Any, next_place: Any, inside: Any) -> None:
    """Write the rows of each block where the next one of it goes."""
    for row in range(block.shape[0]):
        inside[next_place[block[row]]] = row
        next_place[block[row]] += 1
        for place in range(start[row], start[row + 1]):
            if leading[place]:
                other = entry[place] >> 3
                inside[next_place[other]] = row
                next_place[other] += 1


first_entries = compiled(_first_entries)
gather = compiled(_gather)
