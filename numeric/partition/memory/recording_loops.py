"""The loop over a trace that counts signatures.

Only the order of what happens within one set of level 1 matters, and of that only the latest of
each block. A signature is read off the beginnings of lists, and takes as many steps as blocks have
been in the set since the block's own last touch of the line, or since anybody wrote it. Sets of
level 2 have no list before a second line is in them.

An access that repeats the last one of its set changes nothing, and has the signature that the one
before had if that was a repetition itself.

This module imports numba: import it where traces are recorded, not before.
"""

from typing import Any

from logca.numeric.partition.memory import gathering, histories, interning
from logca.numeric.partition.memory.gathering import (
    NEVER,
    gather_conflicts,
    gather_touches,
    shorten,
    sort,
)
from logca.numeric.partition.memory.histories import as_records, find, reach, visit
from logca.numeric.partition.memory.interning import intern
from logca.numeric.partition.memory.signatures import L1_CONFLICT, L2_CONFLICT
from logca.trace.compiling import compiled

__all__ = ["EMPTY", "observe", "rehash_lines"]

CLOCK, LINES, TOUCHES, RECORDS = 0, 1, 2, 3
HEAD, BLOCK, LINE, WRITTEN, REPEATED = 0, 1, 2, 3, 4  # columns of sets
EMPTY, SINGLE = -2, -1  # instead of a list, of sets of level 2


def _observe(
    lines: Any,
    blocks: Any,
    stores: Any,
    start: Any,
    resident: Any,
    numbers: Any,
    sets: Any,
    rivals: Any,
    table: Any,
    touch: Any,
    record: Any,
    store: Any,
    scratch: Any,
    marks: Any,
) -> Any:
    """Record accesses from `start` on, until memory is used up; returns where it stopped."""
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
                    0,
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
            count = shorten(block, resident, clock, count, codes, marks)
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
            rivals[second, HEAD], records = visit(
                record, rivals[second, HEAD], block, line, clock, records
            )
        table[at, 0] = line
        table[at, 1], touches = reach(touch, head, block, writes, clock, touches)
        sets[first, HEAD], records = visit(record, sets[first, HEAD], block, second, clock, records)
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


observe = compiled(_observe, gathering, histories, interning)
rehash_lines = compiled(_rehash_lines, histories)
