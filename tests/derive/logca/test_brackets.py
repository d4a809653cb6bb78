from fractions import Fraction

import mpmath
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mpf
from oracle import close, downward, exact, models, upward, value
from target_models import MARGINS, SUBLINEAR, index_for

from logca.derive.logca.brackets import (
    LATENCY_ROOT,
    LOWER_ROOT_CEILING,
    LOWER_ROOT_FLOOR,
    OVERHEAD_ROOT,
    ROOT_CEILING,
    ROOT_FLOOR,
    UPPER_ROOT_CEILING,
    UPPER_ROOT_FLOOR,
)
from logca.derive.logca.granularity import EFFECTIVE_INDEX
from logca.derive.logca.peak_and_existence import G_PEAK, INDEX_THRESHOLD

ROUNDING = mpf(10) ** -30
LEVELS = st.sampled_from([Fraction(1, 20), Fraction(1, 2), Fraction(9, 10)])
SUPERLINEAR = st.sampled_from([Fraction(k, 20) for k in (21, 25, 30, 40, 60, 100)])


@settings(max_examples=40, deadline=None)
@given(model=models(beta=SUBLINEAR), level=LEVELS, margin=MARGINS)
def test_sublinear_roots_are_bracketed(model, level, margin) -> None:
    with mpmath.workdps(40):
        s = level * model.A
        C = index_for(model, s, margin, value(INDEX_THRESHOLD, model))
        k = value(EFFECTIVE_INDEX, model, s=s, C=C)
        parts = (k, exact(model.o + model.L0), exact(model.L1), exact(model.beta))
        brackets = (LOWER_ROOT_FLOOR, LOWER_ROOT_CEILING, UPPER_ROOT_FLOOR, UPPER_ROOT_CEILING)
        low, lower, higher, high = (value(each, model, s=s, C=C) for each in brackets)
        peak = value(G_PEAK, model)
        lower_root, upper_root = upward(*parts), downward(*parts)
        assert low <= lower_root * (1 + ROUNDING)
        assert lower_root < lower < peak < higher < upper_root
        assert upper_root <= high * (1 + ROUNDING)


@settings(max_examples=20, deadline=None)
@given(model=models(beta=SUBLINEAR))
def test_at_the_threshold_the_inner_brackets_meet_at_the_peak(model) -> None:
    with mpmath.workdps(40):
        C = index_for(model, 1, 1, value(INDEX_THRESHOLD, model))
        for formula in (LOWER_ROOT_CEILING, UPPER_ROOT_FLOOR):
            assert close(value(formula, model, s=1, C=C), value(G_PEAK, model), mpf(10) ** -25)


@settings(max_examples=40, deadline=None)
@given(model=models(beta=SUPERLINEAR), level=LEVELS)
def test_superlinear_root_is_bracketed(model, level) -> None:
    with mpmath.workdps(40):
        s = level * model.A
        k = value(EFFECTIVE_INDEX, model, s=s)
        root = upward(k, exact(model.o + model.L0), exact(model.L1), exact(model.beta))
        floor, ceiling = (value(each, model, s=s) for each in (ROOT_FLOOR, ROOT_CEILING))
        assert floor <= root * (1 + ROUNDING)
        assert root <= ceiling * (1 + ROUNDING)
        assert close(floor, max(value(each, model, s=s) for each in (OVERHEAD_ROOT, LATENCY_ROOT)))


@settings(max_examples=20, deadline=None)
@given(model=models(), level=LEVELS)
def test_each_cost_alone(model, level) -> None:
    with mpmath.workdps(50):
        s = level * model.A
        assert close(model.but(L1=0).speedup(value(OVERHEAD_ROOT, model, s=s)), exact(s))
        if model.beta != 1:
            assert close(
                model.but(o=0, L0=0).speedup(value(LATENCY_ROOT, model, s=s)),
                exact(s),
                mpf(10) ** -25,
            )
