"""Quantities that follow from a curve, with intervals: parameters, granularities, the peak."""

from collections.abc import Callable, Iterator, Mapping

import numpy as np

from logca.numeric.fit.break_evens import (
    GRANULARITIES,
    LOG_FARTHEST,
    LOG_NEAREST,
    granularity_interval,
)
from logca.numeric.fit.constrained_curves import at_peak, own
from logca.numeric.fit.estimate import Estimate
from logca.numeric.fit.likelihood import log_times
from logca.numeric.fit.profile_likelihood import ConfidenceInterval, LikelihoodProfile, cutoff
from logca.numeric.fit.segmented import segmented_interval, segmented_value
from logca.numeric.generated.window import speedup_window
from logca.numeric.roots.granularity import granularity_for

__all__ = [
    "PARAMETERS",
    "QUANTITIES",
    "WhenAsked",
    "call_cost",
    "interval_of",
    "likely_value",
    "log_peak",
    "parameter_interval",
    "parameters",
    "peak_interval",
]

PARAMETERS = ("o", "L", "C", "A", "beta")
"""Parameters that have an interval."""

QUANTITIES = (*PARAMETERS, *GRANULARITIES, "peak")
"""All that has an interval; the peak is the greatest speedup at any size up to 1 EiB."""

_FAR = 30.0
_HIGHEST = np.log(2.0**20)
_SLIGHT = 1e-6


class WhenAsked(Mapping[str, ConfidenceInterval]):
    """Intervals of all quantities, each found when first asked for: they take the longest."""

    __slots__ = ("_find", "_found", "_names")

    def __init__(
        self,
        given: Mapping[str, ConfidenceInterval],
        find: Callable[[str], ConfidenceInterval],
    ) -> None:
        self._found = dict(given)
        self._names = dict.fromkeys((*given, *QUANTITIES))
        self._find = find

    @property
    def found(self) -> dict[str, ConfidenceInterval]:
        """Those that somebody has asked for."""
        return dict(self._found)

    def __getitem__(self, name: str) -> ConfidenceInterval:
        if name not in self._found and name in self._names:
            self._found[name] = self._find(name)
        return self._found[name]

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __repr__(self) -> str:
        return repr(dict(self))


def parameters(estimate: Estimate) -> dict[str, float]:
    """Parameters in bytes and seconds; A may be one or less [unit of each].

    An o or L that is less than a millionth of the accelerated time at every size is zero; A is
    never so large that computation is.
    """
    logs, told = _logarithms(estimate), _told(estimate)
    found = {
        name: np.exp(min(log, told[name][1])) if log > told[name][0] else 0.0
        for name, log in logs.items()
    }
    if estimate.latency == "constant":
        found["L"] = 0.0
    return {name: float(value) for name, value in found.items()}


def likely_value(estimate: Estimate, name: str) -> float:
    """Value of a quantity that has an interval, NaN if there is none [unit of the quantity]."""
    if name in PARAMETERS:
        return parameters(estimate)[name]
    if estimate.data.breaks:
        return segmented_value(estimate, name)
    if name == "peak":
        return float(np.exp(log_peak(estimate)))
    found = parameters(estimate)
    target = found["A"] / 2 if name == "gA2" else 1.0
    sizes = granularity_for(target, **found, latency=estimate.latency)
    size = float(sizes.upper if name == "g1_upper" else sizes.lower)
    return size if LOG_NEAREST < np.log(size) < LOG_FARTHEST else np.nan


def call_cost(estimate: Estimate) -> float:
    """Cost of a call on both paths even for no data, which the model leaves out [s].

    Zero if it is a slight part of the time of either path at every size.
    """
    curve, data = estimate.best.curve, estimate.data
    if data.bend is None:
        return 0.0
    least = min(float(each.min()) for each in log_times(curve, data.host.x, data.accelerated.x))
    told = curve.h > least + np.log(_SLIGHT)
    return float(np.exp(curve.h + data.log_time)) if told else 0.0


def _told(estimate: Estimate) -> dict[str, tuple[float, float]]:
    """Logarithms of the least and the largest value that differ from zero and infinity.

    What is less than a slight part of the accelerated time at every size has no influence.
    """
    curve, data = estimate.best.curve, estimate.data
    x, log_x = data.accelerated.x, np.log(data.accelerated.x)
    time = log_times(curve, x, x)[1] + np.log(_SLIGHT)
    o, L, D = (float((time - power * log_x).min()) for power in (0.0, 1.0, curve.beta))
    return {
        "o": (o + data.log_time, np.inf),
        "L": (L + data.log_time - data.log_size, np.inf),
        "C": (-np.inf, np.inf),
        "A": (-np.inf, curve.C - D),
        "beta": (-np.inf, np.inf),
    }


def _logarithms(estimate: Estimate) -> dict[str, float]:
    """Logarithms of the parameters, in bytes and seconds."""
    curve, data = estimate.best.curve, estimate.data
    return {
        "o": curve.o + data.log_time,
        "L": curve.L + data.log_time - data.log_size,
        "C": curve.C + data.log_time - curve.beta * data.log_size,
        "A": curve.C - curve.D,
        "beta": float(np.log(curve.beta)),
    }


def interval_of(estimate: Estimate, name: str, level: float) -> ConfidenceInterval:
    """Interval of a quantity; parameters are those of the curve without breaks [its unit]."""
    if estimate.data.breaks and name not in PARAMETERS:
        return segmented_interval(estimate, name, level)
    if name == "peak":
        return peak_interval(estimate, level)
    found = parameter_interval if name in PARAMETERS else granularity_interval
    return found(estimate, name, level)


def parameter_interval(estimate: Estimate, name: str, level: float) -> ConfidenceInterval:
    """Interval of a parameter [unit of the parameter]."""
    if name == "L" and estimate.latency == "constant":
        return ConfidenceInterval(0.0, 0.0)
    data = estimate.data
    time = data.log_time if name in ("o", "L", "C") else 0.0
    allowed = cutoff(estimate, level)
    profile = LikelihoodProfile(
        estimate, lambda t: own(name, t - time, data.log_size, estimate.latency), allowed
    )
    at = float(np.clip(_logarithms(estimate)[name], *_told(estimate)[name]))
    low, high = profile.ends(at, allowed, at - _FAR, at + _FAR)
    return ConfidenceInterval(float(np.exp(low)), float(np.exp(high)))


def peak_interval(estimate: Estimate, level: float) -> ConfidenceInterval:
    """Interval of the greatest speedup at any size up to 1 EiB [1].

    It changes little where beta becomes one, and the peak moves to infinity. The upper end is
    infinite if the data allow a million.
    """
    allowed, sizes = cutoff(estimate, level), _all_sizes(estimate)
    profile = LikelihoodProfile(estimate, lambda t: at_peak(t, *sizes, estimate.latency), allowed)
    at = min(log_peak(estimate), float(_HIGHEST))
    low, high = profile.ends(at, allowed, at - _FAR, float(_HIGHEST))
    return ConfidenceInterval(float(np.exp(low)), float(np.exp(high)))


def log_peak(estimate: Estimate) -> float:
    """Logarithm of the greatest speedup at any size up to 1 EiB [1]."""
    least, most = _all_sizes(estimate)
    numbers = estimate.best.curve.numbers
    return float(np.log(speedup_window(g_low=least, g_high=most, **numbers, latency="linear")))


def _all_sizes(estimate: Estimate) -> tuple[float, float]:
    """The smallest and the largest granularity that are searched, over the reference size."""
    least, most = np.exp(np.array([LOG_NEAREST, LOG_FARTHEST]) - estimate.data.log_size)
    return float(least), float(most)
