"""Loops over single moves: the best one, repair, swaps, independent moves, changes of rows.

This module imports numba: import it inside functions.
"""

from typing import Any

import numpy as np

from logca.common.jit import compiled, register_jitable
from logca.numeric.partition.memory.levels_and_write_backs import OUTCOMES

__all__ = [
    "add_row",
    "add_rows",
    "best_move",
    "better",
    "changed_by",
    "first_entries",
    "flip",
    "gather",
    "improve",
    "independent",
    "move_to",
    "repair",
]

FINAL = OUTCOMES << 3
"""States below this are outcomes [1]."""


@register_jitable
def _walk(rows: Any, mapped: Any, row: int, state: Any, place: int, moved: Any) -> Any:
    """Cost of a row if it counts, from a state before one of its entries on.

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
    block, home = np.int64(rows.block[row]), np.int64(rows.side[row])
    state = np.int64(rows.initial[home]) << 3
    if np.int64(mapped[block]) != home:
        change[block] += sign * _walk(rows, mapped, row, state, rows.start[row], block)
        return
    now = _walk(rows, mapped, row, state, rows.start[row], -1)
    change[block] -= sign * now
    # blocks of entries behind the last one that is tried change nothing
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


def _flip(at: Any, block: int) -> None:
    """Move a block to the other core."""
    mapped, change = at.mapped, at.change
    own = change[block]
    at.total[0] += own
    at.total[1] += -at.area[block] if mapped[block] else at.area[block]
    for place in range(at.other_start[block], at.other_start[block + 1]):
        other = at.other[place]
        if mapped[other] != mapped[block]:
            change[other] += 2 * at.other_cost[place]
        else:
            change[other] -= 2 * at.other_cost[place]
    for place in range(at.use_start[block], at.use_start[block + 1]):
        value, pull = at.use_value[place], at.use_pull[place]
        _value(at, value, -1)
        if pull < 0:
            at.fetched[value] = at.all_pulls[value] - at.fetched[value]
        elif mapped[block] != mapped[at.producer[value]]:
            at.fetched[value] -= pull
        else:
            at.fetched[value] += pull
        mapped[block] = not mapped[block]
        _value(at, value, 1)
        mapped[block] = not mapped[block]
    rows = at.rows
    first, last = rows.occurrence_start[block], rows.occurrence_start[block + 1]
    for place in range(first, last):
        add_row(rows, mapped, change, rows.occurrence[place], -1)
    mapped[block] = not mapped[block]
    for place in range(first, last):
        add_row(rows, mapped, change, rows.occurrence[place], 1)
    change[block] = -own


flip = compiled(_flip)


@register_jitable
def _value(at: Any, value: int, sign: int) -> None:
    """Add what a value contributes to the changes, or take it away."""
    push, fetched = at.push[value], at.fetched[value]
    now = min(push, fetched)
    home = at.mapped[at.producer[value]]
    at.change[at.producer[value]] += sign * (min(push, at.all_pulls[value] - fetched) - now)
    for place in range(at.start[value], at.start[value + 1]):
        user, pull = at.consumer[place], at.pull[place]
        after = fetched - pull if at.mapped[user] != home else fetched + pull
        at.change[user] += sign * (min(push, after) - now)


@register_jitable
def better(gain: int, size: int, best: int, best_size: int) -> bool:
    """True if gain / size > best / best_size, exactly; a size of 0 makes it infinite."""
    if size == 0 or best_size == 0:
        return best_size != 0 or (size == 0 and gain > best)
    turned = False
    while True:
        whole, best_whole = gain // size, best // best_size
        if whole != best_whole:
            return (whole > best_whole) != turned
        gain, best = gain % size, best % best_size
        if gain == 0 or best == 0:
            return (gain != best) and ((best == 0) != turned)
        gain, size = size, gain
        best, best_size = best_size, best
        turned = not turned


@register_jitable
def best_move(at: Any, blocks: Any, capacity: int) -> int:
    """The block on the CPU that gains most for its area and fits; -1 if there is none."""
    found = -1
    room = capacity - at.total[1]
    for block in blocks:
        gain, size = -at.change[block], at.area[block]
        if gain <= 0 or at.mapped[block] or not at.movable[block] or size > room:
            continue
        if found < 0 or better(gain, size, -at.change[found], at.area[found]):
            found = block
    return found


def _add_rows(at: Any) -> None:
    """Add what all rows contribute to the changes."""
    for row in range(at.rows.block.size):
        add_row(at.rows, at.mapped, at.change, row, 1)


@register_jitable
def _worst(at: Any, blocks: Any, capacity: int, kept: Any) -> int:
    """The block to take from the accelerator: what does not pay, or least for the excess of area.

    The answer is -1 if there is none; `kept` is not taken.
    """
    over = at.total[1] - capacity
    found, best, best_size = -1, 0, 1
    for block in blocks:
        if not at.mapped[block] or not at.movable[block] or block == kept:
            continue
        gain, size = -at.change[block], 1
        if over > 0:
            if at.area[block] == 0:
                continue
            size = min(at.area[block], over)
        elif gain <= 0:
            continue
        if found < 0 or better(gain, size, best, best_size):
            found, best, best_size = block, gain, size
    return found


@register_jitable
def _settle(at: Any, blocks: Any, capacity: int, log: Any) -> int:
    """After the first move of the log: make the area fit, undo what does not pay, fill the rest."""
    length = 1
    while length < log.size:
        found = _worst(at, blocks, capacity, log[0])
        if found < 0 and at.total[1] <= capacity:
            found = best_move(at, blocks, capacity)
        if found < 0:
            break
        log[length] = found
        length += 1
        flip(at, found)
    return length


@register_jitable
def changed_by(at: Any, block: int, seen: Any, changed: Any) -> int:
    """Write the blocks whose moves a move of this one changes, and count them [1].

    `seen` is false for all blocks, before and after.
    """
    count = _note(block, seen, changed, 0)
    for place in range(at.other_start[block], at.other_start[block + 1]):
        count = _note(at.other[place], seen, changed, count)
    for place in range(at.use_start[block], at.use_start[block + 1]):
        value = at.use_value[place]
        count = _note(at.producer[value], seen, changed, count)
        for user in range(at.start[value], at.start[value + 1]):
            count = _note(at.consumer[user], seen, changed, count)
    rows = at.rows
    for place in range(rows.occurrence_start[block], rows.occurrence_start[block + 1]):
        row = rows.occurrence[place]
        count = _note(rows.block[row], seen, changed, count)
        for entry in range(rows.start[row], rows.start[row + 1]):
            count = _note(rows.entry[entry] >> 3, seen, changed, count)
    for place in range(count):
        seen[changed[place]] = False
    return count


@register_jitable
def _note(block: Any, seen: Any, changed: Any, count: int) -> int:
    if seen[block]:
        return count
    seen[block] = True
    changed[count] = block
    return count + 1


def _repair(at: Any, capacity: int) -> None:
    """Take blocks from the accelerator until the area fits and none is left that does not pay.

    The worst block of each chunk is remembered.
    """
    blocks = np.arange(at.mapped.size)
    width = 16 + int(blocks.size**0.5)
    chunks = (blocks.size + width - 1) // width
    worst = np.full(chunks, -1)
    dirty = np.ones(chunks, np.bool_)
    seen, changed = np.zeros(blocks.size, np.bool_), np.empty(blocks.size, np.int64)
    # of equal blocks the first one is taken, as if all were compared
    candidates = np.empty(chunks, np.int64)
    while True:
        over = at.total[1] - capacity
        count = 0
        for chunk in range(chunks):
            block = worst[chunk]
            # a block that is larger than what is too much counts by less of its area each time
            if dirty[chunk] or (block >= 0 and over > 0 and at.area[block] > over):
                dirty[chunk] = False
                chosen = blocks[chunk * width : (chunk + 1) * width]
                block = _worst(at, chosen, capacity, np.int64(-1))
                worst[chunk] = block
            if block >= 0:
                candidates[count] = block
                count += 1
        found = _worst(at, candidates[:count], capacity, np.int64(-1))
        if found < 0:
            return
        flip(at, found)
        for place in range(changed_by(at, found, seen, changed)):
            dirty[changed[place] // width] = True
        if over > 0 and at.total[1] <= capacity:
            dirty[:] = True  # from now on area counts nothing


def _move_to(at: Any, mapped: Any) -> None:
    """Move to another partition."""
    for block in range(mapped.size):
        if at.mapped[block] != mapped[block]:
            flip(at, block)


def _improve(at: Any, blocks: Any, capacity: int, log: Any, rounds: int) -> int:
    """Move each block in turn and settle what follows; undone unless the cost falls.

    The answer is the number of moves that were tried.
    """
    tried = 0
    for _ in range(rounds):
        before = at.total[0]
        for block in blocks:
            if not at.movable[block]:
                continue
            start = at.total[0]
            tried += 1
            log[0] = block
            flip(at, block)
            length = _settle(at, blocks, capacity, log)
            if at.total[0] >= start or at.total[1] > capacity:
                for place in range(length - 1, -1, -1):
                    flip(at, log[place])
        if at.total[0] == before:
            break
    return tried


add_rows = compiled(_add_rows)
repair = compiled(_repair)
move_to = compiled(_move_to)
improve = compiled(_improve)


def _independent(at: Any, blocks: Any, most: int) -> Any:
    """The first blocks, so many at most, no two of which share a pair or a value."""
    chosen = np.zeros(most, np.int64)
    blocked = np.zeros(at.mapped.size, np.bool_)
    taken = np.zeros(at.push.size, np.bool_)
    count = 0
    for block in blocks:
        if count == most:
            break
        free = not blocked[block]
        for place in range(at.use_start[block], at.use_start[block + 1]):
            free = free and not taken[at.use_value[place]]
        if not free:
            continue
        chosen[count] = block
        count += 1
        blocked[block] = True
        for place in range(at.other_start[block], at.other_start[block + 1]):
            blocked[at.other[place]] = True
        for place in range(at.use_start[block], at.use_start[block + 1]):
            taken[at.use_value[place]] = True
    return chosen[:count]


independent = compiled(_independent)
