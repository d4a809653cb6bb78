"""The best partition so far, improved by moves, swaps, and exchanges of many blocks at once.

Moves of blocks that share no pair and no value add up, so that which of them to make is a knapsack
for the area that the rest of the partition leaves. Blocks come into question whose cost, area
priced, hardly depends on their side: the core of the knapsack (Balas, Zemel 1980, Operations
Research 28).
"""

import numpy as np
from numpy.typing import NDArray

from logca.numeric.partition.memory.coupling import Coupling
from logca.numeric.partition.problem.instance_and_objective import Instance
from logca.numeric.partition.solvers.bounds.knapsack import best_choice
from logca.numeric.partition.solvers.bounds.network import Couplings
from logca.numeric.partition.solvers.heuristics.moves import CouplingRows, Moves, moves_from

__all__ = ["Incumbent", "exchange", "improved", "least_changing"]

Integers = NDArray[np.int64]
Mask = NDArray[np.bool_]

CORE = 160
"""Most blocks in one knapsack [1]."""

LARGEST_TABLE = 50_000_000
"""Most decisions in the knapsack's table [1]."""

LOG = 200
"""Most moves in one attempt to improve a partition [1]."""

EXCHANGES = 20
"""Most exchanges of many blocks at once, as long as they help [1]."""

NEAR, NEAR_COUPLED = 2000, 100
"""Most blocks to try, without and with memory: those whose moves change least [1]."""

ROUNDS, ROUNDS_COUPLED = 3, 1
"""Most rounds over these blocks, without and with memory [1]."""


def least_changing(at: Moves, price: float) -> Integers:
    """The blocks that can move, those first for which a move changes least."""
    score = np.abs(at.change + np.where(at.mapped, -price, price) * at.area)
    chosen = np.flatnonzero(at.movable)
    order: Integers = chosen[np.argsort(score[chosen], kind="stable")]
    return order


def exchange(at: Moves, capacity: int, price: float) -> bool:
    """Move to the best of some partitions near this one, which fits; whether it costs less."""
    from logca.numeric.partition.solvers.heuristics.move_loops import flip, independent

    before = int(at.total[0])
    core = independent(at, least_changing(at, price), CORE)
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


class Incumbent:
    """The best partition so far; others are offered to it, and mended and improved first."""

    def __init__(
        self, instance: Instance, found: Couplings, coupling: Coupling | None = None
    ) -> None:
        self._capacity = instance.capacity
        self._coupled = coupling is not None
        self._at = moves_from(instance, np.zeros(instance.blocks, np.bool_), found, coupling)
        self._keep()

    @property
    def rows(self) -> CouplingRows:
        """Rows with the cost of memory beyond the blocks' own costs."""
        return self._at.rows

    def begin(self) -> None:
        """Look at the partition of the paper's greedy."""
        self.offer(np.zeros_like(self._at.mapped))

    def offer(self, mapped: Mask, price: float | None = None) -> bool:
        """Look at a partition, whether or not it fits; whether it was better in the end."""
        from logca.numeric.partition.solvers.heuristics.greedy import fill_greedily
        from logca.numeric.partition.solvers.heuristics.move_loops import (
            move_to,
            repair,
        )

        move_to(self._at, mapped & self._at.movable)
        repair(self._at, self._capacity)
        fill_greedily(self._at, self._capacity)
        if price is not None:
            self._exchange(price)
        return self._keep_if_better()

    def improve(self, price: float) -> bool:
        """Try to improve the best one by moves and swaps; whether that was possible."""
        from logca.numeric.partition.solvers.heuristics.greedy import fill_greedily
        from logca.numeric.partition.solvers.heuristics.move_loops import (
            improve,
            move_to,
        )

        at, capacity = self._at, self._capacity
        most, rounds = (NEAR_COUPLED, ROUNDS_COUPLED) if self._coupled else (NEAR, ROUNDS)
        move_to(at, self.mapped)
        near = np.sort(least_changing(at, price)[:most])
        improve(at, near, capacity, np.zeros(LOG, np.int64), rounds)
        # moves of blocks that share a row change each other, and an exchange takes them to add up:
        # it looks at pairs and values only
        if not self._coupled:
            fill_greedily(at, capacity)
            self._exchange(price)
        return self._keep_if_better()

    def _exchange(self, price: float) -> None:
        for _ in range(EXCHANGES):
            if not exchange(self._at, self._capacity, price):
                break

    def _keep_if_better(self) -> bool:
        better = bool(self._at.total[0] < self.cost and self._at.total[1] <= self._capacity)
        if better:
            self._keep()
        return better

    def _keep(self) -> None:
        self.cost = int(self._at.total[0])
        self.mapped = self._at.mapped.copy()


def improved(instance: Instance, mapped: Mask, *, rounds: int = 10) -> Mask:
    """A partition that fits and costs no more, found by moving blocks, one or several at a time.

    Each block in turn changes its side; then blocks that least pay for their area leave the
    accelerator until it fits, and others that pay come. What does not lower the cost is undone.
    Of many blocks those are tried that come next in question, by what they save for their area.
    """
    from logca.numeric.partition.solvers.heuristics.greedy import fill_greedily
    from logca.numeric.partition.solvers.heuristics.move_loops import improve, repair

    at = moves_from(instance, mapped & ~instance.pinned)
    repair(at, instance.capacity)
    fill_greedily(at, instance.capacity)
    near = np.sort(least_changing(at, _last_price(at))[:NEAR])
    improve(at, near, instance.capacity, np.zeros(LOG, np.int64), rounds)
    return at.mapped


def _last_price(at: Moves) -> float:
    """Saving for the area of the block that is mapped and saves least for it [scaled cycles]."""
    mapped = at.mapped & (at.area > 0)
    return float(np.min(at.change[mapped] / at.area[mapped], initial=np.inf)) if mapped.any() else 0
