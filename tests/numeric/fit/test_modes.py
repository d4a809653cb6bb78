"""Two modes of runs, drawn with known shares and offsets."""

from pathlib import Path

import numpy as np
import pytest

from logca.numeric.fit.decide import decide
from logca.numeric.fit.fit import Fit, fit
from logca.numeric.fit.hysteresis_thresholds import thresholds
from logca.numeric.fit.modes import likely_modes
from logca.numeric.timings.timings import Timings

SIZE = 2.0 ** np.arange(8, 24)
HOST, ACCELERATED = 1e-8 * SIZE[:, None], 2e-5 + 2e-9 * SIZE[:, None]  # equal at 2500 B


@pytest.mark.parametrize("share", [0.1, 0.3, 0.45])
@pytest.mark.parametrize("offset", [-1.0, 0.3])
def test_modes_are_found_beside_outliers(share: float, offset: float) -> None:
    rng = np.random.default_rng(5)
    other = rng.random(400) < share
    errors = 0.7 + offset * other + 0.05 * rng.standard_normal(400)
    errors[:8] = 3.0
    mode, weight, spread = likely_modes(errors)
    assert mode.offset == pytest.approx(offset, abs=0.02)
    assert mode.share == pytest.approx(other[8:].mean(), abs=0.005)
    assert spread == pytest.approx(0.05, rel=0.15)
    assert ((mode.weight > 0.5) == other)[8:].mean() > 0.99
    assert ((weight > 0.5) == ~other)[8:].mean() > 0.99
    assert weight[:8].max() < 1e-3


@pytest.mark.parametrize("factor", [1.3, 1.5])
def test_intervals_cover_where_one_path_has_two_modes(factor: float) -> None:
    """At 5 % noise, eight draws; 95 % intervals miss more than two of them in 6 of 1000."""
    covered = 0
    for seed in range(8):
        rng = np.random.default_rng([seed, 9])
        host, other = (
            exact * np.exp(0.05 * rng.standard_normal((SIZE.size, 6)))
            for exact in (HOST, ACCELERATED)
        )
        slow = factor ** (rng.random(host.shape) < 0.3)
        found = fit(Timings(granularity=SIZE, host=list(host * slow), accelerated=list(other)))
        lower, upper, _ = found.interval("g1")
        covered += lower <= 2500 <= upper
    assert covered >= 6


def test_a_step_with_noise_is_no_mode() -> None:
    rng = np.random.default_rng(2)
    noise = np.exp(0.02 * rng.standard_normal((2, SIZE.size, 5)))
    step = np.where(SIZE > 2.0**15, 2.0, 1.0)[:, None]
    found = fit(
        Timings(
            granularity=SIZE,
            host=list(HOST * step * noise[0]),
            accelerated=list(ACCELERATED * noise[1]),
        )
    )
    (step_found,) = found.breaks
    assert step_found.change == pytest.approx(2, rel=0.05)
    assert not any("second mode" in each for each in found.warnings)


@pytest.mark.parametrize("share", [0.46, 0.54])
def test_intervals_hold_both_modes_where_chance_may_have_swapped_them(
    share: float, tmp_path: Path
) -> None:
    """With 96 runs a share of 46 % or 54 % is within two standard errors (0.1) of a half."""
    rng = np.random.default_rng(4)
    host, other = (
        exact * np.exp(0.02 * rng.standard_normal((SIZE.size, 6))) for exact in (HOST, ACCELERATED)
    )
    slow = 1.5 ** (np.arange(host.size).reshape(host.shape) * 0.618 % 1 < share)
    found = fit(Timings(granularity=SIZE, host=list(host * slow), accelerated=list(other)))
    lower, upper, none = found.interval("g1")
    slowly = 2e-5 / (1.5e-8 - 2e-9)
    assert lower <= slowly < 2500 <= upper
    assert none < 0.01
    assert any("the intervals hold both" in each for each in found.warnings)
    ranges = thresholds(found)
    assert [ranges.certainty(g) for g in (1400, 2000, 2700)] == [
        "does not pay",
        "cannot be told",
        "pays",
    ]
    speedup = decide(found, 2000).speedup_interval
    assert speedup is not None
    assert speedup.lower < 2000 * 1e-8 / (2e-5 + 2e-9 * 2000) < speedup.upper
    found.save(tmp_path / "fit.json")
    again = Fit.load(tmp_path / "fit.json")
    assert again.interval("g1", 0.9).lower == pytest.approx(found.interval("g1", 0.9).lower)
