"""Short lists of entries, tried out with their blocks near and far in every way.

This module imports numba: import it where couplings are made, not before.
"""

from typing import Any

import numba
import numpy as np

__all__ = ["FEW", "settle"]

FEW = 8
"""Lists with more blocks than this are not tried out [1]."""


@numba.njit
def _cost(
    codes: Any,
    begin: Any,
    skipped: Any,
    places: Any,
    near: Any,
    core: Any,
    state: Any,
    moves: Any,
    price: Any,
) -> Any:
    """What an access costs with the blocks near whose bits are set."""
    state = np.int64(state) << 3
    for at in range(begin, codes.shape[0]):
        if at != skipped:
            state = np.int64(moves[core, state | codes[at] & 7 | near >> places[at] & 1])
    return price[core, state >> 3]


@numba.njit
def settle(
    codes: Any,
    begin: Any,
    home: Any,
    core: Any,
    first: Any,
    moves: Any,
    price: Any,
    places: Any,
    table: Any,
) -> Any:
    """Leave out entries, and blocks, that never matter.

    Where the entries begin that are left, and the least and the highest cost. The entries are
    those of `codes` from `begin` on, and the rest stays at its end. The first result is negative
    if there are too many blocks to try.
    """
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
        cost = _cost(codes, begin, -1, places, way | own, core, first, moves, price)
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
            codes, begin, at, places, way | own, core, first, moves, price
        ):
            way += 1
        if way < ways:
            at -= 1
            continue
        for place in range(at, begin, -1):
            codes[place], places[place] = codes[place - 1], places[place - 1]
        begin += 1
    return begin, low, high
