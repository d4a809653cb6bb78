"""Loops that make the rows of a coupling from signatures, and add up what rows cost.

An entry matters if in some state that the entries before it can lead to, its block being near, its
block being far and its not being there do not come to the same. States come to the same if they
have the same class: at the end of a list the cost of the outcome, before an entry the classes that
they lead to. This takes every block to be near or far anew at each of its entries: an entry may be
kept without need where a block has several, but none is left out that matters. What is left of
lists with few blocks is tried out.

This module imports numba: import it inside functions.
"""

from typing import Any

import numpy as np

from logca.common.jit import compiled, njit
from logca.numeric.partition.memory import interning
from logca.numeric.partition.memory.interning import WEIGHT, intern
from logca.numeric.partition.memory.levels_and_write_backs import OUTCOMES

__all__ = [
    "FEW",
    "FINAL",
    "cost_rows",
    "drop_irrelevant",
    "extremes",
    "reduce",
    "successors",
]


FINAL = OUTCOMES
"""States below this number are outcomes [1]."""


@njit
def successors(moves: Any, core: Any, mask: Any, code: Any, near: Any, far: Any) -> Any:
    """The states that an entry can lead to from those of a mask; the code is twice its kind."""
    after, state, one = np.int64(0), 0, np.int64(1)
    while mask >> state:
        if mask >> state & 1:
            if near:
                after |= one << np.int64(moves[core, state << 3 | code | 1] >> 3)
            if far:
                after |= one << np.int64(moves[core, state << 3 | code] >> 3)
        state += 1
    return after


@njit
def extremes(price: Any, core: Any, mask: Any) -> Any:
    """The least and the most that a list costs that may end in any state of a mask."""
    low, high, state = np.int64(1) << 62, np.int64(-1), 0
    while mask >> state:
        if mask >> state & 1:
            low, high = min(low, price[core, state]), max(high, price[core, state])
        state += 1
    return low, high


FEW = 8
"""Lists with more blocks than this are not tried out [1]."""


@njit
def _cost(
    codes: Any, begin: Any, skipped: Any, places: Any, near: Any, core: Any, state: Any, tables: Any
) -> Any:
    """Cost of an access with the blocks near whose bits are set."""
    moves, price = tables
    state = np.int64(state) << 3
    for at in range(begin, codes.shape[0]):
        if at != skipped:
            state = np.int64(moves[core, state | codes[at] & 7 | near >> places[at] & 1])
    return price[core, state >> 3]


@njit
def drop_irrelevant(
    codes: Any, begin: Any, home: Any, core: Any, machine: Any, places: Any, table: Any
) -> Any:
    """Leave out entries, and blocks, that never matter.

    Where the entries begin that are left, and the least and the highest cost. The entries are
    those of `codes` from `begin` on, and the rest stays at its end. The first result is negative
    if there are too many blocks to try.
    """
    first, tables = machine[2][core], machine[:2]
    # the block whose accesses these are is always near: it has the place of a bit always set
    blocks = 0
    for at in range(begin, codes.shape[0]):
        other = codes[at] >> 3
        places[at] = -1 if other != home else FEW
        for before in range(begin, at):
            if codes[before] >> 3 == other:
                places[at] = places[before]
        if places[at] < 0:
            if blocks == FEW:
                return -1, 0, 0
            places[at] = blocks
            blocks += 1
    ways, own = 1 << blocks, 1 << FEW
    low, high = np.int64(1) << 62, np.int64(-1)
    for way in range(ways):
        cost = _cost(codes, begin, np.int64(-1), places, way | own, core, first, tables)
        table[way] = cost
        low, high = min(low, cost), max(high, cost)
    for bit in range(blocks):
        way = 0
        while way < ways and table[way] == table[way ^ 1 << bit]:
            way += 1
        if way == ways:
            # it never matters where this block is: it may as well be the other one
            for at in range(begin, codes.shape[0]):
                if places[at] == bit:
                    places[at], codes[at] = FEW, home << 3 | codes[at] & 7
    at = codes.shape[0] - 1
    while at >= begin:
        way = 0
        while way < ways and table[way] == _cost(
            codes, begin, at, places, way | own, core, first, tables
        ):
            way += 1
        if way < ways:
            at -= 1
            continue
        for place in range(at, begin, -1):
            codes[place], places[place] = codes[place - 1], places[place - 1]
        begin += 1
    return begin, low, high


