"""Times that no power law describes, medians beside the curve, and weights of models."""

from dataclasses import replace
from math import exp
from pathlib import Path
from statistics import quantiles

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from known_devices import CONSTANT, LINEAR, SIZES
from scipy import stats

from logca.numeric.fit.estimate import akaike_criteria, akaike_weights, estimate, observed
from logca.numeric.fit.fit import Fit, fit
from logca.numeric.fit.intervals import call_cost, interval_of, parameters
from logca.numeric.timings.timings import Timings


@pytest.mark.parametrize("noise", [0.01, 0.05])
def test_a_cost_of_calls_does_not_move_the_break_even(noise: float) -> None:
    cost = 2e-7
    called = replace(CONSTANT, call=cost, o=CONSTANT.o + cost)
    found = estimate(called.timings(noise, seed=8, repeats=5), "linear")
    assert call_cost(found) == pytest.approx(cost, rel=4 * noise)
    assert parameters(found)["o"] == pytest.approx(CONSTANT.o, rel=2 * noise)
    g1 = interval_of(found, "g1", 0.99)
    assert g1.lower < CONSTANT.where(1.0) < g1.upper < 1.2 * g1.lower


def test_without_it_there_is_no_such_cost() -> None:
    for seed in range(5):
        assert call_cost(estimate(LINEAR.timings(0.1, seed=seed), "linear")) == 0


def test_a_cost_of_calls_that_is_nothing_is_not_told() -> None:
    """The host alone has it, and the path beside it begins at a thousandth of it."""
    sizes = 2.0 ** np.arange(8, 21)
    found = fit(Timings(granularity=sizes, host=1e-4 + 1e-9 * sizes, accelerated=1e-10 * sizes))
    assert found.estimates[found.latency].data.bend is not None
    assert found.call_cost == 0
    assert not any("each call costs" in warning for warning in found.warnings)


def test_how_far_sizes_scatter_is_found_for_each_path() -> None:
    rng = np.random.default_rng(1)
    sizes = 2.0 ** np.arange(4, 26, 0.25)
    plain = LINEAR.timings(0.01, sizes=sizes)
    timings = Timings(
        granularity=sizes,
        host=[row * np.exp(0.1 * rng.standard_normal()) for row in plain.host],
        accelerated=plain.accelerated,
    )
    found = estimate(timings, "linear")
    assert found.misfit
    assert found.data.host.apart == pytest.approx(0.1, rel=0.15)
    assert found.data.accelerated.apart < 0.01
    assert found.data.host.spread == pytest.approx(0.01, rel=0.15)


def test_repeats_of_sizes_that_scatter_are_no_evidence_on_the_curve() -> None:
    rng = np.random.default_rng(2)
    errors = 0.1 * rng.standard_normal((2, len(SIZES)))

    def width(repeats: int) -> float:
        plain = LINEAR.timings(0.01, repeats=repeats)
        timings = Timings(
            granularity=SIZES,
            host=[row * np.exp(by) for row, by in zip(plain.host, errors[0], strict=True)],
            accelerated=[
                row * np.exp(by) for row, by in zip(plain.accelerated, errors[1], strict=True)
            ],
        )
        lower, upper, _ = interval_of(estimate(timings, "constant"), "g1", 0.95)
        return float(np.log(upper / lower))

    assert width(20) == pytest.approx(width(5), rel=0.1)


OBSERVED_SIZES = [float(2**k) for k in range(6, 20)]
NOISE = (0.97, 0.99, 1.0, 1.02, 1.05)


def timings() -> Timings:
    """Two outliers on the host, and one size at which the host has no time."""
    host = [[1e-9 * g * each for each in NOISE] for g in OBSERVED_SIZES]
    host[3][0] *= 20
    host[5][4] *= 30
    host[7] = []
    other = [[5e-6 + 1e-10 * g * each for each in NOISE] for g in OBSERVED_SIZES]
    return Timings(granularity=OBSERVED_SIZES, host=host, accelerated=other)


