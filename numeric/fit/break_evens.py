"""Granularities that follow from a curve: its break-evens and half the peak, with intervals."""

import numpy as np

from logca.common.sizes import parse_size
from logca.numeric.fit.constrained_curves import (
    Curve,
    Family,
    at_break_even,
    at_half_peak,
    at_tangency,
)
from logca.numeric.fit.estimate import Estimate
from logca.numeric.fit.likelihood import best
from logca.numeric.fit.profile_likelihood import (
    ConfidenceInterval,
    LikelihoodProfile,
    confidence,
    cutoff,
)
from logca.numeric.roots.granularity import granularity_for
from logca.numeric.roots.status import RootStatus

__all__ = [
    "FARTHEST",
    "GRANULARITIES",
    "LOG_FARTHEST",
    "LOG_NEAREST",
    "granularity_interval",
    "log_granularity",
]

_FROM_THE_BEGINNING = (RootStatus.UPPER_ONLY, RootStatus.EVERYWHERE)

GRANULARITIES = ("g1", "g1_upper", "gA2")
"""Granularities that have an interval: where offloading begins and ceases to pay, half the peak."""

FARTHEST = parse_size("1 EiB")
"""Granularities beyond it are not looked for [B]."""

_BETWEEN = 5  # sizes from the largest measured one to the farthest

LOG_NEAREST, LOG_FARTHEST = np.log(2.0**-20), np.log(FARTHEST)
"""Logarithms of a millionth of a byte and of the farthest: what is searched lies between [1]."""


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
    exists = bool(at < LOG_FARTHEST)
    # The boundary comes after the ends: the search at 1 EiB then begins at the curves next to it.
    near = exists and at > LOG_NEAREST
    low, high = profile.ends(at, allowed, LOG_NEAREST, LOG_FARTHEST) if near else (np.nan, np.nan)
    none = confidence(estimate, _boundary(estimate, name, profile, exists=exists), holds=not exists)
    if none > 1 - (1 - level) / 2:
        return ConfidenceInterval(np.nan, np.nan, none)
    if not near:
        low, high = profile.anywhere(allowed, LOG_NEAREST, LOG_FARTHEST)
    # The best curve breaks even, and yet no value looked for is allowed: it does so below them all.
    if exists and np.isnan(low):
        return ConfidenceInterval(0.0, float(np.exp(LOG_NEAREST)), none)
    return ConfidenceInterval(float(np.exp(low)), float(np.exp(high)), none)


def log_granularity(curve: Curve, name: str) -> float:
    """Logarithm of a granularity over the reference size, NaN if there is none [1].

    The lower break-even of a curve that pays from the beginning is below all sizes.
    """
    numbers = curve.numbers
    target = numbers["A"] / 2 if name == "gA2" else 1.0
    found = granularity_for(target, **numbers, latency="linear")
    if name == "g1" and found.status in _FROM_THE_BEGINNING and numbers["A"] > 1:
        return -np.inf
    with np.errstate(divide="ignore", invalid="ignore"):
        return float(np.log(found.upper if name == "g1_upper" else found.lower))


def _boundary(estimate: Estimate, name: str, profile: LikelihoodProfile, *, exists: bool) -> float:
    """Excess of the best curve between those that have such a granularity and those that do not."""
    found = [profile.excess(float(LOG_FARTHEST))]
    if estimate.latency == "linear":
        family = at_tangency(float(LOG_FARTHEST) - estimate.data.log_size, half=name == "gA2")
        near = [estimate.best.curve]
        found.append(best(estimate.data, family, near).deviance - estimate.best.deviance)
    if name == "g1_upper" and not exists:
        # A search that begins at 1 EiB may miss curves that are the best there; nearer ones do not.
        largest = float(np.log(estimate.data.host.x.max())) + estimate.data.log_size
        found += [profile.excess(float(t)) for t in np.linspace(largest, LOG_FARTHEST, _BETWEEN)]
    return min(found)
