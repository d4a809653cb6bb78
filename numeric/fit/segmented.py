"""Break-evens and speedups where times have breaks: from the curve of each piece, with a band.

The band around the logarithm of the speedup is that of its linear part at the most likely curve
(the delta method), with the t quantile of the timings. Between the two sizes that a step lies
between, it covers both: that before the step and that behind it.
"""

from dataclasses import dataclass
from itertools import pairwise, product
from typing import Any, NamedTuple

import numpy as np
import scipy  # whose parts load when they are first used: half a second

from logca.common.sizes import format_size
from logca.numeric.arrays.arrays import Array
from logca.numeric.fit.break_evens import LOG_FARTHEST, LOG_NEAREST
from logca.numeric.fit.breaks import PATHS, columns
from logca.numeric.fit.constrained_curves import NEVER
from logca.numeric.fit.estimate import Estimate
from logca.numeric.fit.likelihood import heights, log_times, raised, slopes
from logca.numeric.fit.profile_likelihood import ConfidenceInterval, cutoff
from logca.numeric.fit.segmented_profile import half_peak_interval, upper_break_even_interval
from logca.numeric.timings.timings import Samples

__all__ = [
    "Band",
    "SizeStretch",
    "TimeFactor",
    "TimesBreak",
    "band",
    "exceeding",
    "factors",
    "segmented_interval",
    "segmented_value",
    "stretches",
    "times_breaks",
]

_GRID = 4001  # sizes from the nearest to the farthest
_BEHIND = 1e-9  # e-folds from a break to a size that is surely before it or behind
# e-folds by which a parameter without influence on the times may be off; so what a call costs may
# be off by the shortest time
_UNKNOWN = 5.0
_UNTOLD = 0.9  # of that, from which on the times say nothing of a break's height
_FAR = 1e6  # a residual that overflows
_ROUNDS = 1e-13  # singular values below it, relative to the largest, are rounding
_HIGHEST = 2.0**20  # a speedup that counts as any


class Band(NamedTuple):
    """Logarithms of speedups over a target, without what a call costs."""

    size: Samples  # ascending [B]
    # likely, low, high: the most likely one, and the ends of its interval [1]
    likely: Samples
    low: Samples
    high: Samples
    error: Samples  # standard error of the likely one [1]

    def ranges(self, name: str) -> list[tuple[float, float]]:
        """Sizes at which one of them is above zero; zero and infinity are the ends of all [B]."""
        value, x = getattr(self, name), np.log(self.size)
        above = value > 0
        changes = np.flatnonzero(above[1:] != above[:-1])
        share = value[changes] / (value[changes] - value[changes + 1])
        ends = np.exp(x[changes] + share * (x[changes + 1] - x[changes])).tolist()
        ends = [0.0] * bool(above[0]) + ends + [float("inf")] * bool(above[-1])
        return list(zip(ends[::2], ends[1::2], strict=True))


def band(
    estimate: Estimate, level: float, sizes: Samples | None = None, *, half: bool = False
) -> Band:
    """The speedup at sizes, over one, or over half the acceleration of the first piece.

    If no sizes are given, all between a millionth of a byte and 1 EiB.
    """
    data, curve = estimate.data, estimate.best.curve._replace(h=NEVER)
    grid = _everywhere(estimate) if sizes is None else sizes
    x = grid / np.exp(data.log_size)
    height, covariance = heights(data, estimate.best.curve), _covariance(estimate)
    speedup, rates = np.subtract(*log_times(curve, x, x)), np.subtract(*slopes(curve, x, x))
    if half:
        speedup = speedup - (curve.C - curve.D - np.log(2.0))
        rates[curve._fields.index("C")] -= 1
        rates[curve._fields.index("D")] += 1
    sign = [1.0 if each.path == PATHS[0] else -1.0 for each in data.breaks]

    def at(places: tuple[float, ...]) -> tuple[Samples, Samples]:
        """Speedups, and standard errors, if the breaks are there."""
        added = np.array(
            [
                one * each.column(x, place)
                for each, place, one in zip(data.breaks, places, sign, strict=True)
            ]
        ).reshape(-1, x.size)
        every = np.concatenate([rates, added])
        square = np.einsum("ki,kl,li->i", every, covariance, every)
        return np.asarray(speedup + height @ added), np.sqrt(np.maximum(square, 0.0))

    side = float(np.sqrt(cutoff(estimate, level)))
    likely, error = at(tuple(each.place for each in data.breaks))
    low, high = likely - side * error, likely + side * error
    for places in product(*({each.below, each.above} for each in data.breaks)):
        moved, its_error = at(places)
        low = np.minimum(low, moved - side * its_error)
        high = np.maximum(high, moved + side * its_error)
    return Band(grid, likely, low, high, error)


