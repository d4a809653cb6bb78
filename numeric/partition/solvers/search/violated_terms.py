"""Which terms of rows a fractional partition violates; see `certificates.coupled_checker`.

This module imports numba: import it where bounds are computed, not before.
"""

from typing import Any

import numpy as np

from logca.common.jit import compiled, njit
from logca.numeric.partition.memory import coupling_loops
from logca.numeric.partition.memory.coupling_loops import FINAL, extremes, successors

__all__ = ["violated"]


FAR, NEAR, EITHER = 0, 1, 2


@njit
def _least(row: Any, rows: Any, side: Any) -> Any:
    """The least a row costs if it counts, with blocks on their sides; -1 is any side."""
    home, block = np.int64(rows.side[row]), rows.block[row]
    mask = np.int64(1) << np.int64(rows.initial[home])
    for place in range(rows.start[row], rows.start[row + 1]):
        if mask < 1 << FINAL:
            break
        code = np.int64(rows.entry[place])
        there = home if code >> 3 == block else side[code >> 3]
        mask = successors(rows.moves, home, mask, code & 7, there != 1 - home, there != home)
    least, _ = extremes(rows.price, home, mask)
    return rows.weight[row] * (least - rows.base[row])


@njit
def _nearest(row: Any, rows: Any, x: Any, distance: Any, how: Any) -> None:
    """By entry and state the shortest way there: what it takes from x to make entries near or far.

    A block that has several entries counts several times, so that what is found is not too short.
    """
    home, block = np.int64(rows.side[row]), rows.block[row]
    states = distance.shape[1]
    first = rows.start[row]
    distance[0, :] = 1.0
    distance[0, rows.initial[home]] = abs(x[block] - home)
    for at in range(rows.start[row + 1] - first):
        distance[at + 1, :] = 1.0
        code = np.int64(rows.entry[first + at])
        near = 0.0 if code >> 3 == block else abs(x[code >> 3] - home)
        far = 1.0 if code >> 3 == block else 1.0 - near
        for state in range(states):
            now = distance[at, state]
            if now >= 1.0:
                continue
            to_near = to_far = np.int64(state)
            if state >= FINAL:
                to_near = np.int64(rows.moves[home, state << 3 | code & 7 | 1] >> 3)
                to_far = np.int64(rows.moves[home, state << 3 | code & 7] >> 3)
            if to_near == to_far:
                if now < distance[at + 1, to_near]:
                    distance[at + 1, to_near] = now
                    how[at + 1, to_near] = state << 2 | EITHER
                continue
            if now + near < distance[at + 1, to_near]:
                distance[at + 1, to_near] = now + near
                how[at + 1, to_near] = state << 2 | NEAR
            if now + far < distance[at + 1, to_far]:
                distance[at + 1, to_far] = now + far
                how[at + 1, to_far] = state << 2 | FAR


@njit
def _blocks(row: Any, rows: Any, end: Any, how: Any, side: Any, chosen: Any) -> Any:
    """The blocks that matter on the way to a state get their sides; how many they are."""
    home, block, first = np.int64(rows.side[row]), rows.block[row], rows.start[row]
    count, state = 0, end
    for at in range(rows.start[row + 1] - first, 0, -1):
        step = how[at, state]
        state = step >> 2
        other = np.int64(rows.entry[first + at - 1]) >> 3
        if step & 3 != EITHER and other != block and side[other] < 0:
            side[other] = home if step & 3 == NEAR else 1 - home
            chosen[count] = other
            count += 1
    return count


@njit
def _reduced(row: Any, rows: Any, x: Any, cost: Any, side: Any, chosen: Any, count: Any) -> Any:
    """Number of blocks left without those that the cost does not need, farthest ones first."""
    for tried in range(count):
        worst = tried
        for place in range(tried, count):
            one, other = chosen[place], chosen[worst]
            if abs(x[one] - side[one]) > abs(x[other] - side[other]):
                worst = place
        chosen[tried], chosen[worst] = chosen[worst], chosen[tried]
    left = 0
    for place in range(count):
        block = chosen[place]
        before = side[block]
        side[block] = -1
        if _least(row, rows, side) < cost:
            side[block] = before
            chosen[left] = block
            left += 1
    return left


def _violated(
    rows: Any, x: Any, charged: Any, by: Any, row: Any, start: Any, block: Any, side: Any, cost: Any
) -> Any:
    """The most violated term of each row, if it is violated by more than a number.

    How many there are; `x` says how far each block is mapped, `charged` what each row costs now.
    """
    states = rows.price.shape[1]
    longest = 0
    for each in range(rows.block.shape[0]):
        longest = max(longest, rows.start[each + 1] - rows.start[each])
    distance = np.empty((longest + 1, states))
    how = np.zeros((longest + 1, states), np.int64)
    chosen = np.empty(longest + 1, np.int64)
    sides = np.full(x.shape[0], -1, np.int64)
    found, used = 0, 0
    for each in range(rows.block.shape[0]):
        home = np.int64(rows.side[each])
        away = abs(x[rows.block[each]] - home)
        highest = rows.price[home, 0]
        for state in range(1, states):
            highest = max(highest, rows.price[home, state])
        dearest = rows.weight[each] * (highest - rows.base[each])
        if dearest * (1.0 - away) - charged[each] <= by:
            continue
        _nearest(each, rows, x, distance, how)
        last = rows.start[each + 1] - rows.start[each]
        best = float(by)
        end: Any = np.int64(-1)
        for state in range(states):
            worth = rows.weight[each] * (rows.price[home, state] - rows.base[each])
            if worth * (1.0 - distance[last, state]) - charged[each] > best:
                best, end = worth * (1.0 - distance[last, state]) - charged[each], state
        if end < 0:
            continue
        if found == row.shape[0] or used + last + 1 > block.shape[0]:
            break
        count = _blocks(each, rows, end, how, sides, chosen)
        worth = rows.weight[each] * (rows.price[home, end] - rows.base[each])
        kept = _reduced(each, rows, x, worth, sides, chosen, count)
        row[found], cost[found] = each, _least(each, rows, sides)
        block[used], side[used] = rows.block[each], home
        used += 1
        for place in range(kept):
            block[used], side[used] = chosen[place], sides[chosen[place]]
            sides[chosen[place]] = -1
            used += 1
        found += 1
        start[found] = used
    return found


violated = compiled(_violated, coupling_loops)
