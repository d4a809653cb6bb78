"""How far predicted times lie from measured ones, and how well they order them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats

__all__ = ["Errors", "coverage", "errors"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Errors:
    """Errors of predictions, by the ratio of predicted to measured time."""

    rows: int  # predictions [1]
    # geometric_mean, median, p90: error of so many times as long or as short, less 1: exp of the
    # mean, the median and the 90th percentile of |ln ratio|, less 1 [1]
    geometric_mean: float
    median: float
    p90: float
    bias: float  # exp of the mean of ln ratio, less 1: positive where times are predicted long [1]
    tau: float  # Kendall's tau of predicted and measured times; nan of one row [1]


def errors(measured: Sequence[float], predicted: Sequence[float]) -> Errors:
    """The errors of predictions; a prediction of no time at all counts as one of a nanosecond.

    Examples
    --------
    >>> found = errors([1.0, 1.0, 4.0], [2.0, 0.5, 4.0])
    >>> round(found.geometric_mean, 3), found.median, round(found.tau, 3)
    (0.587, 1.0, 0.816)
    """
    ratios = np.log(np.maximum(predicted, 1e-9) / np.asarray(measured))
    off = np.abs(ratios)
    tau = float(stats.kendalltau(measured, predicted).statistic) if len(off) > 1 else float("nan")
    return Errors(
        rows=len(off),
        geometric_mean=float(np.expm1(off.mean())),
        median=float(np.expm1(np.median(off))),
        p90=float(np.expm1(np.quantile(off, 0.9))),
        bias=float(np.expm1(ratios.mean())),
        tau=tau,
    )


def coverage(residuals: Sequence[float], ends: Sequence[tuple[float, float]]) -> float:
    """The share of residuals that lie between their own two ends [1].

    Examples
    --------
    >>> coverage([0.1, -0.3], [(-0.2, 0.2), (-0.2, 0.2)])
    0.5
    """
    inside = [low <= each <= high for each, (low, high) in zip(residuals, ends, strict=True)]
    return sum(inside) / len(inside)
