"""Blocks that nothing couples: the best choice for an area, kept instead of priced.

At a price of area each block has a side that it prefers, and a loss if it is on the other one. The
loss of a choice is what it gains less than the bound of the price: the losses of its blocks, and
the price of the area that it leaves. Whoever wants to gain more than is known can afford only so
much, so that the area of a choice can differ from that of the preferred sides only by so much:
dynamic programming over these differences takes the place of one over all areas (after Pisinger
1997, Operations Research 45).

Equal blocks are taken together: of c equal ones any number is a sum of 1, 2, 4, ... and a rest.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from logca.common.jit import compiled
from logca.numeric.partition.solvers.bounds.fixing import slacks
from logca.numeric.partition.solvers.bounds.network import Cut, Network, contract

__all__ = [
    "KnapsackSolution",
    "best_choice",
    "best_of_uncoupled",
    "is_coupled",
    "knapsack_bound",
]

Integers = NDArray[np.int64]
Mask = NDArray[np.bool_]

LARGEST_TABLE = 2_000_000_000
"""Most decisions that may be remembered, one bit each [1]."""

LARGEST_SUM = 2**61


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class KnapsackSolution:
    """The best choice, if there is one that gains enough."""

    chosen: Mask | None  # what is chosen; nothing if no choice gains more than what is known


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Kinds:
    """Kinds of blocks by falling gain for their area, and a price of area for them."""

    gain: Integers
    area: Integers
    count: Integers
    price: int
    below: int

    @property
    def loss(self) -> Integers:
        """Loss at the price of not choosing one; negative if choosing it loses."""
        return self.gain * self.below - self.area * self.price


def best_choice(
    gain: Integers,
    area: Integers,
    capacity: int,
    *,
    least: int = -1,
    most: int = LARGEST_TABLE,
) -> KnapsackSolution | None:
    """Which blocks gain most within an area; nothing if that takes too large a table."""
    chosen: Mask = (gain > 0) & (area == 0)
    useful = np.flatnonzero((gain > 0) & (area > 0) & (area <= capacity))
    free = int(gain[chosen].sum())
    if int(area[useful].sum()) <= capacity:
        chosen[useful] = True
        return KnapsackSolution(chosen=chosen if free + int(gain[useful].sum()) > least else None)
    pairs, kind, count = np.unique(
        np.stack((gain[useful], area[useful])), axis=1, return_inverse=True, return_counts=True
    )
    order = np.argsort(-pairs[0] / pairs[1], kind="stable")
    kinds = _priced(pairs[0][order], pairs[1][order], count[order], capacity)
    if kinds is None:
        return None
    simple = _filled(kinds, capacity)
    at_least = max(least - free, int((simple * kinds.gain).sum()))
    found = _better(kinds, capacity, at_least, most)
    if found is None:
        return None
    if found.size == 0:
        found = simple
    if free + int((found * kinds.gain).sum()) <= least:
        return KnapsackSolution(chosen=None)
    # the first ones of each kind, as many as were found
    by_kind = np.argsort(kind.ravel(), kind="stable")
    rank = np.empty(len(useful), np.int64)
    first = np.cumsum(count) - count
    rank[by_kind] = np.arange(len(useful)) - np.repeat(first, count)
    number = np.empty(len(count), np.int64)
    number[order] = found
    chosen[useful[rank < number[kind.ravel()]]] = True
    return KnapsackSolution(chosen=chosen)


def _priced(gain: Integers, area: Integers, count: Integers, capacity: int) -> _Kinds | None:
    """The price that the kind has which does not fit any more; nothing if sums grow too large."""
    used = np.cumsum(area * count)
    last = int(np.searchsorted(used, capacity, side="right"))
    worth, size = int(gain[last]), int(area[last])
    total = float((gain * count).sum(dtype=np.float64)) + float(worth) / size * float(used[-1])
    below = min(size, int(LARGEST_SUM / (1 + total)))
    if below < 1:
        return None
    return _Kinds(gain=gain, area=area, count=count, price=worth * below // size, below=below)


def _filled(kinds: _Kinds, capacity: int) -> Integers:
    """As many of each kind as fit, the best first."""
    taken = np.zeros(len(kinds.area), np.int64)
    room = capacity
    both = zip(kinds.area.tolist(), kinds.count.tolist(), strict=True)
    for place, (size, count) in enumerate(both):
        taken[place] = min(count, room // size)
        room -= size * int(taken[place])
    return taken


def _better(kinds: _Kinds, capacity: int, least: int, most: int) -> Integers | None:
    """Number of each kind in the choice that gains most, and more than `least`.

    The answer is empty if no choice does, and nothing if the table would be too large.
    """
    loss, size = kinds.loss, kinds.area
    preferred = loss > 0
    taken = np.where(preferred, kinds.count, 0)
    room = capacity - int((taken * size).sum())
    bound = int((taken * loss).sum()) + kinds.price * capacity
    budget = bound - kinds.below * (least + 1)
    if budget < 0:
        return np.zeros(0, np.int64)
    dear = np.abs(loss)
    movable = np.where(
        dear > 0, np.minimum(kinds.count, budget // np.maximum(dear, 1)), kinds.count
    )
    low = -_reach(size, dear, np.where(preferred, movable, 0), budget)
    high = _reach(size, dear, np.where(preferred, 0, movable), budget)
    last = min(room, high)
    first = max(low, room - budget // kinds.price) if kinds.price else low
    if first > last:
        return np.zeros(0, np.int64)
    pieces = [
        (kind, -change if preferred[kind] else change)
        for kind, total in enumerate(movable.tolist())
        for change in _numbers(total)
    ]
    if len(pieces) * (high - low + 1) > most:
        return None
    best = np.full(high - low + 1, budget + 1, np.int64)
    best[-low] = 0
    moved = np.zeros((len(pieces), len(best) // 8 + 1), np.uint8)
    which, number = np.array(pieces, np.int64).reshape(-1, 2).T
    compiled(_forward)(best, -low, size[which] * number, dear[which] * np.abs(number), moved)
    ends = best[first - low : last - low + 1] + kinds.price * (room - np.arange(first, last + 1))
    place = int(np.argmin(ends))
    if ends[place] > budget:
        return np.zeros(0, np.int64)
    place += first - low
    for row in range(len(pieces) - 1, -1, -1):
        if moved[row, place >> 3] >> (place & 7) & 1:
            kind, change = pieces[row]
            taken[kind] += change
            place -= int(size[kind]) * change
    return taken


def _forward(best: Any, place: int, shift: Any, loss: Any, moved: Any) -> None:
    """For each piece in turn move from all places where that makes the loss of another less.

    `moved` has a bit for each piece and place. The first place is the only one at the beginning.
    """
    low = high = place
    for row in range(shift.size):
        by, more = shift[row], loss[row]
        if by > 0:
            high = min(high + by, best.size - 1)
            for at in range(high, low + by - 1, -1):
                after = best[at - by] + more
                if after < best[at]:
                    best[at] = after
                    moved[row, at >> 3] |= 1 << (at & 7)
        else:
            low = max(low + by, 0)
            for at in range(low, high + by + 1):
                after = best[at - by] + more
                if after < best[at]:
                    best[at] = after
                    moved[row, at >> 3] |= 1 << (at & 7)


def _reach(area: Integers, loss: Integers, count: Integers, budget: int) -> int:
    """The most area that so many of each kind can move within a budget of losses, or more."""
    total = int((area * count).sum())
    if int((loss * count).sum()) <= budget:
        return total
    order = np.argsort(loss / area, kind="stable")
    last = order[int(np.searchsorted(np.cumsum((loss * count)[order]), budget, side="right"))]
    # relaxation with the area that the last one moves for its loss: whole numbers, rounded up
    size, price = int(area[last]), int(loss[last])
    gains = zip(area.tolist(), loss.tolist(), count.tolist(), strict=True)
    more: int = sum(max(0, each * price - size * lost) * number for each, lost, number in gains)
    return min(total, (size * budget + more) // price)


def _numbers(total: int) -> list[int]:
    """Numbers whose partial sums are all numbers up to the total."""
    found, size = [], 1
    while size <= total:
        found.append(size)
        total -= size
        size *= 2
    return [*found, total] if total else found


TABLE = 200_000_000
"""Most decisions in the table of a knapsack at one node of a search [1]."""


def is_coupled(network: Network) -> bool:
    """True if any two nodes have an arc between them."""
    return bool(np.any((network.tail < network.nodes) & (network.head < network.nodes)))


def best_of_uncoupled(network: Network, capacity: int, below: int) -> KnapsackSolution | None:
    """The best choice of nodes that nothing couples, if its cost is below a limit.

    The answer is nothing if it takes too large a table.
    """
    # arcs from the source and to the sink are part of what a block gains
    merged = contract(network, *np.zeros((2, network.nodes), np.bool_), merge=True)
    return best_choice(-merged.cost, merged.area, capacity, least=merged.constant - below)


def knapsack_bound(
    network: Network, found: Cut, blocks: int, capacity: int, below: int
) -> KnapsackSolution | None:
    """The best choice if each node costs what the flow of a cut charges it.

    It is a bound: if its cost is not below a limit, that of no partition of the network is. The
    answer is nothing if it takes too large a table.
    """
    price: Fraction = found.price
    own = slacks(network, found)[:-2]
    real = network.node < blocks
    nothing = int(found.value * price.denominator) - int(np.minimum(own, 0).sum())
    choice = best_choice(
        (price.numerator * network.area - own)[real],
        network.area[real],
        capacity,
        least=nothing - price.denominator * (below - 1) - 1,
        most=TABLE,
    )
    if choice is None or choice.chosen is None:
        return choice
    nodes = found.least.copy()
    nodes[real] = choice.chosen
    return KnapsackSolution(chosen=nodes)
