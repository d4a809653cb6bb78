"""The loop that picks blocks whose moves do not change each other.

This module imports numba: import it where partitions are searched, not before.
"""

from typing import Any

import numpy as np

from logca.trace.compiling import compiled

__all__ = ["independent"]


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
