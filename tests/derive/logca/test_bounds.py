"""Ceilings, corners and the Hill curve: against the model in numbers."""

import mpmath
from hypothesis import assume, given, settings
from oracle import GRANULARITIES, TOLERANCE, close, exact, models, value

from logca.derive.logca.bounds import (
    ACCELERATION_CEILING,
    COMPUTE_BOUND,
    CORNER_LATENCY_ACCELERATION,
    CORNER_OVERHEAD_ACCELERATION,
    CORNER_OVERHEAD_LATENCY,
    INFLECTION,
    INFLECTION_LOG,
    LATENCY_BOUND,
    ODDS,
    OVERHEAD_CEILING,
    RECIPROCAL_SPEEDUP,
    RIDGE,
    RISE_WIDTH,
    ROOFLINE,
    ROOFLINE_FLOOR,
    SLOPE_LATENCY,
    SLOPE_OVERHEAD,
    SPEEDUP_HILL,
)


@settings(max_examples=60, deadline=None)
@given(model=models(), g=GRANULARITIES)
def test_the_speedup_is_between_floor_and_roof_and_below_every_ceiling(model, g) -> None:
    with mpmath.workdps(60):
        speedup = model.speedup(exact(g))
        roof = value(ROOFLINE, model, g=g)
        assert value(ROOFLINE_FLOOR, model, g=g) * (1 - TOLERANCE) <= speedup < roof
        assert speedup < min(
            value(OVERHEAD_CEILING, model, g=g), value(ACCELERATION_CEILING, model, g=g)
        )
        assert close(value(RECIPROCAL_SPEEDUP, model, g=g), 1 / speedup)
        assert close(value(ODDS, model, g=g), speedup / (exact(model.A) - speedup))
        if model.beta <= 1:
            assert speedup < value(LATENCY_BOUND, model, g=g)


@settings(max_examples=60, deadline=None)
@given(model=models())
def test_the_floor_is_reached_at_the_ridge(model) -> None:
    with mpmath.workdps(40):
        ridge = value(RIDGE, model)
        assume(not mpmath.isnan(ridge))
        assert close(value(ROOFLINE, model, g=ridge), exact(model.A))
        assert close(model.speedup(ridge), exact(model.A) / 2)


@settings(max_examples=40, deadline=None)
@given(model=models())
def test_corners_are_where_two_ceilings_meet(model) -> None:
    with mpmath.workdps(40):

        def overhead(g):
            return model.host(g) / exact(model.o + model.L0)

        def latency(g):
            return model.host(g) / (exact(model.L1) * g)

        at = value(CORNER_OVERHEAD_LATENCY, model)
        assert close(overhead(at), latency(at))
        assert close(overhead(value(CORNER_OVERHEAD_ACCELERATION, model)), exact(model.A))
        if model.beta != 1:
            assert close(latency(value(CORNER_LATENCY_ACCELERATION, model)), exact(model.A))
        steps = (
            mpmath.log(overhead(100) / overhead(10), 10),
            mpmath.log(latency(100) / latency(10), 10),
        )
        assert close(steps[0], value(SLOPE_OVERHEAD, model))
        assert close(steps[1] + 1, value(SLOPE_LATENCY, model) + 1)


@settings(max_examples=40, deadline=None)
@given(model=models())
def test_large_granularities_tend_to_the_bound_of_their_kind(model) -> None:
    with mpmath.workdps(60):
        far = mpmath.mpf(10) ** 700
        bound = (
            value(COMPUTE_BOUND, model) if model.beta > 1 else value(LATENCY_BOUND, model, g=far)
        )
        assert abs(model.speedup(far) / bound - 1) < mpmath.mpf(10) ** -20


CONSTANT = models(latency="constant")


@settings(max_examples=40, deadline=None)
@given(model=CONSTANT, g=GRANULARITIES)
def test_it_is_the_speedup(model, g) -> None:
    with mpmath.workdps(40):
        assert close(value(SPEEDUP_HILL, model, g=g), model.speedup(exact(g)))


@settings(max_examples=20, deadline=None)
@given(model=CONSTANT)
def test_second_derivatives_vanish_at_the_inflections(model) -> None:
    with mpmath.workdps(60):
        middle = value(INFLECTION_LOG, model)
        assert close(model.speedup(middle), exact(model.A) / 2)

        def over_log(t):
            return model.speedup(mpmath.exp(t))

        small = exact(model.A) * mpmath.mpf(10) ** -12
        assert abs(mpmath.diff(over_log, mpmath.log(middle), 2)) < small
        if model.beta > 1:
            at = value(INFLECTION, model)
            assert abs(mpmath.diff(lambda x: model.speedup(x * at), 1, 2)) < small
            assert mpmath.diff(lambda x: model.speedup(x * at), 0.9, 2) > 0
            assert mpmath.diff(lambda x: model.speedup(x * at), 1.1, 2) < 0


@settings(max_examples=40, deadline=None)
@given(model=CONSTANT)
def test_rise_from_a_tenth_to_nine_tenths(model) -> None:
    with mpmath.workdps(40):
        half = value(INFLECTION_LOG, model)
        width = mpmath.sqrt(value(RISE_WIDTH, model))
        assert close(model.speedup(half / width), exact(model.A) / 10)
        assert close(model.speedup(half * width), exact(model.A) * 9 / 10)
