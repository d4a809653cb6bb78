"""The most likely accelerator, under constant or linear latency."""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np
from scipy.optimize import nnls
from scipy.stats import f as fisher
from scipy.stats import theilslopes

from logca.numeric.fitting.arms import Arm, Data, prepare
from logca.numeric.fitting.families import NEVER, Curve, Family, free
from logca.numeric.fitting.likelihood import Best, best, log_times, reweighted
from logca.numeric.fitting.scatter import scattered, within_sizes
from logca.numeric.fitting.timings import Samples, Timings

__all__ = ["Estimate", "estimate", "simpler", "starts_for"]

_ROUNDS = 30
_SETTLED = 1e-6
_SLIGHT = 1e-3
_MISFIT = 1e-3


class Estimate(NamedTuple):
    """A curve, and the weights of the samples that it was found with.

    Parameters
    ----------
    data : Data
        Weighted data.
    best : Best
        The most likely curve.
    latency : str
        "constant" or "linear" [text].
    """

    data: Data
    best: Best
    latency: str

    @property
    def parameters(self) -> int:
        """How many were estimated; the two spreads do not count [1]."""
        return _count(free(self.latency), self.data)

    @property
    def freedom(self) -> float:
        """Samples that are no spikes, or sizes if the curve misses them, less parameters [1].

        Of the host or of the accelerator, which have spreads of their own: that which has fewer.
        """
        counts = [float(arm.x.size if self.misfit else arm.weight.sum()) for arm in self.data[:2]]
        return max(min(counts) - self.parameters / 2, 1.0)

    @property
    def sizes(self) -> int:
        """Number of sizes, of the host and of the accelerator [1]."""
        return self.data.host.x.size + self.data.accelerated.x.size

    @property
    def misfit(self) -> bool:
        """Whether the curve misses the sizes by more than the noise of repeated runs explains."""
        return any(arm.apart > 0 for arm in self.data[:2])

    @property
    def aicc(self) -> float:
        """Akaike's criterion, corrected for small samples (hurvich1989), weights held [1]."""
        n, k = self.sizes if self.misfit else self.data.samples, self.parameters + 2
        correction = 2 * k * (k + 1) / (n - k - 1) if n > k + 1 else np.inf
        return float(self.best.deviance + 2 * k + correction)


def estimate(timings: Timings, latency: str) -> Estimate:
    """Fit in turn the curve, and the weights and spreads of the samples.

    Parameters
    ----------
    timings : Timings
        What was measured.
    latency : str
        "constant" or "linear" [text].
    """
    return _estimate(_weighed(timings, free(latency)), latency)


def simpler(general: Estimate) -> Estimate:
    """The best curve under constant latency, with the same weights.

    Parameters
    ----------
    general : Estimate
        What was fitted under linear latency.
    """
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
    for _ in range(_ROUNDS):
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
    """Whether sizes are further from the curve than the scatter of runs explains, by an F test."""
    sizes = data.host.x.size + data.accelerated.x.size
    within = sum(
        float((arm.weight * ((arm.y - arm.mean[arm.place]) / arm.spread) ** 2).sum())
        for arm in data[:2]
    )
    across, repeats = sizes - parameters, data.samples - sizes
    if across < 1 or repeats < 1 or within == 0:
        return False
    ratio = found.deviance / across / (within / repeats)
    return bool(fisher.sf(ratio, across, repeats) < _MISFIT)


def starts_for(data: Data) -> list[Curve]:
    """Curves to begin near: the closest by linear least squares, and one that has all its terms.

    Parameters
    ----------
    data : Data
        What is fitted.
    """
    host, other = data.host, data.accelerated
    if data.bend is None:
        h, (beta, C) = NEVER, theilslopes(host.mean, np.log(host.x))[:2]
    else:
        h, C, beta = float(np.log(data.bend.cost)), np.log(data.bend.C), data.bend.beta
    beta = float(np.clip(beta, 0.05, 5.0))
    time = np.exp(other.mean)
    columns = np.stack([np.ones_like(other.x), other.x, other.x**beta], axis=1) / time[:, None]
    part = nnls(columns * other.root[:, None], other.root)[0]
    largest = columns.max(axis=0)
    part[0] -= np.exp(h)
    near, all_terms = np.maximum(part, _SLIGHT / largest), 0.3 / largest
    return [
        Curve(C=float(C), beta=beta, o=float(o), L=float(L), D=float(D), h=h)
        for o, L, D in np.log([near, all_terms])
    ]


def _robust(data: Data) -> Data:
    """Means are medians, spreads are those of the middle half of the samples."""

    def arm(given: Arm) -> Arm:
        sizes = range(given.x.size)
        median = np.array([np.median(given.y[given.place == each]) for each in sizes])
        return given._replace(mean=median)

    def spread(given: Arm, predicted: Samples) -> Arm:
        middle = 1.4826 * float(np.median(np.abs(given.y - predicted[given.place])))
        kept = given.weighted(given.weight, max(middle, 1e-9), given.spikes)
        return kept._replace(mean=given.mean)

    medians = data._replace(host=arm(data.host), accelerated=arm(data.accelerated))
    curve = best(medians, free("linear"), starts_for(medians)).curve
    own, offloaded = log_times(curve, data.host.x, data.accelerated.x)
    spreads = medians._replace(
        host=spread(medians.host, own), accelerated=spread(medians.accelerated, offloaded)
    )
    return reweighted(spreads, curve, 0)
