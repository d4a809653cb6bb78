"""Where the accelerated path begins to win, by the medians of measured times alone."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import exp, log, nan

from logca.common.sizes import format_size

__all__ = [
    "Compared",
    "Crossing",
    "Median",
    "Passage",
    "compared",
    "crossing_of",
    "median",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Median:
    """A median and its interval."""

    value: float  # the median [s]
    # lower, upper: between these times the true median lies [s]
    lower: float
    upper: float
    level: float  # with this confidence; less than asked for where there are too few times [1]
    repeats: int  # how many times there are [1]

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
        repeats=count,
    )


@lru_cache(maxsize=4096)
def _ranks(count: int, level: float) -> tuple[int, int, float]:
    """Which of the ordered times bound the median, from 1 on, and with which confidence."""
    whole = 1 - 2.0 ** (1 - count)
    if whole < level:
        return 1, count, whole
    from scipy.stats import quantile_test

    # of the numbers 1 to n the interval ends at ranks
    found = quantile_test(range(1, count + 1), q=(count + 1) / 2, p=0.5)
    bounds = found.confidence_interval(confidence_level=level)
    return int(bounds.low), int(bounds.high), level


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
    times: Mapping[float, Mapping[str, Sequence[float]]], level: float = 0.95
) -> tuple[Compared, ...]:
    """Both medians at each size at which both paths have times, ascending by size."""
    return tuple(
        Compared(
            size=size,
            host=median(times[size]["host"], level),
            accelerated=median(times[size]["accelerated"], level),
        )
        for size in sorted(times)
        if times[size].get("host") and times[size].get("accelerated")
    )


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
