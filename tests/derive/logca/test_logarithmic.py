from fractions import Fraction

import mpmath
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from mpmath import mpf
from oracle import close, exact, fractions, models, value

from logca.derive.logca.granularity import EFFECTIVE_INDEX
from logca.derive.logca.logarithmic import (
    G_GLOG,
    G_LOG,
    G_LOG_PEAK,
    G_LOG_UPPER,
    INDEX_THRESHOLD_LOG,
    SPEEDUP_GLOG,
    SPEEDUP_LOG,
    SPEEDUP_LOG_PEAK,
)

LEVELS = st.sampled_from([Fraction(1, 20), Fraction(1, 2), Fraction(9, 10)])
LINEAR = st.just(Fraction(1))
ROUGH = mpf(10) ** -20


def speedup(model, host):
    return lambda g: host(g) / (model.rest(g) + host(g) / exact(model.A))


@settings(max_examples=40, deadline=None)
@given(model=models(beta=LINEAR), g=fractions(1, 8))
def test_speedup(model, g) -> None:
    with mpmath.workdps(40):
        C, g = exact(model.C), exact(g)
        by_log = speedup(model, lambda g: C * mpmath.log(g))
        by_glog = speedup(model, lambda g: C * g * mpmath.log(g))
        assert close(value(SPEEDUP_LOG, model, g=g), by_log(g))
        assert close(value(SPEEDUP_GLOG, model, g=g), by_glog(g))


@settings(max_examples=40, deadline=None)
@given(model=models(beta=LINEAR), level=LEVELS, margin=st.sampled_from(["1.001", "1.1", "3", "50"]))
def test_logarithmic_targets_are_reached_from_the_threshold_on(model, level, margin) -> None:
    with mpmath.workdps(60):
        s, threshold = level * model.A, value(INDEX_THRESHOLD_LOG, model)
        host_per_index = 1 / (1 / exact(s) - 1 / exact(model.A))
        C = threshold * mpf(margin) * host_per_index
        at = speedup(model, lambda g: C * mpmath.log(g))
        lower, upper = (value(each, model, s=s, C=C) for each in (G_LOG, G_LOG_UPPER))
        peak = value(G_LOG_PEAK, model)
        assert 1 < lower < peak < upper
        for g in (lower, upper):
            assert close(at(g), exact(s), ROUGH)
        assert at(lower ** mpf("0.999")) < exact(s) < at(lower ** (1 + mpf(10) ** -9))
        short = threshold / mpf(margin) * host_per_index
        at_short = speedup(model, lambda g: short * mpmath.log(g))
        assert at_short(peak) < exact(s)


@settings(max_examples=30, deadline=None)
@given(model=models(beta=LINEAR))
def test_logarithmic_peak(model) -> None:
    with mpmath.workdps(50):
        C = exact(model.C)
        at = speedup(model, lambda g: C * mpmath.log(g))
        peak, highest = value(G_LOG_PEAK, model), value(SPEEDUP_LOG_PEAK, model)
        assert peak > mpmath.e
        assert close(at(peak), highest)
        for factor in (mpf("1.001"), mpf(2), mpf(10) ** 9):
            assert at(peak * factor) < highest
            assert peak / factor <= 1 or at(peak / factor) < highest


@settings(max_examples=40, deadline=None)
@given(model=models(beta=LINEAR), level=LEVELS)
def test_linearithmic_targets_are_always_reached(model, level) -> None:
    with mpmath.workdps(60):
        s = level * model.A
        k = value(EFFECTIVE_INDEX, model, s=s)
        assume(exact(model.L1) / k < 10**6)
        g = value(G_GLOG, model, s=s)
        at = speedup(model, lambda g: exact(model.C) * g * mpmath.log(g))
        assert g > 1
        assert close(at(g), exact(s), mpf(10) ** -18)
        assert at(g ** mpf("0.999")) < exact(s) < at(g ** mpf("1.001"))


def test_without_latency_per_byte() -> None:
    with mpmath.workdps(40):
        values = {"o": 6, "L0": 1, "L1": 0, "C": 5, "A": 8, "s": 3}
        share = mpf(7) / (5 * (mpf(1) / 3 - mpf(1) / 8))
        assert close(value(G_LOG, **values), mpmath.exp(share))
        assert close(value(G_GLOG, **values), mpmath.exp(mpmath.lambertw(share).real))
