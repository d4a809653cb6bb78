"""The most likely accelerator and form of latency, sizes that scatter, what was measured beside."""

from collections.abc import Mapping
from functools import partial
from itertools import product
from typing import NamedTuple

import numpy as np
import scipy  # whose parts load when they are first used: half a second

from logca.numeric.fit.break_search import breaks_found
from logca.numeric.fit.constrained_curves import Family, free
from logca.numeric.fit.data import Arm, Data, prepare
from logca.numeric.fit.likelihood import Best, best, predicted, reweighted
from logca.numeric.fit.weighting import (
    count_of,
    in_the_other_mode,
    misses_sizes,
    scattered,
    settled,
    starts_for,
    weighed,
    within_sizes,
)
from logca.numeric.timings.timings import Samples, Timings

__all__ = [
    "Estimate",
    "Observed",
    "ObservedSpeedups",
    "admitted",
    "akaike_criteria",
    "akaike_weights",
    "estimate",
    "observed",
    "observed_speedups",
    "of_other_modes",
    "simpler",
    "with_hidden_call",
]

_ALIKE = 0.01  # of deviances, which moves no end of an interval
_RAREST = 1e-300  # least probability that is told from zero


class Estimate(NamedTuple):
    """A curve, and the weights of the samples that it was found with."""

    data: Data  # weighted data
    best: Best  # the most likely curve
    latency: str  # "constant" or "linear"
    chance: float = 1.0  # that its mode of the runs is the more frequent one, not the other [1]

    @property
    def parameters(self) -> int:
        """Number of estimated parameters; the two spreads do not count [1]."""
        return count_of(free(self.latency), self.data)

    @property
    def freedom(self) -> float:
        """Samples that are no outliers, or sizes if the curve misses them, less parameters [1].

        Of the host or of the accelerator, which have spreads of their own: that which has fewer.
        """
        counts = [float(arm.x.size if self.misfit else arm.kept) for arm in self.data[:2]]
        return max(min(counts) - self.parameters / 2, 1.0)

    @property
    def sizes(self) -> int:
        """Number of sizes, of the host and of the accelerator [1]."""
        return self.data.host.x.size + self.data.accelerated.x.size

    @property
    def misfit(self) -> bool:
        """True if the curve misses the sizes by more than the noise of repeated runs explains."""
        return any(arm.apart > 0 for arm in self.data[:2])


def estimate(timings: Timings, latency: str) -> Estimate:
    """Fit in turn the curve, and the weights and spreads of the samples."""
    return _estimate(_weighed(timings, free(latency)), latency)


def simpler(general: Estimate) -> Estimate:
    """The best curve under constant latency, with the same weights."""
    return _estimate(general.data, "constant")


def with_hidden_call(general: Estimate) -> Estimate:
    """The best curve, with the same weights, if a call may cost what the times do not show.

    Where no size is small beside what an offload pays, an exponent of less than one hides that
    cost, on which break-evens would depend then. It is no parameter of `freedom`: the spreads are
    those around the curve without it.
    """
    if general.data.call_is_free:
        return general
    data = general.data._replace(hidden_call=True)
    found = best(data, free(general.latency), [general.best.curve, *starts_for(data)])
    likelier = found if found.deviance < general.best.deviance else general.best
    return general._replace(data=data, best=likelier)


def admitted(general: Estimate) -> tuple[Estimate, ...]:
    """The estimates that intervals hold: with a hidden cost of a call, and without if that differs.

    The latter is a special case of the former, yet the most likely values come from it.
    """
    hidden = with_hidden_call(general)
    if general.best.deviance - hidden.best.deviance < _ALIKE:
        return (hidden,)
    return hidden, general


def _weighed(timings: Timings, family: Family) -> Data:
    """Timings with weights that agree with the curve and the breaks that they lead to."""
    bare = prepare(timings)
    data, found = weighed(bare, family)
    missed = misses_sizes(data, found, count_of(family, data)) or data.sizes_of_outliers > 1
    if data.repeated and not missed:
        return data
    breaks = breaks_found(data if data.repeated else bare, family)
    if breaks:
        data, found = weighed(bare._replace(breaks=breaks), family)
    if not misses_sizes(data, found, count_of(family, data)):
        return data
    by_size = partial(scattered, parameters=count_of(family, data))
    return settled(within_sizes(data), found, family, by_size)[0]


def _estimate(data: Data, latency: str) -> Estimate:
    family = free(latency)
    found = best(data, family, starts_for(data))
    return Estimate(data, found, latency)


def of_other_modes(general: Estimate, doubt: float) -> tuple[Estimate, ...]:
    """Estimates of the other mode of a path, where chance may have made it the less frequent one.

    For each path that has two modes, and for both, if that is more likely than `doubt`.
    """
    family = free(general.latency)
    found = []
    for host, accelerated in list(product(*map(_either_mode, general.data[:2])))[1:]:
        chance = host.chance * accelerated.chance
        if chance > doubt:
            other = general.data._replace(host=host.arm, accelerated=accelerated.arm)
            weights = partial(reweighted, parameters=count_of(family, other))
            data, _ = settled(other, best(other, family, starts_for(other)), family, weights)
            found.append(_estimate(data, general.latency)._replace(chance=chance))
    return tuple(found)


