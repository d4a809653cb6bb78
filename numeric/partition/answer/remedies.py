"""Changes that would make a partition pay more: larger areas, blocks that are released."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from logca.numeric.partition.answer.breakdown import Account
from logca.numeric.partition.answer.result import Corner, Partition
from logca.numeric.partition.problem.blocks import OUTSIDE, Problem
from logca.numeric.partition.program.tracing import Traced

__all__ = ["PartitionRemedy", "larger_areas", "without_pins"]

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
