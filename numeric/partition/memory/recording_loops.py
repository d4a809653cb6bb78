"""The loop over a trace that counts signatures, read off lists of who touched what last.

Only the order of what happens within one set of level 1 matters, and of that only the latest of
each block. A signature is read off the beginnings of lists, and takes as many steps as blocks have
been in the set since the block's own last touch of the line, or since anybody wrote it. Sets of
level 2 have no list before a second line is in them.

An access that repeats the last one of its set changes nothing, and has the signature that the one
before had if that was a repetition itself.

A touch is a block's latest read and latest write of a line (``touch``). A record is a block's
latest touch of a set, and its latest with another key than that one: whichever key is asked about,
one of both is its latest with any other (``record``). The key is the set of level 2 where the list
is of a set of level 1, and the line where it is of a set of level 2.

This module imports numba: import it inside functions.
"""

from typing import Any

import numpy as np

from logca.common.jit import compiled, njit
from logca.numeric.partition.memory import interning
from logca.numeric.partition.memory.interning import intern
from logca.numeric.partition.memory.signatures import L1_CONFLICT, L2_CONFLICT, READ, WRITE

__all__ = [
    "EMPTY",
    "NEVER",
    "as_records",
    "drop_repeated",
    "find",
    "gather_conflicts",
    "gather_touches",
    "observe",
    "rehash_lines",
    "sort",
    "touch_line",
    "touch_set",
]


NEXT, LAST_READ, LAST_WRITE = 1, 2, 3
"""Columns of touches, behind the block in column 0."""

KEY, LATEST, BEFORE = 2, 3, 4
"""Columns of records, behind the block and the next one."""


@njit
def find(table: Any, line: Any) -> Any:
    """Where the touches of a line are in the table, or belong."""
    # Fibonacci hashing: lines differ in low bits, and a table has a power of two of places
    spread = line * 0x9E3779B97F4A7C1
    at = (spread ^ (spread >> 29)) & (table.shape[0] - 1)
    while table[at, 1] >= 0 and table[at, 0] != line:
        at = (at + 1) & (table.shape[0] - 1)
    return at


@njit
def touch_set(record: Any, head: Any, block: Any, key: Any, clock: Any, free: Any) -> Any:
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


@njit
def touch_line(touch: Any, head: Any, block: Any, store: Any, clock: Any, free: Any) -> Any:
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


@njit
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


NEVER = 1 << 62
"""Later than any moment [1]."""

SHORT = 40
"""More entries than this are not sorted by insertion [1]."""


@njit
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


@njit
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


@njit
def sort(count: Any, moments: Any, codes: Any) -> None:
    """Latest first."""
    if count > SHORT:
        before = codes[:count].copy()
        # element by element: numba takes a second to compile assignments of slices
        for place, i in enumerate(np.argsort(-moments[:count])):
            codes[place] = before[i]
        return
    for i in range(1, count):
        moment, code, j = moments[i], codes[i], i
        while j > 0 and moments[j - 1] < moment:
            moments[j], codes[j] = moments[j - 1], codes[j - 1]
            j -= 1
        moments[j], codes[j] = moment, code


@njit
def drop_repeated(block: Any, resident: Any, stamp: Any, count: Any, codes: Any, marks: Any) -> Any:
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


CLOCK, LINES, TOUCHES, RECORDS = 0, 1, 2, 3
HEAD, BLOCK, LINE, WRITTEN, REPEATED = 0, 1, 2, 3, 4  # columns of sets
EMPTY, SINGLE = -2, -1  # instead of a list, of sets of level 2


def _observe(accesses: Any, start: Any, resident: Any, state: Any, pools: Any, store: Any) -> Any:
    """Record accesses from `start` on, until memory is used up; returns where it stopped."""
    lines, blocks, stores = accesses
    numbers, sets, rivals = state
    table, touch, record, scratch, marks = pools
    index, kept, entries, used = store
    moments, codes = scratch[0], scratch[1]
    most = codes.shape[0]
    clock, known = numbers[CLOCK], numbers[LINES]
    touches, records = numbers[TOUCHES], numbers[RECORDS]
    i = start
    while i < lines.shape[0]:
        line, block, writes = lines[i], blocks[i], stores[i]
        first, second = line & (sets.shape[0] - 1), line & (rivals.shape[0] - 1)
        again = (
            sets[first, BLOCK] == block
            and sets[first, LINE] == line
            and (not writes or sets[first, WRITTEN] == 1)
        )
        if again and sets[first, REPEATED] >= 0:
            kept[sets[first, REPEATED], 3] += 1
            i += 1
            continue
        if (
            2 * (known + 1) > table.shape[0]
            or touches >= touch.shape[0]
            or records + marks.shape[0] + 2 > record.shape[0]
            or used[0] + 2 > kept.shape[0]
            or 2 * (used[0] + 1) > index.shape[0]
            or used[1] + most > entries.shape[0]
        ):
            break
        clock += 1
        i += 1
        at = find(table, line)
        head, count = table[at, 1], 0
        if head >= 0:
            count, since, foreign = gather_touches(touch, head, block, resident, moments, codes)
            then, lost, evicted = since if foreign < NEVER else NEVER, 0, 0
            if rivals[second, HEAD] >= 0:
                count, evicted, lost = gather_conflicts(
                    record,
                    rivals[second, HEAD],
                    line,
                    block << 2 | L2_CONFLICT,
                    since,
                    np.int64(0),
                    then,
                    count,
                    moments,
                    codes,
                )
            count, _, _ = gather_conflicts(
                record,
                sets[first, HEAD],
                second,
                block << 2 | L1_CONFLICT,
                since,
                lost,
                max(then, evicted),
                count,
                moments,
                codes,
            )
            if count > 1:
                sort(count, moments, codes)
            count = drop_repeated(block, resident, clock, count, codes, marks)
        else:
            known += 1
        found = intern(block, codes, count, index, kept, entries, used)
        kept[found, 3] += 1
        if again:
            sets[first, REPEATED] = found
            continue
        if rivals[second, HEAD] == EMPTY:
            rivals[second, HEAD], rivals[second, 1] = SINGLE, line
        elif rivals[second, HEAD] >= 0 or rivals[second, 1] != line:
            if rivals[second, HEAD] == SINGLE:
                rivals[second, HEAD] = records
                only = rivals[second, 1]
                records = as_records(touch, table[find(table, only), 1], only, record, records)
            rivals[second, HEAD], records = touch_set(
                record, rivals[second, HEAD], block, line, clock, records
            )
        table[at, 0] = line
        table[at, 1], touches = touch_line(touch, head, block, writes, clock, touches)
        sets[first, HEAD], records = touch_set(
            record, sets[first, HEAD], block, second, clock, records
        )
        sets[first, WRITTEN] = 1 if writes else 0
        sets[first, BLOCK], sets[first, LINE], sets[first, REPEATED] = block, line, -1
    numbers[CLOCK], numbers[LINES] = clock, known
    numbers[TOUCHES], numbers[RECORDS] = touches, records
    return i


def _rehash_lines(old: Any, table: Any) -> None:
    """Move all lines to a larger table that is empty."""
    for at in range(old.shape[0]):
        if old[at, 1] >= 0:
            place = find(table, old[at, 0])
            table[place, 0], table[place, 1] = old[at, 0], old[at, 1]


observe = compiled(_observe, interning)
rehash_lines = compiled(_rehash_lines)