class _OneMode(NamedTuple):
    arm: Arm
    chance: float  # that this mode is the more frequent one [1]


def _either_mode(arm: Arm) -> list[_OneMode]:
    if arm.mode is None:
        return [_OneMode(arm, 1.0)]
    runs = float((arm.weight + arm.mode.weight).sum())
    rarer = float(scipy.special.ndtr((2 * arm.mode.share - 1) * np.sqrt(runs)))
    return [_OneMode(arm, 1 - rarer), _OneMode(in_the_other_mode(arm), rarer)]


_SPIKE = 0.5
_QUARTILES = (0.25, 0.5, 0.75)
_QUARTILE = 0.6745  # of normal values, in standard deviations


class Observed(NamedTuple):
    """Times of one path; where all times of a size are outliers, median and quartiles are NaN."""

    size: Samples  # sizes with times, ascending [B]
    # median, low, high: for each size median and quartiles of its times that are no outliers [s]
    median: Samples
    low: Samples
    high: Samples
    fitted: Samples  # for each size what the curve says [s]
    # spike_size, spike: size and time of each outlier [B], [s]
    spike_size: Samples
    spike: Samples


def observed(estimate: Estimate, path: str) -> Observed:
    """Times of a path beside the curve; an outlier is a time that is likelier one than not."""
    data = estimate.data
    arm = data.host if path == "host" else data.accelerated
    size, time = arm.x * np.exp(data.log_size), np.exp(arm.y + data.log_time)
    own, other = predicted(data, estimate.best.curve, arm.x, arm.x)
    usual = arm.weight >= _SPIKE
    rows = [time[usual & (arm.place == place)] for place in range(size.size)]
    low, median, high = (
        np.array([float(np.quantile(row, share)) if row.size else np.nan for row in rows])
        for share in _QUARTILES
    )
    if arm.noise is not None:  # of runs that are not known one by one
        low, high = (median * np.exp(side * _QUARTILE * arm.noise) for side in (-1, 1))
    return Observed(
        size=size,
        median=median,
        low=low,
        high=high,
        fitted=np.exp((own if path == "host" else other) + data.log_time),
        spike_size=size[arm.place[~usual]],
        spike=time[~usual],
    )


class ObservedSpeedups(NamedTuple):
    """Speedups at the sizes that both paths were timed at; NaN where all times are outliers."""

    size: Samples  # ascending [B]
    # median, low, high: of the medians, and of the quartiles that are furthest apart [1]
    median: Samples
    low: Samples
    high: Samples


def observed_speedups(estimate: Estimate) -> ObservedSpeedups:
    """Measured host times over measured accelerated times."""
    host, other = observed(estimate, "host"), observed(estimate, "accelerated")
    size, own, offloaded = np.intersect1d(host.size, other.size, return_indices=True)
    return ObservedSpeedups(
        size=size,
        median=host.median[own] / other.median[offloaded],
        low=host.low[own] / other.high[offloaded],
        high=host.high[own] / other.low[offloaded],
    )


def akaike_criteria(deviances: Mapping[str, float], k: int, freedom: float) -> dict[str, float]:
    """Akaike's criterion of the general form, "linear", and of "constant", a parameter less [1].

    Of nested forms that differ by one parameter, the criterion (akaike1974) chooses the general one
    if its deviance is less by more than two: it tests at 15.7 % whether the parameter is needed.
    That holds where the variance is known. Here it is estimated, from few sizes perhaps: the excess
    is one of the F distribution, and counts as the excess of the chi-squared distribution that is
    as improbable. With many times both are the same; at few sizes the usual correction
    (hurvich1989) is infinite, and would choose the simpler form whatever was measured.

    Examples
    --------
    >>> many = akaike_criteria({"linear": 40.0, "constant": 43.0}, 5, 1000)
    >>> few = akaike_criteria({"linear": 4.0, "constant": 7.0}, 5, 1.5)
    >>> round(many["constant"] - many["linear"], 2), round(few["constant"] - few["linear"], 2)
    (0.99, -0.76)
    """
    if len(deviances) == 1:
        return {form: deviance + 2 * k for form, deviance in deviances.items()}
    excess = max(deviances["constant"] - deviances["linear"], 0.0)
    probability = max(float(scipy.special.fdtrc(1, freedom, excess)), _RAREST)
    general = deviances["linear"] + 2 * k
    as_known = float(scipy.special.ndtri(probability / 2)) ** 2
    return {"linear": general, "constant": general + as_known - 2}


def akaike_weights(models: Mapping[str, float]) -> dict[str, float]:
    """Probability of each form to be the better one, from Akaike's criterion (burnham2002) [1].

    Examples
    --------
    >>> {name: round(weight, 2) for name, weight in akaike_weights({"a": 10, "b": 12}).items()}
    {'a': 0.73, 'b': 0.27}
    """
    least = min(models.values())
    likely = {name: float(np.exp((least - each) / 2)) for name, each in models.items()}
    return {name: each / sum(likely.values()) for name, each in likely.items()}
