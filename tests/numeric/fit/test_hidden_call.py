"""A cost of a call that the times do not show: intervals count as large a one as they admit.

The truth is inside the model, and break-evens are known in closed form; the search for the ends of
an interval is done again with SciPy, the model written out.
"""

from functools import cache
from typing import Any

import numpy as np
import pytest
from known_devices import CONSTANT, Known
from scipy.optimize import minimize
from scipy.stats import f as fisher

from logca.numeric.chance.decide import decide_uncertain
from logca.numeric.chance.fitted import UncertainFit
from logca.numeric.fit.decide import decide, speedup_interval
from logca.numeric.fit.estimate import Estimate, admitted, estimate, with_hidden_call
from logca.numeric.fit.fit import Fit, fit
from logca.numeric.fit.hysteresis_thresholds import thresholds
from logca.numeric.fit.intervals import QUANTITIES, interval_of
from logca.numeric.fit.segmented import band
from logca.numeric.fit.size_ranges import CANNOT_BE_TOLD
from logca.numeric.timings.timings import Timings

LEVEL = 0.95
NOISE, SIZES = 0.05, 8
# Of the break-even, the smallest of sizes over a factor of 100: there a power law follows the
# host's times with an exponent a little less than one.
NEAREST = (1.0, 2.0)
SAID = "each call may cost something even for no data"


def break_even(device: Known) -> float:
    """Of o + C g/A, in which o has the cost of a call too, and of the host's times."""
    return (device.o - device.call) / (device.C * (1 - 1 / device.A))


@cache
def drawn(seed: int, share: float, nearest: float) -> tuple[float, Fit]:
    """The break-even of a device whose calls cost a share of o, and what is fitted to its times."""
    rng = np.random.default_rng(seed)
    o = 10 ** rng.uniform(-6, -4)
    device = Known(o=o, C=10 ** rng.uniform(-10, -8), A=10 ** rng.uniform(0.3, 1.5), call=share * o)
    truth = break_even(device)
    sizes = np.round(truth * nearest * np.geomspace(1, 100, SIZES))
    return truth, fit(device.timings(NOISE, seed=seed, sizes=sizes))


@pytest.mark.parametrize("nearest", NEAREST)
def test_the_break_even_is_in_its_interval_where_no_size_is_below_it(nearest: float) -> None:
    """Without that cost in the curve it is in one of the 16."""
    found = [drawn(seed, 0.3, nearest) for seed in range(8)]
    ends = [(truth, each.interval("g1", LEVEL)) for truth, each in found]
    assert sum(each.lower <= truth <= each.upper for truth, each in ends) >= 7
    bare = [(truth, interval_of(each.general, "g1", LEVEL)) for truth, each in found]
    assert sum(each.lower <= truth <= each.upper for truth, each in bare) <= 1


def test_a_likely_cost_that_is_not_evident_is_said_and_changes_no_likely_value() -> None:
    _, found = next(each for each in (drawn(seed, 0.3, 2.0) for seed in range(8)) if said(each[1]))
    assert found.call_cost == 0
    without = estimate(found.timings, "linear")
    assert found.general.best == without.best
    for name in QUANTITIES:
        narrow, wide = interval_of(without, name, LEVEL), found.interval(name)
        assert not narrow.lower < wide.lower * (1 - 1e-3)
        assert not narrow.upper > wide.upper * (1 + 1e-3)
    between = np.sqrt(interval_of(without, "g1", LEVEL).lower * found.interval("g1").lower)
    assert thresholds(found).certainty(float(between)) == "cannot be told"
    speedups = decide(found, float(between)).speedup_interval
    assert speedups is not None
    assert speedups.lower < 1 < speedups.upper


def said(found: Fit) -> bool:
    """Whether the warning is there."""
    return any(SAID in each for each in found.warnings)


def test_sizes_far_below_the_break_even_leave_no_room_for_it() -> None:
    """Sizes from a thousandth of the break-even on: a call costs next to nothing beside o."""
    found = fit(CONSTANT.timings(NOISE, seed=2))
    assert not said(found)
    narrow, wide = (interval_of(found.general, "g1", LEVEL), found.interval("g1", LEVEL))
    assert wide.upper / wide.lower < (narrow.upper / narrow.lower) ** 1.2


def test_an_evident_cost_is_fitted_already() -> None:
    found = estimate(Known(o=3e-5, C=2e-9, A=12.0, call=1e-5).timings(0.01, seed=1), "linear")
    assert found.data.bend is not None
    assert admitted(found) == (found,)


@pytest.fixture(scope="module")
def hidden() -> Estimate:
    device = Known(o=1e-5, C=1e-9, A=6.0, call=3e-6)
    sizes = break_even(device) * np.geomspace(1, 100, SIZES)
    return with_hidden_call(estimate(device.timings(NOISE, seed=4, sizes=sizes), "constant"))


