"""Times in whole steps of a coarse clock, found from the times themselves."""

from collections.abc import Sequence

import numpy as np

from logca.numeric.fitting.timings import Samples

__all__ = ["coarse_sizes"]

_FEW_STEPS = 10
_FEWEST = 8
_WHOLE = 0.01


def coarse_sizes(rows: Sequence[Samples]) -> tuple[float, int]:
    """The step of a clock, and how many sizes take less than ten of them; zeros if none is evident.

    A step is evident if times of a few steps repeat, and are whole multiples of it.

    Parameters
    ----------
    rows : sequence of array
        For each size its times [s].

    Returns
    -------
    tuple
        The step [s], and the number of sizes [1].

    Examples
    --------
    >>> step = 1e-6
    >>> coarse_sizes([np.array([step, step, 2 * step])] * 3 + [np.array([90 * step] * 3)])
    (1e-06, 3)
    """
    times = np.concatenate(list(rows))
    distinct = np.unique(times)
    if times.size < _FEWEST or distinct.size < 2:
        return 0.0, 0
    near = distinct[distinct < _FEW_STEPS * distinct[0]]
    gaps = np.diff(near)  # of equal times that differ by rounding they are tiny
    step = float(min(near[0], gaps[gaps > _WHOLE * near[0] / _FEW_STEPS].min(initial=np.inf)))
    steps = times[times < _FEW_STEPS * step] / step
    counts = np.unique(np.rint(steps)).size
    if not 1 < counts <= steps.size / 2 or (abs(steps - np.rint(steps)) > _WHOLE).any():
        return 0.0, 0
    return step, sum(bool(row.size and np.median(row) < _FEW_STEPS * step) for row in rows)
