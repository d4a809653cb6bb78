"""Branch and bound with memory costs that blocks share, and the block to branch on.

A node of the tree has blocks fixed either way and the bound of a linear program (see
`linear_program`), to which terms of rows are added as long as its solution violates some. What its
duals show in whole numbers counts. First all blocks are fixed whose other side the duals rule out,
given the best partition known; then the tree branches on one of the blocks that the solution
divides, the one whose two children have the highest bounds. The node with the lowest bound comes
first.
"""

import heapq
import time
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from logca.numeric.partition.memory.coupling import Coupling
from logca.numeric.partition.problem.instance import Instance
from logca.numeric.partition.solvers.bounds.fixing import FREE, Sides
from logca.numeric.partition.solvers.bounds.network import build, couplings
from logca.numeric.partition.solvers.certificates.format import CoupledCertificate
from logca.numeric.partition.solvers.heuristics.incumbent import CoupledIncumbent
from logca.numeric.partition.solvers.search.linear_program import Pool, Program, Solution
from logca.numeric.partition.solvers.search.linear_proofs import CoupledTree, Prover, Shown, least

__all__ = [
    "WHOLE",
    "CoupledSearch",
    "branching_block",
    "room",
]

WHOLE = 1e-6
"""What is this close to a side is taken to be there [1]."""

CANDIDATES = 16
"""How many blocks may be tried [1]."""

PATIENCE = 4
"""After how many blocks that were no better the best one is taken [1]."""


def room(instance: Instance, side: Sides) -> int:
    """The area that is left."""
    return instance.capacity - int(instance.area[side == 1].sum())


def branching_block(
    program: Program,
    instance: Instance,
    side: Sides,
    x: NDArray[np.float64],
    moved: NDArray[np.int64],
    *,
    low: float,
    high: float,
    until: float,
) -> int:
    """The block to branch on, of those that are free [1].

    Those are tried that a solution divides, the ones first that are charged most of what is shared.
    """
    free = np.flatnonzero(side == FREE)
    divided = np.minimum(x[free], 1 - x[free])
    inside = divided >= WHOLE
    if not inside.any():
        return int(free[np.argmax(moved[free])])
    order = np.argsort(-divided[inside] * moved[free[inside]], kind="stable")
    candidates = free[inside][order[:CANDIDATES]]
    best, found, since = -1.0, int(candidates[0]), 0
    for block in candidates.tolist():
        score = 1.0
        for to in (0, 1):
            child = side.copy()
            child[block] = to
            rise = high - low
            if room(instance, child) >= 0:
                program.fix(child)
                value = program.value()
                rise = 0.0 if value is None else min(value, high) - low
            score *= max(rise, 1e-6 * (high - low))
        since += 1
        if score > best:
            best, found, since = score, block, 0
        if since == PATIENCE or time.monotonic() > until:
            break
    return found


Mask = NDArray[np.bool_]
Numbers = NDArray[np.float64]

ROUNDS = 40
"""How often terms are added at a node [1]."""

FINE = 2000
"""Terms count that are violated by more than this part of the gap [1]."""

