"""Memory transactions of warps: patterns of access, coalesced or not, and what goes on to DRAM.

By section 3.3.2 of wang2017 a warp instruction is constant if all its lanes reach the same address,
coalesced if no stride between neighbouring lanes exceeds one data element, else uncoalesced. The
paper's elements have 4 bytes; here an element is what a lane reads or writes. Lanes that are masked
are passed over, so that a gap of two lanes allows a stride of two elements.

Transactions are counted twice: from the real addresses, as lines of the L2 cache that the active
lanes touch, and by the rule of section 3.3.3 and Table 3, where each of the 32 lanes of an
uncoalesced access is a transaction, and a coalesced one covers the elements of 32 lanes without
regard to where a line begins: 32, 2 and 1 transactions for elements of 4 bytes.

Transactions that miss the L2 cache go on to main memory as DRAM transactions (section 3.3.4);
writes count as reads do.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from logca.common.jit import compiled
from logca.gpu.stages.warps import WarpTrace

__all__ = ["PATTERNS", "Behaviour", "Memory", "Patterns", "behaviours", "memory", "patterns"]

PATTERNS = ("constant", "coalesced", "uncoalesced")
"""The classes of access, by the numbers that `Patterns` has for them."""

Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Patterns:
    """Pattern and transactions of each warp instruction of a `WarpTrace`."""

    pattern: NDArray[np.uint8]  # its place in `PATTERNS` [1]
    # the stride that most neighbouring lanes have, of several the first; 0 for one lane alone [B]
    stride: Integers
    ruled: NDArray[np.int32]  # transactions by the paper's rule [1]
    # what L2 delivers, in lines: of a coalesced access its sectors, where a sector is a part of a
    # line; of any other access whole lines [1]
    delivered: NDArray[np.float64]
    # first of its transactions by real addresses, and the end of the last one's [1]
    start: Integers
    line: NDArray[np.uint64]  # line of the cache of each of these, in the order of the lanes [1]


def patterns(warps: WarpTrace, *, line_size: int, sector_size: int | None = None) -> Patterns:
    """Patterns, strides and transactions of warp instructions."""
    count = len(warps.access)
    pattern = np.empty(count, np.uint8)
    stride = np.empty(count, np.int64)
    ruled = np.empty(count, np.int32)
    start = np.zeros(count + 1, np.int64)
    shift = line_size.bit_length() - 1
    columns = (warps.start, warps.lane, warps.address, warps.size)
    compiled(_classify)(*columns, shift, warps.warp_size, pattern, stride, ruled)
    room = warps.warp_size * ((int(warps.size.max(initial=1)) >> shift) + 2)
    here = np.empty(room, np.uint64)
    compiled(_lines)(*columns, shift, here, start, np.empty(0, np.uint64))
    np.cumsum(start, out=start)
    line = np.empty(start[-1], np.uint64)
    compiled(_lines)(*columns, shift, here, start, line)
    delivered = np.diff(start).astype(np.float64)
    if sector_size is not None and sector_size < line_size:
        smaller = sector_size.bit_length() - 1
        sectors = np.zeros(count + 1, np.int64)
        here = np.empty(room << (shift - smaller), np.uint64)
        compiled(_lines)(*columns, smaller, here, sectors, np.empty(0, np.uint64))
        coalesced = pattern == PATTERNS.index("coalesced")
        delivered[coalesced] = sectors[1:][coalesced] * (sector_size / line_size)
    return Patterns(
        pattern=pattern,
        stride=stride,
        ruled=ruled,
        delivered=delivered,
        start=start,
        line=line,
    )


def _classify(
    start: Integers,
    lane: NDArray[np.uint8],
    address: NDArray[np.uint64],
    size: NDArray[np.uint32],
    shift: int,
    warp_size: int,
    pattern: NDArray[np.uint8],
    stride: Integers,
    ruled: NDArray[np.int32],
) -> None:
    steps = np.empty(256, np.int64)
    for w in range(pattern.shape[0]):
        begin, end = start[w], start[w + 1]
        constant, coalesced = True, True
        for i in range(begin + 1, end):
            step = np.int64(address[i]) - np.int64(address[i - 1])
            gap = np.int64(lane[i]) - np.int64(lane[i - 1])
            if step != 0:
                constant = False
            if abs(step) > gap * np.int64(size[w]):
                coalesced = False
            steps[i - begin - 1] = step // gap
        pattern[w] = 0 if constant else 1 if coalesced else 2
        count = end - begin - 1
        best, most = np.int64(0), 0
        for first in range(count):
            if 2 * most >= count or most >= count - first:
                break
            same = 0
            for other in range(first, count):
                if steps[other] == steps[first]:
                    same += 1
            if same > most:
                best, most = steps[first], same
        stride[w] = best
        own = (np.int64(size[w]) - 1 >> shift) + 1
        if constant:
            ruled[w] = own
        elif coalesced:
            ruled[w] = (warp_size * np.int64(size[w]) - 1 >> shift) + 1
        else:
            ruled[w] = warp_size * own


def _lines(
    start: Integers,
    lane: NDArray[np.uint8],
    address: NDArray[np.uint64],
    size: NDArray[np.uint32],
    shift: int,
    here: NDArray[np.uint64],
    starts: Integers,
    line: NDArray[np.uint64],
) -> None:
    """Count the distinct lines of each warp instruction, or write them if there is room."""
    counting = line.shape[0] == 0
    for w in range(starts.shape[0] - 1):
        count = 0
        low, high = np.uint64(0), np.uint64(0)
        for i in range(start[w], start[w + 1]):
            first = address[i] >> np.uint64(shift)
            last = (address[i] + np.uint64(size[w]) - np.uint64(1)) >> np.uint64(shift)
            for number in range(first, last + np.uint64(1)):
                each = np.uint64(number)
                known = False
                # most lanes go up or down: what lies beyond all lines so far is none of them
                if count > 0 and low <= each <= high:
                    for other in range(count - 1, -1, -1):
                        if here[other] == each:
                            known = True
                            break
                if not known:
                    low = min(low, each) if count > 0 else each
                    high = max(high, each) if count > 0 else each
                    here[count] = each
                    count += 1
        if counting:
            starts[w + 1] = count
        else:
            for place in range(count):
                line[starts[w] + place] = here[place]


@dataclass(frozen=True, slots=True, kw_only=True)
class Behaviour:
    """Average behaviour of warp instructions."""

    # their class, one of `PATTERNS`; of all together, the most frequent one with several lanes
    pattern: str
    # the static access that they belong to; None for all accesses of the class [1]
    access: int | None
    executions: int  # how many warp instructions were sampled [1]
    lanes: float  # active lanes of each [1]
    transactions: float  # L2 transactions of each by real addresses [1]
    ruled_transactions: float  # L2 transactions of each by the rule of section 3.3.3 [1]
    delivered: float  # what L2 delivers for each, in lines [1]
    dram: float  # DRAM transactions of each [1]
    missing: float  # share of them that have any [1]
    hit: float  # what L2 delivers for each of the others, in lines; 0 without such [1]
    # stride: between neighbouring lanes, that of most warp instructions of several lanes [B]
    # stride_share: share of these that have it [1]
    stride: int
    stride_share: float
    shares: tuple[float, ...]  # share of each class, in the order of `PATTERNS` [1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """Behaviour of the memory accesses of a nest."""

    classes: tuple[Behaviour, ...]  # one for each class that occurs, in the order of `PATTERNS`
    accesses: tuple[Behaviour, ...]  # one for each static access, in program order


def memory(warps: WarpTrace, found: Patterns, misses: NDArray[np.bool_]) -> Memory:
    """Behaviour of warp instructions of whose transactions these miss the L2 cache."""
    dram = np.diff(np.append(0, np.cumsum(misses))[found.start])
    columns = np.stack(
        [np.diff(warps.start), np.diff(found.start), found.ruled, found.delivered, dram]
    )
    classes = [np.flatnonzero(found.pattern == number) for number in range(len(PATTERNS))]
    return Memory(
        classes=tuple(_behaviour(found, columns, each, None) for each in classes if len(each)),
        accesses=behaviours(warps, found, columns),
    )


def behaviours(
    warps: WarpTrace, found: Patterns, columns: NDArray[np.float64]
) -> tuple[Behaviour, ...]:
    """Behaviour of each static access, in program order.

    Columns are the lanes of warp instructions, their transactions, those by the rule, what is
    delivered for each, and what goes on to main memory.
    """
    order = np.argsort(warps.access, kind="stable")
    ids, begin = np.unique(warps.access[order], return_index=True)
    parts = np.split(order, begin[1:])
    return tuple(
        _behaviour(found, columns, each, int(access))
        for access, each in zip(ids, parts, strict=True)
    )


def _behaviour(
    found: Patterns, columns: NDArray[np.float64], which: NDArray[np.int64], access: int | None
) -> Behaviour:
    lanes, transactions, ruled, delivered, dram = columns[:, which].mean(axis=1).tolist()
    shares = np.bincount(found.pattern[which], minlength=len(PATTERNS)) / len(which)
    missed = columns[-1, which] > 0
    # one lane alone has no stride, and reaches one address whatever the pattern is
    several = which[columns[0, which] > 1]
    told = several if len(several) else which
    strides, counts = np.unique(found.stride[told], return_counts=True)
    most = int(np.argmax(counts))
    return Behaviour(
        pattern=PATTERNS[int(np.argmax(np.bincount(found.pattern[told])))],
        access=access,
        executions=len(which),
        lanes=lanes,
        transactions=transactions,
        ruled_transactions=ruled,
        delivered=delivered,
        dram=dram,
        missing=float(missed.mean()),
        hit=0.0 if missed.all() else float(columns[-2, which][~missed].mean()),
        stride=int(strides[most]),
        stride_share=float(counts[most] / len(told)),
        shares=tuple(shares.tolist()),
    )
