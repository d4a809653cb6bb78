"""The cheapest partition that fits, without shared memory costs, by branch and bound.

A node of the tree has blocks fixed either way and the bound of the best price of area. First all
blocks are fixed that the bound settles, given the best partition known (see `fixing`). If that
leaves something, the area is kept instead of priced (see `knapsack`), which may end the node, and
else often names a better partition. Then the tree branches on one of the blocks by which the
cheapest partition that does not fit differs from the one that does; of several such blocks the one
is taken whose two children have the highest bounds. The node with the lowest bound comes first, so
that the bound of all rises from one to the next.
"""

import heapq
import time
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from logca.numeric.partition.problem.instance import Instance
from logca.numeric.partition.solvers.bounds.fixing import (
    FREE,
    Region,
    Sides,
    completed,
    narrowed,
    persistent,
    settle,
    shrunk,
)
from logca.numeric.partition.solvers.bounds.knapsack import charged, is_coupled, uncoupled
from logca.numeric.partition.solvers.bounds.lagrangian import Line, Relaxation, line, relax
from logca.numeric.partition.solvers.bounds.network import Network, build, couplings, pin
from logca.numeric.partition.solvers.certificates.format import Certificate
from logca.numeric.partition.solvers.heuristics.incumbent import Incumbent
from logca.numeric.partition.solvers.search.flow_proofs import Tree

__all__ = [
    "Found",
    "Search",
    "branch_and_bound",
]

Mask = NDArray[np.bool_]

