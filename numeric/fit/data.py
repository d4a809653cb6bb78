"""Times as they are fitted: logarithms with weights."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from logca.numeric.fit.breaks import Break
from logca.numeric.fit.call_cost import Bend, bend_of
from logca.numeric.fit.clock_steps import ClockErrors, clock_errors
from logca.numeric.fit.modes import Mode
from logca.numeric.timings.timings import Samples, Spread, Timings

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
    # noise, runs: where y are means, for each size the standard deviation of the logarithm of one
    # run, and the number of runs; None where y are the runs themselves [1]
    noise: Samples | None = None
    runs: Samples | None = None
    mode: Mode | None = None  # the less frequent of two modes of the runs, if they have two
    clock: ClockErrors | None = None  # errors that no repeats lessen, if the clock is coarse

    @property
    def spiky(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """For each sample whether it is more likely an outlier than not."""
        return np.asarray(self.weight < _EVEN)

    @property
    def kept(self) -> float:
        """Number of runs that are no outliers [1]."""
        return float((self.weight if self.runs is None else self.runs).sum())

    @property
    def within(self) -> float:
        """Sum of squares of runs around the mean of their size, over their variance [1].

        With a coarse clock of sizes whose runs scatter by more than its steps.
        """
        if self.runs is not None:
            return float((self.runs - 1).sum())
        errors = (self.y - self.mean[self.place]) * self.fine[self.place]
        return float((self.weight * (errors / self.spread) ** 2).sum())

    @property
    def repeats(self) -> float:
        """Number of runs that are no outliers beyond one a size, of sizes as in `within` [1]."""
        if self.clock is None:
            return self.kept - self.x.size
        return float((self.weight * self.fine[self.place]).sum() - self.fine.sum())

    @property
    def fine(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """For each size if runs scatter by more than steps of the clock."""
        if self.clock is None:
            return np.ones(self.x.size, dtype=np.bool_)
        return np.asarray(self.clock.log < self.spread)

    @property
    def error(self) -> float | Samples:
        """Standard deviation of the logarithm of a time, with steps of the clock for each [1]."""
        if self.clock is None:
            return self.spread
        return np.asarray(np.hypot(self.spread, self.clock.log[self.place]))

    @property
    def told(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """For each size if its times tell how they scatter, beside steps of the clock."""
        if self.clock is None:
            return np.ones(self.x.size, dtype=np.bool_)
        return self.clock.apart

    def precision(self, total: np.ndarray[Any, Any], spread: float) -> Samples:
        """For each size the root of a weight over the variance of its mean [1]."""
        if self.clock is None:
            return np.asarray(np.sqrt(total) / spread)
        return np.asarray(np.sqrt(total / (spread**2 + total * self.clock.log**2)))

    def weighted(self, weight: Samples, spread: float, spikes: float) -> "Arm":
        """These times with other weights; means keep those of their runs."""
        if self.noise is not None:
            return self
        total = np.bincount(self.place, weight, minlength=self.x.size)
        mean = np.zeros(self.x.size)
        summed = np.bincount(self.place, weight * self.y, minlength=self.x.size)
        np.divide(summed, total, out=mean, where=total > 0)
        root = self.precision(total, spread)
        return self._replace(weight=weight, spread=spread, spikes=spikes, mean=mean, root=root)


class Data(NamedTuple):
    """Times of both paths that a curve is fitted to."""

    # host, accelerated: times of both
    host: Arm
    accelerated: Arm
    log_size: float  # logarithm of the reference size in bytes [1]
    log_time: float  # logarithm of the reference time in seconds [1]
    bend: Bend | None = None  # what a call costs even for no data, if the host's times show it
    breaks: tuple[Break, ...] = ()  # places from which on times are others than the curve's
    hidden_call: bool = False  # if a call may cost what the host's times are too few to show

    @property
    def call_is_free(self) -> bool:
        """True if what a call costs is searched for beside the parameters."""
        return self.bend is not None or self.hidden_call

    @property
    def samples(self) -> float:
        """Number of samples that are no outliers [1]."""
        return self.host.kept + self.accelerated.kept

    @property
    def sizes_of_outliers(self) -> int:
        """Number of sizes all of whose times are outliers: the curve leaves them out [1]."""
        arms = (self.host, self.accelerated)
        return sum(arm.x.size - np.unique(arm.place[~arm.spiky]).size for arm in arms)

    @property
    def repeated(self) -> bool:
        """True if runs at the sizes tell how they scatter."""
        return all(arm.kept >= _REPEATED * arm.x.size for arm in (self.host, self.accelerated))


_REPEATED = 1.5
"""Runs at a size, on average, that tell how they scatter [1]."""


def prepare(timings: Timings) -> Data:
    """Logarithms of times and sizes, all weights one."""
    g = np.array(timings.granularity, dtype=np.float64)
    log_size = float(np.log(g).mean())
    log_time = float(np.mean([np.log(each).mean() for each in timings.host if each.size]))

    def arm(
        rows: Sequence[Samples], spreads: Sequence[Spread | None], clock: ClockErrors | None
    ) -> Arm:
        measured = [number for number, row in enumerate(rows) if row.size]
        x = g[measured] / np.exp(log_size)
        if any(spreads):
            means = [_mean(rows[number], spreads[number]) for number in measured]
            if any(variance > 0 for _, variance, _ in means):
                return _of_means(x, means, log_time)
        place = np.repeat(np.arange(len(measured)), [rows[number].size for number in measured])
        y = np.log(np.concatenate([rows[number] for number in measured])) - log_time
        none = np.zeros(len(measured))
        bare = Arm(x, place, y, np.ones_like(y), 1.0, SPIKES, none, none, clock=clock)
        return bare.weighted(bare.weight, 1.0, SPIKES)

    of_host, of_accelerated = clock_errors(timings)
    host = arm(timings.host, timings.host_spread, of_host)
    accelerated = arm(timings.accelerated, timings.accelerated_spread, of_accelerated)
    # places rise: runs of a size stand together
    rows = np.split(host.y, np.searchsorted(host.place, np.arange(1, host.x.size)))
    return Data(
        host, accelerated, log_size, log_time, bend_of(host.x, rows, of_host and of_host.log)
    )


_SHARED = 4
"""Runs that the noise of all sizes counts as, beside those of a size [1]."""


def _mean(times: Samples, spread: Spread | None) -> tuple[float, float, int]:
    """Logarithm of the mean of one size, variance of the logarithm of a run, number of runs."""
    if spread is not None:
        variance = np.log1p((spread.deviation / times[0]) ** 2) if spread.runs > 1 else 0.0
        return float(np.log(times[0])), float(variance), spread.runs
    logs = np.log(times)
    return float(logs.mean()), float(logs.var(ddof=1)) if logs.size > 1 else 0.0, logs.size


def _of_means(x: Samples, means: Sequence[tuple[float, float, int]], log_time: float) -> Arm:
    """Times of which only means are known: weighted by their errors, none of them an outlier.

    Few runs tell their deviation badly, so that of all sizes counts too, as of a few runs more.
    """
    logs, variance, runs = np.array(means).T
    degrees = runs - 1
    pooled = float(degrees @ variance / degrees.sum())
    noise = np.sqrt((degrees * variance + _SHARED * pooled) / (degrees + _SHARED))
    y = logs - log_time
    return Arm(
        x=x,
        place=np.arange(x.size),
        y=y,
        weight=np.ones_like(y),
        spread=float(np.sqrt(pooled)),
        spikes=SPIKES,
        mean=y,
        root=np.sqrt(runs) / noise,
        noise=noise,
        runs=runs,
    )
