"""Which block a search with memory costs branches on: the one that raises both bounds most."""

import time

import numpy as np
from numpy.typing import NDArray

from logca.numeric.partition.instance import Instance
from logca.numeric.partition.solvers.coupled_program import Program
from logca.numeric.partition.solvers.regions import FREE, Sides

__all__ = ["WHOLE", "branching_block", "room"]

WHOLE = 1e-6
"""What is this close to a side is taken to be there [1]."""

CANDIDATES = 16
"""How many blocks may be tried [1]."""

PATIENCE = 4
"""After how many blocks that were no better the best one is taken [1]."""


def room(instance: Instance, side: Sides) -> int:
    """The area that is left.

    Parameters
    ----------
    instance : Instance
        The problem.
    side : array of int8
        For each block its side, or that it is free.
    """
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

    Parameters
    ----------
    program : Program
        The program, whose fixed blocks are changed.
    instance : Instance
        The problem.
    side : array of int8
        For each block its side, or that it is free.
    x : array of float
        How far each block is mapped [1].
    moved : array of int64
        How much of what is shared is charged to each block [scaled cycles / denominator].
    low, high : float
        The bound that is known, and one that is enough [scaled cycles].
    until : float
        When to end, by the monotonic clock [s].
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
