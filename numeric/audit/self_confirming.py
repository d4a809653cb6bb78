"""Traces that a threshold leaves in times taken through a program that already switches there.

A crossing of two paths is smooth: both times go on as they did, and their ratio passes one. If a
program that switches at a threshold is timed under both names, then on one side of the threshold
the same path ran twice, and there both times are equal; or one path's time jumps, exactly between
the two sizes around the threshold. Such times confirm any threshold that the program has.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import exp, hypot, log

from logca.common.sizes import format_size
from logca.numeric.audit.rule import PresentRule
from logca.numeric.timings.crossing import (
    Compared,
    between_neighbours,
    faster,
    standard_errors,
)

__all__ = ["SelfConfirming", "TimeStep", "self_confirming"]

_SURELY = 3.5  # standard deviations: both paths are asked, at every end of the rule
_LEAST = log(1.1)  # smaller steps are those of caches and of pages
_USUAL = 2.0  # how many times the largest step elsewhere, of either path
_FEWEST = 3  # sizes at which both paths take the same time
_ABRUPT = 2.0  # how many times what is left of a difference that falls as sizes grow


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeStep:
    """A path's time jumps between the two measured sizes around a threshold."""

    path: str  # "host" or "accelerated"
    # lower, upper: the sizes [B]
    lower: float
    upper: float
    factor: float  # time there over what the times of both neighbours lead to expect [1]

    def __str__(self) -> str:
        return (
            f"the {self.path} time jumps to {self.factor:.3g} times what its neighbours lead to "
            f"expect, exactly between {format_size(self.lower)} and {format_size(self.upper)}"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SelfConfirming:
    """Traces in times exactly at a threshold; those of two paths on their own have none."""

    steps: tuple[TimeStep, ...]  # jumps of a path's time
    # sizes on one side of the threshold, at all of which both paths take the same time [B]
    same: tuple[float, ...]
    # whether there is a threshold amid the sizes, two or more of them on either side
    tested: bool

    def __bool__(self) -> bool:
        return bool(self.steps or self.same)

    def __str__(self) -> str:
        told = [str(step) for step in self.steps]
        if self.same:
            first, last = (format_size(self.same[place]) for place in (0, -1))
            told.insert(
                0,
                f"on one side of it, at the {len(self.same)} sizes from {first} to {last}, both "
                "paths take the same time, as one path does that is timed under both names",
            )
        return "; ".join(told)


def self_confirming(
    rows: Sequence[Compared], rule: PresentRule, level: float = 0.95
) -> SelfConfirming:
    """The traces in measured times of a program that already switches as a rule says."""
    offloaded = [rule.offloads(row.size) for row in rows]
    gaps = [place for place, (low, high) in enumerate(pairwise(offloaded)) if low != high]
    found = [jump for path in ("host", "accelerated") for jump in _jumps(rows, path)]
    # a protocol that changes with the size makes steps too, at other sizes as well
    beside = {gap + way for gap in gaps for way in (-1, 0, 1)}
    usual = max((abs(log(step.factor)) for gap, step, _ in found if gap not in beside), default=0.0)
    least = max(_LEAST, _USUAL * usual)
    steps = [
        step
        for gap, step, noise in found
        if gap in gaps and abs(log(step.factor)) > max(least, _SURELY * noise)
    ]
    return SelfConfirming(
        steps=tuple(steps),
        same=_same(rows, gaps, level) if len(gaps) == 1 else (),
        tested=any(1 <= gap < len(rows) - 2 for gap in gaps),
    )


def _same(rows: Sequence[Compared], gaps: Sequence[int], level: float) -> tuple[float, ...]:
    """Sizes on one side of the gap if both times are equal at them all, and right beyond it not."""
    signs, cut = faster(rows, level), gaps[0] + 1
    ratios = [abs(log(row.speedup)) for row in rows]
    # two paths that grow alike come close to each other, in proportion to one over the size
    abrupt = _ABRUPT * rows[cut].size / rows[cut - 1].size
    for side, beyond in ((range(cut), cut), (range(cut, len(rows)), cut - 1)):
        equal = len(side) >= _FEWEST and not any(signs[place] for place in side)
        if equal and signs[beyond] and ratios[beyond] > abrupt * max(ratios[at] for at in side):
            return tuple(rows[place].size for place in side)
    return ()


def _jumps(rows: Sequence[Compared], path: str) -> Iterator[tuple[int, TimeStep, float]]:
    """For each gap with two sizes on either side the step of one path there, and its noise [1]."""
    x = [log(row.size) for row in rows]
    medians = [getattr(row, path) for row in rows]
    y = [log(median.value) for median in medians]
    noise = max(standard_errors(medians), default=0.0) or between_neighbours(x, y)
    for gap in range(1, len(rows) - 2):
        jump, spread = _jump(x, y, gap)
        step = TimeStep(path=path, lower=rows[gap].size, upper=rows[gap + 1].size, factor=exp(jump))
        yield gap, step, spread * noise


def _jump(x: Sequence[float], y: Sequence[float], gap: int) -> tuple[float, float]:
    """Jump in a gap beyond what the slopes on both sides allow, and its spread for noise of one."""
    run, rise = x[gap + 1] - x[gap], y[gap + 1] - y[gap]
    ends = []
    for place in (gap - 1, gap + 1):
        share = run / (x[place + 1] - x[place])
        ends.append((share * (y[place + 1] - y[place]), share))
    (low, share_low), (high, share_high) = sorted(ends)
    if low <= rise <= high:
        return 0.0, 1.0
    expected, share = (high, share_high) if rise > high else (low, share_low)
    return rise - expected, hypot(1.0, 1.0 + share, share)
