"""Where the accelerated path begins to win, by the medians of measured times alone."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from math import exp, hypot, inf, log, log1p, nan, pi, sqrt
from statistics import NormalDist
from statistics import median as stdlib_median

import numpy as np
import scipy  # whose parts load when they are first used: half a second

from logca.common.sizes import format_size

__all__ = [
    "Compared",
    "Crossing",
    "Median",
    "Passage",
    "between_neighbours",
    "compared",
    "crossing_of",
    "faster",
    "median",
    "median_of_mean",
    "ratio_noise",
    "standard_errors",
    "uncertainties",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Median:
    """A median and its interval."""

    value: float  # the median [s]
    # lower, upper: between these times the true median lies [s]
    lower: float
    upper: float
    level: float  # with this confidence; less than asked for where there are too few times [1]
    times: tuple[float, ...]  # all times, ascending [s]
    # of the runs behind a mean, which is then the only time: standard deviation of the logarithm
    # of one, and their number; zeros if not known [1]
    scatter: float = 0.0
    runs: int = 0

    @property
    def repeats(self) -> int:
        """Number of times, or of runs behind a mean [1]."""
        return max(len(self.times), self.runs)

    @property
    def precision(self) -> float:
        """Half the width of the interval over the median [1]."""
        return (self.upper - self.lower) / (2 * self.value)


def median(times: Sequence[float], level: float = 0.95) -> Median:
    """Median of times with an interval that assumes nothing about how they scatter.

    The interval ends at two of the times, such that the number of times between them makes the
    confidence at least the one asked for. Fewer than six times cannot reach 95 %: then the interval
    is their whole range, and its confidence is told.

    Examples
    --------
    >>> found = median([1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 9.0])
    >>> found.value, found.lower, found.upper
    (1.3, 1.0, 9.0)
    >>> median([1.0, 1.1, 1.2]).level
    0.75
    """
    ordered = sorted(times)
    count = len(ordered)
    lower, upper, reached = _ranks(count, level)
    middle = (ordered[(count - 1) // 2] + ordered[count // 2]) / 2
    return Median(
        value=middle,
        lower=ordered[lower - 1],
        upper=ordered[upper - 1],
        level=reached,
        times=tuple(ordered),
    )


def median_of_mean(mean: float, deviation: float, runs: int, level: float = 0.95) -> Median:
    """A mean in place of a median, with an interval that takes its error to be normal.

    Examples
    --------
    >>> found = median_of_mean(1.0, 0.05, 25)
    >>> round(found.lower, 3), round(found.upper, 3), found.repeats
    (0.98, 1.021, 25)
    """
    one = median([mean], level)
    if deviation == 0 or runs < _PAIR:
        return one
    scatter = sqrt(log1p((deviation / mean) ** 2))
    apart = float(scipy.special.stdtrit(runs - 1, (1 + level) / 2)) * scatter / sqrt(runs)
    apart = min(apart, _MOST_APART)
    return replace(
        one,
        lower=mean * exp(-apart),
        upper=mean * exp(apart),
        level=level,
        scatter=scatter,
        runs=runs,
    )


@lru_cache(maxsize=4096)
def _ranks(count: int, level: float) -> tuple[int, int, float]:
    """Which of the ordered times bound the median, from 1 on, and with which confidence."""
    whole = 1 - 2.0 ** (1 - count)
    if whole < level:
        return 1, count, whole
    # as scipy.stats.quantile_test has it, which takes half a second to load
    lower = 0
    while scipy.special.bdtr(lower, count, 0.5) <= (1 - level) / 2:
        lower += 1
    return lower, count - lower + 1, level


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """Both paths at one size."""

    size: float  # size of the data [B]
    # host, accelerated: their times [s]
    host: Median
    accelerated: Median

    @property
    def speedup(self) -> float:
        """Median on the host over the accelerated median [1]."""
        return self.host.value / self.accelerated.value

    @property
    def sign(self) -> int:
        """1 if the accelerated path is surely faster, -1 if the host is, 0 if that is unclear."""
        if self.accelerated.upper < self.host.lower:
            return 1
        return -1 if self.host.upper < self.accelerated.lower else 0

    @property
    def level(self) -> float:
        """Least confidence of the two intervals [1]."""
        return min(self.host.level, self.accelerated.level)


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """Between two sizes the other path becomes the faster one."""

    size: float  # where the lines between the medians cross, in logarithms of size and time [B]
    # lower, upper: the nearest sizes at which one path was surely faster, and then the other [B]
    lower: float
    upper: float
    winner: str  # which path wins from there on: host or accelerated
    level: float  # least confidence of the intervals of the medians at both sizes [1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Crossing:
    """Where the accelerated path wins, directly by measurement."""

    # "crosses"; "always" or "never" if the accelerated path is surely faster, or slower, at some
    # sizes and at none the opposite; "unclear" if no size tells
    outcome: str
    passages: tuple[Passage, ...]  # all changes of the faster path, ascending
    sizes: tuple[float, float]  # the least and the largest size at which both were measured [B]
    # sizes at which the medians are too close for the scatter of the times [B]
    unclear: tuple[float, ...]

    @property
    def size(self) -> float:
        """Size from which on the accelerated path wins for the first time; NaN if none [B]."""
        return next((each.size for each in self.passages if each.winner == "accelerated"), nan)

    @property
    def bracket(self) -> tuple[float, float]:
        """Sizes between which that is; NaN if there is none [B]."""
        rising = (each for each in self.passages if each.winner == "accelerated")
        return next(((each.lower, each.upper) for each in rising), (nan, nan))

    def __str__(self) -> str:
        least, most = map(format_size, self.sizes)
        at = f"at {least}" if least == most else f"at every size from {least} to {most}"
        if self.outcome == "crosses":
            return "; ".join(
                f"{each.winner} wins from {format_size(each.size)} on "
                f"(between {format_size(each.lower)} and {format_size(each.upper)})"
                for each in self.passages
            )
        if self.outcome == "unclear":
            return f"neither path is surely faster {at.replace('every', 'any')}"
        wins = "accelerated" if self.outcome == "always" else "host"
        but = ""
        if self.unclear:
            but = f", except where it is unclear: {', '.join(map(format_size, self.unclear))}"
        return f"{wins} wins {at}{but}"


def compared(
    times: Mapping[float, Mapping[str, Sequence[float] | Median]], level: float = 0.95
) -> tuple[Compared, ...]:
    """Both medians at each size at which both paths have times, ascending by size."""

    def found(given: Sequence[float] | Median) -> Median:
        return given if isinstance(given, Median) else median(given, level)

    return tuple(
        Compared(
            size=size,
            host=found(times[size]["host"]),
            accelerated=found(times[size]["accelerated"]),
        )
        for size in sorted(times)
        if times[size].get("host") and times[size].get("accelerated")
    )


def faster(rows: Sequence[Compared], level: float = 0.95) -> tuple[int, ...]:
    """For each size the faster path: 1 the accelerated one, -1 the host, 0 if they are too close.

    Where runs are repeated, or the deviation of those behind a mean is known, their scatter is the
    noise, and `level` holds for all sizes together. Else the noise of a ratio is how far ratios lie
    from the line between those of the sizes beside them, in logarithms. A bend of a curve looks
    like noise, so that is taken for 5 % at most.

    Examples
    --------
    >>> once = {1024.0: (1.0, 8.0), 4096.0: (4.0, 8.1), 16384.0: (16.0, 15.7)}
    >>> faster(compared({g: {"host": [t], "accelerated": [u]} for g, (t, u) in once.items()}))
    (-1, -1, 0)
    """
    ratios = [log(row.speedup) for row in rows]
    return tuple(
        0 if abs(ratio) <= most else 1 if ratio > 0 else -1
        for ratio, most in zip(ratios, uncertainties(rows, level), strict=True)
    )


def uncertainties(rows: Sequence[Compared], level: float = 0.95) -> list[float]:
    """For each size how far the logarithm of its speedup may be off; see `faster` [1]."""
    noise, repeated = ratio_noise(rows)
    significant = _SIGNIFICANT
    if repeated:
        significant = NormalDist().inv_cdf(1 - (1 - level) / (2 * len(rows)))
    return [significant * each for each in noise]


def ratio_noise(rows: Sequence[Compared]) -> tuple[tuple[float, ...], bool]:
    """Noise of the logarithm of each ratio as `faster` has it [1], and if repeated runs tell it."""
    paths = ("host", "accelerated")
    errors = [standard_errors([getattr(row, path) for row in rows]) for path in paths]
    if all(errors):
        return tuple(hypot(*pair) for pair in zip(*errors, strict=True)), True
    x, ratios = [log(row.size) for row in rows], [log(row.speedup) for row in rows]
    return (min(between_neighbours(x, ratios), _MOST_NOISE),) * len(rows), False


_MOST_APART = 500.0  # of ends of an interval from its mean, in logarithms [1]
_PAIR = 2  # runs that have a deviation
_FEWEST = 3  # runs that tell how they scatter
_MOST_NOISE = 0.05  # of the logarithm of a ratio of two times
_SIGNIFICANT = 2.0  # standard deviations
_NORMAL = 1.4826  # standard deviation of normal values over the median of their sizes


def standard_errors(medians: Sequence[Median]) -> list[float]:
    """Standard errors of the logarithms of medians, or of means; none if nothing tells them [1]."""
    told = [one.scatter for one in medians if one.scatter > 0]
    usual = _scatter(medians) or (stdlib_median(told) if told else 0.0)
    if usual == 0:
        return []
    return [(one.scatter or usual) / sqrt(one.repeats) for one in medians]


def _scatter(medians: Sequence[Median]) -> float:
    """Standard deviation of the logarithm of a median of one run, zero if no runs tell it [1]."""
    # without the run that is the median itself, and wider, as a median lies amid its own runs
    apart = [
        np.sort(np.abs(np.log(np.array(one.times)) - log(one.value)))[one.repeats % 2 :]
        * (one.repeats / (one.repeats - 1))
        for one in medians
        if len(one.times) >= _FEWEST  # of a mean there is one, of however many runs it is
    ]
    # a median scatters more than a mean: by the root of half pi
    return sqrt(pi / 2) * _NORMAL * float(np.median(np.concatenate(apart))) if apart else 0.0


def between_neighbours(x: Sequence[float], y: Sequence[float]) -> float:
    """Standard deviation of values around the lines between their neighbours; infinite if none."""
    apart = []
    for (x0, y0), (x1, y1), (x2, y2) in zip(
        *(list(zip(x, y, strict=True))[start:] for start in range(3)), strict=False
    ):
        share = (x1 - x0) / (x2 - x0)
        apart.append(abs(y1 - y0 - share * (y2 - y0)) / hypot(1.0, 1 - share, share))
    return _NORMAL * stdlib_median(apart) if apart else inf


def crossing_of(rows: Sequence[Compared]) -> Crossing:
    """Where the faster path changes."""
    sure = [place for place, row in enumerate(rows) if row.sign]
    passages = tuple(
        _passage(rows[before : after + 1])
        for before, after in pairwise(sure)
        if rows[before].sign != rows[after].sign
    )
    if passages:
        outcome = "crosses"
    elif sure:
        outcome = "always" if rows[sure[0]].sign > 0 else "never"
    else:
        outcome = "unclear"
    return Crossing(
        outcome=outcome,
        passages=passages,
        sizes=(rows[0].size, rows[-1].size),
        unclear=tuple(row.size for row in rows if not row.sign),
    )


def _passage(rows: Sequence[Compared]) -> Passage:
    """The passage between the first and the last row, between which no size tells."""
    steps = [(low, high) for low, high in pairwise(rows) if (low.speedup > 1) != (high.speedup > 1)]
    low, high = steps[len(steps) // 2]  # their number is odd
    share = log(low.speedup) / (log(low.speedup) - log(high.speedup))
    return Passage(
        size=exp(log(low.size) + share * log(high.size / low.size)),
        lower=rows[0].size,
        upper=rows[-1].size,
        winner="accelerated" if rows[-1].sign > 0 else "host",
        level=min(rows[0].level, rows[-1].level),
    )
