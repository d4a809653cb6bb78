"""Means over the unit cube by quasi-Monte Carlo, with an interval that holds the exact one.

Points of Sobol's sequence fill a cube more evenly than random ones. Scrambled at random they give
an unbiased mean; of several scrambled independently of each other the means scatter as they err,
which gives an interval by Student's t (lecuyer2002, §2). Seeds are fixed, and work is counted in
points, so that the same is found everywhere.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from math import inf
from typing import Any

import numpy as np
import scipy  # whose parts load when they are first used: half a second

__all__ = [
    "CLOSED_FORM",
    "CONFIDENCE",
    "POINTS",
    "RANDOMIZATIONS",
    "BoundedValue",
    "Samples",
    "in_closed_form",
    "mean_of",
    "method_of",
    "root_of",
    "sobol_points",
]

Samples = np.ndarray[Any, np.dtype[np.float64]]

RANDOMIZATIONS = 16
"""Scrambled sequences that are independent of each other [1]."""

POINTS = 4096
"""Points of each, a power of two, if nothing else is said [1]."""

CONFIDENCE = 0.99
"""Confidence of the intervals [1]."""

CLOSED_FORM = "closed form"

_SEED = 25
_BITS = 30  # of each coordinate of a point
_WIDE = 345.0  # e-folds on either side of one: a value from 1e-150 to 1e150
_CLOSE = 1e-10  # relative, of a root


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundedValue:
    """A number that was computed, with an interval in which the exact one is.

    Parameters
    ----------
    value : float
        The number; infinite where there is none so small [unit of the quantity].
    lower, upper : float
        Ends of the interval; equal to the value where it is exact but for rounding [unit of the
        quantity].
    method : str
        "closed form", or another that says how much work it was.
    """

    value: float
    lower: float
    upper: float
    method: str

    @property
    def error(self) -> float:
        """The larger distance from the value to an end of the interval [unit of the quantity]."""
        if self.lower == self.value == self.upper:
            return 0.0
        return max(self.value - self.lower, self.upper - self.value)

    @property
    def is_exact(self) -> bool:
        """True if it is exact but for rounding."""
        return self.method == CLOSED_FORM

    def __float__(self) -> float:
        return self.value

    def __str__(self) -> str:
        within = "" if self.is_exact else f" ({self.lower:.6g} to {self.upper:.6g})"
        return f"{self.value:.6g}{within}, {self.method}"


def in_closed_form(value: float) -> BoundedValue:
    """A number that a closed form gives."""
    return BoundedValue(value=value, lower=value, upper=value, method=CLOSED_FORM)


def method_of(points: int) -> str:
    """The method in words, with its work."""
    return f"quasi-Monte Carlo, {RANDOMIZATIONS} randomizations of {points} points"


@lru_cache(maxsize=8)
def sobol_points(dimensions: int, points: int) -> Samples:
    """Points inside the unit cube, for each randomization; the last axis is that of dimensions."""
    made = [
        scipy.stats.qmc.Sobol(
            dimensions, scramble=True, bits=_BITS, rng=np.random.default_rng([_SEED, each])
        ).random_base2(points.bit_length() - 1)
        for each in range(RANDOMIZATIONS)
    ]
    found = np.stack(made) + 0.5 / 2**_BITS  # not on the edge, where a quantile may be infinite
    found.setflags(write=False)
    return np.asarray(found)


def mean_of(values: Samples, *, counted: bool = False) -> BoundedValue:
    """The mean of probabilities, a row for each randomization.

    Where they are `counted`, each one or zero, and all are alike, the interval is that of as many
    independent ones.
    """
    rows, points = values.shape
    found = _student(values.mean(axis=1), points)
    lower, upper = max(found.lower, 0.0), min(found.upper, 1.0)
    if counted and found.value in (0.0, 1.0):
        unseen = 1 - (1 - CONFIDENCE) ** (1 / (rows * points))
        lower, upper = (1 - unseen, 1.0) if found.value else (0.0, unseen)
    return BoundedValue(value=found.value, lower=lower, upper=upper, method=found.method)


def _student(each: Samples, points: int) -> BoundedValue:
    """Mean of independent estimates, with the interval of Student's t."""
    value = float(each.mean())
    quantile = float(scipy.special.stdtrit(each.size - 1, (1 + CONFIDENCE) / 2))
    error = quantile * float(each.std(ddof=1)) / float(np.sqrt(each.size))
    return BoundedValue(
        value=value, lower=value - error, upper=value + error, method=method_of(points)
    )


def root_of(excess: Callable[[Samples, Any], Samples], points: int) -> BoundedValue:
    """The value at which a mean is zero, from the values of each randomization.

    `excess` takes logarithms of values and numbers of randomizations, and changes its sign once.
    Where it does not, the value is infinite.
    """
    every = np.arange(RANDOMIZATIONS)
    low, high = np.full(every.size, -_WIDE), np.full(every.size, _WIDE)
    first, last = excess(low, every), excess(high, every)
    crossed = (first < 0) != (last < 0)
    logs = np.full(every.size, inf)
    if crossed.any():
        from scipy.optimize import elementwise  # one of the parts that take half a second

        found = elementwise.find_root(
            excess,
            (low[crossed], high[crossed]),
            args=(every[crossed],),
            tolerances={"xatol": _CLOSE, "xrtol": 0, "fatol": 0, "frtol": 0},
        )
        logs[crossed] = found.x
    if crossed.all():
        student = _student(logs, points)
        value, lower, upper = np.exp([student.value, student.lower, student.upper]).tolist()
    else:
        middle = float(np.sort(logs)[every.size // 2])
        value, lower, upper = float(np.exp(middle)), float(np.exp(logs.min())), inf
    return BoundedValue(value=value, lower=lower, upper=upper, method=method_of(points))
