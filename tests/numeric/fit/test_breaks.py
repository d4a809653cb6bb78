"""Steps and changes of slope: found where they are, not where they are not, and counted."""

from typing import Any

import numpy as np
import pytest
from known_devices import CONSTANT, LINEAR, SIZES, Known
from scipy.optimize import minimize

from logca.numeric.fit.constrained_curves import free
from logca.numeric.fit.data import prepare
from logca.numeric.fit.decide import decide
from logca.numeric.fit.estimate import estimate
from logca.numeric.fit.fit import Fit, fit
from logca.numeric.fit.hysteresis_thresholds import thresholds
from logca.numeric.fit.likelihood import best, deviance, heights, log_times
from logca.numeric.fit.segmented import band, exceeding
from logca.numeric.fit.size_ranges import PAYS
from logca.numeric.timings.timings import Timings

PLACE = 20_000.0


def stepped(
    device: Known, path: str, factor: float, noise: float = 0.02, seed: int = 0, runs: int = 3
) -> Timings:
    """Times of a device, of which those of a path are others from a size on."""
    rng, g = np.random.default_rng(seed), np.array(SIZES)
    behind = np.where(g > PLACE, factor, 1.0)

    def noisy(own: str) -> list[Any]:
        exact = getattr(device, own)(g) * (behind if own == path else 1.0)
        return list(exact[:, None] * np.exp(noise * rng.standard_normal((g.size, runs))))

    return Timings(granularity=SIZES, host=noisy("host"), accelerated=noisy("accelerated"))


@pytest.mark.parametrize("runs", [1, 3])
@pytest.mark.parametrize("factor", [2.0, 0.5])
@pytest.mark.parametrize("path", ["host", "accelerated"])
def test_a_step_is_found_with_its_place_and_its_factor(path: str, factor: float, runs: int) -> None:
    (found,) = fit(stepped(LINEAR, path, factor, runs=runs)).breaks
    assert (found.path, found.kind) == (path, "step")
    assert found.lower < PLACE <= found.upper
    assert found.change == pytest.approx(factor, rel=0.06)
    assert found.interval.lower < found.change < found.interval.upper
    assert found.interval.upper < 1.2 * found.interval.lower


def test_a_change_of_slope_is_found() -> None:
    g, rng = np.array(SIZES), np.random.default_rng(3)
    host = CONSTANT.host(g) * np.maximum(g / PLACE, 1.0) ** 0.4
    noise = np.exp(0.01 * rng.standard_normal((2, g.size)))
    timings = Timings(
        granularity=SIZES, host=host * noise[0], accelerated=CONSTANT.accelerated(g) * noise[1]
    )
    found = fit(timings).breaks
    assert {each.path for each in found} == {"host"}
    (slope,) = (each for each in found if each.kind == "slope")
    assert slope.lower / 3 < PLACE < 3 * slope.upper
    assert slope.change == pytest.approx(0.4, abs=0.1)
    # not that of a power that goes on to 1 EiB
    highest = float((host / CONSTANT.accelerated(g)).max())
    lower, upper, _ = fit(timings).interval("peak")
    assert highest / 1.5 < lower < highest < upper < 1.5 * highest


