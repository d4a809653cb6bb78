"""Reasons for which parts of a program stay on the CPU."""

from collections.abc import Sequence
from dataclasses import dataclass

from logca.numeric.partition.answer.case import Case
from logca.numeric.partition.answer.result import Partition
from logca.numeric.partition.problem.blocks import OUTSIDE
from logca.numeric.partition.problem.costs import Times
from logca.numeric.partition.program.locations import SourceRegion

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
    result = []
    for region in regions:
        blocks = tuple(each for each in region.blocks if not found.mapped[each])
        if not blocks or _is_outside(case, blocks):
            continue
        movable = [each for each in blocks if not case.instance.pinned[each]]
        fixed = [each for each in blocks if case.instance.pinned[each]]
        change = None
        if movable:
            other = found.mapped.copy()
            other[movable] = True
            change = _difference(case.times(other), found.time)
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


def _difference(new: Times, old: Times) -> Times:
    return Times(te=new.te - old.te, tm=new.tm - old.tm, tc=new.tc - old.tc, tr=new.tr - old.tr)
