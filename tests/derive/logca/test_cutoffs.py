from fractions import Fraction

import mpmath
import pytest
from hypothesis import assume, given, settings
from mpmath import mpf
from oracle import Model, close, exact, fractions, models, value

from logca.derive.logca.cutoffs import (
    CORNER_RATIO,
    CUTOFF_A,
    CUTOFF_A_GENERAL,
    CUTOFF_A_GENERAL_UPPER,
    CUTOFF_A_LINEAR,
    CUTOFF_C,
    CUTOFF_C_GENERAL,
    CUTOFF_C_GENERAL_UPPER,
    CUTOFF_C_LINEAR,
    CUTOFF_FACTOR,
    CUTOFF_L,
    CUTOFF_L_FROM,
    CUTOFF_L_FROM_UPPER,
    CUTOFF_L_GENERAL,
    CUTOFF_L_GENERAL_UPPER,
    CUTOFF_L_LINEAR,
    CUTOFF_O,
    CUTOFF_O_GENERAL,
    CUTOFF_O_LINEAR,
    THETA,
)

PAPER = {"q": Fraction(6, 5), "r": Fraction(10)}
T2_AES = Model(
    o=Fraction(29000), L0=Fraction(1500), L1=Fraction(0), C=Fraction(90), A=Fraction(19),
    beta=Fraction(1),
)  # fmt: skip


def improved(model: Model, parameter: str, r: Fraction) -> Model:
    return {
        "o": model.but(o=model.o / r),
        "L": model.but(L0=model.L0 / r, L1=model.L1 / r),
        "C": model.but(C=model.C * r),
        "A": model.but(A=model.A * r),
    }[parameter]


def excess(model: Model, parameter: str, r: Fraction, q: Fraction, g: mpf) -> mpf:
    """How far the gain is above q."""
    return improved(model, parameter, r).speedup(g) / model.speedup(g) - exact(q)


def test_theta_of_the_paper() -> None:
    with mpmath.workdps(40):
        assert close(value(THETA, **PAPER), mpf(5) / 27)
        assert close(value(CUTOFF_FACTOR, **PAPER), mpf(22) / 5)


def test_ultrasparc_t2_aes() -> None:
    assert round(value(CUTOFF_A, T2_AES, **PAPER)) == 1463
    assert round(value(CUTOFF_C, T2_AES, **PAPER)) == 28331
    assert round(value(CUTOFF_O, T2_AES, **PAPER)) == 26621
    assert round(100 * value(CORNER_RATIO, T2_AES, **PAPER)) == 1936


UPWARD = {"A": (CUTOFF_A_GENERAL,), "L": (CUTOFF_L_FROM, CUTOFF_L_GENERAL_UPPER)}
DOWNWARD = {"A": (CUTOFF_A_GENERAL_UPPER,), "L": (CUTOFF_L_FROM_UPPER, CUTOFF_L_GENERAL)}
UPWARD |= {"o": (), "C": (CUTOFF_C_GENERAL_UPPER,)}
DOWNWARD |= {"o": (CUTOFF_O_GENERAL,), "C": (CUTOFF_C_GENERAL,)}


@pytest.mark.parametrize("parameter", "oLCA")
@settings(max_examples=30, deadline=None)
@given(model=models(), r=fractions(0, 2), part=fractions(-2, 0))
def test_the_gain_crosses_q_at_the_cutoffs_and_nowhere_else(parameter, model, r, part) -> None:
    assume(r > 1)
    q = 1 + part * (r - 1) / 10
    with mpmath.workdps(40):
        known = {"r": r, "q": q}
        h = (r - q) / (r * (q - 1))
        found = {}
        for direction, formulas in ((1, UPWARD[parameter]), (-1, DOWNWARD[parameter])):
            for formula in formulas:
                if formula is CUTOFF_O_GENERAL and h * model.o <= model.L0:
                    continue
                start_helps = h * model.L0 >= model.o
                if parameter == "L" and start_helps == (
                    formula in (CUTOFF_L_FROM, CUTOFF_L_FROM_UPPER)
                ):
                    continue
                place = value(formula, model, **known)
                if not mpmath.isnan(place):
                    found[direction] = place
        for direction, place in found.items():
            assert abs(excess(model, parameter, r, q, place)) < mpf(10) ** -25 * exact(r)
            near = [excess(model, parameter, r, q, place * (1 + e)) for e in (-1e-9, 1e-9)]
            if min(map(abs, near)) > mpf(10) ** -18:
                assert near[direction == 1] > 0 > near[direction == -1]
        grid = [mpf(10) ** (mpf(k) / 2) for k in range(-60, 120)]
        signs = [excess(model, parameter, r, q, g) > 0 for g in grid]
        for left, right, before, after in zip(grid, grid[1:], signs, signs[1:], strict=False):
            if before != after:
                assert any(left <= g <= right for g in found.values())


@settings(max_examples=30, deadline=None)
@given(model=models(latency="constant"), r=fractions(0, 2), part=fractions(-2, 0))
def test_closed_forms_for_constant_latency(model, r, part) -> None:
    assume(r > 1)
    q = 1 + part * (r - 1) / 10
    h = (r - q) / (r * (q - 1))
    with mpmath.workdps(40):
        for formula, parameter, exists in (
            (CUTOFF_O, "o", h * model.o > model.L0),
            (CUTOFF_L, "L", h * model.L0 > model.o),
            (CUTOFF_C, "C", True),
            (CUTOFF_A, "A", True),
        ):
            if exists:
                place = value(formula, model, r=r, q=q)
                assert abs(excess(model, parameter, r, q, place)) < mpf(10) ** -25 * exact(r)
        ratio = value(CUTOFF_C, model, r=r, q=q) / value(CUTOFF_A, model, r=r, q=q)
        assert close(value(CORNER_RATIO, model, r=r, q=q), ratio)


@settings(max_examples=60, deadline=None)
@given(model=models(), r=fractions(0, 2), part=fractions(-2, 0))
def test_closed_forms_for_linear_complexity(model, r, part) -> None:
    assume(r > 1)
    model = model.but(beta=1)
    q = 1 + part * (r - 1) / 10
    h = (r - q) / (r * (q - 1))
    with mpmath.workdps(40):
        for formula, parameter, exists in (
            (CUTOFF_O_LINEAR, "o", h * model.o > model.L0),
            (CUTOFF_L_LINEAR, "L", model.A * h * model.L1 > model.C and h * model.L0 < model.o),
            (CUTOFF_C_LINEAR, "C", model.A * h * model.L1 < model.C),
            (CUTOFF_A_LINEAR, "A", h * model.C > model.A * model.L1),
        ):
            if exists:
                place = value(formula, model, r=r, q=q)
                assert place > 0
                assert abs(excess(model, parameter, r, q, place)) < mpf(10) ** -25 * exact(r)
