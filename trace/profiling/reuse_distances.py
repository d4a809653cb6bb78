"""Reuse distances: how many distinct blocks a program touches before it comes back to one.

The reuse distance of a reference is the number of distinct blocks referenced since the last
reference to its block: its depth in an LRU stack. A fully associative LRU cache of C blocks has
hits at exactly those references whose distance is below C. Distances are exact; a trace goes
through piece by piece, and memory grows with the number of distinct blocks only.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from logca.common.errors import TraceError
from logca.common.extras import require
from logca.trace.profiling.cache_lines import unsigned

__all__ = ["FIRST", "LruStack", "Reuse", "reuse"]

FIRST = -1
"""Stands for the distance of the first reference to a block, which has none [1]."""

_NOBODY = np.uint64(2**64 - 1)
_PIECE = 1 << 16  # references whose distances are kept at a time


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Reuse:
    """Reuse distances of a trace, counted."""

    # number of references that are the first to their block, for each static access [1]
    first: NDArray[np.int64]
    # number of references for each static access (row) and range of distances (column) [1]:
    # column 0 is distance 0, column j has the distances from 2**(j-1) to 2**j - 1
    powers: NDArray[np.int64]
    # number of references of all static accesses for each single distance [1]
    distances: NDArray[np.int64]

    @property
    def blocks(self) -> int:
        """Number of distinct blocks [1]."""
        return int(self.first.sum())

    @property
    def references(self) -> NDArray[np.int64]:
        """Number of references of each static access [1]."""
        total: NDArray[np.int64] = self.first + self.powers.sum(axis=1)
        return total

    def misses(self, capacity: int) -> int:
        """References that miss in a fully associative LRU cache, exactly [1]."""
        return self.blocks + int(self.distances[max(capacity, 0) :].sum())


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

    def push(self, blocks: Any) -> NDArray[np.int64]:
        """Reference blocks one after the other."""
        from logca.trace.profiling.lru_stack import observe

        numbers = unsigned(blocks, "blocks")
        if numbers.size and numbers.max() == _NOBODY:
            raise TraceError(
                f"block {_NOBODY} is there; allowed are numbers below 2**64 - 1: divide addresses "
                "by the size of a block"
            )
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


def reuse(pieces: Iterable[tuple[Any, Any]], sites: int) -> Reuse:
    """Count the reuse distances of a trace."""
    stack = LruStack()
    from logca.trace.profiling.lru_stack import tally

    table = np.zeros((sites, 1 + 64), dtype=np.int64)
    exact = np.zeros(1 << 10, dtype=np.int64)
    for blocks, names in pieces:
        numbers, labels = unsigned(blocks, "blocks"), unsigned(names, "sites")
        if numbers.size != labels.size:
            raise TraceError(
                f"{labels.size} static accesses for {numbers.size} blocks; allowed is one for "
                "each: give the static access with every block"
            )
        if labels.size and int(labels.max()) >= sites:
            raise TraceError(
                f"static access {labels.max()}; allowed are numbers below sites = {sites}: raise "
                "sites"
            )
        for start in range(0, numbers.size, _PIECE):
            distances = stack.push(numbers[start : start + _PIECE])
            deepest = int(distances.max())
            if deepest >= exact.size:
                exact = np.concatenate([exact, np.zeros(deepest + 1, dtype=np.int64)])
            tally(distances, labels[start : start + _PIECE], table, exact)
    columns = np.flatnonzero(table[:, 1:].any(axis=0))
    used = int(columns[-1]) + 1 if columns.size else 0
    return Reuse(
        first=table[:, 0].copy(),
        powers=table[:, 1 : 1 + used].copy(),
        distances=np.trim_zeros(exact, "b"),
    )


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
