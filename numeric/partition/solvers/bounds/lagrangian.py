"""The best bound that a price of area gives: the highest of all cuts, less what the area is worth.

The bound is a concave function of the price, whose pieces are partitions. From one that needs more
than the area and one that fits, the next price is where their lines meet; no price is tried twice,
so that the search ends with the peak, or with the last price that 64 bits can express.
"""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from logca.numeric.partition.solvers.bounds.network import (
    Cut,
    Network,
    minimum_cut,
    representable_price,
)
from logca.numeric.partition.solvers.bounds.work import Work

__all__ = ["PricedPartition", "Relaxation", "best_price", "priced_partition"]

Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PricedPartition:
    """A partition of the nodes of a network."""

    nodes: Mask  # which nodes are mapped
    cost: int  # what it costs [scaled cycles]
    area: int  # what area it takes, besides that of nodes which are in the source [1]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Relaxation:
    """The bound of a network."""

    value: Fraction  # no partition that fits the area costs less [scaled cycles]
    cut: Cut  # the cut that shows it
    fits: PricedPartition  # the cheapest partition found that fits the area
    exceeds: PricedPartition | None  # the one that takes least area of those found that do not fit

    @property
    def least(self) -> int:
        """The lowest whole number that is no less than the bound [scaled cycles]."""
        return -(-self.value.numerator // self.value.denominator)


def priced_partition(network: Network, nodes: Mask) -> PricedPartition:
    """Partition of the nodes with its cost and area."""
    side = np.concatenate((nodes, [True, False]))
    apart = side[network.tail] & ~side[network.head]
    cost = network.constant + int(network.cost[nodes].sum()) + int(network.capacity[apart].sum())
    return PricedPartition(nodes=nodes, cost=cost, area=int(network.area[nodes].sum()))


def best_price(
    network: Network,
    capacity: int,
    *,
    price: Fraction | None = None,
    known: tuple[PricedPartition, ...] = (),
    enough: int | None = None,
    work: Work | None = None,
) -> Relaxation:
    """The best bound of a network, or one that is enough."""
    nothing = priced_partition(network, np.zeros(network.nodes, np.bool_))
    fits, exceeds = _ends(capacity, nothing, None, known)
    best: tuple[Fraction, Cut] | None = None
    tried: set[Fraction] = set()
    while True:
        if price is None or tried:
            price = _meet(fits, exceeds)
        price = representable_price(network, price)
        if price in tried:
            break
        tried.add(price)
        found = minimum_cut(network, price)
        if work is not None:
            work.cut(network.nodes + len(network.tail))
        value = found.value - price * capacity
        if best is None or value > best[0]:
            best = value, found
        least, most = (_priced(network, found, nodes) for nodes in (found.least, found.most))
        fits, exceeds = _ends(capacity, fits, exceeds, (least, most))
        peak = least.area <= capacity <= most.area or (least.area <= capacity and not price)
        if peak or (enough is not None and value > enough - 1):
            break
        if work is not None and work.over():
            break
    assert best is not None
    return Relaxation(
        value=best[0],
        cut=best[1],
        fits=fits,
        exceeds=exceeds,
    )


def _ends(
    capacity: int,
    fits: PricedPartition,
    exceeds: PricedPartition | None,
    found: tuple[PricedPartition, ...],
) -> tuple[PricedPartition, PricedPartition | None]:
    """The cheapest partition that fits, and the smallest one that does not."""
    for each in found:
        if each.area > capacity:
            if exceeds is None or (each.area, each.cost) < (exceeds.area, exceeds.cost):
                exceeds = each
        elif (each.cost, each.area) < (fits.cost, fits.area):
            fits = each
    return fits, exceeds


def _meet(fits: PricedPartition, exceeds: PricedPartition | None) -> Fraction:
    """The price at which both cost the same, at least 0."""
    if exceeds is None:
        return Fraction(0)
    return max(Fraction(0), Fraction(fits.cost - exceeds.cost, exceeds.area - fits.area))


def _priced(network: Network, found: Cut, nodes: Mask) -> PricedPartition:
    area = int(network.area[nodes].sum())
    return PricedPartition(nodes=nodes, cost=int(found.value - found.price * area), area=area)
