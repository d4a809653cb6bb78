"""What was measured beside what a fit says, size by size."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from logca.numeric.fitting.estimate import Estimate
from logca.numeric.fitting.likelihood import log_times
from logca.numeric.fitting.timings import Samples

__all__ = ["Observed", "akaike_weights", "observed"]

_SPIKE = 0.5
_QUARTILES = (0.25, 0.5, 0.75)


class Observed(NamedTuple):
    """Times of one path; where all times of a size are spikes, median and quartiles are NaN.

    Parameters
    ----------
    size : array
        Sizes with times, ascending [B].
    median, low, high : array
        For each size median and quartiles of its times that are no spikes [s].
    fitted : array
        For each size what the curve says [s].
    spike_size, spike : array
        Size and time of each spike [B], [s].
    """

    size: Samples
    median: Samples
    low: Samples
    high: Samples
    fitted: Samples
    spike_size: Samples
    spike: Samples


def observed(estimate: Estimate, path: str) -> Observed:
    """Times of a path beside the curve; a spike is a time that is likelier one than not.

    Parameters
    ----------
    estimate : Estimate
        What was fitted.
    path : str
        "host" or "accelerated" [text].
    """
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
    return Observed(
        size=size,
        median=median,
        low=low,
        high=high,
        fitted=np.exp((own if path == "host" else other) + data.log_time),
        spike_size=size[arm.place[~usual]],
        spike=time[~usual],
    )


def akaike_weights(models: Mapping[str, float]) -> dict[str, float]:
    """How likely each form is to be the better one, from Akaike's criterion (burnham2002) [1].

    Parameters
    ----------
    models : mapping of str to float
        AICc of each form [1].

    Examples
    --------
    >>> {name: round(weight, 2) for name, weight in akaike_weights({"a": 10, "b": 12}).items()}
    {'a': 0.73, 'b': 0.27}
    """
    least = min(models.values())
    likely = {
        name: float(np.exp((least - aicc) / 2)) if aicc > least else 1.0
        for name, aicc in models.items()
    }
    return {name: each / sum(likely.values()) for name, each in likely.items()}
