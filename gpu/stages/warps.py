"""Warps in lockstep: which lanes reach which addresses together, in order of execution.

Within a batch of blocks every warp does one access before any warp does the next one (wang2017,
section 3.2). Lanes that do not make an access are masked.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from logca.common.jit import compiled
from logca.gpu.nests.trace import NestTrace
from logca.gpu.stages.grid import Layout
from logca.gpu.stages.lockstep import numbered, places, ranked

__all__ = [
    "WarpTrace",
    "ordered",
    "warp_trace",
]

_SMALL = 2**20
Integers = NDArray[np.int64]
Ordered = tuple[Integers, Integers, NDArray[np.uint8], NDArray[np.uint64], NDArray[np.uint32]]


def ordered(
    slot: Integers,
    lane: NDArray[np.uint8],
    address: NDArray[np.uint64],
    size: NDArray[np.uint32],
) -> Ordered:
    """Warp instructions in the order of their slots."""
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


_LARGEST = 2**62


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class WarpTrace:
    """Warp instructions in order of execution; the lanes of number w are start[w]:start[w + 1]."""

    access: NDArray[np.uint32]  # static access of each warp instruction [1]
    # launch, batch, warp: launch; batch in that launch; warp in that batch [1]
    launch: NDArray[np.int32]
    batch: NDArray[np.int32]
    warp: NDArray[np.int32]
    size: NDArray[np.uint32]  # bytes of each lane's access; where lanes differ, of the largest [B]
    start: Integers  # first of the lanes of each warp instruction, and the end of the last one [1]
    lane: NDArray[np.uint8]  # active lanes, ascending in a warp instruction [1]
    address: NDArray[np.uint64]  # their addresses [B]
    batches: tuple[int, ...]  # batches of each launch that are here [1]
    warp_size: int  # lanes of a warp [1]

    def rows(self) -> list[dict[str, object]]:
        """What the stage prints: one row for each static access."""
        lanes = np.diff(self.start)
        found = []
        for access in np.unique(self.access).tolist():
            mine = self.access == access
            found.append(
                {
                    "access": access,
                    "warp instructions": int(mine.sum()),
                    "active lanes": float(lanes[mine].mean()),
                    "divergent": float(np.mean(lanes[mine] < self.warp_size)),
                }
            )
        return found


def warp_trace(
    trace: NestTrace,
    layouts: Sequence[Layout],
    *,
    blocks_per_batch: int,
    batches: int | None = None,
    warp_size: int = 32,
) -> WarpTrace:
    """Fold the trace of a nest into warps.

    A lane that makes the same access of the same iterations several times, as in a function that
    calls itself, does so in consecutive warp instructions.
    """
    found = places(trace)
    warps = blocks_per_batch * max(each.warps_per_block(warp_size) for each in layouts)
    counts = [-(-each.blocks // blocks_per_batch) for each in layouts]
    kept = [each if batches is None else min(each, batches) for each in counts]
    if found.total * warps * sum(kept) < _LARGEST:
        slot, total = numbered(trace, found), found.total
    else:
        slot = ranked(trace, found)
        total = int(slot.max()) + 1
    lane = np.empty(len(slot), np.uint8)
    begin, before = 0, 0
    ends = np.searchsorted(trace.launch, trace.launches, side="right")
    for grid, end, own in zip(layouts, ends.tolist(), kept, strict=True):
        compiled(_fill_slots)(
            trace.iterations[begin:end],
            np.array([grid.extents], np.int64)[0],
            np.array([grid.block, grid.grid], np.int64),
            np.array([before, own, blocks_per_batch, total, warps, warp_size], np.int64),
            slot[begin:end],
            lane[begin:end],
        )
        begin, before = end, before + own
    first, start, lane, address, size = ordered(slot, lane, trace.address, trace.size)
    place = slot[first]
    batch = place // (total * warps)
    starts = np.cumsum([0, *kept])
    number = np.searchsorted(starts, batch, side="right") - 1
    return WarpTrace(
        access=trace.access[first],
        launch=np.array(trace.launches, np.int32)[number],
        batch=(batch - starts[number]).astype(np.int32),
        warp=(place % warps).astype(np.int32),
        size=size,
        start=start,
        lane=lane,
        address=address,
        batches=tuple(kept),
        warp_size=warp_size,
    )


def _fill_slots(
    iterations: NDArray[np.int32],
    extents: Integers,
    shape: Integers,
    parameters: Integers,
    slot: Integers,
    lane: NDArray[np.uint8],
) -> None:
    """Turn places into slots: first by batch, then by place, then by warp."""
    before, batches, blocks_per_batch, total, warps, warp_size = parameters
    own, blocks = shape[0], shape[1]
    depth = extents.shape[0]
    warps_per_block = (own[0] * own[1] * own[2] + warp_size - 1) // warp_size
    batch, warp, own_lane = np.int64(0), np.int64(0), np.int64(0)
    for i in range(slot.shape[0]):
        same = i > 0
        for level in range(depth):
            same = same and iterations[i, level] == iterations[i - 1, level]
        if not same:
            x = np.int64(iterations[i, depth - 1])
            y = np.int64(iterations[i, depth - 2]) if depth > 1 else np.int64(0)
            z = np.int64(0)
            for level in range(depth - 2):
                z = z * extents[level] + iterations[i, level]
            block = (z // own[2] * blocks[1] + y // own[1]) * blocks[0] + x // own[0]
            thread = (z % own[2] * own[1] + y % own[1]) * own[0] + x % own[0]
            batch = block // blocks_per_batch
            warp = block % blocks_per_batch * warps_per_block + thread // warp_size
            own_lane = thread % warp_size
        lane[i] = own_lane
        slot[i] = ((before + batch) * total + slot[i]) * warps + warp if batch < batches else -1
