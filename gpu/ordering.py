"""Putting the accesses of a trace into the order of their slots, one warp instruction a slot.

A trace goes thread by thread, so that each access only has to be put behind those of its slot; that
takes a table of slots, and is fast. Where slots are sparse, or the lanes of a slot do not come in
ascending order, the accesses are sorted.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from logca.trace.compiling import compiled

__all__ = ["ordered"]

_SMALL = 2**20
Integers = NDArray[np.int64]
Ordered = tuple[Integers, Integers, NDArray[np.uint8], NDArray[np.uint64], NDArray[np.uint32]]


def ordered(
    slot: Integers,
    lane: NDArray[np.uint8],
    address: NDArray[np.uint64],
    size: NDArray[np.uint32],
) -> Ordered:
    """Warp instructions in the order of their slots.

    Parameters
    ----------
    slot : array of int64
        Slot of each access of the trace, -1 to leave it out [1].
    lane : array of uint8
        Its lane [1].
    address : array of uint64
        Where it begins [B].
    size : array of uint32
        What it moves [B].

    Returns
    -------
    first : array of int64
        An access of each warp instruction [1].
    start : array of int64
        Where its lanes begin in the columns that follow, and the end of the last one's [1].
    lane, address : array
        Lanes, ascending in each warp instruction [1], and their addresses [B].
    size : array of uint32
        The largest size of each warp instruction [B].
    """
    slots = int(slot.max(initial=-1)) + 1
    if slots <= len(slot) + _SMALL:
        found = _scattered(slot, lane, address, size, slots)
        if found is not None:
            return found
    return _sorted(slot, lane, address, size)


def _scattered(
    slot: Integers,
    lane: NDArray[np.uint8],
    address: NDArray[np.uint64],
    size: NDArray[np.uint32],
    slots: int,
) -> Ordered | None:
    group = np.zeros(slots, np.int32)
    compiled(_count)(slot, group)
    used = np.flatnonzero(group)
    start = np.append(0, np.cumsum(group[used], dtype=np.int64))
    group[used] = np.arange(len(used))
    first = np.full(len(used), -1, np.int64)
    out = np.empty(start[-1], np.uint8), np.empty(start[-1], np.uint64)
    largest = np.zeros(len(used), np.uint32)
    end = start[:-1].copy()
    done = compiled(_scatter)(slot, lane, address, size, group, first, end, *out, largest)
    return (first, start, *out, largest) if done else None


def _sorted(
    slot: Integers,
    lane: NDArray[np.uint8],
    address: NDArray[np.uint64],
    size: NDArray[np.uint32],
) -> Ordered:
    order = np.flatnonzero(slot >= 0)
    order = order[np.lexsort((lane[order], slot[order]))]
    again = np.arange(len(order))
    new = _changes(slot[order], lane[order])
    again -= np.maximum.accumulate(np.where(new, again, 0))
    then = np.lexsort((lane[order], again, slot[order]))
    order, again = order[then], again[then]
    begin = np.flatnonzero(_changes(slot[order], again))
    largest = np.maximum.reduceat(size[order], begin) if len(begin) else size[:0]
    return order[begin], np.append(begin, len(order)), lane[order], address[order], largest


def _changes(*columns: NDArray[Any]) -> NDArray[np.bool_]:
    """Whether a row differs from the one before."""
    found = np.ones(len(columns[0]), bool)
    found[1:] = np.any([column[1:] != column[:-1] for column in columns], axis=0)
    return found


def _count(slot: Integers, counts: NDArray[np.int32]) -> None:
    for i in range(slot.shape[0]):
        if slot[i] >= 0:
            counts[slot[i]] += 1


def _scatter(
    slot: Integers,
    lane: NDArray[np.uint8],
    address: NDArray[np.uint64],
    size: NDArray[np.uint32],
    group: NDArray[np.int32],
    first: Integers,
    end: Integers,
    out_lane: NDArray[np.uint8],
    out_address: NDArray[np.uint64],
    largest: NDArray[np.uint32],
) -> bool:
    """Put each access behind those of its slot; False if lanes are not in ascending order."""
    for i in range(slot.shape[0]):
        if slot[i] >= 0:
            number = group[slot[i]]
            at = end[number]
            if first[number] < 0:
                first[number] = i
            elif lane[i] <= out_lane[at - 1]:
                return False
            out_lane[at] = lane[i]
            out_address[at] = address[i]
            largest[number] = max(largest[number], size[i])
            end[number] = at + 1
    return True
