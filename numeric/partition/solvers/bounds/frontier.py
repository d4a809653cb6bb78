"""For every area at once: the best partitions that a price of area can name, and a bound.

At a price of area the cheapest partition is a minimum cut; as the price falls, the least of the
cheapest sets grow, so that they are nested (Gallo, Grigoriadis, Tarjan 1989, SIAM J. Comput. 18).
Their areas and costs are the corners of the lower convex hull of all partitions. Between two known
corners the next price to try is the slope of the line through them, an exact fraction: either the
line is an edge of the hull, or a corner below it splits the interval (Eisner, Severance 1976,
J. ACM 23). The network between two corners holds only the blocks that they do not share.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from logca.numeric.partition.problem.instance_and_objective import Instance, InstanceError
from logca.numeric.partition.solvers.bounds.network import (
    Cut,
    Network,
    build,
    contract,
    couplings,
    minimum_cut,
    representable_price,
    with_pinned_blocks,
)

__all__ = ["Frontier", "bound", "corner", "frontier", "mapped"]

Integers = NDArray[np.int64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Frontier:
    """The corners of the lower convex hull of area and cost, from the least area on."""

    area: Integers  # area of each corner, rising [1]
    cost: Integers  # cost of each corner, falling [scaled cycles]
    # what one more area saves between each corner and the next, falling [scaled cycles]
    price: tuple[Fraction, ...]
    # for each block the first corner at which it is mapped; how many corners there are, if it is
    # at none [1]
    step: Integers

    @property
    def corners(self) -> int:
        """Number of corners [1]."""
        return len(self.area)


def frontier(instance: Instance) -> Frontier:
    """The Lagrangian frontier of an instance, whatever its capacity."""
    network = with_pinned_blocks(instance, build(instance, couplings(instance)))
    heavy = network.area > 0
    light = contract(network, np.zeros_like(heavy), heavy)
    first = np.zeros(network.nodes, np.bool_)
    first[~heavy] = minimum_cut(light).least
    last = minimum_cut(network).least | first
    between = contract(network, first, ~last, merge=True)
    step = np.full(instance.blocks, -1, np.int64)
    start = network.node[first]
    step[start[start < instance.blocks]] = 0
    areas, costs, prices = [0], [between.constant], []
    waiting: list[int] = []
    for nodes, price, area, cost in _edges(between):
        waiting += nodes[nodes < instance.blocks].tolist()
        if area:
            step[waiting] = len(areas)
            waiting.clear()
            areas.append(areas[-1] + area)
            costs.append(cost)
            prices.append(price)
    step[step < 0] = len(areas)
    return Frontier(
        area=np.array(areas, np.int64),
        cost=np.array(costs, np.int64),
        price=tuple(prices),
        step=step,
    )


def corner(found: Frontier, capacity: int) -> int:
    """The last corner that fits an area [1]."""
    return int(np.searchsorted(found.area, capacity, side="right")) - 1


def mapped(found: Frontier, which: int) -> Mask:
    """The blocks that are mapped at a corner."""
    return found.step <= which


def bound(found: Frontier, capacity: int) -> Fraction:
    """Lower bound on the cost of partitions that fit an area: the hull at it [scaled cycles]."""
    which = corner(found, capacity)
    cost = Fraction(int(found.cost[which]))
    if which + 1 == found.corners:
        return cost
    return cost - found.price[which] * (capacity - int(found.area[which]))


def _edges(network: Network) -> Iterator[tuple[Integers, Fraction, int, int]]:
    """Edges of the hull from left to right: nodes, price, area, and cost at the right end."""
    todo: list[Network | tuple[Integers, Fraction, int, int]] = [network]
    while todo:
        item = todo.pop()
        if isinstance(item, tuple):
            yield item
            continue
        if not item.nodes:
            continue
        end = item.constant + int(item.cost.sum())
        area = int(item.area.sum())
        if area == 0:
            todo.append((item.node, Fraction(0), 0, end))
            continue
        slope = Fraction(item.constant - end, area)
        found = _split(item, slope)
        if found is None:
            todo.append((item.node, slope, area, end))
            continue
        nothing = np.zeros(item.nodes, np.bool_)
        upper = contract(item, found.most, nothing, merge=True)
        edge = found.most & ~found.least
        todo.append(upper)
        todo.append((item.node[edge], found.price, int(item.area[edge].sum()), upper.constant))
        todo.append(contract(item, nothing, ~found.least, merge=True))


def _split(network: Network, slope: Fraction) -> Cut | None:
    """A cut below the line from nothing to everything; nothing if the line is an edge."""
    price = representable_price(network, slope)
    found = minimum_cut(network, price)
    if price == slope:
        return None if found.value == network.constant else found
    if found.least.all():
        found = minimum_cut(network, price + Fraction(1, price.denominator))
    if found.least.all() or not found.most.any():
        raise InstanceError(
            "costs are too large for exact prices in 64 bits: divide all executions by a number, "
            "or give latencies fewer digits"
        )
    return found