THRESHOLDS = (0.5, 0.2, 0.8, 0.05, 0.99)
"""From how far on blocks are mapped where a solution is rounded [1]."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Node:
    """A node: which sides are fixed, what the duals show, and the solution."""

    number: int
    side: Sides
    shown: Shown
    least: int
    x: Numbers
    price: float


class CoupledSearch:
    """A search; its steps are in the order in which they are taken."""

    def __init__(
        self, instance: Instance, coupling: Coupling, start: tuple[Mask, ...], until: float
    ) -> None:
        found = couplings(instance)
        self.instance, self.until = instance, until
        self.whole = build(instance, found)
        self.best = CoupledIncumbent(instance, coupling, found)
        lengths = np.diff(coupling.start) + 1
        dearest = int((coupling.upper.astype(np.float64) * lengths).sum())
        self.prover = Prover(instance, found, self.whole, dearest)
        self.pool = Pool(self.best.rows)
        self.tree = CoupledTree()
        self.rounded: set[bytes] = set()
        self.rows, self.pairs = coupling.rows, len(found.cost)
        self.waiting: list[tuple[int, int, int, _Node]] = []
        self.branched = 0
        self.best.begin()
        for each in start:
            self.best.offer(each)
        side = np.full(instance.blocks, FREE, np.int8)
        side[instance.pinned] = 0
        self.root(side)

    def root(self, side: Sides) -> None:
        """Bound all partitions, and make the program smaller as long as blocks are settled."""
        self.program = self.programmed(side)
        node: _Node | None = self.bounded(0, side, None, rounding=THRESHOLDS)
        while node is not None and not self.over():
            before = node
            if self.best.improve(node.price):
                while self.best.improve(node.price) and not self.over():
                    pass
            node = self.settled(node)
            if node is None or (node.side == before.side).all():
                break
            self.program = self.programmed(node.side)
            node = self.bounded(node.number, node.side, node, rounding=THRESHOLDS)
        if node is not None:
            self.put(node)

    def programmed(self, side: Sides) -> Program:
        """The program of what is free."""
        made = Program(self.whole, self.pairs, self.rows, self.instance.capacity, side)
        made.extend(self.pool.table())
        return made

    def bounded(
        self,
        number: int,
        side: Sides,
        parent: _Node | None,
        rounding: tuple[float, ...] = THRESHOLDS[:1],
    ) -> _Node:
        """A node with its bound; without a solution it keeps that of its parent."""
        self.program.fix(side)
        made = parent and replace(parent, number=number, side=side)
        solved: Solution | None = None
        for _ in range(ROUNDS):
            last, solved = solved, self.program.solve()
            if solved is None:
                solved = last
                break
            # the exact bound is looked at if it may be enough
            if solved.value > self.best.cost - 1:
                made = self.made(number, side, solved)
                if self.proved(made.least):
                    return made
            if self.over() or not self.extended(solved):
                break
        if solved is not None:
            self.offer(solved, rounding)
            made = self.made(number, side, solved)
        if made is None:
            made = self.unsolved(number, side)
        if parent is not None and parent.least > made.least:
            made = replace(made, shown=parent.shown, least=least(parent.shown, side))
        return made

    def offer(self, solved: Solution, thresholds: tuple[float, ...]) -> None:
        """Look at the partitions near a solution that were not looked at before."""
        for threshold in thresholds:
            mapped = solved.x >= threshold
            key = mapped.tobytes()
            if key not in self.rounded:
                self.rounded.add(key)
                self.best.offer(mapped)

    def extended(self, solved: Solution) -> bool:
        """Add the terms that a solution violates; whether there are any."""
        whole = bool(np.all(np.minimum(solved.x, 1 - solved.x) < WHOLE))
        by = 0.5 if whole else max(0.5, (self.best.cost - solved.value) / FINE)
        if not self.pool.add(solved.x, solved.charged, by):
            return False
        self.program.extend(self.pool.table())
        return True

    def made(self, number: int, side: Sides, solved: Solution) -> _Node:
        """A node of what a solution shows."""
        shown = self.prover.shown(self.program.side, solved, self.pool.table())
        return _Node(
            number=number,
            side=side,
            shown=shown,
            least=least(shown, side),
            x=solved.x,
            price=solved.price,
        )

    def unsolved(self, number: int, side: Sides) -> _Node:
        """A node of which only a partition's own duals are known: those of no accelerator."""
        nothing = np.zeros_like(side)
        shown = self.prover.exact(nothing, self.pool.table())
        return _Node(
            number=number,
            side=side,
            shown=shown,
            least=least(shown, side),
            x=np.full(len(side), 0.5),
            price=0.0,
        )

    def proved(self, bound: int) -> bool:
        """Whether a bound rules out all that is cheaper than the best."""
        return bound > (self.best.cost - 1) * self.prover.below

    def put(self, node: _Node) -> None:
        """Let a node wait, or end it with a leaf if it cannot be better than the best."""
        if self.proved(node.least):
            self.tree.leaf(node.number, node.shown)
        else:
            fixed = int((node.side != FREE).sum())
            heapq.heappush(self.waiting, (node.least, -fixed, node.number, node))

    def settled(self, node: _Node) -> _Node | None:
        """The node with all blocks fixed that its duals settle; nothing if that is all."""
        while not self.proved(node.least):
            own, side = node.shown.own, node.side
            left = room(self.instance, side)
            if left < 0:
                self.tree.leaf(node.number, None)
                return None
            free = side == FREE
            enough = (self.best.cost - 1) * self.prover.below - node.least
            ruled = free & (np.abs(own) > enough)
            large = free & ~ruled & (self.instance.area > left)
            chosen = np.flatnonzero(ruled | large)
            if not len(chosen):
                return node
            to = (own[chosen] < 0) & ~large[chosen]
            number = self.tree.settle(node.number, node.shown, chosen, to)
            made = side.copy()
            made[chosen] = to
            node = replace(node, number=number, side=made, least=least(node.shown, made))
            if room(self.instance, made) >= 0 and np.any(np.abs(node.x[chosen] - to) > WHOLE):
                node = self.bounded(number, made, node)
        self.tree.leaf(node.number, node.shown)
        return None

    def run(self, most_nodes: int | None) -> int:
        """Search until all is proved or the time is over; the bound that was reached."""
        while self.waiting:
            if self.over() or (most_nodes is not None and self.branched >= most_nodes):
                break
            node = self.settled(heapq.heappop(self.waiting)[-1])
            if node is not None:
                self.expand(node)
        bound = self.best.cost
        for _, _, _, node in self.waiting:
            self.tree.leaf(node.number, node.shown)
            bound = min(bound, -(-node.least // self.prover.below))
        self.waiting.clear()
        return bound

    def expand(self, node: _Node) -> None:
        """Branch on the block whose two children have the highest bounds."""
        if not np.any(node.side == FREE):
            self.finish(node)
            return
        self.branched += 1
        block = branching_block(
            self.program,
            self.instance,
            node.side,
            node.x,
            node.shown.moved,
            low=node.least / self.prover.below,
            high=self.best.cost,
            until=self.until,
        )
        for number, to in zip(self.tree.branch(node.number, block), (0, 1), strict=True):
            side = node.side.copy()
            side[block] = to
            if room(self.instance, side) < 0:
                self.tree.leaf(number, None)
            else:
                self.put(self.bounded(number, side, node))

    def finish(self, node: _Node) -> None:
        """End a node of which all blocks are fixed: the partition shows what it costs itself."""
        mapped = node.side == 1
        self.best.offer(mapped)
        shown = self.prover.exact(node.side, self.pool.table())
        while self.pool.add(mapped.astype(np.float64), self.charged(shown), 0.5):
            shown = self.prover.exact(node.side, self.pool.table())
        self.put(replace(node, shown=shown, least=least(shown, node.side)))

    def charged(self, shown: Shown) -> Numbers:
        """What each row is charged by terms that count once or not at all."""
        table = self.pool.table()
        charged = np.zeros(self.rows)
        used = np.flatnonzero(shown.term)
        charged[table.terms.row[used]] = table.cost[used]
        return charged

    def over(self) -> bool:
        """Whether the time is over."""
        return time.monotonic() > self.until

    def certificate(self, bound: int) -> CoupledCertificate:
        """The proof of what was found."""
        return self.tree.certificate(bound, self.prover.below, self.pool.table())
