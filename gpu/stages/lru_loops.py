"""Simulated sets of a cache in LRU order: rows of vector lanes for few ways, lists for many.

In lists every line of the cache is a slot; the slots of a set form a ring in the order of their
last reference, and the slots whose blocks fall into the same bucket of the hash table form a chain.
A reference costs the same whatever the number of ways.

This module imports numba and LLVM: import it where sets are simulated, not before.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from logca.common.jit import compiled, njit
from logca.trace.profiling import lru_row
from logca.trace.profiling.lru_row import EMPTY, NEAR, near, touch

__all__ = ["LANES", "folded", "list_simulator", "new_lists", "row_simulator"]


def folded(block: Any, step: Any) -> Any:
    """Exclusive or of a block number with itself, moved down by each multiple of `step` bits.

    Modulo K <= 2**step it is the hashed set of the block, of K sets: strides by multiples of K use
    all of them. For K = 2**step that is the usual folding of the whole number to so many bits. It
    is kept whole before it is divided by another K: folding maps block numbers one to one, so that
    all sets get equally many of them.

    Examples
    --------
    >>> int(folded(np.uint64(0b101_001), np.uint64(3)))
    44
    """
    while step < 64:  # each round doubles the number of terms
        block = block ^ (block >> step)
        step = step + step
    return block


_folded = njit(folded)

LANES = (4, 8, 16, 32)
"""Lengths of the rows that there are; 4 numbers are the shortest vector worth it [1]."""


@cache
def row_simulator(lanes: int) -> Callable[..., Any]:
    """The loop over references for rows of so many lanes."""
    size = np.uint64(lanes)
    nobody = np.uint64(EMPTY)
    nearest = np.uint64((1 << NEAR) - 1)

    def simulate(
        blocks: Any, step: Any, mask: Any, sets: Any, ways: Any, rows: Any, hits: Any
    ) -> None:
        last = nobody
        look = ways >= nearest  # else a block that is near can be one that was replaced
        for i in range(blocks.size):
            block = blocks[i]
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

    return compiled(simulate, lru_row)


_NONE = -1
_SPREAD = np.uint64(0x9E3779B97F4A7C15)  # 2**64 divided by the golden ratio, odd


def new_lists(sets: int, ways: int) -> tuple[NDArray[Any], ...]:
    """Memory of an empty cache: blocks, later, earlier, chains, buckets, latest, filled."""
    lines = sets * ways
    buckets = 1 << max(1, (2 * lines - 1).bit_length())
    return (
        np.zeros(lines, dtype=np.uint64),
        *(np.full(size, _NONE, dtype=np.int64) for size in (lines, lines, lines, buckets, sets)),
        np.zeros(sets, dtype=np.int64),
    )


@cache
def list_simulator() -> Callable[..., Any]:
    """The loop over references for lists."""
    return compiled(_simulate)


def _simulate(
    numbers: Any,
    step: Any,
    sets: Any,
    ways: Any,
    blocks: Any,
    later: Any,
    earlier: Any,
    chains: Any,
    buckets: Any,
    latest: Any,
    filled: Any,
    hits: Any,
) -> None:
    wrap = np.uint64(buckets.size - 1)
    for i in range(numbers.size):
        block = numbers[i]
        place = np.int64(_folded(block, step) % sets)
        bucket = np.int64(((block * _SPREAD) >> np.uint64(32)) & wrap)
        slot = buckets[bucket]
        while slot != _NONE and blocks[slot] != block:
            slot = chains[slot]
        hits[i] = slot != _NONE
        front = latest[place]
        if slot == _NONE:
            if filled[place] < ways:
                slot = place * ways + filled[place]
                filled[place] += 1
                if front == _NONE:
                    later[slot] = earlier[slot] = slot
                else:
                    _join(slot, front, later, earlier)
            else:
                slot = later[front]  # the ring closes: behind the latest is the earliest
                _leave(slot, blocks[slot], wrap, chains, buckets)
            blocks[slot] = block
            chains[slot] = buckets[bucket]
            buckets[bucket] = slot
        elif slot != front:
            later[earlier[slot]] = later[slot]
            earlier[later[slot]] = earlier[slot]
            _join(slot, front, later, earlier)
        latest[place] = slot


@njit
def _join(slot: Any, front: Any, later: Any, earlier: Any) -> None:
    """Put a slot into the ring, behind the latest."""
    later[slot] = later[front]
    earlier[slot] = front
    earlier[later[front]] = slot
    later[front] = slot


@njit
def _leave(slot: Any, block: Any, wrap: Any, chains: Any, buckets: Any) -> None:
    """Take a slot out of the chain of its block."""
    bucket = np.int64(((block * _SPREAD) >> np.uint64(32)) & wrap)
    other = buckets[bucket]
    if other == slot:
        buckets[bucket] = chains[slot]
        return
    while chains[other] != slot:
        other = chains[other]
    chains[other] = chains[slot]