def log_times(at: Any, x: Any) -> tuple[Any, Any]:
    """At sizes over the reference size, of a call's cost and logarithms of o, C, A, and beta."""
    call, (o, C, A), beta = at[0], np.exp(at[1:4]), at[4]
    own = C * x**beta
    return np.log(call + own), np.log(call + o + own / A)


def deviance(found: Estimate, at: Any) -> float:
    """Sum of squared errors of the means, with their weights; the reference time is divided out."""
    paths = zip(found.data[:2], (0, 1), strict=True)
    return sum(
        float((((log_times(at, arm.x)[path] - arm.mean) * arm.root) ** 2).sum())
        for arm, path in paths
    )


def least(found: Estimate, size: float | None) -> float:
    """The least deviance of curves whose calls cost nothing or more, with that break-even."""
    curve, best = found.best.curve, np.inf
    shortest = float(np.exp(found.data.host.mean.min()))

    def condition(at: Any) -> float:
        own, other = log_times(np.array([0.0, *at[1:]]), size)
        return float(own - other)

    for share in (0.0, 0.1, 0.3, 0.6):
        start = [share * shortest, curve.o, curve.C, curve.C - curve.D, curve.beta]
        done = minimize(
            lambda at: deviance(found, at),
            start,
            method="SLSQP",
            bounds=[(0, shortest), *((each - 3, each + 3) for each in start[1:])],
            constraints={"type": "eq", "fun": condition} if size else (),
            options={"maxiter": 500, "ftol": 1e-10},
        )
        if size is None or abs(condition(done.x)) < 1e-6:
            best = min(best, float(done.fun))
    return best


def test_the_best_curve_has_a_cost_of_nothing_or_more(hidden: Estimate) -> None:
    assert hidden.best.deviance == pytest.approx(least(hidden, None), rel=1e-3)


def test_at_the_ends_the_best_curve_with_a_cost_is_worse_by_the_quantile(hidden: Estimate) -> None:
    interval = interval_of(hidden, "g1", LEVEL)
    allowed = float(fisher.ppf(LEVEL, 1, hidden.freedom))
    assert 0 < interval.lower < interval.upper < np.inf
    for end in interval[:2]:
        excess = least(hidden, end / np.exp(hidden.data.log_size)) - hidden.best.deviance
        assert excess == pytest.approx(allowed, rel=0.03)


def test_the_band_counts_it_as_the_profile_does() -> None:
    """The delta method, which is used where times have breaks, against profile likelihood."""
    truth, found = drawn(0, 0.3, 1.0)
    (mode,) = found.in_either_mode
    assert len(mode) == 2
    for size in (truth / 2, truth):
        profile = speedup_interval(found, size, LEVEL)
        bands = [band(each, LEVEL, np.array([size])) for each in mode]
        low, high = min(each.low[0] for each in bands), max(each.high[0] for each in bands)
        assert np.exp(low) == pytest.approx(profile.lower, rel=0.05)
        assert np.exp(high) == pytest.approx(profile.upper, rel=0.05)
        assert high > bands[1].high[0] + 0.1  # of the curve without that cost


@pytest.fixture(scope="module")
def refuted() -> Fit:
    """Fit to times of a device whose true speedup at 14 MB is 2.08, with noise of 0.7 %.

    The curve without a cost of the call, which they refute, ceases to pay; that with it does not.
    """
    sizes = [24751, 61142, 151042, 373123]
    host = [
        36.60,
        37.01,
        36.86,
        59.04,
        58.81,
        58.89,
        113.32,
        112.97,
        113.05,
        249.39,
        246.29,
        244.96,
    ]
    other = [57.08, 57.71, 57.99, 68.36, 67.73, 68.46, 92.97, 93.90, 94.65, 158.62, 158.58, 157.42]
    return fit(
        Timings(
            granularity=sizes,
            host=np.multiply(host, 1e-6).reshape(4, 3),
            accelerated=np.multiply(other, 1e-6).reshape(4, 3),
        )
    )


def test_an_estimate_that_the_times_refute_makes_nothing_sure(refuted: Fit) -> None:
    told = decide(refuted, "14 MB")
    assert told.certainty == CANNOT_BE_TOLD
    assert told.speedup_interval.lower < 1 < told.speedup_interval.upper
    assert 0.025 < refuted.intervals["g1_upper"].none < 0.975
    exceeded = UncertainFit(fit=refuted).probability(1.0, "14 MB").value
    assert exceeded <= 0.5 or told.speedup > 1


def test_a_chance_says_what_makes_it_unsure(refuted: Fit) -> None:
    told = decide_uncertain(refuted, "14 MB")
    assert " confidence: most likely 0.7" in told.answer()
    assert "; it first pays at " in told.answer()
    assert told.answer().endswith(" confidence it stops paying at some larger size.")
    assert SAID in " ".join(told.notes)
    assert "is outside the measured sizes" in told.notes[-1]
