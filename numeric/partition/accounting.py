"""Who spends the time: what each block takes on the CPU alone and in a partition, and crossings."""

from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from logca.numeric.partition.answer import Partition
from logca.numeric.partition.costs import costs_of
from logca.numeric.partition.memory.coupling import coupling_of, row_costs
from logca.numeric.partition.memory.designs import design_named
from logca.numeric.partition.memory.latencies import Latencies
from logca.numeric.partition.problem import Problem
from logca.numeric.partition.tracing import Traced

__all__ = ["Account", "Crossing", "account_of", "with_levels"]

_LEVELS = ((1, 1, 1), (0, 1, 1), (0, 0, 1))
"""Prices of L1, L2 and memory that add up accesses from each level on [1]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Crossing:
    """Control that passes from one core to the other.

    Parameters
    ----------
    source, target : int
        The blocks [1].
    executions : int
        How often [1].
    cycles : Fraction
        What that costs, tc [cycles].
    """

    source: int
    target: int
    executions: int
    cycles: Fraction


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Account:
    """Where the time of a partition goes, block by block.

    Parameters
    ----------
    alone : tuple of Fraction
        Execution and memory of each block, te + tm, with everything on the CPU [cycles].
    now : tuple of Fraction
        The same in the partition [cycles].
    crossings : tuple of Crossing
        Where control crosses, the dearest first.
    """

    alone: tuple[Fraction, ...]
    now: tuple[Fraction, ...]
    crossings: tuple[Crossing, ...]


def account_of(source: Problem | Traced, found: Partition) -> Account:
    """Where the time of a partition goes.

    Parameters
    ----------
    source : Problem or Traced
        The program.
    found : Partition
        A partition of it.
    """
    case, mapped = found.case, found.mapped
    costs, scale = case.costs, case.costs.instance.scale
    served = costs_of(with_levels(source), case.platform)
    now = np.where(mapped, costs.execution_accelerator, costs.execution_cpu) + costs.memory
    if case.coupling is not None:
        rows = row_costs(case.coupling, mapped)
        now += np.where(mapped, case.coupling.accelerator, case.coupling.cpu)
        np.add.at(now, case.coupling.block, rows)
    crossings = [
        Crossing(
            source=flow.source,
            target=flow.target,
            executions=flow.executions,
            cycles=Fraction(int(cost), scale),
        )
        for flow, cost in zip(case.problem.flows, costs.instance.pair_cost, strict=False)
        if flow.executions and mapped[flow.source] != mapped[flow.target]
    ]
    return Account(
        alone=_cycles(served.execution_cpu + served.memory, scale),
        now=_cycles(now, scale),
        crossings=tuple(sorted(crossings, key=lambda each: -each.executions)),
    )


def with_levels(source: Problem | Traced) -> Problem:
    """A problem whose blocks know which level serves their accesses on the CPU alone.

    Parameters
    ----------
    source : Problem or Traced
        The program; a problem is given back as it is.
    """
    if isinstance(source, Problem):
        return source
    shared = design_named("SL1")  # all of it is where the CPU alone would have it
    above = [
        coupling_of(
            source.signatures,
            shared,
            Latencies(l1=l1, l2=l2, memory=memory, write_back=0),
            resident=False,
        ).cpu
        for l1, l2, memory in _LEVELS
    ]
    blocks = []
    for block, total, beyond_1, beyond_2 in zip(
        source.problem.blocks, *(each.tolist() for each in above), strict=True
    ):
        levels = (total - beyond_1, beyond_1 - beyond_2, beyond_2)
        blocks.append(replace(block, accesses=levels))
    return replace(source.problem, blocks=tuple(blocks))


def _cycles(scaled: NDArray[np.int64], scale: int) -> tuple[Fraction, ...]:
    return tuple(Fraction(value, scale) for value in scaled.tolist())
