"""The median of repeated times, and how well it is known."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

__all__ = ["Median", "median"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Median:
    """A median and its interval.

    Parameters
    ----------
    value : float
        The median [s].
    lower, upper : float
        Between these times the true median lies [s].
    level : float
        With this confidence; less than asked for where there are too few times [1].
    repeats : int
        How many times there are [1].
    """

    value: float
    lower: float
    upper: float
    level: float
    repeats: int

    @property
    def precision(self) -> float:
        """Half the width of the interval over the median [1]."""
        return (self.upper - self.lower) / (2 * self.value)


def median(times: Sequence[float], level: float = 0.95) -> Median:
    """Median of times with an interval that assumes nothing about how they scatter.

    The interval ends at two of the times, such that the number of times between them makes the
    confidence at least the one asked for. Fewer than six times cannot reach 95 %: then the interval
    is their whole range, and its confidence is told.

    Parameters
    ----------
    times : sequence of float
        One time or more [s].
    level : float
        Confidence asked for [1].

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
