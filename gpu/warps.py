"""Warps in lockstep: which lanes reach which addresses together, in the order of execution.

Warps of a block run in the order of their numbers, blocks one after the other (section 3.2 of
wang2017): within a batch of blocks that are on the device together, every warp does one access
before any warp does the next one, and batches do not overlap. Lanes that do not make an access,
because their branch or their loop does not, are masked.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from logca.gpu.lockstep import numbered, places, ranked
from logca.gpu.nest import NestTrace
from logca.gpu.ordering import ordered
from logca.gpu.threads import Layout
from logca.trace.compiling import compiled

__all__ = ["WarpTrace", "warp_trace"]

_LARGEST = 2**62
Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class WarpTrace:
    """Warp instructions in the order of execution; the lanes of number w are start[w]:start[w + 1].

    Parameters
    ----------
    access : array of uint32
        Static access of each warp instruction [1].
    launch, batch, warp : array of int32
        Launch; batch in that launch; warp in that batch [1].
    size : array of uint32
        Bytes of each lane's access; where lanes differ, of the largest [B].
    start : array of int64
        First of the lanes of each warp instruction, and the end of the last one [1].
    lane : array of uint8
        Active lanes, ascending in a warp instruction [1].
    address : array of uint64
        Their addresses [B].
    batches : tuple of int
        Batches of each launch that are here [1].
    warp_size : int
        Lanes of a warp [1].
    """

    access: NDArray[np.uint32]
    launch: NDArray[np.int32]
    batch: NDArray[np.int32]
    warp: NDArray[np.int32]
    size: NDArray[np.uint32]
    start: Integers
    lane: NDArray[np.uint8]
    address: NDArray[np.uint64]
    batches: tuple[int, ...]
    warp_size: int

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

    Parameters
    ----------
    trace : NestTrace
        The accesses.
    layouts : sequence of Layout
        The grid of each launch.
    blocks_per_batch : int
        Blocks that are on the device together [1].
    batches : int, optional
        Leave out all but so many first batches of each launch [1].
    warp_size : int
        Lanes of a warp, at most 256 [1].
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
