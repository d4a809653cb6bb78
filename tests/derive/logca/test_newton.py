from fractions import Fraction

import mpmath
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from mpmath import mpf
from oracle import close, exact, fractions, models, upward, value

from logca.derive.logca.granularity import EFFECTIVE_INDEX
from logca.derive.logca.newton import (
    G1_NEWTON,
    GA2_NEWTON,
    GA_NEWTON,
    NEWTON_ERROR_BOUND,
    NEWTON_RESIDUAL,
    NEWTON_STEP,
    NEWTON_UNIT_FREE,
)
from logca.derive.logca.peak_and_existence import INDEX_THRESHOLD

LEVELS = st.sampled_from([Fraction(1, 20), Fraction(1, 2), Fraction(9, 10)])
STARTS = fractions(0, 6)
ROUGH = mpf(10) ** -20


def residual(model, s, g):
    index = exact(model.C) * (1 / exact(s) - 1 / exact(model.A))
    return index * g ** exact(model.beta) - model.rest(g)


@settings(max_examples=25, deadline=None)
@given(model=models(), level=LEVELS, g0=STARTS)
def test_step_is_newtons(model, level, g0) -> None:
    with mpmath.workdps(60):
        s = level * model.A
        start = exact(g0)
        slope = mpmath.diff(lambda g: residual(model, s, g), start)
        assume(abs(slope) > ROUGH)
        step = start - residual(model, s, start) / slope
        assert close(value(NEWTON_STEP, model, s=s, g0=g0), step, mpf(10) ** -15)


@settings(max_examples=25, deadline=None)
@given(model=models())
def test_equations_11_to_13_as_printed(model) -> None:
    with mpmath.workdps(40):
        A, C, beta, L, o = map(exact, (model.A, model.C, model.beta, model.L1, model.o + model.L0))
        half = C * beta - A * L
        assume(abs(half) > ROUGH)
        assume(abs(C * beta * (A - 1) - A * L) > ROUGH)
        eq11 = (C * (beta - 1) * (A - 1) + A * o) / (C * beta * (A - 1) - A * L)
        eq12 = (C * (beta - 1) + A * o) / half
        assert close(value(G1_NEWTON, model), eq11)
        assert close(value(GA2_NEWTON, model), eq12)
        assert close(value(GA_NEWTON, model), eq12)
        for s, formula in ((1, G1_NEWTON), (model.A / 2, GA2_NEWTON)):
            assert close(value(NEWTON_STEP, model, s=s, g0=1), value(formula, model))


@settings(max_examples=40, deadline=None)
@given(model=models(), level=LEVELS, g0=STARTS)
def test_side_and_bound_of_the_error(model, level, g0) -> None:
    with mpmath.workdps(40):
        s, beta = level * model.A, exact(model.beta)
        index = value(EFFECTIVE_INDEX, model, s=s)
        overhead, latency = exact(model.o + model.L0), exact(model.L1)
        slope = beta * index * exact(g0) ** (beta - 1) - latency
        over = index * (beta - 1) * exact(g0) ** beta + overhead
        assume(slope > 0 and over > 0)
        step = value(NEWTON_STEP, model, s=s, g0=g0)
        left = value(NEWTON_RESIDUAL, model, s=s, g0=g0)
        noise = mpf(10) ** -28 * (model.rest(step) + model.host(step) + model.host(exact(g0)))
        assert abs(left - residual(model, s, step)) < noise
        assert abs(left) < noise or (beta != 1 and (left > 0) == (beta > 1))
        if beta < 1:
            assume(index > value(INDEX_THRESHOLD, model))
        if beta == 1:
            assume(index > latency)
        root = upward(index, overhead, latency, beta)
        error = step - root
        rounding = mpf(10) ** -25 * (root + step)
        assert error >= -rounding if beta >= 1 else error <= rounding
        assert abs(error) <= value(NEWTON_ERROR_BOUND, model, s=s, g0=g0) + rounding


@settings(max_examples=25, deadline=None)
@given(model=models(), level=LEVELS)
def test_unit_free_step(model, level) -> None:
    with mpmath.workdps(50):
        s, b = level * model.A, exact(model.beta)
        k = value(EFFECTIVE_INDEX, model, s=s)
        c, l = exact(model.o + model.L0), exact(model.L1)
        start = (c / k) ** (1 / b)
        epsilon = l * start / c
        assume(epsilon < b)
        step = value(NEWTON_UNIT_FREE, model, s=s)
        assert close(step, value(NEWTON_STEP, model, s=s, g0=start), mpf(10) ** -25)
        root = upward(k, c, l, b)
        if epsilon < mpf(1) / 1000:
            second_order = (1 - b) * epsilon**2 / (2 * b**2)
            assert abs((root - step) / root - second_order) < 40 * (epsilon / b) ** 3 + ROUGH
        unit = 1024
        other = {"C": exact(model.C) * unit**b, "L1": l * unit}
        assert close(value(NEWTON_UNIT_FREE, model, s=s, **other) * unit, step, mpf(10) ** -25)


def test_the_error_of_eq_11_has_no_bound() -> None:
    values = {"beta": 2, "A": 6, "L1": 3, "o": 1000, "L0": 0, "C": 35}
    g = value(G1_NEWTON, **values)
    host = 35 * g**2
    assert mpmath.nstr(host / (1000 + 3 * g + host / 6), 3) == "3.94"


def test_eq_11_depends_on_the_unit_of_granularity() -> None:
    """Radix sort on the APU (altaf2017, Table 5): in bytes, in KiB, and the exact value."""
    with mpmath.workdps(30):
        b = mpf("0.94")
        apu = {"o": 4 * 10**8, "L0": 0, "A": 7, "beta": b}
        in_bytes = value(G1_NEWTON, **apu, L1=15, C=290)
        in_kib = value(G1_NEWTON, **apu, L1=15 * 1024, C=290 * mpf(1024) ** b) * 1024
        root = upward(290 * mpf(6) / 7, mpf(4 * 10**8), mpf(15), b)
        assert [mpmath.nstr(g, 4) for g in (in_bytes, in_kib, root)] == [
            "1.829e+6",
            "2.874e+6",
            "4.774e+6",
        ]
        step = value(NEWTON_UNIT_FREE, **apu, L1=15, C=290, s=1)
        assert mpmath.nstr((step / root - 1) * 100, 2) == "-0.1"
