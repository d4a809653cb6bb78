import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mpf
from oracle import GRANULARITIES, TOLERANCE, close, exact, models, value

from logca.derive import several as module
from logca.derive.several import (
    ACCELERATORS_SATURATING,
    FORKJOIN_OPTIMAL,
    FORKJOIN_TIME,
    FORKJOIN_TIME_OPTIMAL,
    SPEEDUP_SEVERAL,
)


@pytest.mark.parametrize("formula", module.FORMULAS, ids=lambda formula: formula.name)
def test_derivation_and_unit(formula) -> None:
    formula.derivation.check()
    formula.check_dimension()


def finish(model, g, offloads, accelerators):
    """Time at which all offloads are done, dealt out in turn to accelerators, simulated."""
    prepared, free = mpf(0), [mpf(0)] * accelerators
    for index in range(offloads):
        prepared += model.rest(g)
        turn = index % accelerators
        free[turn] = max(prepared, free[turn]) + model.host(g) / exact(model.A)
    return max(free)


@settings(max_examples=40, deadline=None)
@given(model=models(), g=GRANULARITIES, n=st.integers(1, 6))
def test_steady_state_of_simulated_accelerators(model, g, n) -> None:
    with mpmath.workdps(40):
        rounds = finish(model, exact(g), 20 * n, n) - finish(model, exact(g), 19 * n, n)
        found = value(SPEEDUP_SEVERAL, model, g=g, n=n)
        assert close(found, n * model.host(exact(g)) / rounds)
        saturating = value(ACCELERATORS_SATURATING, model, g=g)
        reached = value(SPEEDUP_SEVERAL, model, g=g, n=2 * n)
        assert close(found, reached) == (n >= saturating) or close(mpf(n), saturating)


@settings(max_examples=40, deadline=None)
@given(model=models(), g=GRANULARITIES, n=st.integers(1, 50))
def test_fork_and_join_part_by_part(model, g, n) -> None:
    with mpmath.workdps(40):
        g = exact(g)
        dispatched, ends = mpf(0), []
        for _ in range(n):
            dispatched += model.rest(g / n)
            ends.append(dispatched + model.host(g / n) / exact(model.A))
        assert close(value(FORKJOIN_TIME, model, g=g, n=n), max(ends))


@settings(max_examples=40, deadline=None)
@given(model=models(), g=GRANULARITIES)
def test_no_other_number_of_parts_is_faster(model, g) -> None:
    with mpmath.workdps(40):
        best = value(FORKJOIN_OPTIMAL, model, g=g)
        least = value(FORKJOIN_TIME_OPTIMAL, model, g=g)
        assert close(value(FORKJOIN_TIME, model, g=g, n=best), least)
        for k in range(1, 60):
            other = value(FORKJOIN_TIME, model, g=g, n=best * mpf(k) / 20)
            assert other >= least * (1 - TOLERANCE)
