"""Bounds with memory costs that blocks share, and the block to branch on.

The bound of a node is that of a linear program (see `linear_program`), to which terms of rows are
added as long as its solution violates some. What its duals show in whole numbers counts. Blocks are
fixed whose other side the duals rule out, given the best partition known; then the tree branches on
one of the blocks that the solution divides, the one whose two children have the highest bounds.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from logca.numeric.partition.memory.coupling import Coupling
from logca.numeric.partition.problem.instance_and_objective import Instance
from logca.numeric.partition.solvers.bounds.fixing import FREE, Sides
from logca.numeric.partition.solvers.bounds.network import build, couplings
from logca.numeric.partition.solvers.bounds.work import Work
from logca.numeric.partition.solvers.certificates.format import CoupledCertificate
from logca.numeric.partition.solvers.heuristics.incumbent import Incumbent
from logca.numeric.partition.solvers.search.branch_and_bound import Node, settled
from logca.numeric.partition.solvers.search.linear_program import LinearProgram, Pool, Solution
from logca.numeric.partition.solvers.search.linear_proofs import (
    ExactDuals,
    LinearTree,
    Prover,
    bound_at,
)

__all__ = ["LinearBound", "LinearNode"]

Mask = NDArray[np.bool_]
Numbers = NDArray[np.float64]

WHOLE = 1e-6
"""Distance from a side below which a value is taken to be there [1]."""

CANDIDATES = 16
"""Most blocks to try [1]."""

PATIENCE = 4
"""After how many blocks that were no better the best one is taken [1]."""

ROUNDS = 40
"""Most rounds of adding terms at a node [1]."""

FINE = 2000
"""Terms count that are violated by more than this part of the gap [1]."""

THRESHOLDS = (0.5, 0.2, 0.8, 0.05, 0.99)
"""From how far on blocks are mapped where a solution is rounded [1]."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LinearNode(Node):
    """A node: which blocks are fixed, what the duals show, and the solution."""

    shown: ExactDuals
    x: Numbers
    price: float


