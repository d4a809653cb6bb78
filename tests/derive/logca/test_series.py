from fractions import Fraction

import mpmath
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mpf
from oracle import close, downward, exact, fractions, upward, value

from logca.derive.algebra.derivation import DerivationError, begin
from logca.derive.core.symbols import beta, n
from logca.derive.logca.peak_and_existence import KAPPA
from logca.derive.logca.series import (
    EPSILON,
    EPSILON_COEFFICIENT,
    EPSILON_RADIUS,
    OMEGA,
    OMEGA_COEFFICIENT,
    OMEGA_RADIUS,
    epsilon_series,
    lagrange,
    omega_series,
)

BELOW_ONE = st.sampled_from([Fraction(k, 20) for k in (2, 7, 10, 14, 19)])
ABOVE_ONE = st.sampled_from([Fraction(k, 20) for k in (21, 25, 30, 34, 40, 50, 60)])
SHARES = st.sampled_from([Fraction(k, 100) for k in (1, 10, 50, 80, 95)])
NOISE = mpf(10) ** -25
MODEL = {"o": 3, "L0": 2, "L1": Fraction(1, 7), "C": 11, "A": 9, "s": 2}


def coefficient(formula, b: Fraction, k: int) -> mpf:
    """The coefficient by mpmath's binomial, which knows the poles of the gamma function."""
    binomial = sp.Function("choose")
    expr = formula.expr.replace(sp.binomial, binomial)
    return sp.lambdify((beta, n), expr, modules=[{"choose": mpmath.binomial}, "mpmath"])(
        exact(b), mpf(k)
    )


@pytest.mark.parametrize("exponent", ["1/10", "1/2", "19/20", "3/2", "17/10", "2", "3"])
def test_first_coefficients_are_those_of_the_implicit_function(exponent) -> None:
    b = Fraction(exponent)
    with mpmath.workdps(60):
        power = exact(b)

        def of_epsilon(small: mpf) -> mpf:
            return mpmath.findroot(lambda y: y**power - 1 - small * y, 1)

        def of_omega(small: mpf) -> mpf:
            return mpmath.findroot(lambda y: y**power - y - small, 1)

        for formula, function in ((EPSILON_COEFFICIENT, of_epsilon), (OMEGA_COEFFICIENT, of_omega)):
            taylor = mpmath.taylor(function, 0, 4)
            assert close(taylor[0], mpf(1), NOISE)
            for k in range(1, 5):
                assert close(coefficient(formula, b, k), taylor[k], mpf(10) ** -8)


@pytest.mark.parametrize("exponent", ["1/10", "1/2", "9/10", "11/10", "3/2", "17/10", "2", "3"])
def test_radii_are_those_of_the_coefficients(exponent) -> None:
    """By the root of the n-th term, from terms n = 1000 to 1030 because signs may oscillate."""
    b = Fraction(exponent)
    with mpmath.workdps(30):
        for formula, radius in (
            (EPSILON_COEFFICIENT, EPSILON_RADIUS),
            (OMEGA_COEFFICIENT, OMEGA_RADIUS),
        ):
            estimate = min(
                (abs(coefficient(formula, b, k)) * mpf(k) ** mpf("1.5")) ** (mpf(-1) / k)
                for k in range(1000, 1030)
            )
            assert abs(estimate / value(radius, beta=b) - 1) < mpf("0.02")


@settings(max_examples=25, deadline=None)
@given(b=BELOW_ONE, share=SHARES, c=fractions(-2, 4), l=fractions(-3, 2))
def test_sublinear_partial_sums_are_within_their_remainder(b, share, c, l) -> None:
    with mpmath.workdps(40):
        c, l, b = exact(c), exact(l), exact(b)
        small = exact(share) * value(EPSILON_RADIUS, beta=b)
        k = (l / c / small) ** b * c
        for series, root in (
            (epsilon_series, upward(k, c, l, b)),
            (omega_series, downward(k, c, l, b)),
        ):
            for terms in (1, 3, 12):
                found = series(k, c, l, b, terms)
                assert abs(found.value - root) <= found.remainder + NOISE * root


@settings(max_examples=25, deadline=None)
@given(b=ABOVE_ONE, kappa=fractions(-3, 3), c=fractions(-2, 4), l=fractions(-3, 2))
def test_superlinear_series_are_complementary(b, kappa, c, l) -> None:
    with mpmath.workdps(40):
        c, l, b = exact(c), exact(l), exact(b)
        k = exact(kappa) * c ** (1 - b) * l**b
        root = upward(k, c, l, b)
        converging = 0
        for series in (epsilon_series, omega_series):
            try:
                sums = [series(k, c, l, b, terms) for terms in (1, 3, 12)]
            except ValueError:
                continue
            converging += 1
            for found in sums:
                assert abs(found.value - root) <= found.remainder + NOISE * root
        assert converging == 1


def test_linear_series_is_geometric() -> None:
    found = epsilon_series(3, 5, 2, 1, terms=200)
    assert abs(found.value - 5) <= found.remainder + mpf(10) ** -12
    with pytest.raises(ValueError, match="radius of convergence"):
        epsilon_series(2, 5, 2, 1, terms=3)


@pytest.mark.parametrize("exponent", ["1/3", "9/10", "5/4", "3"])
def test_small_quantities_are_powers_of_kappa(exponent) -> None:
    with mpmath.workdps(40):
        b = Fraction(exponent)
        kappa = value(KAPPA, **MODEL, beta=b)
        assert close(value(EPSILON, **MODEL, beta=b), kappa ** (-1 / exact(b)))
        assert close(value(OMEGA, **MODEL, beta=b), kappa ** (1 / (exact(b) - 1)))


def test_inversion_refuses_what_it_cannot_invert() -> None:
    z, eps = sp.symbols("z epsilon", positive=True)
    label = sp.Symbol("z_n")
    with pytest.raises(DerivationError):
        lagrange(begin("", z, eps * (1 + z**2)), "", z, eps, n, label)
    with pytest.raises(DerivationError):
        lagrange(begin("", z, eps * (1 + z) ** 2), "", sp.exp(z), eps, n, label)
    catalan = lagrange(begin("", z, eps * (1 + z) ** 2), "", z, eps, n, label)
    assert [catalan.expr.subs(n, k) for k in range(1, 6)] == [1, 2, 5, 14, 42]
