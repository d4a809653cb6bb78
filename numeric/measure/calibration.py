"""A single time: how many calls to time together, so that the clock can tell."""

from dataclasses import dataclass
from math import ceil, isfinite
from textwrap import shorten

from logca.common.sizes import format_size
from logca.numeric.measure.experiment import FailedRunError, Timer

__all__ = ["Clocking", "Timed", "timed", "timed_first"]

_STEPS = 1000
_LEAST_STEPS = 10
_USUAL_S = 5e-4
_MOST_CALLS = 2**40
_MOST_GROWTH = 100.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Clocking:
    """Clock, budget and number of sizes, which set how long calls are timed together."""

    resolution: float  # smallest step of the clock [s]
    budget: float  # time that all runs together may take [s]
    points: int  # sizes of the first pass [1]

    @property
    def wanted(self) -> float:
        """Time of the calls that are timed together: a thousand steps of the clock if it can [s].

        Longer if the budget allows, so that interruptions even out; at most what lets five repeats
        of both paths at all sizes take half of the budget.
        """
        usual = min(_USUAL_S, self.budget / (100 * self.points))
        affordable = self.budget / (20 * self.points)
        return min(max(_STEPS * self.resolution, usual), affordable)

    @property
    def least(self) -> float:
        """Shortest time that the clock can tell [s]."""
        return _LEAST_STEPS * self.resolution


@dataclass(frozen=True, slots=True, kw_only=True)
class Timed:
    """Calls that were timed together."""

    total: float  # their time together [s]
    calls: int  # how many [1]

    @property
    def seconds(self) -> float:
        """Time of one [s]."""
        return self.total / self.calls


def timed(timer: Timer, size: int, calls: int) -> Timed:
    """Time calls."""
    total = timer(size, calls)
    try:
        sound = isfinite(total) and total >= 0
    except (TypeError, OverflowError):
        sound = False
    if not sound:
        raise FailedRunError(f"{calls} calls took {shorten(repr(total), 40)} s, which is no time")
    return Timed(total=float(total), calls=calls)


def timed_first(timer: Timer, size: int, warm: Timed | None, clocking: Clocking) -> Timed:
    """The first time that counts: more calls are timed together until the clock can tell.

    Examples
    --------
    >>> clocking = Clocking(resolution=1e-6, budget=60, points=10)
    >>> timed_first(lambda size, calls: calls * 2e-5, 1024, None, clocking).calls
    50
    """
    calls = 1 if warm is None else _next(warm, clocking)
    while True:
        found = timed(timer, size, calls)
        if found.total >= clocking.wanted / 2:
            break
        calls = _next(found, clocking)
        if calls <= found.calls:
            break
    if found.total < clocking.least:
        raise FailedRunError(
            f"the clock is too coarse for {format_size(size)}: {found.calls} calls took "
            f"{found.total:.3g} s together and its step is {clocking.resolution:.3g} s, so that "
            f"{clocking.least:.3g} s are needed, and the budget allows {clocking.wanted:.3g} s; "
            "take larger sizes, fewer points or a larger budget"
        )
    return found


def _next(found: Timed, clocking: Clocking) -> int:
    """Number of calls to time next, from a time that may be too short to be exact."""
    seen = max(found.total, clocking.resolution)
    growth = min(_MOST_GROWTH, clocking.wanted / seen)
    return max(1, min(_MOST_CALLS, ceil(growth * found.calls)))
