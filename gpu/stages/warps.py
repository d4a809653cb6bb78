"""Warps in lockstep: which lanes reach which addresses together, in order of execution.

All threads of a batch of blocks do the same access of the same iterations of their inner loops
before any of them goes on (wang2017, section 3.2). Lanes that do not make an access are masked.
Places in a thread's program are compared by program order, loop by loop: what stands before a
loop, then its first iteration in program order, its second one, what stands after the loop.
Reserving for each loop as many iterations as any thread makes turns that comparison into one of
whole numbers that are linear in the iterations.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from logca.common.jit import compiled
from logca.gpu.nests.nest import NestTrace
from logca.gpu.stages.blocks_and_occupancy import BATCHES, Layout, warps_of

__all__ = [
    "FoldedTrace",
    "Places",
    "WarpTrace",
    "folded",
    "numbered",
    "ordered",
    "places",
    "ranked",
    "warp_trace",
]

_SMALL = 2**20
_LARGEST = 2**62
Integers = NDArray[np.int64]
Ordered = tuple[Integers, Integers, NDArray[np.uint8], NDArray[np.uint64], NDArray[np.uint32]]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Places:
    """Places of accesses in the program of a thread: ``base[a] + iterations @ stride[a]``.

    Rows are static accesses of the whole program, columns the inner loops, outermost first.
    """

    base: list[int]  # place of each static access in the first iterations [1]
    # by how much the place moves on with each iteration of the inner loops [1]
    stride: list[list[int]]
    # the same order without reserving: the first access of each loop around an access, then the
    # access itself [1]
    first: list[list[int]]
    total: int  # number of places; may be more than 64 bits hold [1]


@dataclass(slots=True, kw_only=True)
class _Node:
    """A loop, or what is inside a thread but in no loop."""

    trips: int = 1
    children: dict[int, "_Node"] = field(default_factory=dict)
    accesses: list[int] = field(default_factory=list)

    def size(self) -> int:
        return self.trips * self.body()

    def body(self) -> int:
        return len(self.accesses) + sum(child.size() for child in self.children.values())

    def first(self) -> int:
        return min([*self.accesses, *(child.first() for child in self.children.values())])


def places(trace: NestTrace) -> Places:
    """Places of the accesses of a trace.

    Accesses in functions that were called, not inlined, come in the order of their number and of
    the iterations that the trace has for them.
    """
    count, depth = len(trace.accesses), trace.iterations.shape[1]
    levels = depth - trace.collapse
    most = np.full((count, depth), -1, np.int32)
    compiled(_most_iterations)(trace.access, trace.iterations, most)
    root = _Node()
    paths: dict[int, list[_Node]] = {}
    for number in np.flatnonzero(most[:, 0] >= 0).tolist():
        chain = trace.chain_of(trace.accesses[number].loop)
        unknown = tuple(-1 - level - depth * number for level in range(levels))
        node, path = root, []
        inner = chain[trace.collapse :] if chain else unknown
        for key, last in zip(inner, most[number, trace.collapse :].tolist(), strict=False):
            node = node.children.setdefault(key, _Node())
            node.trips = max(node.trips, last + 1)
            path.append(node)
        node.accesses.append(number)
        paths[number] = path
    base = [0] * count
    _number(root, 0, base)
    stride = [[0] * levels for _ in range(count)]
    first = [[0] * (levels + 1) for _ in range(count)]
    for number, path in paths.items():
        stride[number][: len(path)] = [node.body() for node in path]
        first[number][: len(path) + 1] = [*(node.first() for node in path), number]
    return Places(base=base, stride=stride, first=first, total=root.size())


def numbered(trace: NestTrace, found: Places) -> Integers:
    """The place of each access of the trace [1]."""
    place = np.empty(len(trace.access), np.int64)
    base = np.array(found.base, np.int64)
    stride = np.array(found.stride, np.int64).reshape(len(base), -1)
    inner = trace.iterations[:, trace.collapse :]
    compiled(_fill_places)(trace.access, inner, base, stride, place)
    return place


def ranked(trace: NestTrace, found: Places) -> Integers:
    """The place of each access of the trace by sorting, for places too many to be numbered [1]."""
    first = np.array(found.first, np.int64)
    inner = np.maximum(trace.iterations[:, trace.collapse :], 0)
    digits = [first[trace.access, 0]]
    for level in range(inner.shape[1]):
        digits += [inner[:, level].astype(np.int64), first[trace.access, level + 1]]
    order = np.lexsort(digits[::-1])
    changes = np.zeros(len(order), bool)
    for digit in digits:
        ordered = digit[order]
        changes[1:] |= ordered[1:] != ordered[:-1]
    rank = np.empty(len(order), np.int64)
    rank[order] = np.cumsum(changes)
    return rank


def _number(node: _Node, start: int, base: list[int]) -> None:
    """Give the accesses of a loop's first iteration their places, in program order."""
    members: list[tuple[int, int | _Node]] = [(number, number) for number in node.accesses]
    members += [(child.first(), child) for child in node.children.values()]
    for _, member in sorted(members, key=lambda each: each[0]):
        if isinstance(member, _Node):
            _number(member, start, base)
            start += member.size()
        else:
            base[member] = start
            start += 1


