"""Times as coarse as a clock: exact devices whose times are rounded to whole steps."""

from typing import Any

import numpy as np
import pytest
from known_devices import Known

from logca.numeric.fit.clock_steps import clock_errors
from logca.numeric.fit.decide import decide
from logca.numeric.fit.fit import Fit, fit
from logca.numeric.fit.hysteresis_thresholds import thresholds
from logca.numeric.timings.timings import Timings

SIZES = 2.0 ** np.arange(5, 25, 2)


def told(times: Any, step: float) -> Any:
    """Times as a clock tells them that never tells zero."""
    return np.maximum(np.rint(times / step), 1) * step


def rounded(device: Known, step: float, runs: int, sizes: Any = SIZES) -> Timings:
    host, accelerated = (
        [[time] * runs for time in told(exact(sizes), step)]
        for exact in (device.host, device.accelerated)
    )
    return Timings(granularity=sizes, host=host, accelerated=accelerated)


def known(C: float, A: float, o: float) -> Known:
    return Known(o=o * 1e-6, C=C * 1e-6, A=A)


# in microseconds; the steps of most made breaks, or matrices, that were none
CASES = [
    (0.001, 8.0, 10.0, 1.0),
    (0.000174, 20.0, 10.0, 2.0),
    (0.0026, 20.0, 30.0, 100.0),
    (0.00109, 8.0, 300.0, 2.0),
    (0.000709, 20.0, 30.0, 16.0),
    (0.000321, 20.0, 30.0, 100.0),
    (0.00272, 3.0, 10.0, 16.0),
    (0.00106, 20.0, 30.0, 100.0),
    (0.0024, 20.0, 10.0, 100.0),
    (0.0013, 0.8, 300.0, 10.0),
    (0.000309, 0.8, 300.0, 1.0),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_times_in_steps_of_a_clock_are_no_nonsense(case: tuple[float, float, float, float]) -> None:
    *parameters, step = case
    device, step = known(*parameters), 1e-6 * step
    found = fit(rounded(device, step, 2))
    str(found)
    lower, upper, none = found.interval("g1")
    if device.A <= 1:
        assert none > 0.025
        assert not any(map(thresholds(found).pays, SIZES))
    else:
        # an interval of 95 %; what is asked of the 100 cases at once is a bit more
        assert none > 0.025 or 0.95 * lower <= device.where(1.0) <= 1.05 * upper
    for fitted, exact in zip(found.times(SIZES), (device.host, device.accelerated), strict=True):
        clock = told(exact(SIZES), step)
        assert (fitted < 3 * clock).all()
        assert (fitted > clock / 3)[clock > 1.5 * step].all()  # one step may be any shorter time


@pytest.fixture(scope="module")
def microseconds() -> Fit:
    return fit(rounded(known(0.001, 8.0, 10.0), 1e-6, 3, 2.0 ** np.arange(5, 25)))


def test_a_clock_of_a_microsecond_hides_no_break_even(microseconds: Fit) -> None:
    truth = 10 / (0.001 * 7 / 8)
    (only,) = thresholds(microseconds).likely
    assert only.above == pytest.approx(truth, rel=0.02)
    assert only.below == np.inf
    # measured as 3 against 10
    assert 1 / decide(microseconds, 2600).speedup == pytest.approx(10.3 / 2.6, rel=0.05)


def test_runs_that_agree_to_a_step_are_not_exact(microseconds: Fit) -> None:
    host, accelerated = clock_errors(microseconds.timings)
    assert host is not None
    assert accelerated is not None  # of times that are whole steps, though none is short
    times = np.array([row[0] for row in microseconds.timings.host])
    fine = times > 1e-5
    assert host.log[fine] == pytest.approx(1e-6 / np.sqrt(12) / times[fine], rel=1e-12)
    # six sizes take one step: together they tell no more than one does
    assert (1 / host.log[times < 1.5e-6] ** 2).sum() == pytest.approx(1 / host.log.max() ** 2 * 6)
    assert (host.log[times < 1.5e-6] > 3).all()


def test_a_fine_clock_leaves_no_errors() -> None:
    device = known(0.001, 8.0, 10.0)
    assert clock_errors(device.timings(0.02, repeats=5)) == (None, None)


@pytest.mark.parametrize("seed", range(3))
def test_a_step_of_the_times_is_found_beside_steps_of_the_clock(seed: int) -> None:
    g, rng = 2.0 ** np.arange(5, 25), np.random.default_rng(seed)
    device = known(0.001, 8.0, 10.0)
    host = device.host(g) * np.where(g > 2.0**18, 2.0, 1.0)
    noisy = [
        told(exact[:, None] * np.exp(0.02 * rng.standard_normal((g.size, 3))), 1e-6)
        for exact in (host, device.accelerated(g))
    ]
    found = fit(Timings(granularity=g, host=list(noisy[0]), accelerated=list(noisy[1])))
    assert {(each.path, each.lower, each.upper) for each in found.breaks} == {
        ("host", 2.0**18, 2.0**19)
    }
    step = next(each for each in found.breaks if each.kind == "step")
    assert step.change == pytest.approx(2.0, rel=0.05)
