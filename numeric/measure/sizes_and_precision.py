"""Choice of the next sizes and paths to measure, from the times so far."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, floor, log
from random import Random

from logca.common.errors import LogcaError
from logca.numeric.timings.crossing import Compared, compared, crossing_of, median
from logca.numeric.timings.sample_file import PATHS
from logca.numeric.timings.timings import LEAST_SIZES

__all__ = ["LEAST_REPEATS", "Plan", "PlanError", "due", "expected", "finer", "shuffled", "spread"]

LEAST_REPEATS = 5
"""Times of each path at each size, wherever the budget allows [1]."""

MOST_POINTS = 1000
"""More sizes than this are no first pass [1]."""

_NEAR = 4.0
_FAR_PRECISION = 5.0
_FINE_ENOUGH = 1.12

Times = Mapping[float, Mapping[str, Sequence[float]]]


class PlanError(LogcaError, ValueError):
    """Something cannot be measured as asked; the message says what can."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Extent of a measurement, and the precision wanted."""

    budget: float = 60.0  # time that all runs together may take [s]
    # half the width of a median's interval over the median, near the break-even; elsewhere five
    # times of it will do [1]
    precision: float = 0.02
    points: int = 13  # sizes of the first pass [1]
    # calls that are not counted, before the first that is, at each size on each path [1]
    warm_up: int = 1

    @property
    def far_precision(self) -> float:
        """Precision that will do away from the break-even [1]."""
        return _FAR_PRECISION * self.precision

    def __post_init__(self) -> None:
        if not 0 < self.budget < float("inf"):
            raise PlanError(f"budget = {self.budget:g} must be more than 0 s, and finite")
        if not 0 < self.precision < 1:
            raise PlanError(
                f"precision = {self.precision:g} must be a share between 0 and 1, such as 0.02"
            )
        if self.points < LEAST_SIZES:
            raise PlanError(f"points = {self.points} must be {LEAST_SIZES} or more, as a fit needs")
        if self.points > MOST_POINTS:
            raise PlanError(f"points = {self.points} must be {MOST_POINTS} or fewer")
        if self.warm_up < 0:
            raise PlanError(f"warm_up = {self.warm_up} must be 0 or more")


def spread(least: float, most: float, points: int, step: int = 1) -> tuple[int, ...]:
    """Sizes with equal factors between them, as multiples of a step, ascending [B].

    Examples
    --------
    >>> spread(1024, 65536, 4)
    (1024, 4096, 16384, 65536)
    >>> spread(1, 100, 5, 16)
    (16, 32, 64, 96)
    """
    if not 1 <= least < most:
        raise PlanError(f"sizes {least:g} B to {most:g} B: give the least first, 1 B or more")
    first, last = ceil(least / step) * step, floor(most / step) * step
    if first > last:
        raise PlanError(f"no multiple of {step} B is between {least:g} B and {most:g} B")
    factor = (last / first) ** (1 / max(points - 1, 1))
    sizes = {round(first * factor**place / step) * step for place in range(points)}
    return tuple(sorted({first, last} | {size for size in sizes if first < size < last}))


def finer(times: Times, step: int = 1) -> tuple[int, ...]:
    """Sizes to add around the break-even: between the neighbours where the medians cross [B].

    Examples
    --------
    >>> finer({1024: {"host": [1], "accelerated": [4]}, 4096: {"host": [4], "accelerated": [3]}})
    (1625, 2580)
    """
    rows = compared(times)
    if not rows:
        return ()
    passages, found = crossing_of(rows).passages, []
    for low, high in pairwise(rows):
        for each in passages:
            if low.size <= each.size <= high.size and high.size / low.size > _FINE_ENOUGH:
                count = 2 if high.size / low.size > _FINE_ENOUGH**2 else 1
                inner = spread(low.size, high.size, count + 2, step)[1:-1]
                found += [size for size in inner if size not in times]
    return tuple(dict.fromkeys(found))


def due(times: Times, plan: Plan) -> tuple[tuple[float, str], ...]:
    """Sizes and paths that need another time, ascending by size."""
    near = _near(compared(times))
    found = []
    for size in sorted(times):
        wanted = plan.precision if size in near else plan.far_precision
        for path in PATHS:
            repeats = times[size].get(path)
            if repeats and not _known(repeats, wanted):
                found.append((size, path))
    return tuple(found)


def _known(repeats: Sequence[float], precision: float) -> bool:
    found = median(repeats)
    return found.level >= 0.95 and found.precision <= precision


def _near(rows: Sequence[Compared]) -> frozenset[float]:
    """Sizes near a change of the faster path; if there is none, the two closest to one."""
    if not rows:
        return frozenset()
    passages = crossing_of(rows).passages
    if not passages:
        closest = sorted(rows, key=lambda row: abs(log(row.speedup)))
        return frozenset(row.size for row in closest[:2])
    return frozenset(
        row.size
        for row in rows
        for each in passages
        if each.lower / _NEAR <= row.size <= each.upper * _NEAR
    )


def shuffled(pairs: Sequence[tuple[float, str]], number: int) -> tuple[tuple[float, str], ...]:
    """A round: sizes in an order that only its number decides, and both paths interleaved.

    Examples
    --------
    >>> shuffled([(1, "host"), (1, "accelerated"), (2, "host")], 7)
    ((1, 'accelerated'), (1, 'host'), (2, 'host'))
    """
    order = sorted({size for size, _ in pairs})
    Random(number).shuffle(order)
    paths = PATHS if number % 2 == 0 else PATHS[::-1]
    wanted = set(pairs)
    return tuple((size, path) for size in order for path in paths if (size, path) in wanted)


def expected(medians: Mapping[float, float], size: float) -> float | None:
    """Time of a call by those at other sizes, along their lines in logarithms [s].

    Beyond the largest size the line through the last two goes on, though never down. One size alone
    says nothing of how times grow: the same is expected. None if there are no times.

    Examples
    --------
    >>> expected({1: 1.0, 2: 4.0}, 4)
    16.0
    >>> expected({1: 1.0, 2: 1.0}, 8)
    1.0
    """
    known = sorted(medians)
    if not known:
        return None
    if len(known) == 1:
        return medians[known[0]]
    above = next((place for place, each in enumerate(known) if each >= size), len(known) - 1)
    low, high = known[max(above, 1) - 1], known[max(above, 1)]
    slope = max(log(medians[high] / medians[low]) / log(high / low), 0.0)
    return float(medians[high] * (size / high) ** slope)