@njit
def _needed(
    home: Any, core: Any, entry: Any, machine: Any, masks: Any, classes: Any, codes: Any
) -> Any:
    """Write the entries that matter to the end of `codes`; where they begin."""
    moves, price, _ = machine
    states = price.shape[1]
    now, before = classes[0], classes[1]
    for state in range(states):
        now[state] = 0
        while price[core, now[state]] != price[core, state]:
            now[state] += 1
    fresh, left = states, codes.shape[0]
    for i in range(entry.shape[0] - 1, -1, -1):
        code, matters = np.int64(entry[i]), False
        foreign, kind = code >> 3 != home, code & 7
        for state in range(states):
            near = now[moves[core, state << 3 | kind | 1] >> 3]
            far = now[moves[core, state << 3 | kind] >> 3] if foreign else near
            if masks[i] >> state & 1 and not near == far == now[state]:
                matters = True
        if not matters:
            continue
        left -= 1
        codes[left] = code
        for state in range(states):
            near = now[moves[core, state << 3 | kind | 1] >> 3]
            far = now[moves[core, state << 3 | kind] >> 3] if foreign else near
            before[state] = near
            if near != far:
                same = 0
                while same < state:
                    also = now[moves[core, same << 3 | kind | 1] >> 3]
                    if also == near and now[moves[core, same << 3 | kind] >> 3] == far:
                        break
                    same += 1
                before[state] = fresh if same == state else before[same]
                fresh += same == state
        now, before = before, now
    return left


def _reduce(
    signatures: Any, machine: Any, longest: Any, done: Any, own: Any, limits: Any, store: Any
) -> None:
    """Make rows of signatures, each for both cores, until memory is used up."""
    block, start, entry, weight = signatures
    moves, price, first = machine
    index, kept, entries, used = store
    masks = np.zeros(longest + 1, np.int64)
    classes = np.zeros((2, price.shape[1]), np.int64)
    codes = np.zeros(longest, np.int64)
    places = np.zeros(longest, np.int64)
    table = np.zeros(1 << FEW, np.int64)
    while done[0] < 2 * block.shape[0]:
        if (
            used[0] + 2 > kept.shape[0]
            or 2 * (used[0] + 1) > index.shape[0]
            or used[1] + longest > entries.shape[0]
        ):
            return
        signature, core = done[0] >> 1, done[0] & 1
        home, begin = np.int64(block[signature]), start[signature]
        count = start[signature + 1] - begin
        masks[0] = 1 << np.int64(first[core])
        for i in range(count):
            code = np.int64(entry[begin + i])
            masks[i + 1] = successors(moves, core, masks[i], code & 7, True, code >> 3 != home)
            if masks[i + 1] < 1 << FINAL:
                count = i + 1
                break
        own_entries = entry[begin : begin + count]
        left = _needed(home, core, own_entries, machine, masks, classes, codes)
        settled, low, high = drop_irrelevant(codes, left, home, core, machine, places, table)
        if settled < 0:
            mask, settled = masks[0], left
            for code in codes[left:]:
                mask = successors(moves, core, mask, code & 7, True, code >> 3 != home)
            low, high = extremes(price, core, mask)
        own[core, home] += weight[signature] * low
        if low < high:
            row = intern(
                home << 1 | core, codes[settled:], longest - settled, index, kept, entries, used
            )
            kept[row, WEIGHT] += weight[signature]
            limits[0, row], limits[1, row] = low, high
        done[0] += 1


reduce = compiled(_reduce, interning)


@njit
def _end_of(row: Any, home: Any, mapped: Any, start: Any, entry: Any, machine: Any) -> Any:
    """The state in which a row ends."""
    moves, _, first = machine
    state = np.int64(first[home]) << 3
    for at in range(start[row], start[row + 1]):
        near = 1 - (mapped[entry[at] >> 3] ^ home)
        state = np.int64(moves[home, state + (entry[at] & 7 | near)])
        if state < FINAL << 3:
            break
    return state >> 3


def _cost_rows(mapped: Any, rows: Any, machine: Any, result: Any) -> None:
    group, start, entry, weight, base = rows
    price = machine[1]
    for block in range(mapped.shape[0]):
        home = np.int64(mapped[block])
        for row in range(group[2 * block + home], group[2 * block + home + 1]):
            state = _end_of(row, home, mapped, start, entry, machine)
            result[row] = weight[row] * (price[home, state] - base[row])


cost_rows = compiled(_cost_rows)