def test_medians_and_quartiles_are_of_times_that_are_no_spikes() -> None:
    found = fit(timings(), latency="constant")
    seen = observed(found.estimates["constant"], "host")
    measured = [g for g in OBSERVED_SIZES if g != OBSERVED_SIZES[7]]
    np.testing.assert_allclose(seen.size, measured)
    usual = {OBSERVED_SIZES[3]: NOISE[1:], OBSERVED_SIZES[5]: NOISE[:-1]}
    for place, g in enumerate(measured):
        kept = 1e-9 * g * np.array(usual.get(g, NOISE))
        assert seen.median[place] == pytest.approx(np.median(kept))
        low, _, high = quantiles(kept, n=4, method="inclusive")
        assert (seen.low[place], seen.high[place]) == pytest.approx((low, high))
    np.testing.assert_allclose(seen.spike_size, [OBSERVED_SIZES[3], OBSERVED_SIZES[5]])
    np.testing.assert_allclose(
        seen.spike,
        [20 * 1e-9 * OBSERVED_SIZES[3] * NOISE[0], 30 * 1e-9 * OBSERVED_SIZES[5] * NOISE[4]],
    )


def test_fitted_times_are_those_of_the_accelerator() -> None:
    found = fit(timings(), latency="constant")
    estimate, fitted = found.estimates["constant"], found.accelerator
    for path, time in (("host", fitted.time_host), ("accelerated", fitted.time_accelerated)):
        seen = observed(estimate, path)
        np.testing.assert_allclose(seen.fitted, time(seen.size), rtol=1e-5)
    assert observed(estimate, "accelerated").size.size == len(OBSERVED_SIZES)


def test_weights_add_up_and_have_the_ratio_of_the_likelihoods() -> None:
    weights = akaike_weights({"constant": 103.0, "linear": 100.0})
    assert sum(weights.values()) == pytest.approx(1)
    assert weights["constant"] / weights["linear"] == pytest.approx(exp(-1.5))


@given(st.floats(0, 1e6), st.floats(1, 1e4))
def test_the_criterion_tests_at_the_size_of_akaikes_test(excess: float, freedom: float) -> None:
    """By SciPy's distributions: an excess as improbable as two of a known variance is the limit."""
    found = akaike_criteria({"linear": 3.0, "constant": 3.0 + excess}, 5, freedom)
    p = stats.f.sf(excess, 1, freedom)
    assert (found["constant"] > found["linear"]) == pytest.approx(p < stats.chi2.sf(2, 1))
    assert found["linear"] == 13.0


def test_where_the_variance_is_known_it_is_akaikes() -> None:
    found = akaike_criteria({"linear": 3.0, "constant": 10.0}, 5, 1e9)
    assert found == pytest.approx({"linear": 3 + 2 * 5, "constant": 10 + 2 * 4})
    assert akaike_criteria({"constant": 10.0}, 4, 7.0) == {"constant": 18.0}


@pytest.mark.parametrize("seed", range(6))
def test_times_that_no_curve_of_the_family_follows_are_not_all_outliers(
    tmp_path: Path, seed: int
) -> None:
    """Latency per byte, fitted as constant: once all times were outliers, and the curve was any."""
    draw = np.random.default_rng(seed)
    sizes = np.repeat(np.sort(10.0 ** draw.uniform(3, 7.5, 6)), 2)
    host = 2.7e-10 * np.sqrt(sizes) * np.exp(0.01 * draw.standard_normal(sizes.size))
    other = 1e-8 * sizes * np.exp(0.02 * draw.standard_normal(sizes.size))
    pairs = [list(each.reshape(-1, 2)) for each in (host, other)]
    found = fit(
        Timings(granularity=sizes[::2], host=pairs[0], accelerated=pairs[1]), latency="constant"
    )
    # one exponent serves both paths: that of the one whose times it follows
    own = [np.polyfit(np.log(sizes), np.log(times), 1)[0] for times in (host, other)]
    assert min(abs(found.parameters["beta"] - each) for each in own) < 0.01
    assert "Offloading does not pay at any size" in str(found)
    found.save(tmp_path / "fit.json")
    assert str(Fit.load(tmp_path / "fit.json")) == str(found)
