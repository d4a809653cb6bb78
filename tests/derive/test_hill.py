import mpmath
import pytest
from hypothesis import given, settings
from oracle import GRANULARITIES, close, exact, models, value

from logca.derive import hill as module
from logca.derive.hill import INFLECTION, INFLECTION_LOG, RISE_WIDTH, SPEEDUP_HILL

CONSTANT = models(latency="constant")


@pytest.mark.parametrize("formula", module.FORMULAS, ids=lambda formula: formula.name)
def test_derivation_and_unit(formula) -> None:
    formula.derivation.check()
    formula.check_dimension()


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
