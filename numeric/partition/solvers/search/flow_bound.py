"""The cheapest partition that fits, without shared memory costs, bounded by flows.

The bound of a node is that of the best price of area. Blocks are fixed that it settles (see
`fixing`). If that leaves something, the area is kept instead of priced (see `knapsack`), which may
end the node, and else often names a better partition. Then the tree branches on one of the blocks
by which the cheapest partition that does not fit differs from the one that does; of several such
blocks the one is taken whose two children have the highest bounds.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from logca.numeric.partition.problem.instance_and_objective import Instance
from logca.numeric.partition.solvers.bounds.fixing import (
    FREE,
    FreeNetwork,
    Sides,
    after_persistency,
    free_part,
    settle,
    with_values_placed,
    without_fixed,
)
from logca.numeric.partition.solvers.bounds.knapsack import (
    best_of_uncoupled,
    is_coupled,
    knapsack_bound,
)
from logca.numeric.partition.solvers.bounds.lagrangian import (
    PricedPartition,
    best_price,
    priced_partition,
)
from logca.numeric.partition.solvers.bounds.network import (
    build,
    couplings,
    with_pinned_blocks,
)
from logca.numeric.partition.solvers.bounds.work import Work, work_of
from logca.numeric.partition.solvers.certificates.format import Certificate
from logca.numeric.partition.solvers.heuristics.incumbent import Incumbent
from logca.numeric.partition.solvers.search.branch_and_bound import Search, settled
from logca.numeric.partition.solvers.search.flow_proofs import FlowNode, FlowTree

__all__ = ["FlowBound", "FlowNode", "SearchResult", "branch_and_bound"]

Mask = NDArray[np.bool_]

CANDIDATES = 8
"""Most blocks to try at a node before one is branched on [1]."""


class FlowBound:
    """Bounds by flows of one instance, within the region of what is not settled at the root."""

    def __init__(self, instance: Instance, start: Mask | None, work: Work) -> None:
        pairs_and_values = couplings(instance)
        whole = build(instance, pairs_and_values)
        self.work = work
        self.tree = FlowTree(instance, pairs_and_values)
        self.best = Incumbent(instance, pairs_and_values)
        self.region: FreeNetwork = after_persistency(
            with_pinned_blocks(instance, whole), instance.blocks, len(whole.arc), instance.capacity
        )
        self._instance = instance
        self._start = start

    def root(self) -> FlowNode | None:
        """The bound of all partitions, a good partition, and the region without what it settles."""
        root = self._bounded(self._free(), None, number=0)
        for partition in (root.bound.fits, root.bound.exceeds):
            if partition is not None:
                self.best.offer(self._partition(root, partition))
        if self._start is not None:
            self.best.offer(self._start)
        self.best.begin()
        self.best.improve(float(root.bound.cut.price))
        node = None if self._closed_exactly(root) else settled(self, root)
        if node is not None and node is not root:
            self.region = without_fixed(self.region, node.side)
            node = self._bounded(self._free(), node.bound.cut.price, number=node.number)
        return node

    def settle(self, node: FlowNode) -> FlowNode | None:
        """The node with the blocks fixed that augmenting paths of its flow settle."""
        cut = node.bound.cut
        lacking = self.best.cost - 1 - node.bound.value
        # one more than what is lacking, rounded down: the bound then exceeds all that is cheaper
        need = int(lacking * cut.price.denominator) + 1
        moves = list(settle(node.network, cut, self._instance.blocks, need))
        if not moves:
            return node
        number = self.tree.settle(self.region, node, moves)
        side = node.side.copy()
        free = np.flatnonzero(side == FREE)
        side[free[[move.node for move in moves]]] = [move.mapped for move in moves]
        if self._room(side) < 0:
            self.tree.infeasible(number)
            return None
        return self._bounded(side, cut.price, node, number=number)

    def closed(self, node: FlowNode) -> bool:
        """True if keeping the area instead of pricing it ends the node."""
        return self._closed_exactly(node) or self._closed_by_knapsack(node)

    def leaf(self, node: FlowNode) -> None:
        """End a node with the flow that proves its bound."""
        self.tree.leaf(self.region, node, node.bound.cut)

    def children(self, node: FlowNode) -> tuple[int, Iterator[FlowNode | None]]:
        """The block whose two children have the highest bounds, and these."""
        best: tuple[float, int, list[FlowNode | None]] | None = None
        for place in self._candidates(node):
            children = [self._child(node, place, side) for side in (0, 1)]
            rise = [
                min(float(child.value), float(self.best.cost)) - float(node.value) if child else 0.0
                for child in children
            ]
            done = any(child is None or child.least >= self.best.cost for child in children)
            # a child that is done leaves one node instead of two: no score beats that
            score = float("inf") if done else max(rise[0], 1e-9) * max(rise[1], 1e-9)
            if best is None or score > best[0]:
                best = score, place, children
            if done or self.work.over():
                break
        assert best is not None
        _, place, children = best
        return int(self.region.network.node[place]), iter(children)

    def _candidates(self, node: FlowNode) -> list[int]:
        """Places in the region of blocks to branch on, those that matter most first."""
        fits, exceeds = node.bound.fits, node.bound.exceeds
        network, price = node.network, float(node.bound.cut.price)
        assert exceeds is not None
        real = network.node < self._instance.blocks
        chosen = np.flatnonzero((fits.nodes != exceeds.nodes) & real)
        weight = np.abs(network.cost[chosen]) + price * network.area[chosen]
        chosen = chosen[np.argsort(-weight, kind="stable")[:CANDIDATES]]
        places: list[int] = np.flatnonzero(node.side == FREE)[chosen].tolist()
        return places

    def _child(self, node: FlowNode, place: int, side: int) -> FlowNode | None:
        """The node with one more side fixed; nothing if it does not fit."""
        sides = node.side.copy()
        sides[place] = side
        if side and self._room(sides) < 0:
            return None
        return self._bounded(sides, node.bound.cut.price, node)

    def _bounded(
        self,
        side: Sides,
        price: Fraction | None,
        parent: FlowNode | None = None,
        *,
        number: int = -1,
    ) -> FlowNode:
        """A node of the region with its bound, sought from a price on [scaled cycles]."""
        network = self.region.network
        side = with_values_placed(network, side, self._instance.blocks)
        left = free_part(network, side)
        known = []
        if parent is not None:
            for partition in (parent.bound.fits, parent.bound.exceeds):
                if partition is not None:
                    whole = parent.side == 1
                    whole[parent.side == FREE] = partition.nodes
                    known.append(priced_partition(left, whole[side == FREE]))
        bound = best_price(
            left,
            self._room(side),
            price=price,
            known=tuple(known),
            enough=self.best.cost,
            work=self.work,
        )
        node = FlowNode(
            number=number,
            side=side,
            value=bound.value,
            least=bound.least,
            network=left,
            bound=bound,
        )
        if bound.fits.cost < self.best.cost:
            self.best.offer(self._partition(node, bound.fits))
        return node

    def _closed_exactly(self, node: FlowNode) -> bool:
        """True if nothing couples what is free, and the best choice could be computed."""
        network, cut = node.network, node.bound.cut
        if is_coupled(network):
            return False
        solution = best_of_uncoupled(network, self._room(node.side), self.best.cost)
        if solution is None:
            return False
        if solution.chosen is not None:
            self.best.offer(self._partition(node, priced_partition(network, solution.chosen)))
        # without a price all of an arc to what is fixed is charged to the block
        full = replace(cut, flow=network.capacity * cut.price.denominator)
        self.tree.leaf(self.region, node, full, priced=False)
        return True

    def _closed_by_knapsack(self, node: FlowNode) -> bool:
        """True if the area kept instead of priced raises the bound to the best cost.

        What each block costs with what the flow charges it is a knapsack.
        """
        network, cut = node.network, node.bound.cut
        solution = knapsack_bound(
            network, cut, self._instance.blocks, self._room(node.side), self.best.cost
        )
        if solution is None:
            return False
        if solution.chosen is not None:
            mapped = self._partition(node, priced_partition(network, solution.chosen))
            self.best.offer(mapped, float(cut.price))
            return False
        self.tree.leaf(self.region, node, cut, priced=False)
        return True

    def _partition(self, node: FlowNode, partition: PricedPartition) -> Mask:
        """All blocks that are mapped where a partition of the node's network says so."""
        mapped = np.zeros(self._instance.blocks, np.bool_)
        for network, nodes in (
            (self.region.network, node.side == 1),
            (node.network, partition.nodes),
        ):
            numbers = network.node[nodes]
            mapped[numbers[numbers < len(mapped)]] = True
        mapped[self.region.mapped] = True
        return mapped

    def _room(self, side: Sides) -> int:
        """Area that is left in the region; negative if what is mapped does not fit [1]."""
        return self.region.capacity - int(self.region.network.area[side == 1].sum())

    def _free(self) -> Sides:
        """Sides of the region's nodes before any is fixed."""
        return np.full(self.region.network.nodes, FREE, np.int8)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SearchResult:
    """The best partition that a search found, and the proof of its bound."""

    mapped: Mask  # the best partition
    cost: int  # what it costs [scaled cycles]
    certificate: Certificate  # the proof that none costs less than its bound
    nodes: int  # how many nodes were branched on [1]
    # the blocks that were not settled before the first branch: every partition that is cheaper
    # than the best one maps and leaves the others as it does
    region: FreeNetwork


def branch_and_bound(
    instance: Instance,
    *,
    work: Work | None = None,
    start: Mask | None = None,
    most_nodes: int | None = None,
) -> SearchResult:
    """The cheapest partition that fits, or the best one found when the work is done."""
    bounds = FlowBound(instance, start, work or work_of(60.0))
    search = Search(bounds)
    bound = search.run(most_nodes)
    return SearchResult(
        mapped=bounds.best.mapped,
        cost=bounds.best.cost,
        certificate=bounds.tree.certificate(bound),
        nodes=search.branched,
        region=bounds.region,
    )
