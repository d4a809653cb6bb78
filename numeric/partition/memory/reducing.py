"""The loop that makes rows of signatures: what of them matters in one design.

An entry matters if in some state that the entries before it can lead to, its block being near, its
block being far and its not being there do not come to the same. States come to the same if they
have the same class: at the end of a list the cost of the outcome, before an entry the classes that
they lead to. This takes every block to be near or far anew at each of its entries: an entry may be
kept without need where a block has several, but none is left out that matters. What is left of
lists with few blocks is tried out.

This module imports numba: import it where couplings are made, not before.
"""

from typing import Any

import numba
import numpy as np

from logca.numeric.partition.memory import interning, reaching, trying
from logca.numeric.partition.memory.interning import WEIGHT, intern
from logca.numeric.partition.memory.reaching import FINAL, extremes, spread
from logca.numeric.partition.memory.trying import FEW, settle
from logca.trace.compiling import compiled

__all__ = ["reduce"]


@numba.njit
def _needed(
    home: Any,
    core: Any,
    begin: Any,
    count: Any,
    entry: Any,
    moves: Any,
    price: Any,
    masks: Any,
    classes: Any,
    codes: Any,
) -> Any:
    """Write the entries that matter to the end of `codes`; where they begin."""
    states = price.shape[1]
    now, before = classes[0], classes[1]
    for state in range(states):
        now[state] = 0
        while price[core, now[state]] != price[core, state]:
            now[state] += 1
    fresh, left = states, codes.shape[0]
    for i in range(count - 1, -1, -1):
        code, matters = np.int64(entry[begin + i]), False
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
    block: Any,
    start: Any,
    entry: Any,
    weight: Any,
    moves: Any,
    price: Any,
    first: Any,
    longest: Any,
    done: Any,
    own: Any,
    limits: Any,
    store: Any,
) -> None:
    """Make rows of signatures, each for both cores, until memory is used up."""
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
            masks[i + 1] = spread(moves, core, masks[i], code & 7, True, code >> 3 != home)
            if masks[i + 1] < 1 << FINAL:
                count = i + 1
                break
        left = _needed(home, core, begin, count, entry, moves, price, masks, classes, codes)
        settled, low, high = settle(
            codes, left, home, core, first[core], moves, price, places, table
        )
        if settled < 0:
            mask, settled = masks[0], left
            for code in codes[left:]:
                mask = spread(moves, core, mask, code & 7, True, code >> 3 != home)
            low, high = extremes(price, core, mask)
        own[core, home] += weight[signature] * low
        if low < high:
            row = intern(
                home << 1 | core, codes[settled:], longest - settled, index, kept, entries, used
            )
            kept[row, WEIGHT] += weight[signature]
            limits[0, row], limits[1, row] = low, high
        done[0] += 1


reduce = compiled(_reduce, interning, reaching, trying)
