"""How likely timings are: log-normal noise, and now and then a spike.

The logarithm of a time is the curve's plus an error that is normal with a spread of its own for
host and accelerator, or, with a small probability, a spike of any size (an exponential law on
either side, an e-fold wide). Each sample's probability of being no spike is its weight (expectation
and maximisation, dempster1977). With the weights held, only weighted means of each size matter.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import least_squares

from logca.numeric.fitting.families import Curve, Family
from logca.numeric.fitting.timings import Samples, Timings
from logca.numeric.generated.speedup import T0, T1

__all__ = ["Arm", "Best", "Data", "best", "deviance", "log_times", "prepare", "reweighted"]

_SPIKE = 0.02
_STEPS = 60
_STEP = 1e-7


class Arm(NamedTuple):
    """Times of the host, or of the accelerator.

    Parameters
    ----------
    x : array
        Sizes over the reference size [1].
    place : array of int
        For each sample the place of its size in x [1].
    y : array
        For each sample the logarithm of its time over the reference time [1].
    weight : array
        For each sample the probability that it is no spike [1].
    spread : float
        Standard deviation of the logarithm of a time that is no spike [1].
    spikes : float
        Share of samples that are spikes [1].
    mean, root : array
        For each size the weighted mean of y, and the root of its weight over its variance [1].
    """

    x: Samples
    place: np.ndarray[Any, np.dtype[np.intp]]
    y: Samples
    weight: Samples
    spread: float
    spikes: float
    mean: Samples
    root: Samples

    def weighted(self, weight: Samples, spread: float, spikes: float) -> "Arm":
        """The same times with other weights.

        Parameters
        ----------
        weight : array
            New weights [1].
        spread, spikes : float
            New spread and share of spikes [1].
        """
        total = np.bincount(self.place, weight, minlength=self.x.size)
        mean = np.zeros(self.x.size)
        summed = np.bincount(self.place, weight * self.y, minlength=self.x.size)
        np.divide(summed, total, out=mean, where=total > 0)
        root = np.sqrt(total) / spread
        return self._replace(weight=weight, spread=spread, spikes=spikes, mean=mean, root=root)


class Data(NamedTuple):
    """What a curve is fitted to.

    Parameters
    ----------
    host, accelerated : Arm
        Times of both.
    log_size : float
        Logarithm of the reference size in bytes [1].
    log_time : float
        Logarithm of the reference time in seconds [1].
    """

    host: Arm
    accelerated: Arm
    log_size: float
    log_time: float

    @property
    def samples(self) -> float:
        """Number of samples that are no spikes [1]."""
        return float(self.host.weight.sum() + self.accelerated.weight.sum())


class Best(NamedTuple):
    """The best curve of a family.

    Parameters
    ----------
    curve : Curve
        The curve.
    deviance : float
        Sum of squares of its weighted residuals [1].
    """

    curve: Curve
    deviance: float


def prepare(timings: Timings) -> Data:
    """Logarithms of times and sizes, all weights one.

    Parameters
    ----------
    timings : Timings
        What was measured.
    """
    g = np.array(timings.granularity, dtype=np.float64)
    log_size = float(np.log(g).mean())
    log_time = float(np.mean([np.log(each).mean() for each in timings.host if each.size]))

    def arm(rows: Sequence[Samples]) -> Arm:
        measured = [number for number, row in enumerate(rows) if row.size]
        place = np.repeat(np.arange(len(measured)), [rows[number].size for number in measured])
        y = np.log(np.concatenate([rows[number] for number in measured])) - log_time
        x = g[measured] / np.exp(log_size)
        none = np.zeros(len(measured))
        bare = Arm(x, place, y, np.ones_like(y), 1.0, _SPIKE, none, none)
        return bare.weighted(bare.weight, 1.0, _SPIKE)

    return Data(arm(timings.host), arm(timings.accelerated), log_size, log_time)


def log_times(curve: Curve, host: Samples, accelerated: Samples) -> tuple[Samples, Samples]:
    """Logarithms of the times of a curve.

    Parameters
    ----------
    curve : Curve
        The curve.
    host, accelerated : array
        Sizes over the reference size [1].
    """
    o, L, C, D = np.exp(np.clip([curve.o, curve.L, curve.C, curve.D], -200.0, 200.0))
    with np.errstate(over="ignore"):
        own = T0(host, C=C, beta=curve.beta)
        other = T1(accelerated, o=o, L=L, C=C, A=C / D, beta=curve.beta, latency="linear")
        return np.log(own), np.log(other)


def best(data: Data, family: Family, starts: Sequence[Curve], enough: float = 0.0) -> Best:
    """The curve of a family that fits best, from the best of several starts.

    Parameters
    ----------
    data : Data
        What is fitted.
    family : Family
        Curves to choose from.
    starts : sequence of Curve
        Curves to begin near.
    enough : float
        Deviance at which no more starts are tried [1].
    """

    def residuals(at: Samples) -> Samples:
        return _residuals(data, family.curve(at))

    def slopes(at: Samples) -> Samples:
        curve = family.curve(at)
        moved = [family.curve(at + _STEP * each) for each in np.eye(at.size)]
        return _slopes(data, curve) @ ((np.array(moved) - curve) / _STEP).T

    found = None
    for near in starts:
        for start in family.starts(near):
            with np.errstate(all="ignore"):
                result = least_squares(
                    residuals, start, slopes, method="lm", max_nfev=_STEPS, ftol=1e-6, xtol=1e-6
                )
            if found is None or result.cost < found.cost:
                found = result
        if found is not None and 2 * found.cost <= enough:
            break
    if found is None:
        raise ValueError("a fit needs at least one start")
    return Best(family.curve(found.x), 2 * float(found.cost))


def deviance(data: Data, curve: Curve) -> float:
    """Sum of squares of the weighted residuals of a curve [1].

    Parameters
    ----------
    data : Data
        What is fitted.
    curve : Curve
        A host and an accelerator.
    """
    return float((_residuals(data, curve) ** 2).sum())


def _residuals(data: Data, curve: Curve) -> Samples:
    host, other = data.host, data.accelerated
    own, offloaded = log_times(curve, host.x, other.x)
    found = np.concatenate([(own - host.mean) * host.root, (offloaded - other.mean) * other.root])
    return np.asarray(np.nan_to_num(found, nan=1e6, posinf=1e6, neginf=-1e6))


def _slopes(data: Data, curve: Curve) -> Samples:
    """Derivatives of the weighted residuals with respect to C, beta, o, L and D."""
    host, other = data.host, data.accelerated
    time = log_times(curve, host.x, other.x)[1]
    log_x = np.log(other.x)
    computing = np.exp(np.clip(curve.D + curve.beta * log_x - time, -200.0, 0.0))
    found = np.zeros((host.x.size + other.x.size, len(curve)))
    found[: host.x.size, :2] = np.stack([np.ones_like(host.x), np.log(host.x)], axis=1)
    found[host.x.size :, 1:] = np.stack(
        [
            computing * log_x,
            np.exp(np.clip(curve.o - time, -200.0, 0.0)),
            np.exp(np.clip(curve.L + log_x - time, -200.0, 0.0)),
            computing,
        ],
        axis=1,
    )
    return np.asarray(np.nan_to_num(found * np.concatenate([host.root, other.root])[:, None]))


def reweighted(data: Data, curve: Curve, parameters: float) -> Data:
    """New weights and spreads from the residuals of a curve: one step of the EM algorithm.

    Parameters
    ----------
    data : Data
        What is fitted.
    curve : Curve
        The curve as it is now.
    parameters : float
        Number of parameters that both arms have determined [1].
    """
    own, offloaded = log_times(curve, data.host.x, data.accelerated.x)
    return data._replace(
        host=_step(data.host, own, parameters / 2),
        accelerated=_step(data.accelerated, offloaded, parameters / 2),
    )


def _step(arm: Arm, predicted: Samples, parameters: float) -> Arm:
    errors = arm.y - predicted[arm.place]
    weight = _no_spike(errors, arm.spread, arm.spikes)
    kept, precision = _lost(arm.spread, arm.spikes)
    left = max(weight.sum() - parameters, 1.0) * kept
    spread = float(np.sqrt((weight * errors**2).sum() / left))
    spikes = float(np.clip(1 - weight.mean(), 0.5 / arm.y.size, 0.2))
    again = arm.weighted(weight, max(spread, 1e-9), spikes)
    return again._replace(root=again.root * np.sqrt(precision))


def _no_spike(errors: Samples, spread: float, spikes: float) -> Samples:
    core = (1 - spikes) * np.exp(-0.5 * (errors / spread) ** 2) / (np.sqrt(2 * np.pi) * spread)
    wild = spikes * 0.5 * np.exp(-np.abs(errors))
    return np.asarray(core / (core + wild + 1e-300))


def _lost(spread: float, spikes: float) -> tuple[float, float]:
    """What weights below one do to normal errors: to their variance, and to the precision of means.

    The variance is consistent when divided by the first; the second is the efficiency of a mean
    with such weights (huber1981, the ratio of E[psi']**2 to E[psi**2]).
    """
    z = np.linspace(-8.0, 8.0, 321)
    density = np.exp(-0.5 * z**2) / np.exp(-0.5 * z**2).sum()
    weight = _no_spike(spread * z, spread, spikes)
    mass, square = float(weight @ density), float((weight * z**2) @ density)
    return square / mass, square**2 / (float((weight**2 * z**2) @ density) * mass)
