"""One pass over a trace: how many accesses have which signature."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from logca.common.errors import TraceError
from logca.numeric.partition.memory.caches import CacheError, Geometry
from logca.numeric.partition.memory.signatures import Signatures
from logca.trace.profiling.cache_lines import lines_of

__all__ = ["Recorder", "checked_accesses"]

MOST_BLOCKS = 1 << 24


class Recorder:
    """Counts the signatures of a trace that comes piece by piece.

    Notes
    -----
    Memory grows with the pairs of blocks and lines, not with the length of the trace.
    """

    __slots__ = ("_blocks", "_geometry", "_pools", "_resident", "_state", "_store")

    def __init__(self, blocks: int, geometry: Geometry, *, resident: bool = False) -> None:
        """Start before the first access."""
        self._blocks = checked_blocks(blocks)
        self._geometry, self._resident = geometry, resident
        from logca.numeric.partition.memory.interning import empty_store
        from logca.numeric.partition.memory.recording_loops import EMPTY

        first, second = geometry.sets
        self._state = (
            np.zeros(4, np.int64),
            np.full((first, 5), -1, np.int64),
            np.full((second, 2), EMPTY, np.int64),
        )
        most = 4 * blocks + 4
        self._pools = [
            np.full((1 << 10, 2), -1, np.int64),
            np.empty((1 << 10, 4), np.int64),
            np.empty((blocks + (1 << 10), 5), np.int64),
            np.empty((2, most), np.int64),
            np.zeros(blocks, np.int64),
        ]
        self._store = empty_store(1 << 8, most + (1 << 10))

    def push(self, block: Any, address: Any, size: Any, store: Any) -> None:
        """Record accesses, in program order."""
        from logca.numeric.partition.memory.recording_loops import observe

        accesses = checked_accesses(
            block, address, size, store, line=self._geometry.line, blocks=self._blocks
        )
        done = 0
        while True:
            pools = tuple(self._pools)
            done = observe(accesses, done, self._resident, self._state, pools, self._store)
            if done == len(accesses[0]):
                return
            self._make_room()

    def signatures(self) -> Signatures:
        """The signatures of all accesses up to now."""
        _, kept, entries, used = self._store
        count, length = (int(each) for each in used)
        return Signatures(
            blocks=self._blocks,
            block=kept[:count, 0].astype(np.int32),
            start=kept[: count + 1, 1].copy(),
            entry_block=(entries[:length] >> 2).astype(np.int32),
            entry_kind=(entries[:length] & 3).astype(np.int8),
            weight=kept[:count, 3].copy(),
            resident=self._resident,
        )

    def _make_room(self) -> None:
        from logca.numeric.partition.memory.interning import enlarged
        from logca.numeric.partition.memory.recording_loops import rehash_lines

        _, lines, touches, records = (int(each) for each in self._state[0])
        table, touch, record, scratch, _ = self._pools
        if 2 * (lines + 1) > len(table):
            self._pools[0] = np.full((4 * len(table), 2), -1, np.int64)
            rehash_lines(table, self._pools[0])
        if touches >= len(touch):
            self._pools[1] = np.concatenate([touch, np.empty_like(touch)])
        # one access adds a record for each block at most, and one for each of the two sets
        if records + self._blocks + 2 > len(record):
            self._pools[2] = np.concatenate([record, np.empty_like(record)])
        index, kept, entries, used = self._store
        count, length = (int(each) for each in used)
        most = scratch.shape[1]
        if count + 2 > len(kept) or 2 * (count + 1) > len(index) or length + most > len(entries):
            self._store = enlarged(self._store, most)


def checked_blocks(blocks: int) -> int:
    """The number of blocks [1]; CacheError if it is none."""
    if isinstance(blocks, bool) or not isinstance(blocks, int) or not 1 <= blocks <= MOST_BLOCKS:
        raise CacheError(
            f"blocks = {blocks!r}; allowed are whole numbers from 1 to {MOST_BLOCKS}: give the "
            "number of basic blocks of the program"
        )
    return blocks


def checked_accesses(
    block: Any, address: Any, size: Any, store: Any, *, line: int, blocks: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.bool_]]:
    """Line, block and whether it writes, of each access and each line that it touches.

    Examples
    --------
    >>> lines, owners, writes = checked_accesses([0, 1], [60, 0], [8, 4], [True, False],
    ...     line=64, blocks=2)
    >>> lines.tolist(), owners.tolist(), writes.tolist()
    ([0, 1, 0], [0, 0, 1], [True, True, False])
    """
    owners, writes = np.asarray(block), np.asarray(store)
    if owners.size and owners.dtype.kind not in "ui":
        raise CacheError(
            f"blocks are of type {owners.dtype}; allowed are whole numbers: convert them, as in "
            "block.astype('int64')"
        )
    if writes.size and writes.dtype != np.bool_:
        raise CacheError(
            f"store is of type {writes.dtype}; allowed is bool: convert it, as in store != 0"
        )
    count = np.asarray(address).size
    for name, values in (("block", owners), ("store", writes)):
        if values.shape != (count,):
            raise CacheError(
                f"{name} has shape {values.shape} with {count} addresses; allowed is one for each"
            )
    if count and not 0 <= int(owners.min()) <= int(owners.max()) < blocks:
        wrong = int(owners.min()) if int(owners.min()) < 0 else int(owners.max())
        raise CacheError(f"block {wrong}; allowed are 0 to {blocks - 1}: raise blocks")
    try:
        lines, accesses = lines_of(address, size, line)
    except (TraceError, ValueError) as error:
        raise CacheError(str(error)) from error
    chosen = owners.astype(np.int64, copy=False)[accesses]
    return lines.view(np.int64), chosen, writes.astype(np.bool_, copy=False)[accesses]
