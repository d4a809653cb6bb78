import mpmath
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from oracle import GRANULARITIES, close, exact, fractions, models, value

from logca.derive import batching as module
from logca.derive.batching import ITEMS_FOR, SPEEDUP_BATCH, SPEEDUP_BATCH_LIMIT


@pytest.mark.parametrize("formula", module.FORMULAS, ids=lambda formula: formula.name)
def test_derivation_and_unit(formula) -> None:
    formula.derivation.check()
    formula.check_dimension()


def batch(model, g, m):
    """Host time of m items over the time of one offload that carries them."""
    once = exact(model.o) + exact(model.L0)
    each = exact(model.L1) * g + model.host(g) / exact(model.A)
    return m * model.host(g) / (once + m * each)


@settings(max_examples=40, deadline=None)
@given(model=models(), g=GRANULARITIES, m=st.integers(1, 10**6))
def test_speedup_of_a_batch(model, g, m) -> None:
    with mpmath.workdps(40):
        found = value(SPEEDUP_BATCH, model, g=g, m=m)
        assert close(found, batch(model, exact(g), m))
        assert found < value(SPEEDUP_BATCH_LIMIT, model, g=g)
        far = batch(model, exact(g), mpmath.mpf(10) ** 60)
        assert abs(far / value(SPEEDUP_BATCH_LIMIT, model, g=g) - 1) < mpmath.mpf(10) ** -30


@settings(max_examples=40, deadline=None)
@given(model=models(), g=GRANULARITIES, part=fractions(-2, 0))
def test_items_for_a_target(model, g, part) -> None:
    with mpmath.workdps(40):
        s = exact(part) * exact(model.A) / 10
        reachable = s < value(SPEEDUP_BATCH_LIMIT, model, g=g)
        items = value(ITEMS_FOR, model, g=g, s=s)
        assert reachable == (items > 0)
        assume(reachable)
        assert close(batch(model, exact(g), items), s)
