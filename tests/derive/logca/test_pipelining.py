"""Batches, pipelines and chunks: against offloads simulated one by one."""

from fractions import Fraction

import mpmath
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from mpmath import mpf
from oracle import GRANULARITIES, TOLERANCE, close, exact, fractions, models, value

from logca.derive.logca.granularity import GA2
from logca.derive.logca.pipelining import (
    CHUNK_SIZE_OPTIMAL,
    CHUNKED_TIME,
    CHUNKED_TIME_BALANCED,
    CHUNKED_TIME_OPTIMAL,
    CHUNKED_TIME_STATIONARY,
    CHUNKS_BALANCED,
    CHUNKS_OPTIMAL,
    CHUNKS_STATIONARY,
    ITEMS_FOR,
    PERIOD_PIPELINED,
    PIPELINE_GAIN,
    SPEEDUP_BATCH,
    SPEEDUP_BATCH_LIMIT,
    SPEEDUP_PIPELINED,
)


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


LINEAR = models(beta=st.just(Fraction(1)))
LENGTHS = fractions(0, 6)


def simulated(model, length, chunks):
    """Time of the last of the chunks through both stages."""
    size = exact(length) / chunks
    prepared = done = mpf(0)
    for _ in range(chunks):
        prepared += model.rest(size)
        done = max(prepared, done) + model.host(size) / exact(model.A)
    return done


@settings(max_examples=40, deadline=None)
@given(model=LINEAR, N=LENGTHS, n=st.integers(1, 40))
def test_time_is_that_of_a_simulated_pipeline(model, N, n) -> None:
    with mpmath.workdps(40):
        assert close(value(CHUNKED_TIME, model, N=N, n=n), simulated(model, N, n))


@settings(max_examples=40, deadline=None)
@given(model=LINEAR, N=LENGTHS)
def test_no_number_of_chunks_is_faster(model, N) -> None:
    with mpmath.workdps(40):
        best, least = value(CHUNKS_OPTIMAL, model, N=N), value(CHUNKED_TIME_OPTIMAL, model, N=N)
        assert close(value(CHUNKED_TIME, model, N=N, n=best), least)
        for n in [*range(1, 30), *(max(1, best * mpf(k) / 16) for k in range(1, 64))]:
            assert value(CHUNKED_TIME, model, N=N, n=n) >= least * (1 - TOLERANCE)
        around = [max(1, int(mpmath.floor(best))), int(mpmath.ceil(best))]
        whole = min(value(CHUNKED_TIME, model, N=N, n=n) for n in around)
        for n in range(max(1, around[0] - 20), around[1] + 20):
            assert value(CHUNKED_TIME, model, N=N, n=n) >= whole * (1 - TOLERANCE)


@settings(max_examples=60, deadline=None)
@given(model=LINEAR, N=LENGTHS)
def test_cases(model, N) -> None:
    with mpmath.workdps(40):
        least = value(CHUNKED_TIME_OPTIMAL, model, N=N)
        stationary = value(CHUNKS_STATIONARY, model, N=N)
        balanced = value(CHUNKS_BALANCED, model, N=N)
        C, A, L1, once = model.C, model.A, model.L1, model.o + model.L0
        compute = C > A * L1 and A * C * once <= (C - A * L1) ** 2 * N
        if compute:
            assert balanced >= max(1, stationary) * (1 - TOLERANCE)
            assert close(value(CHUNKED_TIME_BALANCED, model, N=N), least)
            size = value(CHUNK_SIZE_OPTIMAL, model)
            assert close(size, value(GA2, model))
            assert close(size, exact(N) / value(CHUNKS_OPTIMAL, model, N=N))
        elif A * once <= C * N:
            assert close(value(CHUNKED_TIME_STATIONARY, model, N=N), least)
        else:
            assert value(CHUNKS_OPTIMAL, model, N=N) == 1
            assert close(least, model.time(exact(N)))