@pytest.mark.parametrize("seed", range(6))
def test_times_without_breaks_have_none(seed: int) -> None:
    device = (CONSTANT, LINEAR)[seed % 2]
    timings = device.timings(0.05, seed=seed, repeats=(1, 3)[seed // 3], spikes=0.0)
    assert fit(timings).breaks == ()


def test_heights_are_those_that_a_search_finds() -> None:
    """The projection of the breaks leaves the least deviance of all heights, for a given curve."""
    found = estimate(stepped(LINEAR, "host", 2.0), "linear")
    data, curve = found.data, found.best.curve._replace(o=found.best.curve.o + 0.3)
    own, offloaded = log_times(curve, data.host.x, data.accelerated.x)

    def squares(height: Any) -> float:
        added = height * data.breaks[0].column(data.host.x)
        missed = (own + added - data.host.mean) * data.host.root
        other = (offloaded - data.accelerated.mean) * data.accelerated.root
        return float((missed**2).sum() + (other**2).sum())

    searched = minimize(lambda at: squares(at[0]), [0.0], method="Nelder-Mead", tol=1e-10)
    assert deviance(data, curve) == pytest.approx(searched.fun, rel=1e-8)
    assert heights(data, curve)[0] == pytest.approx(searched.x[0], abs=1e-4)


def test_no_other_start_is_better_where_a_break_is_projected_out() -> None:
    found = estimate(stepped(CONSTANT, "accelerated", 2.0), "linear")
    rng = np.random.default_rng(5)
    starts = [
        found.best.curve._replace(**dict(zip("oLD", moved, strict=True)))
        for moved in np.array(found.best.curve[2:5]) + rng.normal(0, 1.0, (5, 3))
    ]
    assert best(found.data, free("linear"), starts).deviance >= found.best.deviance * (1 - 1e-3)


def test_without_breaks_the_band_is_about_the_profile_interval() -> None:
    """The delta method against profile likelihood, which shares no code with it."""
    found = fit(LINEAR.timings(0.03, seed=4))
    for size in (2e3, 3e4, 1e6):
        profile = decide(found, size).speedup_interval
        assert profile is not None
        linear = band(found.general, found.level, np.array([size]))
        assert np.exp(linear.low[0]) == pytest.approx(profile.lower, rel=0.02)
        assert np.exp(linear.high[0]) == pytest.approx(profile.upper, rel=0.02)


@pytest.fixture(scope="module")
def twice() -> Fit:
    """It pays from about 11 KiB on, not behind the step of the host, and again far beyond it."""
    return fit(stepped(CONSTANT, "host", 0.25, noise=0.01))


def test_decisions_count_breaks(twice: Fit) -> None:
    factor = {False: 1.0, True: 0.25}
    sizes = np.geomspace(SIZES[0], SIZES[-1], 200)
    (step,) = twice.breaks
    for g in sizes:
        exact = CONSTANT.host(g) * factor[bool(g > PLACE)] / CONSTANT.accelerated(g)
        if abs(np.log(exact)) > 0.05 and not step.lower <= g <= step.upper:
            assert thresholds(twice).pays(float(g)) == (exact > 1)
            assert decide(twice, float(g)).speedup == pytest.approx(exact, rel=0.05)
            assert (thresholds(twice).certainty(float(g)) == PAYS) <= (exact > 1)
    assert len(thresholds(twice).likely) == 2


def test_a_saved_fit_has_its_breaks(twice: Fit, tmp_path: Any) -> None:
    twice.save(tmp_path / "fit.json")
    again = Fit.load(tmp_path / "fit.json")
    assert again.breaks == twice.breaks
    assert thresholds(again) == thresholds(twice)


def test_a_saved_fit_with_a_large_break_can_be_loaded(tmp_path: Any) -> None:
    """Its curve misses the times behind the break by the break, of a factor of 400."""
    found = fit(stepped(CONSTANT, "host", 400.0))
    assert [round(each.change, -2) for each in found.breaks] == [400.0]
    found.save(tmp_path / "fit.json")
    assert Fit.load(tmp_path / "fit.json").breaks == found.breaks


def test_a_second_mode_of_the_times_is_no_break_and_draws_no_curve_off() -> None:
    g, rng = np.array(SIZES), np.random.default_rng(11)

    def noisy(exact: Any) -> list[Any]:
        shape = (g.size, 7)
        slower = np.where(rng.random(shape) < 0.3, 1.5, 1.0)
        return list(exact[:, None] * slower * np.exp(0.01 * rng.standard_normal(shape)))

    found = fit(
        Timings(
            granularity=SIZES, host=noisy(LINEAR.host(g)), accelerated=noisy(LINEAR.accelerated(g))
        )
    )
    assert found.breaks == ()
    assert found.parameters["C"] == pytest.approx(LINEAR.C, rel=0.05)
    assert prepare(found.timings).breaks == ()


def test_stretches_and_factors_are_those_of_the_predicted_times(twice: Fit) -> None:
    g = np.geomspace(16, 2.0**26, 400)
    host, accelerated = twice.times(g)
    assert twice.speedup(g) == pytest.approx(host / accelerated, rel=1e-9)
    for each, factor in zip(("host", "accelerated"), twice.factors(g), strict=True):
        for found in twice.stretches:
            within = (g > found.above) & (g <= found.below)
            own = getattr(found, each)
            growth = (g[within] / (found.above or 1.0)) ** own.exponent
            assert factor[within] == pytest.approx(own.start * growth, rel=1e-9)
    assert [float(each[0]) for each in twice.factors(g)] == [1.0, 1.0]
    assert len(twice.stretches) == len(twice.breaks) + 1


def test_sizes_exceed_a_speedup_on_both_sides_of_a_step(twice: Fit) -> None:
    (step,) = twice.breaks
    place = np.sqrt(step.lower * step.upper)
    before, behind = (float(twice.speedup(place * by)) for by in (1 - 1e-7, 1 + 1e-7))
    between = np.sqrt(before * behind)
    ends = [end for pair in exceeding(twice.general, between) for end in pair]
    assert min(abs(end / place - 1) for end in ends) < 1e-6
    for start, end in exceeding(twice.general, between):
        for g in (start * 1.001, min(end, 2.0**50) * 0.999):
            assert start == 0 or twice.speedup(g) > between