def _most_iterations(
    access: NDArray[np.uint32], iterations: NDArray[np.int32], most: NDArray[np.int32]
) -> None:
    for i in range(access.shape[0]):
        for level in range(iterations.shape[1]):
            if iterations[i, level] > most[access[i], level]:
                most[access[i], level] = iterations[i, level]


def _fill_places(
    access: NDArray[np.uint32],
    inner: NDArray[np.int32],
    base: Integers,
    stride: Integers,
    place: Integers,
) -> None:
    for i in range(access.shape[0]):
        number = access[i]
        at = base[number]
        for level in range(inner.shape[1]):
            if inner[i, level] > 0:
                at += inner[i, level] * stride[number, level]
        place[i] = at


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
    """True for each row that differs from the one before, and for the first."""
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


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class WarpTrace:
    """Warp instructions in order of execution; the lanes of number w are start[w]:start[w + 1]."""

    access: NDArray[np.uint32]  # static access of each warp instruction [1]
    size: NDArray[np.uint32]  # bytes of each lane's access; where lanes differ, of the largest [B]
    start: Integers  # first of the lanes of each warp instruction, and the end of the last one [1]
    lane: NDArray[np.uint8]  # active lanes, ascending in a warp instruction [1]
    address: NDArray[np.uint64]  # their addresses [B]
    warp_size: int  # lanes of a warp [1]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FoldedTrace:
    """Warp instructions, with the batch, the place in their program and the warp of each."""

    warps: WarpTrace  # the warp instructions in order of execution
    row: Integers  # row of the trace that has the access of their first lane [1]
    batch: Integers  # their batch of blocks [1]
    place: Integers  # their place in the program of a thread [1]
    warp: Integers  # their warp, of those of a batch [1]


def warp_trace(
    trace: NestTrace,
    grid: Layout,
    *,
    blocks_per_batch: int,
    batches: int = BATCHES,
    warp_size: int = 32,
) -> WarpTrace:
    """Fold the trace of a launch into the warps of its first batches.

    A lane that makes the same access of the same iterations several times, as in a function that
    calls itself, does so in consecutive warp instructions.
    """
    return folded(
        trace, grid, blocks_per_batch=blocks_per_batch, batches=batches, warp_size=warp_size
    ).warps


def folded(
    trace: NestTrace,
    grid: Layout,
    *,
    blocks_per_batch: int,
    batches: int = BATCHES,
    warp_size: int = 32,
) -> FoldedTrace:
    """Warps of the first batches as of `warp_trace`, with where each instruction comes from."""
    found = places(trace)
    warps = blocks_per_batch * warps_of(grid.threads_per_block, warp_size)
    kept = min(batches, -(-grid.blocks // blocks_per_batch))
    if found.total * warps * kept < _LARGEST:
        slot, total = numbered(trace, found), found.total
    else:
        slot = ranked(trace, found)
        total = int(slot.max()) + 1
    own_lane = np.empty(len(slot), np.uint8)
    compiled(_fill_slots)(
        trace.iterations,
        np.array(grid.extents, np.int64),
        np.array([grid.block, grid.grid], np.int64),
        np.array([kept, blocks_per_batch, total, warps, warp_size], np.int64),
        slot,
        own_lane,
    )
    first, start, lane, address, size = ordered(slot, own_lane, trace.address, trace.size)
    turn, warp = np.divmod(slot[first], warps)
    batch, place = np.divmod(turn, total)
    return FoldedTrace(
        warps=WarpTrace(
            access=trace.access[first],
            size=size,
            start=start,
            lane=lane,
            address=address,
            warp_size=warp_size,
        ),
        row=first,
        batch=batch,
        place=place,
        warp=warp,
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
    batches, blocks_per_batch, total, warps, warp_size = parameters
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
        slot[i] = (batch * total + slot[i]) * warps + warp if batch < batches else -1
