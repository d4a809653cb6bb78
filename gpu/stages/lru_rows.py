"""Sets of few ways: one row of vector lanes for each set, kept in LRU order.

This module imports numba and LLVM: import it where sets are simulated, not before.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

import numba
import numpy as np

from logca.common.jit import compiled
from logca.gpu.devices import cache_geometry
from logca.trace.profiling import lru_row
from logca.trace.profiling.lru_row import EMPTY, NEAR, near, touch

__all__ = ["LANES", "simulator"]

LANES = (4, 8, 16, 32)
"""Lengths of the rows that there are; 4 numbers are the shortest vector worth it [1]."""

_folded = numba.njit(cache_geometry.folded)


@cache
def simulator(lanes: int) -> Callable[..., Any]:
    """The loop over references for rows of so many lanes."""
    size = np.uint64(lanes)
    nobody = np.uint64(EMPTY)
    nearest = np.uint64((1 << NEAR) - 1)

    def simulate(
        addresses: Any, shift: Any, step: Any, mask: Any, sets: Any, ways: Any, rows: Any, hits: Any
    ) -> None:
        last = nobody
        look = ways >= nearest  # else a block that is near can be one that was replaced
        for i in range(addresses.size):
            block = addresses[i] >> shift
            if block == last:  # is in front of its row already
                hits[i] = True
                continue
            last = block
            number = _folded(block, step)
            place = number & mask if mask else number % sets
            first = place * size
            if look and near(rows, first, block) >= 0:
                hits[i] = True
            else:
                touch(rows, first, block, ways, hits, i, lanes)

    return compiled(simulate, lru_row, cache_geometry)
