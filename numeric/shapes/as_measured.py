"""Measurements at single shapes beside a model: the faster path, where it is not the model's."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from logca.numeric.shapes.timings import PATHS, ShapeTimings
from logca.numeric.timings.crossing import compared, faster, ratio_noise
from logca.numeric.timings.timings import Samples

__all__ = ["apart_from", "faster_path", "nearest"]

_MOST_NOISE = 0.05  # of the logarithm of a ratio that was measured once
_SIGNIFICANT = 2.0  # standard deviations
_SAME = 1e-9  # of a squared distance


def faster_path(timings: ShapeTimings, level: float, spread: float) -> tuple[int, ...]:
    """For each shape the faster path: 1 the accelerated one, -1 the host, 0 if it is unclear.

    The scatter of repeated runs tells what is clear; without, the spread around a model [1], taken
    for 5 % at most.
    """
    if timings.host:
        times = {
            float(place + 1): {path: getattr(timings, path)[place].tolist() for path in PATHS}
            for place in range(len(timings))
        }
        rows = compared(times, level)
        if ratio_noise(rows)[1]:
            return faster(rows, level)
    least = _SIGNIFICANT * min(spread, _MOST_NOISE)
    logs = np.log(timings.speedups)
    return tuple(int(sign) for sign in np.where(np.abs(logs) > least, np.sign(logs), 0))


def apart_from(
    modelled: Samples,
    measured: Samples,
    signs: Sequence[int],
    outliers: Sequence[int],
    spread: float,
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Places where the faster path is not the model's, and those where the speedup is not.

    The second are the first, and those where an outlier among the times makes the speedup another,
    whichever path is faster.
    """
    wrong = tuple(
        place
        for place, (sign, speedup) in enumerate(zip(signs, modelled, strict=True))
        if sign and (sign > 0) != (speedup > 1)
    )
    far = np.abs(np.log(measured) - np.log(modelled)) > _SIGNIFICANT * spread
    return wrong, tuple(sorted({*wrong, *(place for place in outliers if far[place])}))


def nearest(features: Mapping[str, Samples], at: Mapping[str, Any]) -> tuple[int, ...]:
    """Places of the shapes measured that are nearest to one, in logarithms of their amounts."""
    apart = np.zeros(len(next(iter(features.values()))))
    for role, values in features.items():
        least = values[values > 0].min(initial=np.inf)
        if least < np.inf:
            apart += (np.log(np.maximum(values, least)) - np.log(max(float(at[role]), least))) ** 2
    return tuple(int(each) for each in np.flatnonzero(apart <= apart.min() + _SAME))