CANDIDATES = 8
"""How many blocks are tried at a node before one is branched on [1]."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Node:
    """A node: which sides are fixed in the region, what is left of it, and the bound."""

    number: int
    side: Sides
    network: Network
    bound: Relaxation


class Search:
    """A search; its steps are in the order in which they are taken."""

    def __init__(self, instance: Instance, start: Mask | None, until: float) -> None:
        found = couplings(instance)
        whole = build(instance, found)
        self.instance = instance
        self.until = until
        self.tree = Tree(instance, found)
        self.best = Incumbent(instance, found)
        self.region: Region = persistent(
            pin(instance, whole), instance.blocks, len(whole.arc), instance.capacity
        )
        self.waiting: list[tuple[Fraction, int, int, _Node]] = []
        self.branched = 0
        root = self.bounded(0, self.free(), None)
        self.begin(root, start)
        node = None if self.chosen(root) else self.settled(root)
        if node is not None and node is not root:
            self.region = narrowed(self.region, node.side)
            node = self.bounded(node.number, self.free(), node.bound.cut.price)
        if node is not None:
            self.put(node)

    def begin(self, root: _Node, start: Mask | None) -> None:
        """Find a good partition from the root's bound and the one that is known."""
        for each in (root.bound.fits, root.bound.exceeds):
            if each is not None:
                self.best.offer(self.partition(root, each))
        if start is not None:
            self.best.offer(start)
        self.best.improve(float(root.bound.cut.price))

    def free(self) -> Sides:
        """Sides of the region's nodes before any is fixed."""
        return np.full(self.region.network.nodes, FREE, np.int8)

    def put(self, node: _Node) -> None:
        """Let a node wait, or end it with a leaf if it cannot be better than the best."""
        if node.bound.least >= self.best.cost:
            self.leaf(node)
        else:
            fixed = int((node.side != FREE).sum())
            heapq.heappush(self.waiting, (node.bound.value, -fixed, node.number, node))

    def leaf(self, node: _Node) -> None:
        """End a node with the proof of its bound."""
        self.tree.leaf(node.number, self.region, node.side, node.network, node.bound.cut)

    def bounded(
        self, number: int, side: Sides, price: Fraction | None, parent: _Node | None = None
    ) -> _Node:
        """A node of the region with its bound, sought from a price on [scaled cycles]."""
        network, blocks = self.region.network, self.instance.blocks
        side = completed(network, side, blocks)
        left = shrunk(network, side)
        room = self.region.capacity - int(network.area[side == 1].sum())
        known = []
        if parent is not None:
            for each in (parent.bound.fits, parent.bound.exceeds):
                if each is not None:
                    whole = parent.side == 1
                    whole[parent.side == FREE] = each.nodes
                    known.append(line(left, whole[side == FREE]))
        bound = relax(
            left,
            room,
            price=price,
            known=tuple(known),
            enough=self.best.cost,
            until=self.until,
        )
        made = _Node(number=number, side=side, network=left, bound=bound)
        if bound.fits.cost < self.best.cost:
            self.best.offer(self.partition(made, bound.fits))
        return made

    def partition(self, node: _Node, found: Line) -> Mask:
        """All blocks that are mapped where a line of the node's network says so."""
        chosen = np.zeros(self.instance.blocks, np.bool_)
        for network, nodes in (
            (self.region.network, node.side == 1),
            (node.network, found.nodes),
        ):
            numbers = network.node[nodes]
            chosen[numbers[numbers < len(chosen)]] = True
        chosen[self.region.mapped] = True
        return chosen

    def settled(self, node: _Node) -> _Node | None:
        """The node with all blocks fixed that its bound settles; nothing if that is all."""
        while node.bound.least < self.best.cost:
            found = node.bound.cut
            lacking = self.best.cost - 1 - node.bound.value
            need = int(lacking * found.price.denominator) + 1
            moves = list(settle(node.network, found, self.instance.blocks, need))
            if not moves:
                return node
            number = self.tree.settle(
                node.number, self.region, node.side, node.network, found, moves
            )
            side = node.side.copy()
            free = np.flatnonzero(side == FREE)
            side[free[[move.node for move in moves]]] = [move.mapped for move in moves]
            if self.infeasible(side):
                self.tree.infeasible(number)
                return None
            node = self.bounded(number, side, found.price, node)
        self.leaf(node)
        return None

    def chosen(self, node: _Node) -> bool:
        """Whether nothing couples what is free, so that the best choice could be computed."""
        network, cut = node.network, node.bound.cut
        if is_coupled(network):
            return False
        found = uncoupled(network, self.room(node), self.best.cost)
        if found is None:
            return False
        if found.chosen is not None:
            self.best.offer(self.partition(node, line(network, found.chosen)))
        # without a price all of an arc to what is fixed is charged to the block
        full = replace(cut, flow=network.capacity * cut.price.denominator)
        self.tree.leaf(node.number, self.region, node.side, network, full, priced=False)
        return True

    def kept(self, node: _Node) -> bool:
        """Whether the area kept instead of priced raises the bound to the best cost.

        What each block costs with what the flow charges it is a knapsack.
        """
        network, cut = node.network, node.bound.cut
        found = charged(network, cut, self.instance.blocks, self.room(node), self.best.cost)
        if found is None:
            return False
        if found.chosen is not None:
            chosen = self.partition(node, line(network, found.chosen))
            self.best.offer(chosen, float(cut.price))
            return False
        self.tree.leaf(node.number, self.region, node.side, network, cut, priced=False)
        return True

    def room(self, node: _Node) -> int:
        """Area that is left for the free blocks of a node [1]."""
        return self.region.capacity - int(self.region.network.area[node.side == 1].sum())

    def infeasible(self, side: Sides) -> bool:
        """Whether what is mapped takes more than the area."""
        return int(self.region.network.area[side == 1].sum()) > self.region.capacity

    def expand(self, node: _Node) -> None:
        """Branch on the block whose two children have the highest bounds."""
        self.branched += 1
        best: tuple[float, int, list[_Node | None]] | None = None
        for place in self.candidates(node):
            made = [self.child(node, place, side) for side in (0, 1)]
            rise = [
                min(float(child.bound.value), float(self.best.cost)) - float(node.bound.value)
                if child
                else 0.0
                for child in made
            ]
            done = any(child is None or child.bound.least >= self.best.cost for child in made)
            score = float("inf") if done else max(rise[0], 1e-9) * max(rise[1], 1e-9)
            if best is None or score > best[0]:
                best = score, place, made
            if done or self.over():
                break
        assert best is not None
        _, place, children = best
        numbers = self.tree.branch(node.number, int(self.region.network.node[place]))
        for number, child in zip(numbers, children, strict=True):
            if child is None:
                self.tree.infeasible(number)
            else:
                self.put(
                    _Node(number=number, side=child.side, network=child.network, bound=child.bound)
                )

    def child(self, node: _Node, place: int, side: int) -> _Node | None:
        """The node with one more side fixed; nothing if it does not fit."""
        sides = node.side.copy()
        sides[place] = side
        if side and self.infeasible(sides):
            return None
        return self.bounded(-1, sides, node.bound.cut.price, node)

    def candidates(self, node: _Node) -> list[int]:
        """Places in the region of blocks to branch on, those that matter most first."""
        fits, exceeds = node.bound.fits, node.bound.exceeds
        network, price = node.network, float(node.bound.cut.price)
        assert exceeds is not None
        real = network.node < self.instance.blocks
        chosen = np.flatnonzero((fits.nodes != exceeds.nodes) & real)
        weight = np.abs(network.cost[chosen]) + price * network.area[chosen]
        chosen = chosen[np.argsort(-weight, kind="stable")[:CANDIDATES]]
        places: list[int] = np.flatnonzero(node.side == FREE)[chosen].tolist()
        return places

    def run(self, most_nodes: int | None) -> int:
        """Search until all is proved or the time is over; the bound that was reached."""
        while self.waiting and self.waiting[0][3].bound.least < self.best.cost:
            if self.over() or (most_nodes is not None and self.branched >= most_nodes):
                break
            node = self.settled(heapq.heappop(self.waiting)[3])
            if node is not None and not self.chosen(node) and not self.kept(node):
                if self.over():
                    self.put(node)
                else:
                    self.expand(node)
        bound = self.best.cost
        for _, _, _, node in self.waiting:
            self.leaf(node)
            bound = min(bound, node.bound.least)
        return bound

    def over(self) -> bool:
        """Whether the time is over."""
        return time.monotonic() > self.until


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Found:
    """What a search found."""

    mapped: Mask  # the best partition
    cost: int  # what it costs [scaled cycles]
    certificate: Certificate  # the proof that none costs less than its bound
    nodes: int  # how many nodes were branched on [1]
    # the blocks that were not settled before the first branch: every partition that is cheaper
    # than the best one maps and leaves the others as it does
    region: Region


def branch_and_bound(
    instance: Instance,
    *,
    time_limit: float = 60.0,
    start: Mask | None = None,
    most_nodes: int | None = None,
) -> Found:
    """The cheapest partition that fits, or the best one found when the time is over."""
    search = Search(instance, start, time.monotonic() + time_limit)
    bound = search.run(most_nodes)
    return Found(
        mapped=search.best.mapped,
        cost=search.best.cost,
        certificate=search.tree.certificate(bound),
        nodes=search.branched,
        region=search.region,
    )
