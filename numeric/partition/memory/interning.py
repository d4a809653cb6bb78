"""Lists of numbers, each kept once.

This module imports numba: import it where lists are kept, not before.
"""

from typing import Any

import numpy as np

from logca.common.jit import compiled, njit

__all__ = ["OWNER", "START", "WEIGHT", "empty_store", "enlarged", "intern"]


OWNER, START, HASH, WEIGHT = 0, 1, 2, 3
"""Columns of what is kept of each list: to whom it belongs, where it begins, how often it was."""


def empty_store(lists: int, entries: int) -> tuple[Any, Any, Any, Any]:
    """Room for so many lists, with so many entries in all: index, lists, entries, what is used."""
    size = 1 << (2 * lists + 2).bit_length()
    return (
        np.full(size, -1, np.int64),
        np.zeros((lists + 1, 4), np.int64),
        np.empty(entries, np.int64),
        np.zeros(2, np.int64),
    )


def enlarged(store: tuple[Any, Any, Any, Any], entries: int) -> tuple[Any, Any, Any, Any]:
    """A store of these lists with twice the room, and room for at least so many entries more."""
    _, kept, codes, used = store
    lists, length = (int(each) for each in used)
    index, more, room, count = empty_store(2 * len(kept), 2 * len(codes) + entries)
    more[: lists + 1], room[:length], count[:] = kept[: lists + 1], codes[:length], used
    reindex(index, more, lists)
    return index, more, room, count


def _intern(
    owner: Any, codes: Any, count: Any, index: Any, kept: Any, entries: Any, used: Any
) -> Any:
    """The number of a list: that of an equal one, or a new one."""
    mixed = (owner + 1) * 0x9E3779B97F4A7C1
    for i in range(count):
        mixed = (mixed ^ (mixed >> 29) ^ codes[i]) * 0x3F58476D1CE4E5B9
    mixed ^= mixed >> 31
    at = mixed & (index.shape[0] - 1)
    while index[at] >= 0:
        known = index[at]
        start = kept[known, START]
        if (
            kept[known, HASH] == mixed
            and kept[known, OWNER] == owner
            and kept[known + 1, START] - start == count
        ):
            same = 0
            while same < count and entries[start + same] == codes[same]:
                same += 1
            if same == count:
                return known
        at = (at + 1) & (index.shape[0] - 1)
    new, start = used[0], used[1]
    index[at] = new
    kept[new, OWNER], kept[new, START], kept[new, HASH] = owner, start, mixed
    kept[new, WEIGHT], kept[new + 1, START] = 0, start + count
    for i in range(count):
        entries[start + i] = codes[i]
    used[0], used[1] = new + 1, start + count
    return new


def _reindex(index: Any, kept: Any, lists: Any) -> None:
    for known in range(lists):
        at = kept[known, HASH] & (index.shape[0] - 1)
        while index[at] >= 0:
            at = (at + 1) & (index.shape[0] - 1)
        index[at] = known


intern: Any = njit(_intern)
reindex: Any = compiled(_reindex)
