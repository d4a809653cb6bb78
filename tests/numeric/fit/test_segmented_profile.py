"""Half the peak of times with breaks: its interval holds it, and says if it may not exist."""

from math import isnan

import numpy as np
import pytest
from known_devices import CONSTANT, LINEAR, Known
from scipy.optimize import minimize

from logca.numeric.fit.break_evens import granularity_interval
from logca.numeric.fit.breaks import columns
from logca.numeric.fit.fit import Fit, fit
from logca.numeric.fit.intervals import likely_value
from logca.numeric.fit.segmented_profile import _Exceeding, half_peak_interval
from logca.numeric.timings.timings import Timings

SIZES = np.array([int(64 * 1.6**power) for power in range(30)])
A, O, C = 10.0, 2e-6, 1e-8
HALF_PEAK = A * O / C  # of the curve, which steps behind it do not move


def stepped(steps: list[tuple[float, str, float]], seed: int, noise: float = 0.01) -> Timings:
    """Times of a device, those of a path times a factor from a size on for each step."""
    rng = np.random.default_rng(seed)
    times = {"host": C * SIZES, "accelerated": O + C / A * SIZES}
    for size, path, factor in steps:
        times[path] = np.where(size < SIZES, factor * times[path], times[path])
    noisy = {
        path: list(time[:, None] * np.exp(noise * rng.standard_normal((SIZES.size, 5))))
        for path, time in times.items()
    }
    return Timings(granularity=SIZES, **noisy)


DEVICES = {
    "the host becomes slower": [(60e3, "host", 2.0)],
    "the host becomes faster": [(3_500.0, "host", 0.4)],
    "the accelerator becomes slower, the host faster": [
        (90e3, "accelerated", 4.0),
        (400e3, "host", 0.4),
    ],
}


@pytest.mark.parametrize("steps", DEVICES.values(), ids=DEVICES)
def test_the_interval_holds_what_exists_and_the_estimate(
    steps: list[tuple[float, str, float]],
) -> None:
    """Even where no A is too large for the times, since L may be what bounds the speedup."""
    for seed in range(2):
        found = fit(stepped(steps, seed))
        assert len(found.breaks) == len(steps)
        low, high, none = found.interval("gA2")
        assert low <= HALF_PEAK <= high
        assert none < 0.975
        assert low * 1.001 < high
        value = likely_value(found.estimates[found.latency], "gA2")
        assert isnan(value) or low <= value <= high


def test_a_step_right_at_half_the_peak_gives_both_sizes_that_it_lies_between() -> None:
    """Just before it the speedup is less than half of A, just behind it is more."""
    found = fit(stepped([(1_000.0, "host", 3.0)], 1))
    (step,) = found.breaks
    low, high, none = found.interval("gA2")
    assert low == pytest.approx(step.lower, rel=2e-3)
    assert high >= step.upper * 0.998
    assert none < 0.975


def test_without_half_the_peak_there_is_none() -> None:
    """A step before it makes the host so much faster that it is never reached."""
    found = fit(stepped([(1_000.0, "host", 0.2)], 2), latency="constant")
    assert found.interval("gA2").none > 0.999
    assert isnan(found.interval("gA2").lower)
    assert isnan(likely_value(found.estimates[found.latency], "gA2"))


@pytest.mark.parametrize("latency", ["constant", "linear"])
@pytest.mark.parametrize("device", [CONSTANT, LINEAR])
def test_without_breaks_it_is_the_interval_that_fits_have(device: Known, latency: str) -> None:
    estimate = fit(device.timings(0.02, seed=3), latency=latency).general
    assert not estimate.data.breaks
    usual, found = granularity_interval(estimate, "gA2", 0.95), half_peak_interval(estimate, 0.95)
    assert found.none == pytest.approx(usual.none, abs=0.02)
    assert found.lower == pytest.approx(usual.lower, rel=0.01, nan_ok=True)
    assert found.upper == pytest.approx(usual.upper, rel=0.01, nan_ok=True)


@pytest.fixture(scope="module")
def twofold() -> Fit:
    return fit(stepped([(60e3, "host", 2.0)], 0), latency="constant")


@pytest.mark.parametrize("size", [1_000.0, 100e3, 4e6])
def test_no_curve_and_height_with_that_half_peak_is_better(twofold: Fit, size: float) -> None:
    """The elimination of a height against a search for all numbers under the same condition."""
    estimate = twofold.general
    data, (each,) = estimate.data, estimate.data.breaks
    t = float(np.log(size) - data.log_size)
    half = _Exceeding(estimate, half=True)
    root = max(map(abs, half.roots(t)))
    own = each.column(np.exp([t]))[0]

    def times(at: np.ndarray, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """By the model's own words: no function of the fit but for the column of a break."""
        host = at[0] + at[1] * np.log(x) + at[4] * columns(data.breaks, "host", x)[:, 0]
        return host, np.logaddexp(at[2], at[3] + at[1] * np.log(x))

    def squares(at: np.ndarray) -> float:
        host, other = times(at, data.host.x)[0], times(at, data.accelerated.x)[1]
        missed = (host - data.host.mean) * data.host.root
        offloaded = (other - data.accelerated.mean) * data.accelerated.root
        return float(missed @ missed + offloaded @ offloaded)

    def beyond(at: np.ndarray) -> float:
        host, other = times(at, np.exp([t]))
        return float((host - other)[0] - (at[0] - at[3] - np.log(2)))

    best = estimate.best.curve
    start = np.array([best.C, best.beta, best.o, best.D, np.log(2.0)])
    start[2] += beyond(start) if own == 0 else 0.0
    start[4] -= beyond(start) if own else 0.0
    searched = minimize(
        squares,
        start,
        method="SLSQP",
        constraints={"type": "eq", "fun": beyond},
        options={"maxiter": 500, "ftol": 1e-12},
    )
    assert abs(beyond(searched.x)) < 1e-6
    assert root**2 + estimate.best.deviance == pytest.approx(searched.fun, rel=2e-3)


def test_an_upper_break_even_that_a_latency_not_told_from_none_would_make_is_no_surprise() -> None:
    """The most likely L is none, and its errors say that it pays at 1 EiB; the true L does not."""
    A, beta, C, L, rng = 30, 0.9, 1e-8, 1e-8 / 30, np.random.default_rng(0)
    g = SIZES[:14]
    host, other = C * g**beta, C * 8126**beta + C / A * g**beta + L * g
    host = np.where(g > 3464, host / 2, host)
    last = (C / 2 / L) ** 10  # from there on L g is more than C g**0.9 / 2
    seen = 0
    for _ in range(4):
        noise = np.exp(0.03 * rng.standard_normal((2, g.size, 5)))
        found = fit(
            Timings(
                granularity=g,
                host=list(host[:, None] * noise[0]),
                accelerated=list(other[:, None] * noise[1]),
            )
        )
        if len(found.breaks) == 1:
            seen += 1
            low, high, none = found.interval("g1_upper")
            assert low < last < high
            assert 0 < none < 0.975
    assert seen >= 2


def test_what_pays_nowhere_has_no_upper_break_even() -> None:
    found = fit(stepped([(1_000.0, "host", 0.01)], 2), latency="constant")
    assert found.interval("g1_upper").none < 0.025  # it pays up to the step
    never = fit(stepped([(100.0, "host", 0.01), (100e3, "accelerated", 3.0)], 2))
    assert never.breaks
    assert never.interval("g1_upper").none > 0.975