def _everywhere(estimate: Estimate) -> Samples:
    """Sizes from a millionth of a byte to 1 EiB, and right before and behind breaks [B]."""
    places = [np.log([each.below, each.place, each.above]) for each in estimate.data.breaks]
    ends = np.concatenate(places) + estimate.data.log_size
    logs = np.linspace(LOG_NEAREST, LOG_FARTHEST, _GRID)
    return np.asarray(np.exp(np.unique(np.concatenate([logs, ends - _BEHIND, ends + _BEHIND]))))


def _covariance(estimate: Estimate) -> Samples:
    """Covariance of the numbers of the curve, and of the heights of its breaks [1]."""
    data, curve = estimate.data, estimate.best.curve
    rates = np.concatenate(slopes(curve, data.host.x, data.accelerated.x), axis=1).T
    root = np.concatenate([data.host.root, data.accelerated.root])
    rates *= root[:, None]
    every = np.concatenate([rates, raised(data)], axis=1)
    if data.hidden_call:  # near none at all its logarithm is not linear
        whole = np.concatenate(log_times(curve, data.host.x, data.accelerated.x))
        every[:, curve._fields.index("h")] = np.exp(data.host.mean.min() - whole) * root / _UNKNOWN
    held = [("L", estimate.latency == "constant"), ("h", not data.call_is_free)]
    free = np.ones(every.shape[1])
    for name, is_held in held:
        free[curve._fields.index(name)] = not is_held
    every *= free
    # of columns so much longer than others that their squares round, the inverse would not be one
    far = np.nan_to_num(every, nan=0.0, posinf=_FAR, neginf=-_FAR)
    _, length, rows = np.linalg.svd(far, full_matrices=True)
    known = np.zeros(len(rows))
    known[: length.size] = np.where(length > _ROUNDS * length.max(), length, 0.0)
    inverse = rows.T @ (rows / (known**2 + 1 / _UNKNOWN**2)[:, None])
    return np.asarray(inverse * np.outer(free, free))


@dataclass(frozen=True, slots=True, kw_only=True)
class TimesBreak:
    """A step or a change of slope in the times of a path."""

    path: str  # "host" or "accelerated"
    kind: str  # "step" or "slope"
    # sizes that a step lies between; both that at which the slope changes [B]
    lower: float
    upper: float
    change: float  # factor on the times behind a step; what the exponent of the size gains [1]
    interval: ConfidenceInterval  # of the change [1]

    def __str__(self) -> str:
        path = "the host's times" if self.path == PATHS[0] else "the accelerated times"
        ends = f"{self.interval.lower:.3g} to {self.interval.upper:.3g}"
        between = f"between {format_size(self.lower)} and {format_size(self.upper)}"
        if self.kind == "step":
            return f"{path} become {self.change:.3g} times as long ({ends}) {between}"
        at = f"at {format_size(self.lower)}" if self.lower == self.upper else between
        return f"the exponent of {path} changes by {self.change:+.3g} ({ends}) {at}"


def times_breaks(estimate: Estimate, level: float) -> tuple[TimesBreak, ...]:
    """Breaks in the times, in bytes, with intervals; the most evident first."""
    data = estimate.data
    if not data.breaks:
        return ()
    height = heights(data, estimate.best.curve)
    error = np.sqrt(np.diag(_covariance(estimate))[-len(data.breaks) :])
    side, size = np.sqrt(cutoff(estimate, level)), np.exp(data.log_size)
    found = []
    for each, own, its in zip(data.breaks, height, error, strict=True):
        side_of = side * its if its < _UNTOLD * _UNKNOWN else np.inf
        value = np.array([own, own - side_of, own + side_of])
        with np.errstate(over="ignore"):
            change, low, high = (np.exp(value) if each.kind == "step" else value).tolist()
        found.append(
            TimesBreak(
                path=each.path,
                kind=each.kind,
                lower=float(each.below * size),
                upper=float(each.above * size),
                change=change,
                interval=ConfidenceInterval(low, high),
            )
        )
    return tuple(found)


