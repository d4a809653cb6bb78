"""Interval of the speedup at one size by profile likelihood.

A curve with a given speedup at a size is given by its host and by how its accelerated time there
divides into overhead, latency and computation, which may be anything: no speedup is out of reach.
"""

from typing import TYPE_CHECKING

import numpy as np
from scipy.special import log_softmax

from logca.numeric.fitting.families import NEVER, Curve, Family, own
from logca.numeric.fitting.intervals import Interval, Profile, cutoff
from logca.numeric.fitting.likelihood import log_times
from logca.numeric.fitting.timings import Samples

if TYPE_CHECKING:
    from logca.numeric.fitting.estimate import Estimate

__all__ = ["speedup_interval", "with_speedup"]

_FAR = 30.0
_UNLIKE, _ALIKE = 20.0, 3.0


def speedup_interval(estimate: "Estimate", size: float, level: float) -> Interval:
    """Which speedups at a size the timings do not refute, without what a call costs [1].

    Any where the size is so far away that curves leave the range of floating point.

    Parameters
    ----------
    estimate : Estimate
        What was fitted.
    size : float
        Granularity [B].
    level : float
        Confidence [1].
    """
    t = float(np.log(size)) - estimate.data.log_size
    x = np.exp([t])
    host, accelerated = log_times(estimate.best.curve._replace(h=NEVER), x, x)
    at = float(host[0] - accelerated[0])
    allowed = cutoff(estimate, level)
    profile = Profile(estimate, lambda s: with_speedup(s, t, estimate.latency), allowed)
    low, high = profile.ends(at, allowed, at - _FAR, at + _FAR)
    if np.isnan(low):
        return Interval(0.0, np.inf)
    return Interval(float(np.exp(low)), float(np.exp(high)))


def with_speedup(log_speedup: float, t: float, latency: str) -> Family:
    """Curves that have a speedup at a granularity.

    Parameters
    ----------
    log_speedup : float
        Logarithm of the speedup [1].
    t : float
        Logarithm of the granularity over the reference size [1].
    latency : str
        "constant" or "linear" [text].
    """
    relative = own("o", 0.0, 0.0, latency)

    def curve(at: Samples) -> Curve:
        given = relative.curve(at)
        accelerated = given.C + given.beta * t - log_speedup
        o, L, D = accelerated + log_softmax([0.0, given.L, given.D])
        return given._replace(
            o=float(o),
            L=float(L) - t if latency == "linear" else NEVER,
            D=float(D) - given.beta * t,
        )

    def starts(near: Curve) -> list[Samples]:
        computation = near.D + near.beta * t
        paid = float(np.logaddexp.reduce([near.o, near.L + t, computation]))
        parts = [near.L + t - near.o, computation - near.o]
        found = []
        for most in (_UNLIKE, _ALIKE):
            L, D = np.clip(parts, -most, most)
            found.append(near._replace(L=float(L), D=float(D)))
        dearer = found[0]._replace(C=paid + log_speedup - near.beta * t)
        return [relative.starts(each)[0] for each in (*found, dearer)]

    return Family(curve, starts, relative.size)
