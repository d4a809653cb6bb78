"""Enclosures by rationals and integer roots against mpmath, and against exact values."""

from fractions import Fraction

import mpmath
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from logca.derive.algebra.trinomial import LowerRoot, UpperRoot
from logca.derive.core.symbols import A, C, g
from logca.proofs.numbers.enclosure import Unknown, enclosure, logarithm, power

POSITIVE = st.fractions(Fraction(1, 10**6), Fraction(10**9), max_denominator=10**6)
EXPONENTS = st.fractions(-3, 3, max_denominator=100)
R = sp.Rational


def as_mpf(value: Fraction) -> mpmath.mpf:
    return mpmath.mpf(value.numerator) / value.denominator


@given(POSITIVE, EXPONENTS)
@settings(max_examples=40, deadline=None)
def test_powers_are_enclosed(base: Fraction, exponent: Fraction) -> None:
    low, high = power(base, exponent)
    assert low <= high <= low * (1 + Fraction(1, 10**40))
    assert low**exponent.denominator <= base**exponent.numerator <= high**exponent.denominator


@given(POSITIVE)
@settings(max_examples=40, deadline=None)
def test_logarithms_are_enclosed(value: Fraction) -> None:
    low, high = logarithm(value)
    assert high - low < Fraction(1, 10**40)
    with mpmath.workdps(60):
        assert as_mpf(low) <= mpmath.log(as_mpf(value)) <= as_mpf(high)


@given(POSITIVE, POSITIVE, st.fractions(-2, 2, max_denominator=10), POSITIVE)
@settings(max_examples=30, deadline=None)
def test_an_expression_on_a_box_is_enclosed_at_every_point(
    one: Fraction, other: Fraction, exponent: Fraction, index: Fraction
) -> None:
    box = {g: (min(one, other), max(one, other)), C: (index, index)}
    expr = C * g ** R(exponent.numerator, exponent.denominator) / (1 + sp.log(1 + g)) - g**2
    low, high = enclosure(expr, box)
    for point in (one, other, (one + other) / 2):
        inside = enclosure(expr, {g: (point, point), C: (index, index)})
        assert low <= inside[1]
        assert inside[0] <= high


@pytest.mark.parametrize(
    ("expr", "value"),
    [
        (R(4, 9) ** R(-3, 2), R(27, 8)),
        (sp.Pow(2, R(1, 2), evaluate=False) ** 2 / 2, 1),
        (sp.Min(3, sp.Abs(-2, evaluate=False), evaluate=False), 2),
        (sp.Max(R(1, 3), R(1, 4), evaluate=False), R(1, 3)),
    ],
)
def test_rational_values_are_exact(expr: sp.Expr, value: sp.Rational) -> None:
    low, high = enclosure(expr, {})
    assert low <= Fraction(str(value)) <= high
    assert high - low < Fraction(1, 10**40)


@pytest.mark.parametrize("exponent", [R(1), R(3, 2), R(17, 10), R(6, 5), R(1, 2), R(7, 50)])
@pytest.mark.parametrize("kind", [LowerRoot, UpperRoot])
def test_roots_are_certified(exponent: sp.Rational, kind: type[sp.Function]) -> None:
    k, c, l = R(290), R(4), R(3)
    root = kind(k, c, l, exponent)
    if kind is UpperRoot and exponent >= 1:
        with pytest.raises(Unknown):
            enclosure(root, {})
        return
    low, high = enclosure(root, {})
    assert 0 < low <= high <= low * (1 + Fraction(1, 10**20))
    with mpmath.workdps(50):
        ends = [290 * as_mpf(x) ** mpmath.mpf(exponent) - 3 * as_mpf(x) - 4 for x in (low, high)]
        assert ends[0] * ends[1] <= mpmath.mpf(10) ** -40


def test_a_root_that_does_not_exist_is_not_enclosed() -> None:
    with pytest.raises(Unknown):
        enclosure(LowerRoot(R(1), R(100), R(100), R(1, 2)), {})


@pytest.mark.parametrize(
    "expr", [1 / (A - 2), sp.log(A - 2), (A - 2) ** R(1, 2), 2**A, sp.exp(A), sp.sin(A), C]
)
def test_what_may_have_no_value_is_not_enclosed(expr: sp.Expr) -> None:
    with pytest.raises(Unknown):
        enclosure(expr, {A: (Fraction(1), Fraction(3))})


@pytest.mark.parametrize(
    ("expr", "low", "high"),
    [(A**2, 0, 9), (A**3, -8, 27), (sp.Abs(sp.Symbol("z")), 0, 3), (A * (1 - A), -6, 9)],
)
def test_boxes_that_cross_zero(expr: sp.Expr, low: int, high: int) -> None:
    box = {symbol: (Fraction(-2), Fraction(3)) for symbol in (A, sp.Symbol("z"))}
    assert enclosure(expr, box) == (low, high)
