"""Medians without spikes beside the curve, and the weights of models."""

from math import exp
from statistics import quantiles

import numpy as np
import pytest

from logca.numeric.fitting.fit import fit
from logca.numeric.fitting.observed import akaike_weights, observed
from logca.numeric.fitting.timings import Timings

SIZES = [float(2**k) for k in range(6, 20)]
NOISE = (0.97, 0.99, 1.0, 1.02, 1.05)


def timings() -> Timings:
    """Two spikes on the host, and one size at which the host has no time."""
    host = [[1e-9 * g * each for each in NOISE] for g in SIZES]
    host[3][0] *= 20
    host[5][4] *= 30
    host[7] = []
    other = [[5e-6 + 1e-10 * g * each for each in NOISE] for g in SIZES]
    return Timings(granularity=SIZES, host=host, accelerated=other)


def test_medians_and_quartiles_are_of_times_that_are_no_spikes() -> None:
    found = fit(timings(), latency="constant")
    seen = observed(found.estimates["constant"], "host")
    measured = [g for g in SIZES if g != SIZES[7]]
    np.testing.assert_allclose(seen.size, measured)
    usual = {SIZES[3]: NOISE[1:], SIZES[5]: NOISE[:-1]}
    for place, g in enumerate(measured):
        kept = 1e-9 * g * np.array(usual.get(g, NOISE))
        assert seen.median[place] == pytest.approx(np.median(kept))
        low, _, high = quantiles(kept, n=4, method="inclusive")
        assert (seen.low[place], seen.high[place]) == pytest.approx((low, high))
    np.testing.assert_allclose(seen.spike_size, [SIZES[3], SIZES[5]])
    np.testing.assert_allclose(
        seen.spike, [20 * 1e-9 * SIZES[3] * NOISE[0], 30 * 1e-9 * SIZES[5] * NOISE[4]]
    )


def test_fitted_times_are_those_of_the_accelerator() -> None:
    found = fit(timings(), latency="constant")
    estimate, fitted = found.estimates["constant"], found.accelerator
    for path, time in (("host", fitted.time_host), ("accelerated", fitted.time_accelerated)):
        seen = observed(estimate, path)
        np.testing.assert_allclose(seen.fitted, time(seen.size), rtol=1e-5)
    assert observed(estimate, "accelerated").size.size == len(SIZES)


def test_weights_add_up_and_have_the_ratio_of_the_likelihoods() -> None:
    weights = akaike_weights({"constant": 103.0, "linear": 100.0})
    assert sum(weights.values()) == pytest.approx(1)
    assert weights["constant"] / weights["linear"] == pytest.approx(exp(-1.5))


def test_a_criterion_that_is_not_finite_weighs_nothing() -> None:
    assert akaike_weights({"constant": 10.0, "linear": float("inf")}) == {
        "constant": 1.0,
        "linear": 0.0,
    }
    assert sum(akaike_weights({"a": float("inf"), "b": float("inf")}).values()) == 1
