"""Sizes that scatter around the curve by more than repeated runs do.

Caches, clocks and paths of code change with the size. Then the repeats of one size are no
independent evidence on the curve: each size counts with the variance of its mean plus that of the
sizes, which is such that their squares add up to what is expected of them (paule1982).
"""

import numpy as np
from scipy.optimize import brentq

from logca.numeric.fitting.arms import Arm, Data
from logca.numeric.fitting.families import Curve
from logca.numeric.fitting.likelihood import log_times, reweighed
from logca.numeric.fitting.timings import Samples

__all__ = ["scattered", "within_sizes"]

_ROUNDS = 10
_LEAST = 1e-24


def within_sizes(data: Data) -> Data:
    """Weights and spreads from how runs scatter around the mean of their size, not the curve.

    Parameters
    ----------
    data : Data
        What is fitted.
    """
    return data._replace(host=_within(data.host), accelerated=_within(data.accelerated))


def scattered(data: Data, curve: Curve, parameters: float) -> Data:
    """The same weights of runs, with the scatter of sizes around a curve.

    Parameters
    ----------
    data : Data
        From `within_sizes`.
    curve : Curve
        The curve as it is now.
    parameters : float
        Number of parameters that both arms have determined [1].
    """
    own, offloaded = log_times(curve, data.host.x, data.accelerated.x)
    return data._replace(
        host=_apart(data.host, own, parameters / 2),
        accelerated=_apart(data.accelerated, offloaded, parameters / 2),
    )


def _within(arm: Arm) -> Arm:
    if arm.y.size - arm.x.size < arm.x.size / 2:  # too few repeats to know it
        return arm
    rows = [arm.y[arm.place == each] for each in range(arm.x.size)]
    median = np.array([np.median(row) for row in rows])
    middle = 1.4826 * float(np.median(np.abs(arm.y - median[arm.place])))
    arm = arm._replace(mean=median, spread=max(middle, 1e-9))
    for _ in range(_ROUNDS):
        arm = reweighed(arm, arm.mean, arm.x.size)
    return arm


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
        variance = float(brentq(beyond, 0.0, 2 * squares.sum() / expected, rtol=1e-6))
    return arm._replace(root=1 / np.sqrt(noise + variance), apart=float(np.sqrt(variance)))
