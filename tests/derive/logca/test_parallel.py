"""Several accelerators and a host that works along: against schedules simulated."""

from fractions import Fraction

import mpmath
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from mpmath import mpf
from oracle import GRANULARITIES, TOLERANCE, close, exact, models, value

from logca.derive.logca.parallel import (
    ACCELERATORS_SATURATING,
    COEXECUTED_TIME,
    COEXECUTION_GAIN,
    COEXECUTION_RATE,
    COEXECUTION_SHARE,
    FORKJOIN_OPTIMAL,
    FORKJOIN_TIME,
    FORKJOIN_TIME_OPTIMAL,
    G1_COEXECUTED,
    SPEEDUP_COEXECUTED,
    SPEEDUP_COEXECUTED_ASYNC,
    SPEEDUP_SEVERAL,
)


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


LINEAR = models(beta=st.just(Fraction(1)))


def shared(model, g, part, blocked=True):
    """Time when a part of the data is sent; the host is blocked by the overhead, or not."""
    start = exact(model.o)
    sent = (
        start + exact(model.L0) + exact(model.L1) * part * g + model.host(part * g) / exact(model.A)
    )
    kept = (start if blocked else 0) + model.host((1 - part) * g)
    return max(sent, kept)


@settings(max_examples=60, deadline=None)
@given(model=LINEAR, g=GRANULARITIES)
def test_no_other_division_is_faster(model, g) -> None:
    assume(model.C * g >= model.L0)
    with mpmath.workdps(40):
        g = exact(g)
        part, time = value(COEXECUTION_SHARE, model, g=g), value(COEXECUTED_TIME, model, g=g)
        assert 0 <= part < 1
        assert close(shared(model, g, part), time)
        for k in range(1, 50):
            assert shared(model, g, mpf(k) / 50) >= time * (1 - TOLERANCE)
        assert close(value(SPEEDUP_COEXECUTED, model, g=g), model.host(g) / time)
        assert value(SPEEDUP_COEXECUTED, model, g=g) > model.speedup(g)


@settings(max_examples=60, deadline=None)
@given(model=LINEAR)
def test_break_even(model) -> None:
    with mpmath.workdps(40):
        at = value(G1_COEXECUTED, model)
        assert exact(model.C) * at >= exact(model.L0)
        assert close(value(SPEEDUP_COEXECUTED, model, g=at), mpf(1))


@settings(max_examples=60, deadline=None)
@given(model=LINEAR, g=GRANULARITIES)
def test_asynchronous_gain_is_constant(model, g) -> None:
    assume(model.C * g >= model.o + model.L0)
    with mpmath.workdps(40):
        g = exact(g)
        rate = value(COEXECUTION_RATE, model)
        assert close(rate, exact(model.C) / (exact(model.L1) + exact(model.C) / exact(model.A)))
        gain = value(COEXECUTION_GAIN, model)
        assert close(gain, 1 + 1 / rate)
        speedup = value(SPEEDUP_COEXECUTED_ASYNC, model, g=g)
        assert close(speedup, gain * model.speedup(g))
        for k in range(1, 50):
            other = model.host(g) / shared(model, g, mpf(k) / 50, blocked=False)
            assert other <= speedup * (1 + TOLERANCE)
