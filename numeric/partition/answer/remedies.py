"""Changes that would make a partition pay more, and reasons against moving more of a program."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from logca.numeric.partition.answer.breakdown import Account
from logca.numeric.partition.answer.case import Case
from logca.numeric.partition.answer.result import Corner, Partition
from logca.numeric.partition.problem.blocks import OUTSIDE, Problem
from logca.numeric.partition.problem.costs import Times
from logca.numeric.partition.program.locations import SourceRegion
from logca.numeric.partition.program.tracing import Traced

__all__ = ["PartitionRemedy", "Staying", "larger_areas", "reasons_to_stay", "without_pins"]

MOST_RELEASES = 3
"""Reasons that are tried to be released [1]."""

_NOTEWORTHY = Fraction(1, 1000)


@dataclass(frozen=True, slots=True, kw_only=True)
class PartitionRemedy:
    """A change that makes a partition faster."""

    # ``area``; ``pin``, of the user; or ``block``, which the program pins
    kind: Literal["area", "pin", "block"]
    # the pin, such as ``sample=cpu``, or why blocks are pinned, without which they may move;
    # empty for area
    what: str
    area: int  # what the partition takes then [1]
    speedup: float  # its speedup, which the optimum then is at least [1]


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


def larger_areas(found: Partition, corners: Sequence[Corner]) -> tuple[PartitionRemedy, ...]:
    """Gains of larger accelerators: the next size that gains, and the least that gains most."""
    larger = [
        each
        for each in corners
        if each.area > found.case.instance.capacity
        and each.time * (1 + _NOTEWORTHY) < found.time.total
    ]
    if not larger:
        return ()
    best = min(each.time for each in larger)
    most = next(each for each in larger if each.time <= best * (1 + _NOTEWORTHY))
    return tuple(
        PartitionRemedy(
            kind="area",
            what="",
            area=each.area,
            speedup=float(found.case.baseline.total / each.time),
        )
        for each in dict.fromkeys((larger[0], most))
    )


def without_pins(
    source: Problem | Traced,
    found: Partition,
    account: Account,
    pins: Mapping[str, str],
    solve: Callable[[Problem | Traced, Mapping[str, str]], Partition],
) -> tuple[PartitionRemedy, ...]:
    """Gains without each of the user's pins, and if code that must stay could move.

    Of what the program pins those are tried whose own time, and the time of control that crosses at
    them, is most.
    """
    others: list[tuple[Literal["pin", "block"], str, Partition]] = []
    for name in list(pins)[:MOST_RELEASES]:
        left = {each: core for each, core in pins.items() if each != name}
        others.append(("pin", f"{name}={pins[name]}", solve(source, left)))
    for reason in _hot_reasons(found, account)[:MOST_RELEASES]:
        others.append(("block", reason, solve(_released(source, reason), pins)))
    return tuple(
        PartitionRemedy(kind=kind, what=what, area=other.area, speedup=other.speedup)
        for kind, what, other in others
        if other.time.total * (1 + _NOTEWORTHY) < found.time.total
    )


def _hot_reasons(found: Partition, account: Account) -> list[str]:
    """Why blocks are pinned that take time, those with most of it first."""
    problem = found.case.problem
    weight: dict[str, Fraction] = defaultdict(Fraction)
    for number, block in enumerate(problem.blocks):
        if block.pinned and block.pinned != OUTSIDE:
            weight[block.pinned] += account.partitioned[number]
    for crossing in account.crossings:
        for number in (crossing.source, crossing.target):
            reason = problem.blocks[number].pinned
            if reason in weight:
                weight[reason] += crossing.cycles
    return [
        each
        for each in sorted(weight, key=lambda reason: -weight[reason])
        if weight[each] > found.time.total * _NOTEWORTHY
    ]


def _released(source: Problem | Traced, reason: str) -> Problem | Traced:
    problem = source.problem if isinstance(source, Traced) else source
    free = replace(
        problem,
        blocks=tuple(
            replace(block, pinned="") if block.pinned == reason else block
            for block in problem.blocks
        ),
    )
    return replace(source, problem=free) if isinstance(source, Traced) else free


def _is_outside(case: Case, blocks: Sequence[int]) -> bool:
    return all(case.problem.blocks[each].pinned == OUTSIDE for each in blocks)


def _difference(new: Times, old: Times) -> Times:
    return Times(te=new.te - old.te, tm=new.tm - old.tm, tc=new.tc - old.tc, tr=new.tr - old.tr)