def factors(estimate: Estimate, g: Array) -> tuple[Samples, Samples]:
    """Times of host and accelerated path at sizes over those of the curve without breaks [1]."""
    data, height = estimate.data, heights(estimate.data, estimate.best.curve)
    x = np.asarray(g, dtype=np.float64) / np.exp(data.log_size)
    host, accelerated = (np.exp(columns(data.breaks, path, x) @ height) for path in PATHS)
    return host, accelerated


class TimeFactor(NamedTuple):
    """Factor on the times of a path at the start of a stretch, and the power it grows with [1]."""

    start: float
    exponent: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SizeStretch:
    """Sizes between two breaks, and the times there over those of the curve without breaks."""

    # above, below: zero if no break is before it, infinite if none is behind it [B]
    above: float
    below: float
    host: TimeFactor
    accelerated: TimeFactor


def stretches(estimate: Estimate) -> tuple[SizeStretch, ...]:
    """The sizes between breaks, ascending; all sizes if there are none."""
    data, height = estimate.data, heights(estimate.data, estimate.best.curve)
    size = float(np.exp(data.log_size))
    starts = sorted({each.place for each in data.breaks})
    found = []
    for above, below in pairwise([0.0, *starts, np.inf]):
        logs, exponents = dict.fromkeys(PATHS, 0.0), dict.fromkeys(PATHS, 0.0)
        for each, own in zip(data.breaks, height.tolist(), strict=True):
            if each.place <= above and each.kind == "slope":
                logs[each.path] += own * float(np.log(above / each.place))
                exponents[each.path] += own
            elif each.place <= above:
                logs[each.path] += own
        both = {path: TimeFactor(float(np.exp(logs[path])), exponents[path]) for path in PATHS}
        found.append(SizeStretch(above=above * size, below=below * size, **both))
    return tuple(found)


def exceeding(estimate: Estimate, speedup: float) -> list[tuple[float, float]]:
    """Sizes at which the most likely speedup is more than another, in ranges [B]."""
    found = band(estimate, 0.5)
    return found._replace(likely=found.likely - np.log(speedup)).ranges("likely")


def _seen(estimate: Estimate, found: Band) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Sizes that a peak is looked for at: a slope that changed says nothing beyond the measured."""
    if all(each.kind == "step" for each in estimate.data.breaks):
        return np.ones(found.size.size, dtype=np.bool_)
    most = max(arm.x[-1] for arm in estimate.data[:2])
    return np.asarray(found.size <= most * np.exp(estimate.data.log_size))


def segmented_value(estimate: Estimate, name: str) -> float:
    """The most likely value of a granularity or the peak, NaN if there is none [B, 1]."""
    found = band(estimate, 0.5, half=name == "gA2")
    if name == "peak":
        return float(np.exp(found.likely[_seen(estimate, found)].max()))
    ranges = found.ranges("likely")
    if not ranges:
        return np.nan
    end = ranges[-1][1] if name == "g1_upper" else ranges[0][0]
    return end if 0 < end < np.inf else np.nan


def segmented_interval(estimate: Estimate, name: str, level: float) -> ConfidenceInterval:
    """Interval of a granularity or the peak [B, 1]."""
    if name == "gA2":
        return half_peak_interval(estimate, level)
    if name == "g1_upper":
        return upper_break_even_interval(estimate, level)
    found = band(estimate, level)
    if name == "peak":
        seen = _seen(estimate, found)
        ends = (end[seen].max() for end in (found.low, found.high))
        low, high = (float(np.exp(min(end, 700.0))) for end in ends)
        return ConfidenceInterval(low, high if high < _HIGHEST else np.inf)
    t = found.likely / np.maximum(found.error, 1e-300)
    none = float(scipy.special.stdtr(estimate.freedom, -float(t.max())))
    if none > 1 - (1 - level) / 2:
        return ConfidenceInterval(np.nan, np.nan, none)
    surely, perhaps = found.ranges("low"), found.ranges("high")
    low, high = perhaps[0][0] if perhaps else 0.0, surely[0][0] if surely else np.inf
    return ConfidenceInterval(low, high, none)
