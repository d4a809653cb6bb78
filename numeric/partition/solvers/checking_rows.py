"""What rows of a coupling, and partitions with them, cost: entry by entry, in whole numbers.

Nothing here is in common with the loops that solvers run.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from logca.numeric.partition.instance import Instance
from logca.numeric.partition.memory.automaton import OUTCOMES
from logca.numeric.partition.memory.coupling import Coupling
from logca.numeric.partition.solvers.checking_cost import check_partition

__all__ = ["RowWalk", "check_coupled_partition", "with_memory_of_its_own"]


class RowWalk:
    """The rows of a coupling, walked entry by entry.

    Parameters
    ----------
    coupling : Coupling
        The costs.
    """

    def __init__(self, coupling: Coupling) -> None:
        self._coupling = coupling
        self._step = coupling.automaton.step.tolist()
        self._end = coupling.automaton.end.tolist()
        self._price = coupling.outcome_cost.tolist()

    def least(self, row: int, known: dict[int, bool]) -> int:
        """The least that a row costs if it is known where some blocks are [scaled cycles].

        Parameters
        ----------
        row : int
            Which row [1].
        known : dict
            For some blocks whether they are on the accelerator.
        """
        coupling = self._coupling
        home = bool(coupling.side[row])
        if known.get(int(coupling.block[row])) is not home:
            return 0
        core = int(home)
        states = {int(coupling.automaton.first[core])}
        for entry in coupling.entry[coupling.start[row] : coupling.start[row + 1]].tolist():
            there = known.get(entry >> 3)
            ways = (0, 1) if there is None else (int(there is home),)
            kind = entry >> 1 & 3
            states = {
                state if state < OUTCOMES else self._step[core][state][2 * kind + near]
                for state in states
                for near in ways
            }
        least: int = min(self._price[self._end[core][state]] for state in states)
        return max(0, (least - int(coupling.base[row])) * int(coupling.weight[row]))


def check_coupled_partition(
    instance: Instance, coupling: Coupling, mapped: NDArray[np.bool_], cost: int
) -> None:
    """Return if a partition is allowed and costs what is said, memory included.

    Parameters
    ----------
    instance : Instance
        The problem, without any costs of memory.
    coupling : Coupling
        What memory costs.
    mapped : array of bool
        The partition.
    cost : int
        What it is said to cost [scaled cycles].

    Raises
    ------
    CertificateError
        If it is not allowed or costs something else.
    """
    rows = RowWalk(coupling)
    known = dict(enumerate(np.asarray(mapped, np.bool_).tolist()))
    shared = sum(rows.least(row, known) for row in range(coupling.rows))
    check_partition(with_memory_of_its_own(instance, coupling), mapped, cost - shared)


def with_memory_of_its_own(instance: Instance, coupling: Coupling) -> Instance:
    """The instance with what the accesses of each block cost in any case."""
    return replace(
        instance,
        cpu=instance.cpu + coupling.cpu,
        accelerator=instance.accelerator + coupling.accelerator,
    )
