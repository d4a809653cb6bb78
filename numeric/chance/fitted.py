"""A fit's own uncertainty: its confidence, as a distribution.

Parameters of a fit are anything but independent of each other. So nothing is sampled: each quantity
has its own profile likelihood, and its interval at every level says how sure it is that the
quantity is at most the upper end (a confidence distribution, xie2013).
"""

from dataclasses import dataclass, replace
from math import inf, log
from typing import Any

import numpy as np
import scipy  # whose parts load when they are first used: half a second

from logca.common.errors import ArgumentError, ArgumentTypeError
from logca.common.sizes import parse_size
from logca.numeric.accelerator.parameter_ranges import check
from logca.numeric.chance.distributions import checked_probability
from logca.numeric.chance.quasi_monte_carlo import BoundedValue
from logca.numeric.fit.constrained_curves import NEVER, at_speedup
from logca.numeric.fit.decide import decide, speedup_interval
from logca.numeric.fit.estimate import Estimate
from logca.numeric.fit.fit import Fit
from logca.numeric.fit.intervals import likely_value
from logca.numeric.fit.likelihood import log_times
from logca.numeric.fit.profile_likelihood import LikelihoodProfile, confidence, least_sure
from logca.numeric.fit.segmented import band

__all__ = ["PROFILE_LIKELIHOOD", "UncertainFit"]

PROFILE_LIKELIHOOD = "profile likelihood"

_CLOSE = 1e-3  # relative, to which ends of intervals are searched for
_SURE = 1 - 1e-9  # the highest level that is looked at


@dataclass(frozen=True, slots=True, kw_only=True)
class UncertainFit:
    """A fit, of which the confidence in each answer is asked for: no frequency of accelerators."""

    fit: Fit

    def __post_init__(self) -> None:
        if not isinstance(self.fit, Fit):
            raise ArgumentTypeError(f"fit = {self.fit!r} must be a Fit, as `logca.fit` makes it")

    def probability(self, speedup: float, g: float | str) -> BoundedValue:
        """Confidence that the speedup at a size exceeds a target [1]."""
        target, at = log(check("s", speedup)), parse_size(g)
        return _confidence(
            sum(
                mode[0].chance * least_sure([_exceeds(each, target, at) for each in mode])
                for mode in self.fit.in_either_mode
            )
        )

    def probability_reached(self, speedup: float = 1.0) -> BoundedValue:
        """Confidence that there is a break-even up to 1 EiB [1]; fits have no other targets."""
        _only_break_even(speedup)
        return _confidence(1 - self.fit.intervals["g1"].none)

    def speedup_quantile(self, probability: float, g: float | str) -> BoundedValue:
        """Speedup at a size that is exceeded with one less that confidence [1]."""
        p, at = checked_probability("probability", probability), parse_size(g)
        likely = decide(self.fit, at).speedup
        if p == 0.5:
            return _found(likely, _CLOSE * likely)
        low, high, _ = speedup_interval(self.fit, at, _level(p))
        value = max(high, likely) if p > 0.5 else min(low, likely)
        return _found(value, _CLOSE * value)

    def granularity_quantile(self, probability: float, speedup: float = 1.0) -> BoundedValue:
        """Size from which on offloading pays, with a confidence; infinite if none is [B]."""
        _only_break_even(speedup)
        p = checked_probability("probability", probability)
        if p > 1 - self.fit.intervals["g1"].none:
            return _found(inf, 0.0)
        if p == 0.5:
            value = likely_value(self.fit.estimates[self.fit.latency], "g1")
        else:
            low, high, _ = self.fit.interval("g1", max(_level(p), _CLOSE))
            value = high if p > 0.5 else low
        return _found(inf if np.isnan(value) else value, _CLOSE * value)


def _level(probability: float) -> float:
    """Level of the interval of which it is an end."""
    return abs(2 * probability - 1)


def _only_break_even(speedup: Any) -> None:
    if check("s", speedup) != 1:
        raise ArgumentError(
            f"speedup = {speedup!r}: a fit has intervals of break-evens only, so give 1, or take "
            "its accelerator with distributions"
        )


def _confidence(value: float) -> BoundedValue:
    found = _found(value, _CLOSE)
    return replace(found, lower=max(found.lower, 0.0), upper=min(found.upper, 1.0))


def _found(value: float, error: float) -> BoundedValue:
    return BoundedValue(
        value=float(value),
        lower=float(value - error) if value < inf else inf,
        upper=float(value + error),
        method=PROFILE_LIKELIHOOD,
    )


def _exceeds(estimate: Estimate, target: float, size: float) -> float:
    """Confidence of one mode that the logarithm of the speedup at a size exceeds another [1]."""
    if estimate.data.breaks:
        return _exceeds_in_band(estimate, target, size)
    t = log(size) - estimate.data.log_size
    x = np.exp([t])
    host, accelerated = log_times(estimate.best.curve._replace(h=NEVER), x, x)
    profile = LikelihoodProfile(estimate, lambda s: at_speedup(s, t, estimate.latency), 0.0)
    holds = bool(host[0] - accelerated[0] > target)
    return confidence(estimate, profile.excess(target), holds=holds)


def _exceeds_in_band(estimate: Estimate, target: float, size: float) -> float:
    """Where times have breaks: by the level at which an end of the interval is the target."""
    sizes = np.array([size])
    above = float(band(estimate, 0.5, sizes).likely[0]) > target

    def beyond(level: float) -> float:
        found = band(estimate, level, sizes)
        return float(found.low[0] - target if above else target - found.high[0])

    if beyond(0.0) <= 0:  # between the two sizes that a step lies between it may be either
        return 0.5
    if beyond(_SURE) >= 0:
        return (1 + _SURE) / 2 if above else (1 - _SURE) / 2
    level = float(scipy.optimize.brentq(beyond, 0.0, _SURE, xtol=1e-9))
    return (1 + level) / 2 if above else (1 - level) / 2
