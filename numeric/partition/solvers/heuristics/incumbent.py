"""The best partition so far, improved by moves, swaps, and exchanges of many blocks at once.

Moves of blocks that share no pair and no value add up, so that which of them to make is a knapsack
for the area that the rest of the partition leaves. Blocks come into question whose cost, area
priced, hardly depends on their side: the core of the knapsack (Balas, Zemel 1980, Operations
Research 28).
"""

import numpy as np
from numpy.typing import NDArray

from logca.numeric.partition.memory.coupling import Coupling
from logca.numeric.partition.problem.instance import Instance
from logca.numeric.partition.solvers.bounds.knapsack import best_choice
from logca.numeric.partition.solvers.bounds.network import Couplings
from logca.numeric.partition.solvers.heuristics.moves import Flips, flips

__all__ = [
    "CoupledIncumbent",
    "Incumbent",
    "exchange",
    "nearest",
]

Integers = NDArray[np.int64]

CORE = 160
"""How many blocks one knapsack may have [1]."""

LARGEST_TABLE = 50_000_000
"""How many decisions its table may have [1]."""


def nearest(at: Flips, price: float) -> Integers:
    """The blocks that can move, those first for which a move changes least."""
    score = np.abs(at.change + np.where(at.mapped, -price, price) * at.area)
    chosen = np.flatnonzero(at.movable)
    order: Integers = chosen[np.argsort(score[chosen], kind="stable")]
    return order


def exchange(at: Flips, capacity: int, price: float) -> bool:
    """Move to the best of some partitions near this one, which fits; whether it costs less."""
    from logca.numeric.partition.solvers.heuristics.move_loops import flip, independent

    before = int(at.total[0])
    core = independent(at, nearest(at, price), CORE)
    mapped = at.mapped[core]
    gain = np.where(mapped, at.change[core], -at.change[core])
    least = int(gain[mapped].sum())
    room = capacity - int(at.total[1]) + int(at.area[core][mapped].sum())
    found = best_choice(gain, at.area[core], room, least=least, most=LARGEST_TABLE)
    if found is None or found.chosen is None:
        return False
    for block in core[found.chosen != mapped].tolist():
        flip(at, block)
    return int(at.total[0]) < before


Mask = NDArray[np.bool_]

LOG = 200
"""How many moves one attempt to improve a partition may take [1]."""

EXCHANGES = 20
"""How often many blocks at once are moved, as long as it helps [1]."""

NEAR = 2000
"""How many blocks are tried in a large program: those whose moves change least [1]."""


class Incumbent:
    """The best partition so far; others are offered to it, and mended and improved first."""

    def __init__(self, instance: Instance, found: Couplings) -> None:
        self._instance = instance
        self._at = flips(instance, np.zeros(instance.blocks, np.bool_), found)
        self._keep()

    def offer(self, mapped: Mask, price: float | None = None) -> None:
        """Look at a partition, whether or not it fits."""
        from logca.numeric.partition.solvers.heuristics.move_loops import climb, go, mend

        go(self._at, mapped)
        capacity = self._instance.capacity
        mend(self._at, capacity)
        climb(self._at, capacity)
        if price is not None:
            self._exchange(price)
        if self._at.total[0] < self.cost:
            self._keep()

    def improve(self, price: float, rounds: int = 3) -> None:
        """Try to improve the best one by moves and swaps."""
        from logca.numeric.partition.solvers.heuristics.move_loops import climb, go, improve

        at, capacity = self._at, self._instance.capacity
        go(at, np.zeros(self._instance.blocks, np.bool_))
        climb(at, capacity)
        if at.total[0] < self.cost:
            self._keep()
        go(at, self.mapped)
        near = np.sort(nearest(at, price)[:NEAR])
        improve(at, near, capacity, np.zeros(LOG, np.int64), rounds)
        climb(at, capacity)
        self._exchange(price)
        if at.total[0] < self.cost:
            self._keep()

    def _exchange(self, price: float) -> None:
        for _ in range(EXCHANGES):
            if not exchange(self._at, self._instance.capacity, price):
                break

    def _keep(self) -> None:
        self.cost = int(self._at.total[0])
        self.mapped = self._at.mapped.copy()


"""How many moves one attempt to improve a partition may take [1]."""

NEAR_coupled_incumbent = 100
"""How many blocks are tried at once: those whose moves change least [1]."""


class CoupledIncumbent:
    """The best partition so far; others are offered to it, and mended and filled up first."""

    def __init__(self, instance: Instance, coupling: Coupling, found: Couplings) -> None:
        self._capacity = instance.capacity
        self._at = flips(instance, np.zeros(instance.blocks, np.bool_), found, coupling)
        self.rows = self._at.rows
        self._keep()

    def begin(self) -> None:
        """Find a first partition by the paper's greedy."""
        from logca.numeric.partition.solvers.heuristics.move_loops import climb

        climb(self._at, self._capacity)
        self._keep_if_better()

    def offer(self, mapped: Mask) -> bool:
        """Look at a partition, whether or not it fits; whether it was better in the end."""
        from logca.numeric.partition.solvers.heuristics.move_loops import climb, go, mend

        go(self._at, mapped & self._at.movable)
        mend(self._at, self._capacity)
        climb(self._at, self._capacity)
        return self._keep_if_better()

    def improve(self, price: float) -> bool:
        """Try to improve the best one by moves and swaps; whether that was possible."""
        from logca.numeric.partition.solvers.heuristics.move_loops import go, improve

        at = self._at
        go(at, self.mapped)
        score = np.abs(at.change + np.where(at.mapped, -price, price) * at.area)
        chosen = np.flatnonzero(at.movable)
        near = np.sort(chosen[np.argsort(score[chosen], kind="stable")[:NEAR_coupled_incumbent]])
        improve(at, near, self._capacity, np.zeros(LOG, np.int64), 1)
        return self._keep_if_better()

    def _keep_if_better(self) -> bool:
        better = bool(self._at.total[0] < self.cost and self._at.total[1] <= self._capacity)
        if better:
            self._keep()
        return better

    def _keep(self) -> None:
        self.cost = int(self._at.total[0])
        self.mapped = self._at.mapped.copy()
