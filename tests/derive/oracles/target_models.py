"""Models whose target is just reached, missed or reached with a margin, for beta < 1."""

from fractions import Fraction

import mpmath
from hypothesis import strategies as st
from mpmath import mpf
from oracle import Model, exact

SUBLINEAR = st.sampled_from([Fraction(k, 20) for k in (1, 3, 7, 10, 13, 15, 18, 19)])
MARGINS = st.sampled_from([Fraction(k, 1000) for k in (1001, 1010, 1100, 2000, 10000, 10**6)])


def brute_threshold(model: Model) -> mpf:
    """Least (o + L0 + L1*g)/g**beta, by golden section in ln g."""
    c, l, b = exact(model.o + model.L0), exact(model.L1), exact(model.beta)

    def needed(t: mpf) -> mpf:
        return mpmath.log(c + l * mpmath.exp(t)) - b * t

    low, high = mpf(-400), mpf(400)
    ratio = (mpmath.sqrt(5) - 1) / 2
    for _ in range(140):
        left, right = high - ratio * (high - low), low + ratio * (high - low)
        low, high = (low, right) if needed(left) < needed(right) else (left, high)
    return mpmath.exp(needed((low + high) / 2))


def index_for(model: Model, s: Fraction, margin: Fraction | mpf, threshold: mpf) -> mpf:
    """C with which the effective index is a multiple of a threshold."""
    return exact(margin) * threshold / (1 / exact(s) - 1 / exact(model.A))
