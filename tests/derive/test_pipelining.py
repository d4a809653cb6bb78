import mpmath
import pytest
from hypothesis import given, settings
from oracle import GRANULARITIES, close, exact, models, value

from logca.derive import pipelining as module
from logca.derive.pipelining import PERIOD_PIPELINED, PIPELINE_GAIN, SPEEDUP_PIPELINED


@pytest.mark.parametrize("formula", module.FORMULAS, ids=lambda formula: formula.name)
def test_derivation_and_unit(formula) -> None:
    formula.derivation.check()
    formula.check_dimension()


def finish(model, g, offloads):
    """Time at which a number of offloads is through both stages, simulated."""
    prepared = done = mpmath.mpf(0)
    for _ in range(offloads):
        prepared += model.rest(g)
        done = max(prepared, done) + model.host(g) / exact(model.A)
    return done


@settings(max_examples=40, deadline=None)
@given(model=models(), g=GRANULARITIES)
def test_steady_state_of_a_simulated_pipeline(model, g) -> None:
    with mpmath.workdps(40):
        period = finish(model, exact(g), 30) - finish(model, exact(g), 29)
        assert close(value(PERIOD_PIPELINED, model, g=g), period)
        found = value(SPEEDUP_PIPELINED, model, g=g)
        assert close(found, model.host(exact(g)) / period)
        gain = value(PIPELINE_GAIN, model, g=g)
        assert close(gain, found / model.speedup(exact(g)))
        assert 1 < gain <= 2
