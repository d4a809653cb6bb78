"""Times and speedups whose parts leave the range of doubles, where they themselves do not.

The power of a granularity can overflow though its product with a tiny index does not, and two large
latencies can have no sum: then the same generated function computes in wider numbers.
"""

from collections.abc import Callable
from math import log2, nan
from typing import Any

import numpy as np

__all__ = ["in_wider_numbers", "leaves_range"]

_FAR, _LARGE = 1000.0, 2.0**1000
"""Binary exponents within which nothing overflows or loses digits [1]."""


def leaves_range(
    g: Any, *, o: float, L: float, C: float, A: float, beta: float, per_byte: bool
) -> bool:
    """True if a part of the speedup at some granularity may be no normal double.

    Examples
    --------
    >>> leaves_range(1e160, o=1e130, L=0.0, C=1e-200, A=10.0, beta=2.0, per_byte=False)
    True
    >>> leaves_range(4096.0, o=4e8, L=15.0, C=290.0, A=7.0, beta=0.94, per_byte=True)
    False
    """
    if type(g) is not float and not g.size:
        return False
    least, most = (g, g) if type(g) is float else (float(g.min()), float(g.max()))
    if o + L > _LARGE or (per_byte and L * most > _LARGE):
        return True
    index, gained = log2(C), log2(A)
    for size in (least, most):
        power = beta * log2(size)
        product = power + index
        if not (abs(power) < _FAR and abs(product) < _FAR and abs(product - gained) < _FAR):
            return True
    return False


def in_wider_numbers(function: Callable[..., Any], arguments: list[Any]) -> Any:
    """A generated function in numbers with more binary exponents; NaN where there are none."""
    wide = np.longdouble
    given = [np.asarray(each, wide) for each in arguments]
    if np.finfo(wide).maxexp <= np.finfo(np.float64).maxexp:
        return np.full(np.broadcast_shapes(*(each.shape for each in given)), nan)[()]
    with np.errstate(all="ignore"):
        return np.asarray(function(np, *given)).astype(np.float64)[()]
