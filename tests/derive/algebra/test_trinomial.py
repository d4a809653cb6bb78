"""The iteration for a root of the trinomial ends, however many digits are wanted."""

import mpmath
import pytest
import sympy as sp
from hypothesis import given, settings
from oracle import EXPONENTS, close, exact, fractions, upward

from logca.derive.algebra import trinomial
from logca.derive.algebra.trinomial import LowerRoot, crossings


@pytest.mark.parametrize("beta", ["1/7", "1/2", "9/10", "11/10", "3/2", "3"])
@pytest.mark.parametrize("precision", [64, 512, 2000])
def test_few_steps_at_every_precision(
    beta: str, precision: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = 0
    exponential = mpmath.exp

    def counted(value: object) -> object:
        nonlocal steps
        steps += 1
        return exponential(value)

    monkeypatch.setattr(trinomial.mpmath, "exp", counted)
    with mpmath.workprec(precision):
        exponent = mpmath.fdiv(*map(int, (*beta.split("/"), "1")[:2]))
        k, c, l = mpmath.mpf(7) / 3, mpmath.mpf(5) / 11, mpmath.mpf(2) / 9
        for root in trinomial.crossings(k, c, l, exponent).values():
            residual = k * root**exponent / (l * root + c) - 1
            assert mpmath.isnan(root) or abs(residual) < mpmath.ldexp(1, 20 - precision)
        against = trinomial.crossings(k, c, -l, exponent)[True]
        residual = (k * against**exponent + l * against) / c - 1
        assert abs(residual) < mpmath.ldexp(1, 20 - precision)
    assert steps < 120


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
