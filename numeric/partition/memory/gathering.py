"""The signature of one access, read off the beginnings of lists.

This module imports numba: import it where traces are recorded, not before.
"""

from typing import Any

import numba
import numpy as np

from logca.numeric.partition.memory.histories import (
    BEFORE,
    KEY,
    LAST_READ,
    LAST_WRITE,
    LATEST,
    NEXT,
)
from logca.numeric.partition.memory.signatures import L1_CONFLICT, L2_CONFLICT, READ, WRITE

__all__ = ["NEVER", "gather_conflicts", "gather_touches", "shorten", "sort"]

NEVER = 1 << 62
"""Later than any moment [1]."""

SHORT = 40
"""More entries than this are not sorted by insertion [1]."""


@numba.njit
def gather_touches(
    touch: Any, head: Any, block: Any, resident: Any, moments: Any, codes: Any
) -> Any:
    """Touches of a line that matter.

    How many, since when events matter, and since when those do that take copies from the other
    core, which is never if no other block can have left one there that has to be written back.
    """
    count, floor, oldest, foreign, at = 0, 0, NEVER, NEVER, head
    while at >= 0:
        read, written, other = touch[at, LAST_READ], touch[at, LAST_WRITE], touch[at, 0]
        latest = max(read, written)
        if latest <= floor:
            break
        if other == block and not resident:
            moments[count], codes[count] = latest, block << 2 | READ
            count += 1
            floor = latest
            foreign = NEVER
        else:
            if read > written:
                moments[count], codes[count] = read, other << 2 | READ
                count += 1
                if resident and other != block:
                    foreign = min(foreign, read)
            if written > floor:
                moments[count], codes[count] = written, other << 2 | WRITE
                count += 1
                floor = written
                if other != block:
                    foreign = written
        oldest = min(oldest, latest)
        at = touch[at, NEXT]
    return count, floor if floor else oldest, foreign


@numba.njit
def gather_conflicts(
    record: Any,
    head: Any,
    key: Any,
    code: Any,
    since: Any,
    lost: Any,
    then: Any,
    count: Any,
    moments: Any,
    codes: Any,
) -> Any:
    """Conflicts since a moment.

    None behind `lost`; those behind the block's own only if they are later than `then`. `code` is
    the block with the kind of conflict. How many entries there are now, and when the latest and
    the block's own conflict were.
    """
    latest, at, since = 0, head, max(since, lost)
    while at >= 0 and record[at, LATEST] > since:
        moment = record[at, LATEST] if record[at, KEY] != key else record[at, BEFORE]
        if moment > since:
            moments[count], codes[count] = moment, record[at, 0] << 2 | code & 3
            count += 1
            latest = max(latest, moment)
            if record[at, 0] == code >> 2:
                lost = max(lost, moment)
                since = max(since, min(lost, then))
        at = record[at, NEXT]
    return count, latest, lost


@numba.njit
def sort(count: Any, moments: Any, codes: Any) -> None:
    """Latest first."""
    if count > SHORT:
        order = np.argsort(-moments[:count])
        codes[:count] = codes[:count][order]
        return
    for i in range(1, count):
        moment, code, j = moments[i], codes[i], i
        while j > 0 and moments[j - 1] < moment:
            moments[j], codes[j] = moments[j - 1], codes[j - 1]
            j -= 1
        moments[j], codes[j] = moment, code


@numba.njit
def shorten(block: Any, resident: Any, stamp: Any, count: Any, codes: Any, marks: Any) -> Any:
    """Leave out what makes no difference to any partition or design; how many entries are left.

    A write settles everything, on whichever core it is. A conflict in level 1 matters neither
    behind one in level 2 of the same block, nor once the block's own copy is gone and nobody's
    shared level 2 can have the line. Once the block's own copies are gone, the rest matters only
    as far as the other core may have something to write back.
    """
    last, ends = 0, False
    for i in range(count):
        kind, foreign = codes[i] & 3, codes[i] >> 2 != block
        ends = kind == WRITE or (kind == READ and not foreign and not resident)
        if foreign and (kind == WRITE or (kind == READ and resident)):
            last = i + 1
        if ends:
            count = i + 1
            break
    far, near, evicted, length, needed = False, False, False, 0, 0
    for i in range(count):
        code = codes[i]
        other, kind = code >> 2, code & 3
        if far and i >= last:
            break
        if kind == L1_CONFLICT:
            if marks[other] == stamp or far or (near and (evicted or i >= last)):
                continue
            near = near or other == block
        elif kind == L2_CONFLICT:
            marks[other] = stamp
            evicted = True
            if other == block:
                near = far = True
        codes[length] = code
        length += 1
        if kind in (READ, WRITE):
            needed = length
    return needed
