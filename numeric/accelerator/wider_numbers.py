"""Times and speedups whose parts leave the range of doubles, where they themselves do not.

The power of a granularity can overflow though its product with a tiny index does not, and two large
latencies can have no sum: then the same generated function computes in wider numbers.
"""

from collections.abc import Callable
from math import frexp, log2, nan
from typing import Any

import numpy as np

__all__ = ["beyond_range", "in_wider_numbers", "leaves_range"]

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
    ends = (g,) if type(g) is float else (float(g.min()), float(g.max()))
    return any(beyond_range(end, o=o, L=L, C=C, A=A, beta=beta, per_byte=per_byte) for end in ends)


def beyond_range(
    g: Any, *, o: float, L: float, C: float, A: float, beta: float, per_byte: bool
) -> Any:
    """The granularities at which a part of the speedup may be no normal double [1].

    It is the same for a number as among others: binary exponents are exact, logarithms are not.
    """
    if type(g) is float:
        exponent = frexp(g)[1]
        overheads: Any = o + L * g if per_byte else o + L
        dividing = frexp(overheads)[1]
    else:
        exponent = np.frexp(g)[1]
        with np.errstate(over="ignore"):  # what overflows is beyond
            overheads = o + L * g if per_byte else o + L
        dividing = np.frexp(overheads)[1]
    index = log2(C)
    low, high = beta * (exponent - 1), beta * exponent  # that of the power lies between these
    return (
        (overheads > _LARGE)
        | (o + L > _LARGE)
        | (low <= -_FAR)
        | (high >= _FAR)
        | (low + index - log2(A) <= -_FAR)
        | (high + index >= _FAR)
        | (low + index - dividing <= -_FAR)
        | (high + index - dividing >= _FAR)
    )


def in_wider_numbers(function: Callable[..., Any], arguments: list[Any]) -> Any:
    """A generated function in numbers with more binary exponents; NaN where there are none."""
    wide = np.longdouble
    given = [np.asarray(each, wide) for each in arguments]
    if np.finfo(wide).maxexp <= np.finfo(np.float64).maxexp:
        return np.full(np.broadcast_shapes(*(each.shape for each in given)), nan)[()]
    with np.errstate(all="ignore"):
        return np.asarray(function(np, *given)).astype(np.float64)[()]
