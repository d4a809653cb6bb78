"""The fixed cost of a call, which bends the times of a host.

Timing commands or calls measures it on both paths. The curve of a host with a fixed cost is that of
an offload to an accelerator as fast as the host.
"""

from typing import NamedTuple

import numpy as np
import scipy  # whose parts load when they are first used: half a second

from logca.numeric.generated.speedup import T0, T1
from logca.numeric.timings.timings import Samples

__all__ = ["Bend", "bend_of"]

_DOUBT = 1e-3
_FEWEST = 6
_HALF = 0.5
_SURELY = 1e-3


class Bend(NamedTuple):
    """A host's times as a power law and a fixed cost of a call."""

    cost: float  # fixed cost of a call, over the reference time [1]
    # C, beta: the power law, in units of reference [1]
    C: float
    beta: float


def bend_of(x: Samples, rows: list[Samples], clock: Samples | None = None) -> Bend | None:
    """The bend of a host's times, if one is evident from medians.

    A fixed cost matters where it is more than half of what sizes scatter by. With a coarse clock
    they scatter by its errors at least, of each size.
    """
    log_x = np.log(x)
    if x.size < _FEWEST:
        return None
    median = np.array([np.median(row) for row in rows])
    usual = max(_of_medians(rows, median), _SURELY**2)
    root, least = np.ones_like(x), usual
    if clock is not None:
        root, least = 1 / np.sqrt(usual + clock**2), 1.0
    straight = np.polyfit(log_x, median, 1, w=root)
    power_law = float((((np.polyval(straight, log_x) - median) * root) ** 2).sum())

    def misses(at: Samples) -> Samples:
        cost, C, beta = np.exp(at)
        return np.asarray((np.log(T1(x, o=cost, L=0.0, C=C, A=1.0, beta=beta)) - median) * root)

    steep = np.polyfit(log_x[x.size // 2 :], median[x.size // 2 :], 1)
    start = np.array([median[0], steep[1], np.log(max(steep[0], 0.05))])
    with np.errstate(all="ignore"):
        found = scipy.optimize.least_squares(misses, start, method="lm", max_nfev=500)
    freedom = x.size - start.size
    scatter = max(2 * found.cost / freedom, least)
    gained = (power_law - 2 * found.cost) / scatter
    if not scipy.special.fdtrc(1, freedom, gained) < _DOUBT:
        return None
    cost, C, beta = np.exp(found.x)
    if not cost > _HALF * np.sqrt(scatter) / root[0] * T0(x[0], C=C, beta=beta):
        return None
    return Bend(cost=float(cost), C=float(C), beta=float(beta))


def _of_medians(rows: list[Samples], median: Samples) -> float:
    """Variance of a median, from how runs of one size scatter around it; outliers hardly count."""
    apart = [np.abs(row - middle) for row, middle in zip(rows, median, strict=True) if row.size > 2]
    if not apart:
        return 0.0
    runs = float(np.mean([row.size for row in apart]))
    spread = 1.4826 * float(np.median(np.concatenate(apart))) * runs / (runs - 1)
    return 0.5 * np.pi * spread**2 / runs
