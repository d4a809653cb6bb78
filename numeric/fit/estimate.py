"""The most likely accelerator, sizes that scatter around its curve, what was measured beside."""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np
import scipy  # whose parts load when they are first used: half a second

from logca.numeric.fit.constrained_curves import NEVER, Curve, Family, free
from logca.numeric.fit.data import Arm, Data, prepare
from logca.numeric.fit.likelihood import Best, around, best, log_times, reweighed, reweighted
from logca.numeric.timings.timings import Samples, Timings

__all__ = [
    "Estimate",
    "Observed",
    "ObservedSpeedups",
    "estimate",
    "observed",
    "observed_speedups",
    "scattered",
    "simpler",
    "starts_for",
    "within_sizes",
]

_ROUNDS = 10  # of weights within sizes, where no curve is fitted in between
_LEAST = 1e-24  # of a variance of logarithms: the square of the rounding of a time


def within_sizes(data: Data) -> Data:
    """Weights and spreads from how runs scatter around the mean of their size, not the curve."""
    return data._replace(host=_within(data.host), accelerated=_within(data.accelerated))


def scattered(data: Data, curve: Curve, parameters: float) -> Data:
    """Data with the weights of the runs kept, and with the scatter of sizes around a curve."""
    return around(data, curve, partial(_apart, parameters=parameters / 2))


def _within(arm: Arm) -> Arm:
    # means know theirs, and too few repeats do not
    if arm.noise is not None or arm.y.size - arm.x.size < arm.x.size / 2:
        return arm
    arm = _medians(arm)
    arm = arm._replace(spread=_middle_half(arm, arm.mean))
    for _ in range(_ROUNDS):
        arm = reweighed(arm, arm.mean, arm.x.size)
    return arm


def _medians(arm: Arm) -> Arm:
    rows = [arm.y[arm.place == each] for each in range(arm.x.size)]
    return arm._replace(mean=np.array([np.median(row) for row in rows]))


def _middle_half(arm: Arm, predicted: Samples) -> float:
    """Standard deviation around what is predicted, by the middle half of the times [1]."""
    return max(1.4826 * float(np.median(np.abs(arm.y - predicted[arm.place]))), 1e-9)


def _apart(arm: Arm, predicted: Samples, parameters: float) -> Arm:
    with np.errstate(divide="ignore"):
        noise = np.maximum(1 / arm.root**2 - arm.apart**2, _LEAST)  # a difference may round to less
    known = np.isfinite(noise)
    squares = (arm.mean - predicted)[known] ** 2
    expected = float(known.sum()) - parameters

    def beyond(variance: float) -> float:
        return float((squares / (noise[known] + variance)).sum()) - expected

    variance = 0.0
    if expected >= 1 and beyond(0.0) > 0:
        # at the sum itself `beyond` may round to more than zero
        variance = float(
            scipy.optimize.brentq(beyond, 0.0, 2 * squares.sum() / expected, rtol=1e-6)
        )
    return arm._replace(root=1 / np.sqrt(noise + variance), apart=float(np.sqrt(variance)))


_MOST_TURNS = 30  # of curve and weights
_SETTLED = 1e-6  # relative change of the weights below which a turn is the last
_SLIGHT = 1e-3  # share of a term in the time that is the least a search begins with
_MISFIT = 1e-3  # significance at which sizes are said to scatter around the curve


class Estimate(NamedTuple):
    """A curve, and the weights of the samples that it was found with."""

    data: Data  # weighted data
    best: Best  # the most likely curve
    latency: str  # "constant" or "linear"

    @property
    def parameters(self) -> int:
        """Number of estimated parameters; the two spreads do not count [1]."""
        return _count(free(self.latency), self.data)

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


def _estimate(data: Data, latency: str) -> Estimate:
    family = free(latency)
    found = best(data, family, starts_for(data))
    return Estimate(data, found, latency)


def _weighed(timings: Timings, family: Family) -> Data:
    """Timings with weights that agree with the curve that they lead to."""
    data = _robust(prepare(timings))
    count = _count(family, data)
    found = best(data, family, starts_for(data))
    data, found = _settled(data, found, family, partial(reweighted, parameters=count))
    if not _missed(data, found, count):
        return data
    data = within_sizes(data)
    return _settled(data, found, family, partial(scattered, parameters=count))[0]


def _count(family: Family, data: Data) -> int:
    """Parameters of a family, and the cost of a call if that is estimated."""
    return family.size + (data.bend is not None)


def _settled(
    data: Data, found: Best, family: Family, weighed: Callable[[Data, Curve], Data]
) -> tuple[Data, Best]:
    """Weights from the curve and the curve from the weights, in turn."""
    for _ in range(_MOST_TURNS):
        before, data = data, weighed(data, found.curve)
        found = best(data, family, [found.curve])
        with np.errstate(divide="ignore", invalid="ignore"):
            change = max(
                float(np.nan_to_num(abs(np.log(new.root / old.root))).max())
                for new, old in zip(data[:2], before[:2], strict=True)
            )
        if change < _SETTLED:
            break
    return data, best(data, family, [found.curve, *starts_for(data)])


def _missed(data: Data, found: Best, parameters: int) -> bool:
    """True if sizes miss the curve by more than the scatter of runs explains, by an F test."""
    sizes = data.host.x.size + data.accelerated.x.size
    within = sum(arm.within for arm in data[:2])
    across, repeats = sizes - parameters, data.samples - sizes
    if across < 1 or repeats < 1 or within == 0:
        return False
    ratio = found.deviance / across / (within / repeats)
    return bool(scipy.special.fdtrc(across, repeats, ratio) < _MISFIT)


def starts_for(data: Data) -> list[Curve]:
    """Curves to begin near: the closest by linear least squares, and one that has all its terms."""
    host, other = data.host, data.accelerated
    if data.bend is None:
        h, (beta, C) = NEVER, _robust_line(np.log(host.x), host.mean)
    else:
        h, C, beta = float(np.log(data.bend.cost)), np.log(data.bend.C), data.bend.beta
    beta = float(np.clip(beta, 0.05, 5.0))
    time = np.exp(other.mean)
    columns = np.stack([np.ones_like(other.x), other.x, other.x**beta], axis=1) / time[:, None]
    part = scipy.optimize.nnls(columns * other.root[:, None], other.root)[0]
    largest = columns.max(axis=0)
    part[0] -= np.exp(h)
    near, all_terms = np.maximum(part, _SLIGHT / largest), 0.3 / largest
    return [
        Curve(C=float(C), beta=beta, o=float(o), L=float(L), D=float(D), h=h)
        for o, L, D in np.log([near, all_terms])
    ]


def _robust_line(x: Samples, y: Samples) -> tuple[float, float]:
    """Slope and intercept by Theil and Sen; `scipy.stats.theilslopes` takes long to load."""
    across = np.subtract.outer(x, x)
    slope = np.median(np.subtract.outer(y, y)[across > 0] / across[across > 0])
    return float(slope), float(np.median(y) - slope * np.median(x))


def _robust(data: Data) -> Data:
    """Means are medians, spreads are those of the middle half of the samples."""

    def spread(arm: Arm, predicted: Samples) -> Arm:
        kept = arm.weighted(arm.weight, _middle_half(arm, predicted), arm.spikes)
        return kept._replace(mean=arm.mean)

    medians = data._replace(host=_medians(data.host), accelerated=_medians(data.accelerated))
    curve = best(medians, free("linear"), starts_for(medians)).curve
    return reweighted(around(medians, curve, spread), curve, 0)


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
    own, other = log_times(estimate.best.curve, arm.x, arm.x)
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
