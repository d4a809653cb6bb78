"""The parts of the runtime of a partition, in cycles: execution, memory, control, registers."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from logca.numeric.generated import partition as formulas
from logca.numeric.partition.costs import Costs
from logca.numeric.partition.instance import cost, register_cost
from logca.numeric.partition.memory.coupling import Coupling, coupling_cost

__all__ = ["Times", "speedups", "times_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Times:
    """Where the runtime of a partition goes (kenter2010, section II-A).

    Parameters
    ----------
    te : Fraction
        Execution of instructions with only register operands [cycles].
    tm : Fraction
        Memory accesses [cycles].
    tc : Fraction
        Passing control between the cores [cycles].
    tr : Fraction
        Passing register values between them [cycles].

    Examples
    --------
    >>> Times(te=Fraction(7), tm=Fraction(3), tc=Fraction(0), tr=Fraction(1, 2)).total
    Fraction(21, 2)
    """

    te: Fraction
    tm: Fraction
    tc: Fraction
    tr: Fraction

    @property
    def total(self) -> Fraction:
        """All of it, t [cycles]."""
        return self.te + self.tm + self.tc + self.tr


def times_of(costs: Costs, coupling: Coupling | None, mapped: NDArray[np.bool_]) -> Times:
    """The parts of the runtime of a partition.

    Parameters
    ----------
    costs : Costs
        The problem.
    coupling : Coupling or None
        Its memory; None if that is all in the costs of its blocks.
    mapped : array of bool
        For each block whether it is on the accelerator.
    """
    instance = costs.instance
    execution = int(np.where(mapped, costs.execution_accelerator, costs.execution_cpu).sum())
    memory = int(costs.memory.sum())
    if coupling is not None:
        memory += coupling_cost(coupling, mapped)
    apart = mapped[instance.pair_first] != mapped[instance.pair_second]
    control = int(instance.pair_cost[: costs.flows][apart[: costs.flows]].sum())
    pairs = int(instance.pair_cost[costs.flows :][apart[costs.flows :]].sum())
    registers = pairs + register_cost(instance, mapped)
    assert execution + int(costs.memory.sum()) + control + registers == cost(instance, mapped)
    return Times(
        te=Fraction(execution, instance.scale),
        tm=Fraction(memory, instance.scale),
        tc=Fraction(control, instance.scale),
        tr=Fraction(registers, instance.scale),
    )


def speedups(costs: Costs, baseline: Times, found: Times) -> tuple[float, float, float]:
    """Speedup, theoretical speedup, and what share of its gain is achieved [1, 1, 1].

    The theoretical speedup is that of all instructions on the accelerator, without communication,
    area, or another memory time than the CPU's.

    Parameters
    ----------
    costs : Costs
        The problem.
    baseline : Times
        Everything on the CPU, without a penalty of shared caches.
    found : Times
        The partition.
    """
    execution = Fraction(int(costs.execution_accelerator.sum()), costs.instance.scale)
    theoretical = float(
        formulas.theoretical_speedup(
            cycles_program_execution_cpu=float(baseline.te),
            cycles_program_execution_accelerator=float(execution),
            cycles_program_memory_cpu=float(baseline.tm),
        )
    )
    speedup = float(
        formulas.partition_speedup(
            cycles_program=float(found.total), cycles_cpu_only=float(baseline.total)
        )
    )
    relative = float(
        formulas.relative_speedup(speedup_partition=speedup, speedup_theoretical=theoretical)
    )
    return speedup, theoretical, relative
