"""Times as they are fitted: logarithms with weights, and where those of the host bend.

Timing commands or calls measures a fixed cost on both paths. The curve of a host with a fixed cost
is that of an offload to an accelerator as fast as the host.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import least_squares
from scipy.stats import f as fisher

from logca.numeric.generated.speedup import T0, T1
from logca.numeric.timings.timings import Samples, Timings

__all__ = [
    "SPIKES",
    "Arm",
    "Bend",
    "Data",
    "bend_of",
    "prepare",
]

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


def bend_of(host: "Arm") -> Bend | None:
    """The bend of a host's times, if one is evident from medians.

    A fixed cost matters where it is more than half of what sizes scatter by.
    """
    x, log_x = host.x, np.log(host.x)
    if x.size < _FEWEST:
        return None
    rows = [host.y[host.place == each] for each in range(x.size)]
    median = np.array([np.median(row) for row in rows])
    straight = np.polyfit(log_x, median, 1)
    power_law = float(((np.polyval(straight, log_x) - median) ** 2).sum())

    def misses(at: Samples) -> Samples:
        cost, C, beta = np.exp(at)
        return np.asarray(np.log(T1(x, o=cost, L=0.0, C=C, A=1.0, beta=beta)) - median)

    steep = np.polyfit(log_x[x.size // 2 :], median[x.size // 2 :], 1)
    start = np.array([median[0], steep[1], np.log(max(steep[0], 0.05))])
    with np.errstate(all="ignore"):
        found = least_squares(misses, start, method="lm", max_nfev=500)
    freedom = x.size - start.size
    scatter = max(2 * found.cost / freedom, _of_medians(rows, median), _SURELY**2)
    gained = (power_law - 2 * found.cost) / scatter
    if not fisher.sf(gained, 1, freedom) < _DOUBT:
        return None
    cost, C, beta = np.exp(found.x)
    if not cost > _HALF * np.sqrt(scatter) * T0(x[0], C=C, beta=beta):
        return None
    return Bend(cost=float(cost), C=float(C), beta=float(beta))


def _of_medians(rows: list[Samples], median: Samples) -> float:
    """Variance of a median, from how runs of one size scatter around it; spikes hardly count."""
    apart = [np.abs(row - middle) for row, middle in zip(rows, median, strict=True) if row.size > 2]
    if not apart:
        return 0.0
    runs = float(np.mean([row.size for row in apart]))
    spread = 1.4826 * float(np.median(np.concatenate(apart))) * runs / (runs - 1)
    return 0.5 * np.pi * spread**2 / runs


SPIKES = 0.02
"""Share of spikes to begin with [1]."""

_EVEN = 0.5


class Arm(NamedTuple):
    """Times of the host, or of the accelerator."""

    x: Samples  # sizes over the reference size [1]
    place: np.ndarray[Any, np.dtype[np.intp]]  # for each sample the place of its size in x [1]
    y: Samples  # for each sample the logarithm of its time over the reference time [1]
    weight: Samples  # for each sample the probability that it is no spike [1]
    spread: float  # standard deviation of the logarithm of a time that is no spike [1]
    spikes: float  # share of samples that are spikes [1]
    # mean, root: for each size the weighted mean of y, and the root of its weight over its
    # variance [1]
    mean: Samples
    root: Samples
    # standard deviation of the logarithms of sizes around the curve, besides that noise [1]
    apart: float = 0.0

    @property
    def spiky(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """For each sample whether it is more likely a spike than not."""
        return np.asarray(self.weight < _EVEN)

    def weighted(self, weight: Samples, spread: float, spikes: float) -> "Arm":
        """These times with other weights."""
        total = np.bincount(self.place, weight, minlength=self.x.size)
        mean = np.zeros(self.x.size)
        summed = np.bincount(self.place, weight * self.y, minlength=self.x.size)
        np.divide(summed, total, out=mean, where=total > 0)
        root = np.sqrt(total) / spread
        return self._replace(weight=weight, spread=spread, spikes=spikes, mean=mean, root=root)


class Data(NamedTuple):
    """Times of both paths that a curve is fitted to."""

    # host, accelerated: times of both
    host: Arm
    accelerated: Arm
    log_size: float  # logarithm of the reference size in bytes [1]
    log_time: float  # logarithm of the reference time in seconds [1]
    bend: Bend | None = None  # what a call costs even for no data, if the host's times show it

    @property
    def samples(self) -> float:
        """Number of samples that are no spikes [1]."""
        return float(self.host.weight.sum() + self.accelerated.weight.sum())


def prepare(timings: Timings) -> Data:
    """Logarithms of times and sizes, all weights one."""
    g = np.array(timings.granularity, dtype=np.float64)
    log_size = float(np.log(g).mean())
    log_time = float(np.mean([np.log(each).mean() for each in timings.host if each.size]))

    def arm(rows: Sequence[Samples]) -> Arm:
        measured = [number for number, row in enumerate(rows) if row.size]
        place = np.repeat(np.arange(len(measured)), [rows[number].size for number in measured])
        y = np.log(np.concatenate([rows[number] for number in measured])) - log_time
        x = g[measured] / np.exp(log_size)
        none = np.zeros(len(measured))
        bare = Arm(x, place, y, np.ones_like(y), 1.0, SPIKES, none, none)
        return bare.weighted(bare.weight, 1.0, SPIKES)

    host, accelerated = arm(timings.host), arm(timings.accelerated)
    return Data(host, accelerated, log_size, log_time, bend_of(host))
