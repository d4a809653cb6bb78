"""The best partition that a search with memory costs has found so far."""

import numpy as np
from numpy.typing import NDArray

from logca.numeric.partition.instance import Instance
from logca.numeric.partition.memory.coupling import Coupling
from logca.numeric.partition.solvers.couplings import Couplings
from logca.numeric.partition.solvers.flips import flips

__all__ = ["CoupledIncumbent"]

Mask = NDArray[np.bool_]

LOG = 200
"""How many moves one attempt to improve a partition may take [1]."""

NEAR = 100
"""How many blocks are tried at once: those whose moves change least [1]."""


class CoupledIncumbent:
    """The best partition so far; others are offered to it, and mended and filled up first.

    Parameters
    ----------
    instance : Instance
        The problem, own costs of memory included.
    coupling : Coupling
        What memory costs.
    found : Couplings
        The couplings of the instance.
    """

    def __init__(self, instance: Instance, coupling: Coupling, found: Couplings) -> None:
        self._capacity = instance.capacity
        self._at = flips(instance, np.zeros(instance.blocks, np.bool_), found, coupling)
        self.rows = self._at.rows
        self._keep()

    def begin(self) -> None:
        """Find a first partition by the paper's greedy."""
        from logca.numeric.partition.solvers.flip_loops import climb

        climb(self._at, self._capacity)
        self._keep_if_better()

    def offer(self, mapped: Mask) -> bool:
        """Look at a partition, whether or not it fits; whether it was better in the end."""
        from logca.numeric.partition.solvers.flip_loops import climb, go, mend

        go(self._at, mapped & self._at.movable)
        mend(self._at, self._capacity)
        climb(self._at, self._capacity)
        return self._keep_if_better()

    def improve(self, price: float) -> bool:
        """Try to improve the best one by moves and swaps; whether that was possible.

        Parameters
        ----------
        price : float
            About what area is worth [scaled cycles].
        """
        from logca.numeric.partition.solvers.flip_loops import go, improve

        at = self._at
        go(at, self.mapped)
        score = np.abs(at.change + np.where(at.mapped, -price, price) * at.area)
        chosen = np.flatnonzero(at.movable)
        near = np.sort(chosen[np.argsort(score[chosen], kind="stable")[:NEAR]])
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
