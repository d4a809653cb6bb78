"""Steps of a coarse clock, and the error that they leave in times, whatever repeats say.

A time that is told in steps is known to a step: its error is uniform, with a standard deviation of
a step over the root of twelve, and runs that agree to the step do not lessen it.
"""

from collections.abc import Sequence
from math import sqrt
from typing import Any, NamedTuple

import numpy as np

from logca.numeric.timings.timings import Samples, Timings

__all__ = ["ClockErrors", "clock_errors", "coarse_sizes"]

_FEW_STEPS = 10
_FEWEST = 8
_WHOLE = 0.01
_ONE_STEP = 3.0  # error of the logarithm of a time of one step, which may be any shorter one


class ClockErrors(NamedTuple):
    """Errors that steps of a clock leave in the times of a path.

    Sizes that take the same few steps have the same error: together they tell no more than one.
    """

    log: Samples  # for each size the standard error of the logarithm of its times [1]
    # for each size if its times tell how they scatter beside that error
    apart: np.ndarray[Any, np.dtype[np.bool_]]
    step: float  # of the clock [s]

    def of(self, times: Samples) -> Samples:
        """Standard errors of the logarithms of other times, in seconds [1]."""
        return np.asarray(self.step / (sqrt(12) * times))


def coarse_sizes(rows: Sequence[Samples]) -> tuple[float, int]:
    """The step of a clock, and how many sizes take less than ten of them; zeros if none is evident.

    A step is evident if times of a few steps repeat, and are whole multiples of it.

    Examples
    --------
    >>> step = 1e-6
    >>> coarse_sizes([np.array([step, step, 2 * step])] * 3 + [np.array([90 * step] * 3)])
    (1e-06, 3)
    """
    times = np.concatenate(list(rows))
    distinct = np.unique(times)
    if times.size < _FEWEST or distinct.size < 2:
        return 0.0, 0
    near = distinct[distinct < _FEW_STEPS * distinct[0]]
    gaps = np.diff(near)  # of equal times that differ by rounding they are tiny
    step = float(min(near[0], gaps[gaps > _WHOLE * near[0] / _FEW_STEPS].min(initial=np.inf)))
    steps = times[times < _FEW_STEPS * step] / step
    counts = np.unique(np.rint(steps)).size
    if not 1 < counts <= steps.size / 2 or (abs(steps - np.rint(steps)) > _WHOLE).any():
        return 0.0, 0
    return step, _short(rows, step)


def _short(rows: Sequence[Samples], step: float) -> int:
    return sum(bool(row.size and np.median(row) < _FEW_STEPS * step) for row in rows)


def clock_errors(timings: Timings) -> tuple[ClockErrors | None, ClockErrors | None]:
    """Errors of the times of host and accelerated path by steps of the clock.

    None if no size takes less than ten steps. Where only one path's times tell the step, it is that
    of the other as well, if all of its times are whole steps. Means are no whole steps.
    """
    both = timings.host, timings.accelerated
    if any(timings.host_spread) or any(timings.accelerated_spread):
        return None, None
    told = [_step(rows, timings.resolution) for rows in both]
    steps = [
        own or (other if _whole(rows, other) else 0.0)
        for rows, own, other in zip(both, told, reversed(told), strict=True)
    ]
    host, accelerated = (_errors(*each) for each in zip(both, steps, strict=True))
    return host, accelerated


def _step(rows: Sequence[Samples], resolution: float) -> float:
    evident, short = coarse_sizes(rows)
    return evident if short else resolution * bool(_short(rows, resolution))


def _whole(rows: Sequence[Samples], step: float) -> bool:
    """True if all times are whole steps, and some so few that it tells something."""
    times = np.concatenate(list(rows)) / (step or np.inf)
    return bool(0 < times.min() < 1 / _WHOLE and (abs(times - np.rint(times)) < _WHOLE).all())


def _errors(rows: Sequence[Samples], step: float) -> ClockErrors | None:
    if not step:
        return None
    times = np.array([np.median(row) for row in rows if row.size])
    counts = np.maximum(np.rint(times / step), 1)
    _, place, alike = np.unique(counts, return_inverse=True, return_counts=True)
    shared = np.where(counts < _FEW_STEPS, alike[place], 1)
    found = ClockErrors(times, (counts > 1) & (shared == 1), step)
    error = np.where(counts == 1, _ONE_STEP, found.of(times))
    return found._replace(log=error * np.sqrt(shared))
