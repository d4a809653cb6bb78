"""The root of ``k*g**beta + l*g = c``: where a power and a line together reach a constant."""

from typing import Any

import numpy as np

from logca.numeric.arrays import Array, real

__all__ = ["sum_root"]

_MOST_STEPS = 100


def sum_root(k: Array, l: Array, c: Array, beta: Array) -> Any:
    """The only positive g with ``k*g**beta + l*g = c`` [B].

    Newton's method in t = log(g), on the convex, rising log(k*e**(beta*t) + l*e**t) - log(c),
    starts where either term alone reaches the constant, above the root, and comes down to it.

    Parameters
    ----------
    k : array
        Not negative [cycles/B**beta].
    l : array
        Not negative, positive where k is zero [cycles/B].
    c : array
        Positive; NaN where it is not [cycles].
    beta : array
        Exponent, positive [1].

    Examples
    --------
    >>> float(sum_root(1.0, 2.0, 3.0, 2.0))
    1.0
    """
    k, l, c, beta = np.broadcast_arrays(*map(real, (k, l, c, beta)))
    with np.errstate(all="ignore"):
        log_k, log_l, log_c = np.log(k), np.log(l), np.log(c)
        t = np.minimum((log_c - log_k) / beta, log_c - log_l)
        for _ in range(_MOST_STEPS):
            power, line = np.exp(log_k - log_c + beta * t), np.exp(log_l - log_c + t)
            total = power + line
            step = np.log(total) * total / (beta * power + line)
            moving = step > np.finfo(np.float64).eps * np.abs(t)
            if not moving.any():
                break
            t = np.where(moving, t - step, t)
        g = np.exp(t)
        power, line = k * g**beta, l * g
        change = (c - power - line) / (beta * power + line)
        g = np.where(np.abs(change) < 1e-3, g + g * change, g)
        return np.where(c > 0, g, np.nan)[()]
