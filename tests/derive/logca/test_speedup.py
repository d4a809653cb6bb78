"""Speedup, its limits and symmetries: against the model in numbers."""

from fractions import Fraction

import mpmath
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mpf
from oracle import GRANULARITIES, close, downward, exact, fractions, models, upward, value
from target_models import MARGINS, SUBLINEAR, index_for

from logca.derive.logca.granularity import EFFECTIVE_INDEX
from logca.derive.logca.peak_and_existence import ENTROPY, INDEX_THRESHOLD, SPEEDUP_INFINITE_PEAK
from logca.derive.logca.speedup import (
    ACCELERATOR_INTENSITY,
    COMPUTATIONAL_INTENSITY,
    LATENCY_CEILING,
    LIMIT_LARGE,
    LIMIT_SMALL,
    OMEGA_INVARIANT,
    SPEEDUP_ONE,
    SPEEDUP_ONE_BOUND,
    SPEEDUP_REFLECTED,
    SPEEDUP_RESCALED,
)

FAR = mpf(10) ** 600


@settings(max_examples=40, deadline=None)
@given(model=models())
def test_limits_are_approached(model) -> None:
    with mpmath.workdps(60):
        assert LIMIT_SMALL.expr == 0
        assert model.speedup(1 / FAR) < mpf(10) ** -60
        limit = value(LIMIT_LARGE, model)
        assert abs(model.speedup(FAR) - limit) < mpf(10) ** -20


@settings(max_examples=20, deadline=None)
@given(model=models(latency="constant"))
def test_without_latency_per_byte_the_acceleration_is_approached(model) -> None:
    assert value(LIMIT_LARGE, model) == exact(model.A)


@settings(max_examples=30, deadline=None)
@given(model=models(), g=GRANULARITIES)
def test_bounds_hold_and_values_at_one_byte_are_no_limits(model, g) -> None:
    with mpmath.workdps(50):
        assert close(value(SPEEDUP_ONE, model), model.speedup(mpf(1)))
        assert value(SPEEDUP_ONE, model) < value(SPEEDUP_ONE_BOUND, model)
        assert model.speedup(exact(g)) < value(LATENCY_CEILING, model, g=g)
        assert model.speedup(1 / FAR) < value(SPEEDUP_ONE, model)


@settings(max_examples=20, deadline=None)
@given(model=models())
def test_intensities(model) -> None:
    with mpmath.workdps(40):
        assert close(value(COMPUTATIONAL_INTENSITY, model), exact(model.C / model.L1))
        assert close(value(ACCELERATOR_INTENSITY, model), exact(model.C / model.L1 / model.A))


def test_linear_limit_is_the_one_of_the_letter() -> None:
    """altaf2015, Eq. 9: a*c/(a*l + c)."""
    assert close(value(LIMIT_LARGE, L1=2, C=10, A=5, beta=1), mpf(5) * 10 / (5 * 2 + 10))


TOLERANCE = mpmath.mpf(10) ** -25


def reflected(model):
    overhead = model.o + model.L0
    return model.but(o=model.L1, L0=0, L1=overhead, beta=1 - model.beta)


@settings(max_examples=40, deadline=None)
@given(model=models(beta=SUBLINEAR), g=GRANULARITIES)
def test_reflection_leaves_the_speedup(model, g) -> None:
    with mpmath.workdps(40):
        there = reflected(model).speedup(1 / exact(g))
        assert close(there, model.speedup(exact(g)))
        assert close(there, value(SPEEDUP_REFLECTED, model, g=g))


@settings(max_examples=25, deadline=None)
@given(model=models(beta=SUBLINEAR), margin=MARGINS)
def test_reflection_exchanges_the_roots(model, margin) -> None:
    with mpmath.workdps(40):
        C = index_for(model, 1, margin, value(INDEX_THRESHOLD, model))
        k = value(EFFECTIVE_INDEX, model, C=C, s=1)
        c, l, b = exact(model.o + model.L0), exact(model.L1), exact(model.beta)
        assert close(upward(k, c, l, b), 1 / downward(k, l, c, 1 - b), TOLERANCE)


@settings(max_examples=40, deadline=None)
@given(model=models(), g=GRANULARITIES, unit=st.sampled_from([1024, 8, Fraction(1, 8)]))
def test_the_unit_of_granularity_does_not_matter(model, g, unit) -> None:
    with mpmath.workdps(50):
        scale = exact(Fraction(unit))
        other = {"C": exact(model.C) * scale ** exact(model.beta), "L1": exact(model.L1) * scale}
        speedup = value(SPEEDUP_RESCALED, model, g=g, scale=unit)
        assert close(speedup, model.speedup(exact(g)))
        assert close(value(OMEGA_INVARIANT, model), value(OMEGA_INVARIANT, model, **other))


@settings(max_examples=25, deadline=None)
@given(model=models(beta=SUBLINEAR), factor=fractions(-3, 3))
def test_invariant_and_entropy_make_the_peak(model, factor) -> None:
    with mpmath.workdps(40):
        omega, entropy = value(OMEGA_INVARIANT, model), value(ENTROPY, model)
        assert close(value(SPEEDUP_INFINITE_PEAK, model), omega * mpmath.exp(-entropy))
        time = model.but(o=model.o * factor, L0=model.L0 * factor, L1=model.L1 * factor)
        scaled = time.but(C=model.C * factor)
        assert close(value(OMEGA_INVARIANT, scaled), omega)
