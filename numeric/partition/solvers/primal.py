"""The best partition that a search has found so far."""

import numpy as np
from numpy.typing import NDArray

from logca.numeric.partition.instance import Instance
from logca.numeric.partition.solvers.couplings import Couplings
from logca.numeric.partition.solvers.exchange import exchange, nearest
from logca.numeric.partition.solvers.flips import flips

__all__ = ["Incumbent"]

Mask = NDArray[np.bool_]

LOG = 200
"""How many moves one attempt to improve a partition may take [1]."""

EXCHANGES = 20
"""How often many blocks at once are moved, as long as it helps [1]."""

NEAR = 2000
"""How many blocks are tried in a large program: those whose moves change least [1]."""


class Incumbent:
    """The best partition so far; others are offered to it, and mended and improved first.

    Parameters
    ----------
    instance : Instance
        The problem.
    found : Couplings
        Its couplings.
    """

    def __init__(self, instance: Instance, found: Couplings) -> None:
        self._instance = instance
        self._at = flips(instance, np.zeros(instance.blocks, np.bool_), found)
        self._keep()

    def offer(self, mapped: Mask, price: float | None = None) -> None:
        """Look at a partition, whether or not it fits.

        Parameters
        ----------
        mapped : array of bool
            The partition.
        price : float, optional
            About what area is worth, to move many blocks at once as well [scaled cycles].
        """
        from logca.numeric.partition.solvers.flip_loops import climb, go, mend

        go(self._at, mapped)
        capacity = self._instance.capacity
        mend(self._at, capacity)
        climb(self._at, capacity)
        if price is not None:
            self._exchange(price)
        if self._at.total[0] < self.cost:
            self._keep()

    def improve(self, price: float, rounds: int = 3) -> None:
        """Try to improve the best one by moves and swaps.

        Parameters
        ----------
        price : float
            About what area is worth [scaled cycles].
        rounds : int
            How often to try each block, as long as it helps [1].
        """
        from logca.numeric.partition.solvers.flip_loops import climb, go, improve

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
