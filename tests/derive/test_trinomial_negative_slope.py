"""Roots of k*x**b = c + l*x for l < 0: one crossing, whatever the exponent."""

import mpmath
import sympy as sp
from hypothesis import given, settings
from oracle import EXPONENTS, close, exact, fractions, upward

from logca.derive.trinomial import LowerRoot, crossings


@settings(max_examples=60, deadline=None)
@given(k=fractions(-3, 4), c=fractions(-3, 5), l=fractions(-3, 3), b=EXPONENTS)
def test_crossing_solves_the_equation_and_is_the_bisected_one(k, c, l, b) -> None:
    with mpmath.workdps(40):
        k, c, l, b = map(exact, (k, c, l, b))
        roots = crossings(k, c, -l, b)
        assert mpmath.isnan(roots[False])
        assert close(k * roots[True] ** b + l * roots[True], c)
        assert close(roots[True], upward(k, c, -l, b))


def test_there_is_none_without_a_positive_constant() -> None:
    assert all(map(mpmath.isnan, crossings(*map(mpmath.mpf, (1, 0, -1, 2))).values()))
    assert all(map(mpmath.isnan, crossings(*map(mpmath.mpf, (1, -1, -1, 2))).values()))
    assert all(map(mpmath.isnan, crossings(*map(mpmath.mpf, (1, -1, 1, 2))).values()))


def test_evaluates_as_an_expression() -> None:
    assert abs(sp.N(LowerRoot(1, 6, -1, 2), 30) - 2) < sp.Rational(1, 10**25)
