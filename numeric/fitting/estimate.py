"""The most likely accelerator, under constant or linear latency."""

from typing import NamedTuple

import numpy as np
from scipy.optimize import nnls
from scipy.stats import f as fisher
from scipy.stats import theilslopes

from logca.numeric.fitting.families import Curve, free
from logca.numeric.fitting.likelihood import Arm, Best, Data, best, log_times, prepare, reweighted
from logca.numeric.fitting.timings import Samples, Timings

__all__ = ["Estimate", "estimate", "starts_for"]

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
    parameters : int
        How many were estimated; the two spreads do not count [1].
    """

    data: Data
    best: Best
    latency: str
    parameters: int

    @property
    def freedom(self) -> float:
        """Samples that are no spikes, or sizes if the curve misses them, less parameters [1]."""
        count = self.sizes if self.misfit else self.data.samples
        return max(count - self.parameters, 1.0)

    @property
    def sizes(self) -> int:
        """Number of sizes, of the host and of the accelerator [1]."""
        return self.data.host.x.size + self.data.accelerated.x.size

    @property
    def misfit(self) -> bool:
        """Whether the curve misses the sizes by more than the noise of repeated runs explains."""
        within = sum(
            float((arm.weight * ((arm.y - arm.mean[arm.place]) / arm.spread) ** 2).sum())
            for arm in self.data[:2]
        )
        across, repeats = self.sizes - self.parameters, self.data.samples - self.sizes
        if across < 1 or repeats < 1 or within == 0:
            return False
        ratio = self.best.deviance / across / (within / repeats)
        return bool(fisher.sf(ratio, across, repeats) < _MISFIT)

    @property
    def scale(self) -> float:
        """By how much more the sizes scatter around the curve than repeated runs do [1]."""
        if not self.misfit:
            return 1.0
        return max(self.best.deviance / max(self.sizes - self.parameters, 1), 1.0)

    @property
    def aicc(self) -> float:
        """Akaike's criterion, corrected for small samples (hurvich1989), weights held [1]."""
        n, k = self.data.samples, self.parameters + 2
        correction = 2 * k * (k + 1) / (n - k - 1) if n > k + 1 else np.inf
        return float(self.best.deviance + 2 * k + correction)


def estimate(timings: Timings, latency: str, data: Data | None = None) -> Estimate:
    """Fit in turn the curve, and the weights and spreads of the samples.

    Parameters
    ----------
    timings : Timings
        What was measured.
    latency : str
        "constant" or "linear" [text].
    data : Data or None
        Weighted data, to keep the weights as they are.
    """
    family = free(latency)
    if data is not None:
        found = best(data, family, starts_for(data))
        return Estimate(data, found, latency, family.size)
    data = _robust(prepare(timings))
    found = best(data, family, starts_for(data))
    for _ in range(_ROUNDS):
        before = data
        data = reweighted(data, found.curve, family.size)
        found = best(data, family, [found.curve])
        change = [
            abs(np.log(new.spread / old.spread))
            for new, old in zip(data[:2], before[:2], strict=True)
        ]
        if max(change) < _SETTLED:
            break
    found = best(data, family, [found.curve, *starts_for(data)])
    return Estimate(data, found, latency, family.size)


def starts_for(data: Data) -> list[Curve]:
    """Curves to begin near: the closest by linear least squares, and one that has all its terms.

    Parameters
    ----------
    data : Data
        What is fitted.
    """
    host, other = data.host, data.accelerated
    beta, C = theilslopes(host.mean, np.log(host.x))[:2]
    beta = float(np.clip(beta, 0.05, 5.0))
    time = np.exp(other.mean)
    columns = np.stack([np.ones_like(other.x), other.x, other.x**beta], axis=1) / time[:, None]
    part = nnls(columns * other.root[:, None], other.root)[0]
    largest = columns.max(axis=0)
    near, all_terms = np.maximum(part, _SLIGHT / largest), 0.3 / largest
    return [
        Curve(float(C), beta, *(float(each) for each in np.log(terms)))
        for terms in (near, all_terms)
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
