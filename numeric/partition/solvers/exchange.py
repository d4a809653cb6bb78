"""Many blocks moved at once: the best choice among some whose moves do not change each other.

Moves of blocks that share no pair and no value add up, so that which of them to make is a knapsack
for the area that the rest of the partition leaves. Blocks come into question whose cost, area
priced, hardly depends on their side: the core of the knapsack (Balas, Zemel 1980, Operations
Research 28).
"""

import numpy as np
from numpy.typing import NDArray

from logca.numeric.partition.solvers.flips import Flips
from logca.numeric.partition.solvers.knapsack import best_choice

__all__ = ["exchange", "nearest"]

Integers = NDArray[np.int64]

CORE = 160
"""How many blocks one knapsack may have [1]."""

LARGEST_TABLE = 50_000_000
"""How many decisions its table may have [1]."""


def nearest(at: Flips, price: float) -> Integers:
    """The blocks that can move, those first for which a move changes least.

    Parameters
    ----------
    at : Flips
        A partition.
    price : float
        About what area is worth [scaled cycles].
    """
    score = np.abs(at.change + np.where(at.mapped, -price, price) * at.area)
    chosen = np.flatnonzero(at.movable)
    order: Integers = chosen[np.argsort(score[chosen], kind="stable")]
    return order


def exchange(at: Flips, capacity: int, price: float) -> bool:
    """Move to the best of some partitions near this one, which fits; whether it costs less.

    Parameters
    ----------
    at : Flips
        A partition that fits.
    capacity : int
        The area [1].
    price : float
        About what area is worth [scaled cycles].
    """
    from logca.numeric.partition.solvers.exchange_loops import independent
    from logca.numeric.partition.solvers.flip_loops import flip

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
