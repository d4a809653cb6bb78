"""Who touched a line last, and a set of lines: lists with the latest in front.

A touch is a block's latest read and latest write of a line (``touch``). A record is a block's
latest touch of a set, and its latest with another key than that one: whichever key is asked about,
one of both is its latest with any other (``record``). The key is the set of level 2 where the list
is of a set of level 1, and the line where it is of a set of level 2.

This module imports numba: import it where traces are recorded, not before.
"""

from typing import Any

import numba

__all__ = ["as_records", "find", "reach", "visit"]

NEXT, LAST_READ, LAST_WRITE = 1, 2, 3
"""Columns of touches, behind the block in column 0."""

KEY, LATEST, BEFORE = 2, 3, 4
"""Columns of records, behind the block and the next one."""


@numba.njit
def find(table: Any, line: Any) -> Any:
    """Where the touches of a line are in the table, or belong."""
    spread = line * 0x9E3779B97F4A7C1
    at = (spread ^ (spread >> 29)) & (table.shape[0] - 1)
    while table[at, 1] >= 0 and table[at, 0] != line:
        at = (at + 1) & (table.shape[0] - 1)
    return at


@numba.njit
def visit(record: Any, head: Any, block: Any, key: Any, clock: Any, free: Any) -> Any:
    """Put a block in front of a list; whether the list needed the free record for it."""
    at, before = head, -1
    while at >= 0 and record[at, 0] != block:
        before, at = at, record[at, NEXT]
    if at < 0:
        record[free, 0], record[free, NEXT] = block, head
        record[free, KEY], record[free, LATEST], record[free, BEFORE] = key, clock, 0
        return free, free + 1
    if before >= 0:
        record[before, NEXT] = record[at, NEXT]
        record[at, NEXT] = head
    if record[at, KEY] != key:
        record[at, BEFORE] = record[at, LATEST]
        record[at, KEY] = key
    record[at, LATEST] = clock
    return at, free


@numba.njit
def reach(touch: Any, head: Any, block: Any, store: Any, clock: Any, free: Any) -> Any:
    """Put a block in front of those that have touched a line."""
    at, before = head, -1
    while at >= 0 and touch[at, 0] != block:
        before, at = at, touch[at, NEXT]
    if at < 0:
        at, free = free, free + 1
        touch[at, 0], touch[at, NEXT] = block, head
        touch[at, LAST_READ], touch[at, LAST_WRITE] = 0, 0
    elif before >= 0:
        touch[before, NEXT] = touch[at, NEXT]
        touch[at, NEXT] = head
    touch[at, LAST_WRITE if store else LAST_READ] = clock
    return at, free


@numba.njit
def as_records(touch: Any, head: Any, line: Any, record: Any, free: Any) -> Any:
    """A list of who has touched the only line of a set of level 2 so far; the next free record."""
    at = head
    while at >= 0:
        latest = max(touch[at, LAST_READ], touch[at, LAST_WRITE])
        record[free, 0], record[free, NEXT] = touch[at, 0], free + 1
        record[free, KEY], record[free, LATEST], record[free, BEFORE] = line, latest, 0
        free, at = free + 1, touch[at, NEXT]
    record[free - 1, NEXT] = -1
    return free
