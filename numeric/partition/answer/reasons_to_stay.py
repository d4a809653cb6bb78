"""Reasons for which parts of a program stay on the CPU."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from logca.numeric.partition.answer.case import Case
from logca.numeric.partition.answer.result import Partition
from logca.numeric.partition.problem.blocks import OUTSIDE
from logca.numeric.partition.problem.costs import Times, with_own_costs
from logca.numeric.partition.program.locations import SourceRegion

if TYPE_CHECKING:
    from logca.numeric.partition.solvers.heuristics.moves import Moves

__all__ = ["Staying", "reason_of", "reasons_to_stay"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Staying:
    """Blocks of a region that stay on the CPU, and why."""

    region: SourceRegion  # the region
    blocks: tuple[int, ...]  # those of its blocks that stay [1]
    reasons: tuple[str, ...]  # why some must stay; empty if none must
    area: int  # what those that may move would take of the accelerator [1]
    free: int  # what is left of the accelerator [1]
    # by how much each part of the runtime would change if they moved, the rest staying as it is;
    # None if none may [cycles]
    change: Times | None


def reasons_to_stay(found: Partition, regions: Sequence[SourceRegion]) -> tuple[Staying, ...]:
    """Parts of each region that stay on the CPU, and why."""
    case, free = found.case, found.case.instance.capacity - found.area
    changes = _Changes(found)
    result = []
    for region in regions:
        blocks = tuple(each for each in region.blocks if not found.mapped[each])
        if not blocks or _is_outside(case, blocks):
            continue
        movable = [each for each in blocks if not case.instance.pinned[each]]
        fixed = [each for each in blocks if case.instance.pinned[each]]
        change = None
        if movable:
            change = changes.of_moving(movable)
        result.append(
            Staying(
                region=region,
                blocks=blocks,
                reasons=tuple(dict.fromkeys(reason_of(case, each) for each in fixed)),
                area=int(case.instance.area[movable].sum()),
                free=free,
                change=change,
            )
        )
    return tuple(result)


def reason_of(case: Case, block: int) -> str:
    """Why a pinned block must stay on the CPU."""
    return case.problem.blocks[block].pinned or "pinned by you"


def _is_outside(case: Case, blocks: Sequence[int]) -> bool:
    return all(case.problem.blocks[each].pinned == OUTSIDE for each in blocks)


class _Changes:
    """Changes of each part of the runtime where blocks move to the accelerator.

    Each part is an instance of its own, whose moves look at what a block is coupled with only: a
    program of 100,000 blocks has tens of thousands of regions to ask for.
    """

    def __init__(self, found: Partition) -> None:
        from logca.numeric.partition.solvers.heuristics.moves import moves_from

        costs, instance, coupling = found.case.costs, found.case.costs.instance, found.case.coupling
        no_cost = np.zeros_like(instance.cpu)
        flows = instance.pair_cost.copy()
        flows[costs.flows :] = 0
        control = replace(
            instance,
            cpu=no_cost,
            accelerator=no_cost,
            pair_cost=flows,
            push=np.zeros_like(instance.push),
            pull=np.zeros_like(instance.pull),
        )
        registers = replace(
            control, pair_cost=instance.pair_cost - flows, push=instance.push, pull=instance.pull
        )
        memory = with_own_costs(replace(control, pair_cost=np.zeros_like(flows)), coupling)
        self._parts = (
            moves_from(memory, found.mapped, coupling=coupling),
            moves_from(control, found.mapped),
            moves_from(registers, found.mapped),
        )
        self._saved = costs.execution_accelerator - costs.execution_cpu
        self._scale = instance.scale

    def of_moving(self, blocks: Sequence[int]) -> Times:
        """Change of each part if these blocks, which are on the CPU, move [cycles]."""
        memory, control, registers = (self._change(at, blocks) for at in self._parts)
        return Times(
            te=Fraction(int(self._saved[list(blocks)].sum()), self._scale),
            tm=Fraction(memory, self._scale),
            tc=Fraction(control, self._scale),
            tr=Fraction(registers, self._scale),
        )

    @staticmethod
    def _change(at: "Moves", blocks: Sequence[int]) -> int:
        from logca.numeric.partition.solvers.heuristics.move_loops import flip

        before = int(at.total[0])
        for block in blocks:
            flip(at, block)
        after = int(at.total[0])
        for block in reversed(blocks):
            flip(at, block)
        return after - before
