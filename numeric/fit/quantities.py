"""Quantities that follow from a curve: break-evens, half the peak, the peak, with intervals."""

import numpy as np

from logca.common.sizes import parse_size
from logca.numeric.fit.estimate import Estimate
from logca.numeric.fit.families import (
    Curve,
    Family,
    at_break_even,
    at_half_peak,
    at_peak,
    at_tangency,
    own,
)
from logca.numeric.fit.intervals import ConfidenceInterval, LikelihoodProfile, confidence, cutoff
from logca.numeric.fit.likelihood import best, log_times
from logca.numeric.generated.window import speedup_window
from logca.numeric.roots.granularity import granularity_for

__all__ = [
    "FARTHEST",
    "GRANULARITIES",
    "PARAMETERS",
    "QUANTITIES",
    "call_cost",
    "granularity_interval",
    "interval_of",
    "log_granularity",
    "log_peak",
    "parameter_interval",
    "parameters",
    "peak_interval",
]

PARAMETERS = ("o", "L", "C", "A", "beta")
"""Parameters that have an interval."""

GRANULARITIES = ("g1", "g1_upper", "gA2")
"""Granularities that have one: where offloading begins and ceases to pay, half the peak."""

QUANTITIES = (*PARAMETERS, *GRANULARITIES, "peak")
"""All that has an interval; the peak is the greatest speedup at any size up to 1 EiB."""

FARTHEST = parse_size("1 EiB")
"""Granularities beyond it are not looked for [B]."""

_LEAST, _MOST = np.log(2.0**-20), np.log(FARTHEST)
_FAR = 30.0
_HIGHEST = np.log(2.0**20)
_SLIGHT = 1e-6


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


def call_cost(estimate: Estimate) -> float:
    """What a call costs on both paths even for no data, which the model leaves out [s]."""
    if estimate.data.bend is None:
        return 0.0
    return float(np.exp(estimate.best.curve.h + estimate.data.log_time))


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
    """Interval of a quantity [unit of the quantity]."""
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


def granularity_interval(estimate: Estimate, name: str, level: float) -> ConfidenceInterval:
    """Interval of a granularity, and the confidence that there is none below 1 EiB [B].

    The lower end is zero if the data allow a millionth of a byte, the upper is infinite if they
    allow 1 EiB.
    """
    latency, allowed, log_size = estimate.latency, cutoff(estimate, level), estimate.data.log_size
    if name == "g1_upper" and latency == "constant":
        return ConfidenceInterval(np.nan, np.nan, 1.0)

    def family(t: float) -> Family:
        if name == "gA2":
            return at_half_peak(t - log_size, latency)
        return at_break_even(t - log_size, latency, upper=name == "g1_upper")

    profile = LikelihoodProfile(estimate, family, allowed)
    at = log_granularity(estimate.best.curve, name) + log_size
    exists = bool(at < _MOST)
    none = confidence(estimate, _boundary(estimate, name, profile), holds=not exists)
    if none > 1 - (1 - level) / 2:
        return ConfidenceInterval(np.nan, np.nan, none)
    if exists and at > _LEAST:
        low, high = profile.ends(at, allowed, _LEAST, _MOST)
    else:
        low, high = profile.anywhere(allowed, _LEAST, _MOST)
    # The best curve breaks even, and yet no value looked for is allowed: it does so below them all.
    if exists and np.isnan(low):
        return ConfidenceInterval(0.0, float(np.exp(_LEAST)), none)
    return ConfidenceInterval(float(np.exp(low)), float(np.exp(high)), none)


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
    least, most = np.exp(np.array([_LEAST, _MOST]) - estimate.data.log_size)
    return float(least), float(most)


def log_granularity(curve: Curve, name: str) -> float:
    """Logarithm of a granularity over the reference size, NaN if there is none [1]."""
    numbers = curve.numbers
    target = numbers["A"] / 2 if name == "gA2" else 1.0
    found = granularity_for(target, **numbers, latency="linear")
    with np.errstate(divide="ignore", invalid="ignore"):
        return float(np.log(found.upper if name == "g1_upper" else found.lower))


def _boundary(estimate: Estimate, name: str, profile: LikelihoodProfile) -> float:
    """Excess of the best curve between those that have such a granularity and those that do not."""
    found = [profile.excess(float(_MOST))]
    if estimate.latency == "linear":
        family = at_tangency(float(_MOST) - estimate.data.log_size, half=name == "gA2")
        near = [estimate.best.curve]
        found.append(best(estimate.data, family, near).deviance - estimate.best.deviance)
    return min(found)
