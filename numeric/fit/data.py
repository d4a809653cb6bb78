"""Times as they are fitted: logarithms with weights."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from logca.numeric.fit.call_cost import Bend, bend_of
from logca.numeric.timings.timings import Samples, Timings

__all__ = [
    "SPIKES",
    "Arm",
    "Data",
    "prepare",
]


SPIKES = 0.02
"""Share of outliers to begin with [1]."""

_EVEN = 0.5


class Arm(NamedTuple):
    """Times of the host, or of the accelerator."""

    x: Samples  # sizes over the reference size [1]
    place: np.ndarray[Any, np.dtype[np.intp]]  # for each sample the place of its size in x [1]
    y: Samples  # for each sample the logarithm of its time over the reference time [1]
    weight: Samples  # for each sample the probability that it is no outlier [1]
    spread: float  # standard deviation of the logarithm of a time that is no outlier [1]
    spikes: float  # share of samples that are outliers [1]
    # mean, root: for each size the weighted mean of y, and the root of its weight over its
    # variance [1]
    mean: Samples
    root: Samples
    # standard deviation of the logarithms of sizes around the curve, besides that noise [1]
    apart: float = 0.0

    @property
    def spiky(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """For each sample whether it is more likely an outlier than not."""
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
        """Number of samples that are no outliers [1]."""
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
    rows = [host.y[host.place == each] for each in range(host.x.size)]
    return Data(host, accelerated, log_size, log_time, bend_of(host.x, rows))