class LinearBound:
    """Bounds by linear programs of one instance, own costs of memory included, and its rows."""

    def __init__(
        self, instance: Instance, coupling: Coupling, start: tuple[Mask, ...], work: Work
    ) -> None:
        pairs_and_values = couplings(instance)
        self.work = work
        self.best = Incumbent(instance, pairs_and_values, coupling)
        self.tree = LinearTree()
        self._instance = instance
        self._whole = build(instance, pairs_and_values)
        lengths = np.diff(coupling.start) + 1
        dearest = int((coupling.upper.astype(np.float64) * lengths).sum())
        self._prover = Prover(instance, pairs_and_values, self._whole, dearest)
        self._pool = Pool(self.best.rows)
        self._rounded: set[bytes] = set()
        self._rows, self._pairs = coupling.rows, len(pairs_and_values.cost)
        self.best.begin()
        for mapped in start:
            self.best.offer(mapped)

    def root(self) -> LinearNode | None:
        """The bound of all partitions; the program is made smaller while blocks are settled."""
        side = np.full(self._instance.blocks, FREE, np.int8)
        side[self._instance.pinned] = 0
        self._program = self._programmed(side)
        node: LinearNode | None = self._bounded(side, None, number=0, rounding=THRESHOLDS)
        while node is not None and not self.work.over():
            before = node
            while self.best.improve(node.price) and not self.work.over():
                pass
            node = settled(self, node)
            if node is None or (node.side == before.side).all():
                break
            self._program = self._programmed(node.side)
            node = self._bounded(node.side, node, number=node.number, rounding=THRESHOLDS)
        return node

    def settle(self, node: LinearNode) -> LinearNode | None:
        """The node with those blocks fixed that do not fit, or that the duals settle."""
        own, side = node.shown.own, node.side
        left = self._room(side)
        if left < 0:
            self.tree.infeasible(node.number)
            return None
        enough = (self.best.cost - 1) * self._prover.denominator - int(node.value)
        free = side == FREE
        ruled = free & (np.abs(own) > enough)
        large = free & ~ruled & (self._instance.area > left)
        chosen = np.flatnonzero(ruled | large)
        if not len(chosen):
            return node
        to = (own[chosen] < 0) & ~large[chosen]
        number = self.tree.settle(node.number, node.shown, chosen, to)
        made = side.copy()
        made[chosen] = to
        node = self._node(number, made, node.shown, node.x, node.price)
        # a solution that has the blocks where they are fixed now is still the best one
        if self._room(made) >= 0 and np.any(np.abs(node.x[chosen] - to) > WHOLE):
            node = self._bounded(made, node, number=number)
        return node

    def closed(self, node: LinearNode) -> bool:
        """True if all blocks are fixed: the partition then shows its own cost."""
        if np.any(node.side == FREE):
            return False
        mapped = node.side == 1
        self.best.offer(mapped)
        shown = self._prover.exact(node.side, self._pool.table())
        while self._pool.add(mapped.astype(np.float64), self._charged(shown), 0.5):
            shown = self._prover.exact(node.side, self._pool.table())
        self.tree.leaf(node.number, shown)
        return True

    def leaf(self, node: LinearNode) -> None:
        """End a node with the duals that prove its bound."""
        self.tree.leaf(node.number, node.shown)

    def children(self, node: LinearNode) -> tuple[int, Iterator[LinearNode | None]]:
        """The block to branch on, and the nodes below with their bounds."""
        block = self._branching_block(node)
        return block, (self._child(node, block, side) for side in (0, 1))

    def certificate(self, bound: int) -> CoupledCertificate:
        """The proof of a bound [scaled cycles]."""
        return self.tree.certificate(bound, self._prover.denominator, self._pool.table())

    def _branching_block(self, node: LinearNode) -> int:
        """The block to branch on, of those that are free [1].

        Those are tried that the solution divides, the ones first that are charged most of what is
        shared; only values of the program are compared, and the best one is bounded afterwards.
        """
        low, high = node.value / self._prover.denominator, self.best.cost
        moved = node.shown.moved
        free = np.flatnonzero(node.side == FREE)
        divided = np.minimum(node.x[free], 1 - node.x[free])
        inside = divided >= WHOLE
        if not inside.any():
            return int(free[np.argmax(moved[free])])
        order = np.argsort(-divided[inside] * moved[free[inside]], kind="stable")
        candidates = free[inside][order[:CANDIDATES]]
        best, chosen, since = -1.0, int(candidates[0]), 0
        for block in candidates.tolist():
            score = 1.0
            for to in (0, 1):
                child = node.side.copy()
                child[block] = to
                rise = high - low
                if self._room(child) >= 0:
                    self._program.fix(child)
                    value = self._program.value(self.work)
                    rise = 0.0 if value is None else min(value, high) - low
                score *= max(rise, 1e-6 * (high - low))
            since += 1
            if score > best:
                best, chosen, since = score, block, 0
            if since == PATIENCE or self.work.over():
                break
        return chosen

    def _child(self, node: LinearNode, block: int, to: int) -> LinearNode | None:
        """The node with one more block fixed; nothing if it does not fit."""
        side = node.side.copy()
        side[block] = to
        return None if self._room(side) < 0 else self._bounded(side, node)

    def _programmed(self, side: Sides) -> LinearProgram:
        """The program of what is free."""
        program = LinearProgram(self._whole, self._pairs, self._rows, self._instance.capacity, side)
        program.extend(self._pool.table())
        return program

    def _bounded(
        self,
        side: Sides,
        parent: LinearNode | None,
        *,
        number: int = -1,
        rounding: tuple[float, ...] = THRESHOLDS[:1],
    ) -> LinearNode:
        """A node with its bound; without a solution it keeps that of its parent."""
        self._program.fix(side)
        node = parent and replace(parent, number=number, side=side)
        solved: Solution | None = None
        for _ in range(ROUNDS):
            last, solved = solved, self._program.solve(self.work)
            if solved is None:
                solved = last
                break
            # the exact bound is computed if it may be enough
            if solved.value > self.best.cost - 1:
                node = self._shown(number, side, solved)
                if node.least >= self.best.cost:
                    return node
            if self.work.over() or not self._extended(solved):
                break
        if solved is not None:
            self._offer(solved, rounding)
            node = self._shown(number, side, solved)
        if node is None:
            node = self._unsolved(number, side)
        if parent is not None and parent.value > node.value:
            node = self._node(number, side, parent.shown, node.x, node.price)
        return node

    def _offer(self, solved: Solution, thresholds: tuple[float, ...]) -> None:
        """Look at the partitions near a solution that were not tried before."""
        for threshold in thresholds:
            mapped = solved.x >= threshold
            key = mapped.tobytes()
            if key not in self._rounded:
                self._rounded.add(key)
                self.best.offer(mapped)

    def _extended(self, solved: Solution) -> bool:
        """Add the terms that a solution violates; whether there are any."""
        whole = bool(np.all(np.minimum(solved.x, 1 - solved.x) < WHOLE))
        by = 0.5 if whole else max(0.5, (self.best.cost - solved.value) / FINE)
        if not self._pool.add(solved.x, solved.charged, by):
            return False
        self._program.extend(self._pool.table())
        return True

    def _shown(self, number: int, side: Sides, solved: Solution) -> LinearNode:
        """A node of what a solution shows."""
        shown = self._prover.shown(self._program.side, solved, self._pool.table())
        return self._node(number, side, shown, solved.x, solved.price)

    def _unsolved(self, number: int, side: Sides) -> LinearNode:
        """A node of which only a partition's own duals are known: those of no accelerator."""
        shown = self._prover.exact(np.zeros_like(side), self._pool.table())
        return self._node(number, side, shown, np.full(len(side), 0.5), 0.0)

    def _node(
        self, number: int, side: Sides, shown: ExactDuals, x: Numbers, price: float
    ) -> LinearNode:
        value = bound_at(shown, side)
        return LinearNode(
            number=number,
            side=side,
            value=value,
            least=-(-value // self._prover.denominator),
            shown=shown,
            x=x,
            price=price,
        )

    def _charged(self, shown: ExactDuals) -> Numbers:
        """Charge of each row by terms that count once or not at all."""
        table = self._pool.table()
        charged = np.zeros(self._rows)
        used = np.flatnonzero(shown.term)
        charged[table.terms.row[used]] = table.cost[used]
        return charged

    def _room(self, side: Sides) -> int:
        """The area that is left; negative if what is mapped does not fit [1]."""
        return self._instance.capacity - int(self._instance.area[side == 1].sum())
