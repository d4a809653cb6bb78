"""Reuse distances: how many distinct blocks a program touches before it comes back to one.

The reuse distance of a reference is the number of distinct blocks referenced since the last
reference to its block: its depth in an LRU stack. A fully associative LRU cache of C blocks has
hits at exactly those references whose distance is below C. Distances are exact; a trace goes
through piece by piece, and memory grows with the number of distinct blocks only.
"""

import numpy as np
from numpy.typing import NDArray

from logca.common.extras import require

__all__ = ["LruStack"]

_NOBODY = np.uint64(2**64 - 1)


class LruStack:
    """All blocks of a trace in the order of their last reference."""

    __slots__ = ("_bits", "_numbers", "_owners", "_row", "_table", "_tree")

    def __init__(self) -> None:
        """Start without a block."""
        require("numba", "trace")
        require("llvmlite", "trace")
        from logca.trace.profiling.lru_row import new_rows
        from logca.trace.profiling.lru_stack import LANES

        self._row = new_rows(1, LANES)
        self._numbers = np.zeros(3, dtype=np.int64)
        self._table = _table(1 << 10)
        self._owners, self._bits, self._tree = _timeline(1 << 10)

    def push(self, blocks: NDArray[np.uint64]) -> NDArray[np.int64]:
        """Distances of references to blocks, one after the other; -1 of the first to a block [1].

        Block numbers are below 2**64 - 1.
        """
        from logca.trace.profiling.lru_stack import observe

        numbers = np.ascontiguousarray(blocks, np.uint64)
        result = np.empty(numbers.size, dtype=np.int64)
        done = 0
        while done < numbers.size:
            done = observe(
                numbers,
                done,
                self._row,
                self._table,
                self._owners,
                self._bits,
                self._tree,
                self._numbers,
                result,
            )
            if done < numbers.size:
                self._make_room()
        return result

    def _make_room(self) -> None:
        from logca.trace.profiling.lru_stack import CLOCK, KNOWN, LIVE, compact, rehash

        clock, live, known = (int(self._numbers[each]) for each in (CLOCK, LIVE, KNOWN))
        # an entry is two words: half of the table is full then, and probing gets slow
        if 4 * known >= self._table.size:
            old = self._table
            self._table = _table(2 * known)
            rehash(old, self._table, self._bits, self._owners)
        if clock >= self._owners.size:
            # where less than half of the moments live, renumbering alone frees enough of them
            size = self._owners.size * (2 if 2 * live > self._owners.size else 1)
            old_bits, old_owners = self._bits, self._owners
            self._owners, self._bits, self._tree = _timeline(size)
            compact(self._table, old_bits, old_owners, self._owners, self._bits, self._tree)
            self._numbers[CLOCK] = live


def _table(blocks: int) -> NDArray[np.uint64]:
    """Empty hash table for so many blocks, a power of two: keys, each with a moment behind it."""
    return np.full(4 * blocks, _NOBODY)


def _timeline(
    size: int,
) -> tuple[NDArray[np.int64], NDArray[np.uint64], NDArray[np.int64]]:
    """Owners, bits and tree of moments without a bit."""
    words = size // 64
    return (
        np.zeros(size, dtype=np.int64),
        np.zeros(words, dtype=np.uint64),
        np.zeros(words + 1, dtype=np.int64),
    )
