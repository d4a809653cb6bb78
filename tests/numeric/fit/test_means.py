"""Fits of means with deviation and number of runs, beside fits of the runs themselves."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from known_devices import CONSTANT, LINEAR, SIZES, Known

from logca.numeric.fit.data import prepare
from logca.numeric.fit.decide import decide
from logca.numeric.fit.estimate import estimate, observed
from logca.numeric.fit.fit import Fit, fit
from logca.numeric.timings.timings import Timings, TimingsError


def of_means(runs: Timings) -> Timings:
    return Timings(
        granularity=runs.granularity,
        host=[row.mean() for row in runs.host],
        accelerated=[row.mean() for row in runs.accelerated],
        host_spread=[(row.std(ddof=1), row.size) for row in runs.host],
        accelerated_spread=[(row.std(ddof=1), row.size) for row in runs.accelerated],
    )


@pytest.mark.parametrize("device", [CONSTANT, LINEAR], ids=["constant", "linear"])
@pytest.mark.parametrize("noise", [0.02, 0.1])
def test_means_with_their_spread_are_worth_their_runs(device: Known, noise: float) -> None:
    runs = device.timings(noise, seed=3, repeats=30, sizes=SIZES[::2])
    raw, means = fit(runs), fit(of_means(runs))
    for name in ("g1", "C"):
        one, other = raw.intervals[name], means.intervals[name]
        width = np.log(one.upper / one.lower)
        assert np.log(other.upper / other.lower) / width == pytest.approx(1, abs=0.15), name
        shift = np.log(other.upper * other.lower / one.upper / one.lower) / 2
        # the mean of log-normal times is above their median, of which a ratio knows nothing
        expected = noise**2 / 2 if name == "C" else 0.0
        assert shift == pytest.approx(expected, abs=0.1 * width), name
    assert means.latency == raw.latency


def test_a_mean_of_more_runs_or_less_scatter_weighs_more() -> None:
    """As the variance of a mean says, with four runs more of the noise of all sizes."""
    share, runs = [0.05, 0.05, 0.05, 0.2, 0.0], [10, 40, 1, 10, 10]
    times = [1e-6, 2e-6, 4e-6, 8e-6, 16e-6]
    timings = Timings(
        granularity=[1, 2, 4, 8, 16],
        host=times,
        accelerated=times,
        accelerated_spread=[(s * t, n) for s, t, n in zip(share, times, runs, strict=True)],
    )
    data = prepare(timings)
    assert data.host.noise is None
    log_variance, degrees = np.log1p(np.square(share)), np.array(runs) - 1
    pooled = (log_variance * degrees).sum() / degrees.sum()
    noise = (log_variance * degrees + 4 * pooled) / (degrees + 4)
    assert data.accelerated.root == pytest.approx(np.sqrt(runs / noise))
    assert data.samples == 5 + 71


def test_a_mean_with_a_large_deviation_hardly_bends_the_curve() -> None:
    known = CONSTANT.timings(0.02, repeats=1, seed=4)
    wrong = [*known.accelerated[:-1], known.accelerated[-1] * 1.5]

    def acceleration(share: float) -> float:
        spread = [(0.02 * row[0], 30) for row in wrong[:-1]]
        timings = Timings(
            granularity=known.granularity,
            host=known.host,
            accelerated=wrong,
            accelerated_spread=[*spread, (share * wrong[-1][0], 30)],
        )
        return fit(timings, latency="constant").parameters["A"]

    loose, tight = (abs(np.log(acceleration(share) / CONSTANT.A)) for share in (3.0, 0.02))
    assert loose < 0.06
    assert tight > 2 * loose


def test_means_beyond_their_scatter_are_taken_as_scatter_of_sizes() -> None:
    runs = CONSTANT.timings(0.05, seed=1, repeats=1)
    tight = Timings(
        granularity=runs.granularity,
        host=runs.host,
        accelerated=runs.accelerated,
        host_spread=[(1e-3 * row[0], 100) for row in runs.host],
        accelerated_spread=[(1e-3 * row[0], 100) for row in runs.accelerated],
    )
    found = estimate(tight, "linear")
    assert found.misfit
    assert found.data.host.apart == pytest.approx(0.05, rel=0.5)
    low, high = fit(tight).intervals["g1"][:2]
    assert low < CONSTANT.where(1.0) < high


@pytest.mark.parametrize("runs", [4, 100, 400, 1000])
def test_means_of_one_path_do_not_draw_the_curve_away_from_the_other(runs: int) -> None:
    """Times of both 1 to 3 % off, the accelerated ones means of runs that scatter by 5 %."""
    sizes = [1024 * 4.0**k for k in range(6)]
    host = [1.04448, 3.97312, 16.87552, 64.88064, 264.76544, 1027.60448]
    other = [8.94544, 9.60712, 10.93752, 17.70776, 40.51496, 142.87344]
    found = fit(
        Timings(
            granularity=sizes,
            host=[[each * 1e-6] for each in host],
            accelerated=[[each * 1e-6] for each in other],
            accelerated_spread=[(0.05e-6 * each, runs) for each in other],
        )
    )
    truth = 9e-6 / (1e-9 - 0.125e-9)
    interval = found.intervals["g1"]
    assert 0.9 * truth < interval.lower < truth < interval.upper < 1.15 * truth
    assert interval.none < 0.001


def test_spreads_are_saved_kept_by_a_range_and_shown(tmp_path: Path) -> None:
    runs = of_means(CONSTANT.timings(0.03, seed=2, repeats=8))
    found = fit(runs, least=runs.granularity[2])
    assert found.timings.host_spread == runs.host_spread[2:]
    found.save(tmp_path / "fit.json")
    again = Fit.load(tmp_path / "fit.json")
    assert again.timings.host_spread == found.timings.host_spread
    assert again.interval("g1", 0.5) == found.interval("g1", 0.5)
    assert decide(again, "1 KiB").answer() == decide(found, "1 KiB").answer()
    seen = observed(found.general, "host")
    assert ((seen.low < seen.median) & (seen.median < seen.high)).all()
    assert "8" in str(runs).splitlines()[3].split()


@pytest.mark.parametrize(
    ("spread", "message"),
    [
        ([(-1e-9, 3), None, None, None], "host_spread of row 1: deviation -1e-09 must be 0 or mor"),
        ([None, (1e-9, 0), None, None], "host_spread of row 2: 0 runs; a mean is of 1, 2, 3"),
        ([None, (1e-9, float("inf")), None, None], "host_spread of row 2: inf runs; a mean is of"),
        ([(1e30, 3), None, None, None], r"deviation 1e\+30 must be 0 or more, and below 1e\+30"),
        ([("1e-9", 3), None, None, None], r"host_spread has \('1e-9', 3\); write a standard"),
        ([(1e-9,), None, None, None], r"host_spread has \(1e-09,\); write a standard deviation"),
        ([(1e-9, 3)], "host_spread has 1 rows, host has 4: one row per size"),
        (
            [None, None, None, (1e-9, 3)],
            "host_spread of row 4 is for a mean, and there are 2 times",
        ),
    ],
)
def test_a_spread_that_is_none_is_refused(spread: Any, message: str) -> None:
    with pytest.raises(TimingsError, match=message):
        Timings(
            granularity=[1, 2, 3, 4],
            host=[1.0, 2.0, 3.0, [4.0, 5.0]],
            accelerated=[1.0, 1.0, 1.0, 1.0],
            host_spread=spread,
        )
