"""Duals from flows, and the tree of a search as it grows into a certificate."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from logca.numeric.partition.problem.instance_and_objective import Instance
from logca.numeric.partition.solvers.bounds.fixing import (
    FreeNetwork,
    Settled,
    flow_through_fixed,
    with_values_placed,
)
from logca.numeric.partition.solvers.bounds.lagrangian import Relaxation
from logca.numeric.partition.solvers.bounds.network import Couplings, Cut, Network
from logca.numeric.partition.solvers.certificates.format import Certificate, Duals, Leaf
from logca.numeric.partition.solvers.search.branch_and_bound import GrowingTree, Node

__all__ = ["Entries", "FlowNode", "FlowTree", "both_ways", "duals", "entries"]

Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Entries:
    """Which pairs and consumers of the instance stand behind which arcs."""

    instance: Instance  # the problem
    found: Couplings  # its couplings
    # start, entry: for each pair of the couplings the pairs of the instance, and after them the
    # consumers, which have numbers from the number of pairs on [1]
    start: Integers
    entry: Integers
    room: Integers  # what each may be charged [scaled cycles]
    ahead: NDArray[np.bool_]  # whether it goes from its pair's first block to the second
    consumer: Integers  # for each consumer of the couplings that of the instance [1]


def entries(instance: Instance, found: Couplings) -> Entries:
    """Which pairs and consumers of the instance stand behind which arcs of `network.build`."""
    value = instance.value_of_consumer
    place = np.concatenate((found.pair, found.single))
    order = np.argsort(place, kind="stable")
    order = order[np.searchsorted(place[order], 0) :]
    counts = np.bincount(place[order], minlength=len(found.cost))
    tails = np.concatenate((instance.pair_first, instance.producer[value]))
    pull = np.minimum(instance.pull, instance.push[value])
    consumer = np.zeros(len(found.consumer), np.int64)
    chosen = np.flatnonzero(found.shared >= 0)
    consumer[found.shared[chosen]] = chosen
    return Entries(
        instance=instance,
        found=found,
        start=np.concatenate((np.zeros(1, np.int64), np.cumsum(counts))),
        entry=order,
        room=np.concatenate((instance.pair_cost, pull)),
        ahead=tails == np.append(found.first, -1)[place],
        consumer=consumer,
    )


def both_ways(known: Entries, arcs: Integers) -> Integers:
    """The arcs of all pairs and consumers that some arcs stand for, in order [1]."""
    pairs, users = len(known.found.cost), len(known.found.consumer)
    start = 2 * (pairs + len(known.found.producer))
    two = arcs[arcs < 2 * pairs] % max(1, pairs)
    many = start + (arcs[arcs >= start] - start) % max(1, users)
    return np.unique(np.concatenate((two, two + pairs, many, many + users)))


def duals(known: Entries, arcs: Integers, flow: Integers, *, base: int, denominator: int) -> Duals:
    """Duals that a flow gives the pairs and consumers that some arcs stand for."""
    found = known.found
    pairs, values, users = len(found.cost), len(found.producer), len(found.consumer)
    two = arcs < 2 * pairs
    touched, net = _net(arcs[two], flow[two], pairs)
    counts = known.start[touched + 1] - known.start[touched]
    owner = np.repeat(np.arange(len(touched)), counts)
    first = (np.cumsum(counts) - counts)[owner]
    entry = known.entry[np.arange(len(owner)) - first + known.start[touched][owner]]
    room = known.room[entry] * denominator
    filled = np.cumsum(room) - room
    share = np.clip(np.abs(net)[owner] - (filled - filled[first]), 0, room)
    dual = np.where(known.ahead[entry], 1, -1) * np.sign(net)[owner] * share
    start = 2 * (pairs + values)
    many = arcs >= start
    used, sent = _net(arcs[many] - start, flow[many], users)
    last = len(known.instance.pair_cost)
    pair = entry < last
    return Duals(
        base=base,
        denominator=denominator,
        pair=entry[pair],
        pair_dual=dual[pair],
        consumer=np.concatenate((entry[~pair] - last, known.consumer[used])),
        consumer_dual=np.concatenate((dual[~pair], sent)),
    )


def _net(arcs: Integers, flow: Integers, number: int) -> tuple[Integers, Integers]:
    """Which of so many places arcs that go forth, and after them those back, touch; net flows."""
    touched, place = np.unique(arcs % max(1, number), return_inverse=True)
    net = np.zeros(len(touched), np.int64)
    np.add.at(net, place, np.where(arcs < number, flow, -flow))
    return touched, net


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FlowNode(Node):
    """A node: which nodes of the region are fixed, what is left of it, and the bound."""

    network: Network
    bound: Relaxation


class FlowTree(GrowingTree[Leaf]):
    """A certificate that is being made of flows."""

    def __init__(self, instance: Instance, found: Couplings) -> None:
        super().__init__(Leaf(price=0, duals=None))
        self._known = entries(instance, found)
        self._blocks = instance.blocks
        self._bases: list[Duals] = []
        self._regions: list[tuple[FreeNetwork, int]] = []

    def leaf(self, region: FreeNetwork, node: FlowNode, found: Cut, *, priced: bool = True) -> None:
        """Put a leaf for a cut of what is left of a region."""
        made = self._duals(region, self._flow(region, node, found), found)
        price = found.price.numerator if priced else None
        self._nodes[node.number] = Leaf(price=price, duals=made)

    def settle(self, region: FreeNetwork, node: FlowNode, settled: Iterable[Settled]) -> int:
        """Put a chain of branches on blocks that are settled; the number of its end [1]."""
        network, found, number = node.network, node.bound.cut, node.number
        flow = self._flow(region, node, found)
        self._bases.append(self._duals(region, flow, found))
        price, denominator = found.price.numerator, found.price.denominator
        changes = partial(duals, self._known, base=len(self._bases) - 1, denominator=denominator)
        none = np.zeros(0, np.int64)
        plain = Leaf(price=price, duals=changes(none, none))
        for each in settled:
            ends = self.branch(number, int(network.node[each.node]))
            leaf, number = ends if each.mapped else ends[::-1]
            self._nodes[leaf] = plain
            if len(each.arc):
                arcs = network.arc[each.arc]
                np.add.at(flow, arcs, each.change)
                chosen = both_ways(self._known, arcs)
                self._nodes[leaf] = Leaf(price=price, duals=changes(chosen, flow[chosen]))
                np.subtract.at(flow, arcs, each.change)
        return number

    def certificate(self, bound: int) -> Certificate:
        """The certificate of a bound [scaled cycles]."""
        return Certificate(bound=bound, bases=tuple(self._bases), nodes=self.finished())

    def _flow(self, region: FreeNetwork, node: FlowNode, found: Cut) -> Integers:
        """The flow through all arcs [scaled cycles / denominator of the price]."""
        whole = with_values_placed(region.network, node.side, self._blocks)
        denominator = found.price.denominator
        flow = region.flow * denominator
        flow[region.network.arc] = (
            flow_through_fixed(region.network, whole, self._blocks) * denominator
        )
        flow[node.network.arc] = found.flow
        return flow

    def _duals(self, region: FreeNetwork, flow: Integers, found: Cut) -> Duals:
        arcs = both_ways(self._known, region.network.arc)
        return duals(
            self._known,
            arcs,
            flow[arcs],
            base=self._base(region),
            denominator=found.price.denominator,
        )

    def _base(self, region: FreeNetwork) -> int:
        """The base of what is outside a region."""
        for known, number in self._regions:
            if known is region:
                return number
        arcs = np.arange(len(region.flow))
        self._bases.append(duals(self._known, arcs, region.flow, base=-1, denominator=1))
        self._regions.append((region, len(self._bases) - 1))
        return len(self._bases) - 1
