import mpmath
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mpf
from oracle import GRANULARITIES, close, downward, exact, models, upward, value
from target_models import MARGINS, SUBLINEAR, brute_threshold, index_for

from logca.derive.logca.granularity import EFFECTIVE_INDEX
from logca.derive.logca.peak_and_existence import (
    ENTROPY,
    G_PEAK,
    G_SAVING,
    INDEX_THRESHOLD,
    INTENSITY_THRESHOLD,
    KAPPA,
    KAPPA_THRESHOLD,
    LATENCY_BUDGET,
    OVERHEAD_BUDGET,
    SAVING_PEAK,
    SPEEDUP_INFINITE_PEAK,
    SPEEDUP_PEAK,
)

BRUTE = mpf(10) ** -22
LEVELS = st.sampled_from([0.05, 0.3, 0.5, 0.9])
SUBLINEAR_MODELS = models(beta=SUBLINEAR)


@settings(max_examples=40, deadline=None)
@given(model=models(), g=GRANULARITIES)
def test_scaled_trinomial(model, g) -> None:
    with mpmath.workdps(50):
        s = model.speedup(exact(g))
        x = exact(g) * exact(model.L1) / exact(model.o + model.L0)
        assert close(value(KAPPA, model, s=s) * x ** exact(model.beta), 1 + x, BRUTE)


@settings(max_examples=25, deadline=None)
@given(model=SUBLINEAR_MODELS)
def test_threshold_is_the_least_index(model) -> None:
    with mpmath.workdps(50):
        assert close(value(INDEX_THRESHOLD, model), brute_threshold(model), BRUTE)
        unit = model.but(o=1, L0=0, L1=1)
        assert close(value(KAPPA_THRESHOLD, model), brute_threshold(unit), BRUTE)
        assert close(mpmath.exp(value(ENTROPY, model)), value(KAPPA_THRESHOLD, model))
        assert 1 < value(KAPPA_THRESHOLD, model) <= 2


@settings(max_examples=25, deadline=None)
@given(model=SUBLINEAR_MODELS, level=LEVELS, margin=MARGINS)
def test_roots_exist_from_the_threshold_on(model, level, margin) -> None:
    with mpmath.workdps(40):
        s = level * exact(model.A)
        threshold = value(INDEX_THRESHOLD, model)
        c, l, b = exact(model.o + model.L0), exact(model.L1), exact(model.beta)
        peak = value(G_PEAK, model)
        below, above = threshold / exact(margin), threshold * exact(margin)
        assert mpmath.isnan(upward(below, c, l, b))
        assert mpmath.isnan(downward(below, c, l, b))
        assert upward(above, c, l, b) < peak < downward(above, c, l, b)
        C = index_for(model, s, margin, threshold)
        assert close(C / l, value(INTENSITY_THRESHOLD, model, s=s) * exact(margin))


@settings(max_examples=25, deadline=None)
@given(model=SUBLINEAR_MODELS)
def test_peak_is_the_greatest_speedup(model) -> None:
    with mpmath.workdps(50):
        peak, g = value(SPEEDUP_PEAK, model), value(G_PEAK, model)
        assert close(model.speedup(g), peak)
        for factor in (
            mpf("0.999"),
            mpf("1.001"),
            mpf("0.1"),
            mpf(10),
            mpf(10) ** 30,
            mpf(10) ** -30,
        ):
            assert model.speedup(g * factor) < peak
        fast = model.but(A=10**60)
        assert close(fast.speedup(g), value(SPEEDUP_INFINITE_PEAK, model), mpf(10) ** -20)
        assert close(value(G_PEAK, fast.but(C=7)), g)


@settings(max_examples=25, deadline=None)
@given(model=SUBLINEAR_MODELS, margin=MARGINS)
def test_most_time_is_saved_between_peak_and_upper_root(model, margin) -> None:
    with mpmath.workdps(50):
        C = index_for(model, 1, margin, value(INDEX_THRESHOLD, model))
        best, saved = value(G_SAVING, model, C=C), value(SAVING_PEAK, model, C=C)

        def saving(g: mpf) -> mpf:
            host = C * g ** exact(model.beta)
            return host - (model.rest(g) + host / exact(model.A))

        assert abs(saving(best) - saved) < mpf(10) ** -30 * model.rest(best)
        assert saving(best * mpf("1.01")) < saved
        assert saving(best * mpf("0.99")) < saved
        assert saved > 0
        index = C * (1 - 1 / exact(model.A))
        parts = (index, exact(model.o + model.L0), exact(model.L1), exact(model.beta))
        assert upward(*parts) < value(G_PEAK, model) < best < downward(*parts)


@settings(max_examples=25, deadline=None)
@given(model=SUBLINEAR_MODELS, level=LEVELS)
def test_with_the_whole_budget_the_target_is_the_peak(model, level) -> None:
    with mpmath.workdps(40):
        s = level * exact(model.A)
        k, b = value(EFFECTIVE_INDEX, model, s=s), exact(model.beta)
        overhead, latency = (value(each, model, s=s) for each in (OVERHEAD_BUDGET, LATENCY_BUDGET))
        assert close(value(SPEEDUP_PEAK, model, o=overhead, L0=0), s)
        assert close(value(SPEEDUP_PEAK, model, L1=latency), s)
        more, less = mpf("1.001"), mpf("0.999")
        assert mpmath.isnan(upward(k, more * overhead, exact(model.L1), b))
        assert not mpmath.isnan(upward(k, less * overhead, exact(model.L1), b))
        assert mpmath.isnan(upward(k, exact(model.o + model.L0), more * latency, b))
        assert not mpmath.isnan(upward(k, exact(model.o + model.L0), less * latency, b))


def test_radix_sort_on_the_apu() -> None:
    """altaf2017, Table 5 and Table 4: L = 15, o = 4e8, C = 290, A = 7, beta = 0.94."""
    apu = {"o": 400_000_000, "L0": 0, "L1": 15, "C": 290, "A": 7, "beta": mpf("0.94")}
    assert mpmath.nstr(value(G_PEAK, **apu), 4) == "4.178e+8"
    assert mpmath.nstr(value(SPEEDUP_PEAK, **apu), 4) == "3.087"


def test_binary_search_on_the_apu_never_breaks_even() -> None:
    """The printed condition C/L > 1/beta holds, 7.73 > 7.14; the peak is far below 1."""
    apu = {"o": 400_000_000, "L0": 0, "L1": 15, "C": 116, "A": 7, "beta": mpf("0.14")}
    assert mpf(116) / 15 > 1 / mpf("0.14")
    assert value(SPEEDUP_PEAK, **apu) < mpf("3e-6")
