import mpmath
import pytest
from hypothesis import given, settings
from mpmath import mpf
from oracle import GRANULARITIES, close, exact, models, value

from logca.derive import limits as module
from logca.derive.limits import (
    ACCELERATOR_INTENSITY,
    COMPUTATIONAL_INTENSITY,
    LATENCY_CEILING,
    LIMIT_LARGE,
    LIMIT_SMALL,
    SPEEDUP_ONE,
    SPEEDUP_ONE_BOUND,
)

FAR = mpf(10) ** 600


@pytest.mark.parametrize("formula", module.FORMULAS, ids=lambda formula: formula.name)
def test_derivation_and_unit(formula) -> None:
    formula.derivation.check()
    formula.check_dimension()


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
