"""Trinomial roots on arrays, in floating point, to find candidates for counterexamples."""

from collections.abc import Callable
from typing import Any

import numpy as np

__all__ = ["root_values"]

_STEPS = 60


def root_values(upward: bool) -> Callable[[Any, Any, Any, Any], Any]:
    """Function of arrays k, c, l, beta that gives the upward or downward crossing [B], or NaN."""

    def values(k: Any, c: Any, l: Any, b: Any) -> Any:
        k, c, l, b = np.broadcast_arrays(*(np.asarray(v, dtype=float) for v in (k, c, l, b)))
        with np.errstate(all="ignore"):
            overhead, moved = np.log(c / k) / b, np.log(l / k) / (b - 1)
            start = np.where(b > 1, np.maximum(overhead, moved), overhead if upward else moved)
            start = np.where(l == 0, overhead, start)
            t = start
            for _ in range(_STEPS):
                size = l * np.exp(t)
                slope = size / (c + size) - b
                step = (np.log(c + size) - b * t - np.log(k)) / slope
                t = t - np.where(np.isfinite(step), step, 0.0)
            line = np.where(b == 1, np.log(c / (k - l)), t)
            size = l * np.exp(line)
            residual = np.abs(np.log(c + size) - b * line - np.log(k))
            slope = b - size / (c + size)
            right_way = (slope >= -1e-7) if upward else (slope <= 1e-7)
            found = (k > 0) & (residual < 1e-9) & right_way
            rising = np.where(found, np.exp(line), np.nan)
            return np.where(l < 0, _against_loss(k, c, -l, b) if upward else np.nan, rising)

    return values


def _against_loss(k: Any, c: Any, loss: Any, b: Any) -> Any:
    """The positive x [B] with ``k*x**b + loss*x = c``, or NaN, by Newton's method in ln x."""
    t = np.minimum(np.log(c / k) / b, np.log(c / loss))
    for _ in range(_STEPS):
        power, line = k * np.exp(b * t), loss * np.exp(t)
        step = np.log((power + line) / c) * (power + line) / (b * power + line)
        t = t - np.where(np.isfinite(step), step, 0.0)
    return np.where((k > 0) & (c > 0), np.exp(t), np.nan)
