"""Where the accelerated path begins to win, by the measured times alone."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import exp, log, nan

from logca.numeric.fitting.timings import Timings
from logca.numeric.measuring.statistics import Median, median
from logca.numeric.sizes import format_size

__all__ = [
    "Compared",
    "Crossing",
    "Passage",
    "compared",
    "compared_timings",
    "crossing",
    "crossing_of",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """Both paths at one size.

    Parameters
    ----------
    size : float
        Size of the data [B].
    host, accelerated : Median
        Their times [s].
    """

    size: float
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
    """Between two sizes the other path becomes the faster one.

    Parameters
    ----------
    size : float
        Where the lines between the medians cross, in logarithms of size and time [B].
    lower, upper : float
        The nearest sizes at which one path was surely faster, and then the other [B].
    winner : str
        Which path wins from there on: host or accelerated [text].
    level : float
        Least confidence of the intervals of the medians at both sizes [1].
    """

    size: float
    lower: float
    upper: float
    winner: str
    level: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Crossing:
    """Where the accelerated path wins, directly by measurement.

    Parameters
    ----------
    outcome : str
        "crosses"; "always" or "never" if the accelerated path is surely faster, or slower, at some
        sizes and at none the opposite; "unclear" if no size tells [text].
    passages : tuple of Passage
        All changes of the faster path, ascending.
    sizes : tuple of float
        The least and the largest size at which both were measured [B].
    unclear : tuple of float
        Sizes at which the medians are too close for the scatter of the times [B].
    """

    outcome: str
    passages: tuple[Passage, ...]
    sizes: tuple[float, float]
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
        if self.outcome == "crosses":
            return "; ".join(
                f"{each.winner} wins from {format_size(each.size)} on "
                f"(between {format_size(each.lower)} and {format_size(each.upper)})"
                for each in self.passages
            )
        if self.outcome == "unclear":
            return f"neither path is surely faster at any size from {least} to {most}"
        wins = "accelerated" if self.outcome == "always" else "host"
        but = ""
        if self.unclear:
            but = f", except where it is unclear: {', '.join(map(format_size, self.unclear))}"
        return f"{wins} wins at every size from {least} to {most}{but}"


def crossing(timings: Timings, level: float = 0.95) -> Crossing:
    """Where the accelerated path begins to win, by the measured times, without any model.

    A path is surely faster at a size if the intervals of both medians do not meet; see
    `statistics.median`.

    Parameters
    ----------
    timings : Timings
        Repeated times of both paths [s].
    level : float
        Confidence of the intervals of the medians [1].

    Examples
    --------
    >>> timings = Timings(
    ...     granularity=[1024, 4096, 16384, 65536],
    ...     host=[[1e-6, 1.1e-6], [4e-6, 4.1e-6], [16e-6, 17e-6], [64e-6, 65e-6]],
    ...     accelerated=[[8e-6, 9e-6], [8e-6, 9e-6], [9e-6, 10e-6], [12e-6, 13e-6]],
    ... )
    >>> print(crossing(timings))
    accelerated wins from 8.854 KiB on (between 4 KiB and 16 KiB)
    """
    return crossing_of(compared_timings(timings, level))


def compared_timings(timings: Timings, level: float = 0.95) -> tuple[Compared, ...]:
    """Both medians at each size at which both paths have times, ascending by size.

    Parameters
    ----------
    timings : Timings
        Repeated times of both paths [s].
    level : float
        Confidence of the intervals [1].
    """
    rows = zip(timings.granularity, timings.host, timings.accelerated, strict=True)
    times = {
        float(size): {"host": list(host), "accelerated": list(accelerated)}
        for size, host, accelerated in rows
    }
    return compared(times, level)


def compared(
    times: Mapping[float, Mapping[str, Sequence[float]]], level: float = 0.95
) -> tuple[Compared, ...]:
    """Both medians at each size at which both paths have times, ascending by size.

    Parameters
    ----------
    times : Mapping
        By size [B], the times of host and accelerated [s].
    level : float
        Confidence of the intervals [1].
    """
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
    """Where the faster path changes.

    Parameters
    ----------
    rows : sequence of Compared
        Ascending by size; at least one.
    """
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
