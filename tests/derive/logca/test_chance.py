"""Margins, spreads and quantiles of log-normal parameters: against the model and mpmath."""

from fractions import Fraction

import mpmath
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from mpmath import mpf
from oracle import GRANULARITIES, TOLERANCE, close, exact, fractions, models, value

from logca.derive.core.catalogue import formula
from logca.derive.logca.chance import (
    CHANCE_REACHED,
    CHANCE_SPEEDUP,
    GS_QUANTILE,
    MARGIN,
    MARGIN_PEAK,
    SPEEDUP_INFINITE_FOR,
    SPEEDUP_QUANTILE,
    SPREAD_INFINITE,
    SPREAD_PEAK,
)

TARGETS = st.builds(lambda k: Fraction(k, 8), st.integers(2, 32))
FACTORS = fractions(-1, 1)


@settings(max_examples=60, deadline=None)
@given(model=models(), g=GRANULARITIES, s=TARGETS, w=FACTORS)
def test_a_margin_above_one_is_a_speedup_above_the_target(model, g, s, w) -> None:
    assume(s < model.A)
    with mpmath.workdps(40):
        margin, speedup = value(MARGIN, model, g=g, s=s), model.speedup(exact(g))
        if abs(margin - 1) > TOLERANCE:
            assert (margin > 1) == (speedup > exact(s))
        needed = value(SPEEDUP_INFINITE_FOR, model, s=s)
        assert close(1 / (1 / needed + 1 / exact(model.A)), exact(s))
        quantile = value(SPEEDUP_QUANTILE, model, g=g, deviation=w)
        assert close(quantile, model.but(C=model.C * w).speedup(exact(g)))


@settings(max_examples=40, deadline=None)
@given(model=models(), s=TARGETS, w=FACTORS)
def test_the_granularity_of_a_margin_has_the_target(model, s, w) -> None:
    assume(s < model.A)
    assume(model.o + model.L0 > 0)
    constant = model.but(L1=0)
    with mpmath.workdps(40):
        g = value(GS_QUANTILE, constant, s=s, deviation=w)
        assert close(constant.but(C=constant.C * w).speedup(g), exact(s))


SPREADS = {"spread_o": Fraction(1, 4), "spread_L": Fraction(1, 2), "spread_C": Fraction(1, 3)}


@settings(max_examples=40, deadline=None)
@given(model=models(), s=TARGETS, beta=st.sampled_from([Fraction(1, 2), Fraction(9, 10)]))
def test_the_peak_is_the_largest_margin(model, s, beta) -> None:
    model = model.but(beta=beta)
    assume(s < model.A)
    assume(model.L1 > 0)
    assume(model.o + model.L0 > 0)
    with mpmath.workdps(40):
        most = value(MARGIN_PEAK, model, s=s)
        peak = exact(beta) * exact(model.o + model.L0) / (exact(1 - beta) * exact(model.L1))
        for factor in (mpf(1) / 2, mpf(1), mpf(2)):
            speedup = model.speedup(peak * factor)
            margin = (1 / exact(s) - 1 / exact(model.A)) / (1 / speedup - 1 / exact(model.A))
            assert margin <= most * (1 + TOLERANCE)
            assert factor != 1 or close(margin, most)
        spread = value(SPREAD_PEAK, model, **SPREADS)
        parts = ((1 - beta) * Fraction(1, 4), beta * Fraction(1, 2), Fraction(1, 3))
        assert close(spread**2, sum(exact(part) ** 2 for part in parts))
        chance = value(CHANCE_REACHED, model, s=s, **SPREADS)
        assert abs(chance - mpmath.ncdf(mpmath.log(most) / spread)) < TOLERANCE


@settings(max_examples=40, deadline=None)
@given(model=models(), g=GRANULARITIES, s=TARGETS)
def test_the_chance_is_that_of_a_normal_logarithm(model, g, s) -> None:
    assume(s < model.A)
    with mpmath.workdps(40):
        spread = value(SPREAD_INFINITE, model, **SPREADS)
        assert close(spread, mpmath.sqrt(sum(exact(each) ** 2 for each in SPREADS.values())))
        score = mpmath.log(value(MARGIN, model, g=g, s=s)) / spread
        chance = value(CHANCE_SPEEDUP, model, g=g, s=s, **SPREADS)
        assert abs(chance - mpmath.ncdf(score)) < TOLERANCE


@pytest.mark.parametrize("name", ["chance_speedup", "chance_reached"])
def test_probabilities_are_found_by_name_and_have_no_unit(name: str) -> None:
    assert str(formula(name).unit) == "1"
