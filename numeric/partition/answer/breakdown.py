"""Where the time of a partition goes: by block, by line, and where control crosses."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from logca.numeric.partition.answer.result import Partition
from logca.numeric.partition.memory.caches import Latencies
from logca.numeric.partition.memory.coupling import coupling_of, row_costs
from logca.numeric.partition.memory.designs import design_named
from logca.numeric.partition.problem.blocks import Problem
from logca.numeric.partition.problem.costs import costs_of
from logca.numeric.partition.program.locations import Place, lines_of
from logca.numeric.partition.program.tracing import Traced

__all__ = [
    "Account",
    "ControlCrossing",
    "LineAccount",
    "account_of",
    "line_accounts",
    "with_levels",
]

_LEVELS = ((1, 1, 1), (0, 1, 1), (0, 0, 1))
"""Prices of L1, L2 and memory that add up accesses from each level on [1]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ControlCrossing:
    """Control that passes from one core to the other."""

    # source, target: the blocks [1]
    source: int
    target: int
    executions: int  # how often [1]
    cycles: Fraction  # what that costs, tc [cycles]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Account:
    """Where the time of a partition goes, block by block."""

    # execution and memory of each block, te + tm, with everything on the CPU [cycles]
    cpu_only: tuple[Fraction, ...]
    partitioned: tuple[Fraction, ...]  # the same in the partition [cycles]
    crossings: tuple[ControlCrossing, ...]  # where control crosses, the dearest first


def account_of(source: Problem | Traced, found: Partition) -> Account:
    """Where the time of a partition goes."""
    case, mapped = found.case, found.mapped
    costs, scale = case.costs, case.costs.instance.scale
    served = costs_of(with_levels(source), case.platform)
    partitioned = np.where(mapped, costs.execution_accelerator, costs.execution_cpu) + costs.memory
    if case.coupling is not None:
        rows = row_costs(case.coupling, mapped)
        partitioned += np.where(mapped, case.coupling.accelerator, case.coupling.cpu)
        np.add.at(partitioned, case.coupling.block, rows)
    crossings = [
        ControlCrossing(
            source=flow.source,
            target=flow.target,
            executions=flow.executions,
            cycles=Fraction(int(cost), scale),
        )
        for flow, cost in zip(case.problem.flows, costs.instance.pair_cost, strict=False)
        if flow.executions and mapped[flow.source] != mapped[flow.target]
    ]
    return Account(
        cpu_only=_cycles(served.execution_cpu + served.memory, scale),
        partitioned=_cycles(partitioned, scale),
        crossings=tuple(sorted(crossings, key=lambda each: -each.executions)),
    )


def with_levels(source: Problem | Traced) -> Problem:
    """A problem whose blocks know which level serves their accesses on the CPU alone."""
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


Core = Literal["cpu", "accelerator", "both"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LineAccount:
    """A line of the source that is executed."""

    file: str  # its file
    line: int  # its number [1]
    executions: int  # those of the block of it that is executed most often [1]
    # its part of the time of the CPU alone: that of its blocks, divided among their lines by
    # instructions [cycles]
    cpu_only: Fraction
    core: Core  # where its blocks run: ``cpu``, ``accelerator`` or ``both``
    # to_accelerator, to_cpu: how often control comes to it from the other core [1]
    to_accelerator: int
    to_cpu: int


def line_accounts(
    source: Problem | Traced, found: Partition, account: Account
) -> tuple[LineAccount, ...]:
    """The lines that are executed, by file and number."""
    blocks = found.case.problem.blocks
    time: dict[Place, Fraction] = defaultdict(Fraction)
    members: dict[Place, list[int]] = defaultdict(list)
    of_block = lines_of(source)
    for number, places in enumerate(of_block):
        whole = sum(places.values())
        for place, part in places.items():
            if blocks[number].executions:
                members[place].append(number)
                time[place] += account.cpu_only[number] * part / whole
    arrivals: dict[tuple[Place, bool], int] = defaultdict(int)
    for crossing in account.crossings:
        places = of_block[crossing.target] or of_block[crossing.source]
        if places:
            arrivals[min(places), bool(found.mapped[crossing.target])] += crossing.executions
    return tuple(
        LineAccount(
            file=place[0],
            line=place[1],
            executions=max(blocks[each].executions for each in members[place]),
            cpu_only=time[place],
            core=_core([bool(found.mapped[each]) for each in members[place]]),
            to_accelerator=arrivals[place, True],
            to_cpu=arrivals[place, False],
        )
        for place in sorted(members)
    )


def _core(mapped: Sequence[bool]) -> Core:
    if all(mapped):
        return "accelerator"
    return "both" if any(mapped) else "cpu"
