"""Which states of an automaton entries lead to while it is open where blocks are.

This module imports numba: import it where automata run, not before.
"""

from typing import Any

import numba
import numpy as np

__all__ = ["FINAL", "extremes", "spread"]

FINAL = 6
"""States below this number are outcomes [1]."""


@numba.njit
def spread(moves: Any, core: Any, mask: Any, code: Any, near: Any, far: Any) -> Any:
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


@numba.njit
def extremes(price: Any, core: Any, mask: Any) -> Any:
    """The least and the most that a list costs that may end in any state of a mask."""
    low, high, state = np.int64(1) << 62, np.int64(-1), 0
    while mask >> state:
        if mask >> state & 1:
            low, high = min(low, price[core, state]), max(high, price[core, state])
        state += 1
    return low, high
