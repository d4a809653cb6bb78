"""Branch and bound: a tree of partitions in which the node with the lowest bound comes first.

A node has blocks fixed either way, and a bound of all partitions that keep them there. First the
blocks are fixed whose other side the bound rules out, given the best partition known; what is left
is branched on. Where the bound comes from is another subject: flows if nothing but the area couples
blocks in rows (see `flow_bound`), else a linear program (see `linear_bound`).
"""

import heapq
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Generic, Protocol, TypeVar

from logca.numeric.partition.solvers.bounds.fixing import FREE, Sides
from logca.numeric.partition.solvers.bounds.work import Work
from logca.numeric.partition.solvers.certificates.format import Branch
from logca.numeric.partition.solvers.heuristics.incumbent import Incumbent

__all__ = ["Bounds", "GrowingTree", "Node", "Search", "settled"]

End = TypeVar("End")


class GrowingTree(Generic[End]):
    """The tree of a certificate that is being made; its ends are proofs."""

    def __init__(self, infeasible: End) -> None:
        self._infeasible = infeasible
        self._nodes: list[Branch | End | None] = [None]

    def branch(self, number: int, block: int) -> tuple[int, int]:
        """Put a branch where a number says; the numbers of its two ends [1]."""
        without, within = len(self._nodes), len(self._nodes) + 1
        self._nodes += [None, None]
        self._nodes[number] = Branch(block=block, without=without, within=within)
        return without, within

    def infeasible(self, number: int) -> None:
        """Put a leaf for blocks that do not fit."""
        self._nodes[number] = self._infeasible

    def finished(self) -> tuple[Branch | End, ...]:
        """All nodes; every end of the tree must have its leaf."""
        nodes = tuple(node for node in self._nodes if node is not None)
        if len(nodes) < len(self._nodes):
            raise AssertionError("an end of the tree has no leaf")
        return nodes


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Node:
    """A node of the tree with its bound."""

    number: int  # its place in the tree; -1 as long as it has none [1]
    side: Sides  # where each block or node of a network is, or that it is free
    value: Fraction | int  # the bound, exactly, in the same unit for all nodes of a search
    least: int  # the lowest whole number that is no less than the bound [scaled cycles]


N = TypeVar("N", bound=Node)


class Bounds(Protocol[N]):
    """Requests of a search to a kind of bound."""

    @property
    def best(self) -> Incumbent:
        """The best partition so far."""

    @property
    def work(self) -> Work:
        """Work that is left."""

    @property
    def tree(self) -> GrowingTree[Any]:
        """The certificate that is being made."""

    def root(self) -> N | None:
        """The node of all partitions, or nothing if its leaf is written already."""

    def settle(self, node: N) -> N | None:
        """The node with blocks fixed that its bound settles, or itself if it settles none.

        Nothing if what is fixed does not fit; its leaf is written then.
        """

    def closed(self, node: N) -> bool:
        """True if the node could be ended without a branch; its leaf is written then."""

    def children(self, node: N) -> tuple[int, Iterator[N | None]]:
        """The block to branch on, and the nodes with it on the CPU and on the accelerator.

        A node is nothing if it does not fit. The second is asked for when the first is in the tree:
        the better partition that the first may have found helps the second.
        """

    def leaf(self, node: N) -> None:
        """End a node with the proof of its bound."""


def settled(bounds: Bounds[N], node: N) -> N | None:
    """The node with all blocks fixed that its bounds settle; nothing if that ended it."""
    while node.least < bounds.best.cost:
        after = bounds.settle(node)
        if after is None or after is node:
            return after
        node = after
    bounds.leaf(node)
    return None


class Search(Generic[N]):
    """A search with one kind of bound."""

    def __init__(self, bounds: Bounds[N]) -> None:
        self.branched = 0  # how many nodes were branched on [1]
        self._bounds = bounds
        self._waiting: list[tuple[Fraction | int, int, int, N]] = []
        root = bounds.root()
        if root is not None:
            self._put(root)

    def run(self, most_nodes: int | None = None) -> int:
        """Search until all is proved or the work is done; the bound reached [scaled cycles]."""
        bounds = self._bounds
        while self._waiting and self._waiting[0][-1].least < bounds.best.cost:
            if bounds.work.over() or (most_nodes is not None and self.branched >= most_nodes):
                break
            node = settled(bounds, heapq.heappop(self._waiting)[-1])
            if node is None or bounds.closed(node):
                continue
            if bounds.work.over():
                self._put(node)
            else:
                self._expand(node)
        # numbers of nodes differ, so that sorting compares no nodes
        left = [node for *_, node in sorted(self._waiting)]
        self._waiting.clear()
        for node in left:
            bounds.leaf(node)
        return min([bounds.best.cost, *(node.least for node in left)])

    def _put(self, node: N) -> None:
        """Let a node wait, or end it with a leaf if it cannot be better than the best."""
        if node.least >= self._bounds.best.cost:
            self._bounds.leaf(node)
        else:
            fixed = int((node.side != FREE).sum())
            heapq.heappush(self._waiting, (node.value, -fixed, node.number, node))

    def _expand(self, node: N) -> None:
        """Put both nodes below one into its place."""
        self.branched += 1
        bounds = self._bounds
        block, children = bounds.children(node)
        for number, child in zip(bounds.tree.branch(node.number, block), children, strict=True):
            if child is None:
                bounds.tree.infeasible(number)
            else:
                self._put(replace(child, number=number))
