"""Where the accelerated path begins to win, by the times alone."""

import re
from itertools import pairwise
from math import comb, isnan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import quantile_test

from logca.numeric.timings.crossing import (
    Crossing,
    compared,
    faster,
    median,
    median_of_mean,
    standard_errors,
)
from logca.numeric.timings.timings import Timings, compared_timings, crossing


def timings(speedups: list[float], scatter: float = 0.01, repeats: int = 7) -> Timings:
    """On the host 1 s at every size; sizes are 1, 10, 100, ..."""
    spread = np.linspace(1 - scatter, 1 + scatter, repeats)
    return Timings(
        granularity=[10.0**power for power in range(len(speedups))],
        host=[spread for _ in speedups],
        accelerated=[spread / speedup for speedup in speedups],
    )


@pytest.mark.parametrize(
    ("speedups", "outcome", "bracket"),
    [
        ([0.1, 0.5, 2.0, 9.0], "crosses", (10, 100)),
        ([0.1, 0.5, 1.005, 9.0], "crosses", (10, 1000)),
        ([2.0, 3.0, 4.0, 5.0], "always", None),
        ([0.2, 0.3, 0.4, 0.5], "never", None),
        ([1.001, 3.0, 4.0, 5.0], "always", None),
        ([1.001, 0.999, 1.0, 1.002], "unclear", None),
        ([4.0, 2.0, 0.5, 0.1], "crosses", None),
    ],
)
def test_outcomes(speedups: list[float], outcome: str, bracket: tuple[float, float] | None) -> None:
    found = crossing(timings(speedups))
    assert found.outcome == outcome
    if bracket is None:
        assert isnan(found.size)
        assert all(isnan(each) for each in found.bracket)
    else:
        assert found.bracket == bracket


def test_the_size_is_on_the_lines_between_medians_in_logarithms() -> None:
    found = crossing(timings([0.01, 0.1, 10.0, 100.0]))
    assert found.size == pytest.approx(10**1.5)
    assert crossing(timings([0.01, 0.5, 8.0, 100.0])).size == pytest.approx(10**1.25)


def test_several_crossings_are_told() -> None:
    found = crossing(timings([0.1, 5.0, 5.0, 0.1, 9.0]))
    assert [each.winner for each in found.passages] == ["accelerated", "host", "accelerated"]
    assert [(each.lower, each.upper) for each in found.passages] == [
        (1, 10),
        (100, 1000),
        (1000, 10000),
    ]
    assert str(found).count("; ") == 2
    assert found.size == found.passages[0].size


def test_few_repeats_are_less_sure() -> None:
    def level(repeats: int) -> float:
        return crossing(timings([0.1, 0.5, 2, 9], repeats=repeats)).passages[0].level

    assert [level(repeats) for repeats in (1, 3, 5, 6, 9)] == [0, 0.75, 0.9375, 0.95, 0.95]


@pytest.mark.parametrize(
    ("speedups", "said"),
    [
        ([2.0, 3.0, 4.0, 5.0], "accelerated wins at every size from 1 B to 1000 B"),
        ([1.001, 3, 4, 5], "accelerated wins at every size from 1 B to 1000 B, except .*: 1 B"),
        ([0.2, 0.3, 0.4, 0.5], "host wins at every size"),
        ([1.0, 1.0, 1.0, 1.0], "neither path is surely faster at any size"),
        ([0.1, 0.5, 2, 9], r"accelerated wins from 31.62 B on \(between 10 B and 100 B\)"),
    ],
)
def test_words(speedups: list[float], said: str) -> None:
    assert re.match(said, str(crossing(timings(speedups))))


@given(st.lists(st.floats(0.01, 100), min_size=4, max_size=12))
def test_passages_alternate_and_lie_in_their_brackets(speedups: list[float]) -> None:
    found: Crossing = crossing(timings(speedups))
    for each in found.passages:
        assert each.lower <= each.size <= each.upper
    assert all(a.winner != b.winner and a.upper <= b.lower for a, b in pairwise(found.passages))
    assert (found.outcome == "crosses") == bool(found.passages)


@pytest.mark.parametrize("count", [1, 2, 5, 6, 9, 20, 101])
def test_the_interval_of_a_median_covers_it_as_often_as_said(count: int) -> None:
    times = [float(number) for number in range(1, count + 1)]
    found = median(times)
    assert found.value == np.median(times)
    # the true median is below the k-th of n with the binomial probability of fewer than k below it
    below = sum(comb(count, number) for number in range(int(found.lower))) / 2**count
    above = sum(comb(count, number) for number in range(int(found.upper), count + 1)) / 2**count
    covered = 1 - below - above
    assert covered >= found.level - 1e-12
    if count >= 6:
        assert found.level == 0.95
        assert found.upper - found.lower < count


@pytest.mark.parametrize("level", [0.8, 0.95, 0.99])
@pytest.mark.parametrize("count", [8, 9, 30, 101])
def test_the_interval_of_a_median_is_scipys(count: int, level: float) -> None:
    times = [float(each) for each in range(1, count + 1)]
    theirs = quantile_test(times, q=(count + 1) / 2, p=0.5).confidence_interval(level)
    found = median(times, level)
    assert (found.lower, found.upper) == (theirs.low, theirs.high)


def test_noise_is_that_of_runs_where_they_are_repeated() -> None:
    """In 400 draws of equal paths hardly more than one in twenty has a path that seems faster."""
    draw = np.random.default_rng(7)
    wrong = 0
    for _ in range(400):
        noisy = np.exp(0.1 * draw.standard_normal((8, 2, 5)))
        rows = {
            2.0**size: {"host": list(h), "accelerated": list(a)}
            for size, (h, a) in enumerate(noisy)
        }
        wrong += any(faster(compared(rows)))
    assert wrong / 400 < 0.1


@pytest.mark.parametrize("runs", [3, 4, 5, 30, 31])
def test_means_tell_their_noise_however_many_runs_they_are_of(runs: int) -> None:
    """Of an odd number it was not a number, and a comparison with that took all for sure."""
    means = [median_of_mean(1.0, 0.1, runs), median_of_mean(2.0, 0.0, runs)]
    scatter = np.sqrt(np.log1p(0.1**2))
    # a mean without a deviation is as good as one run
    assert standard_errors(means) == pytest.approx([scatter / np.sqrt(runs), scatter])


def test_a_time_beyond_all_measure_is_one_run_of_many() -> None:
    host = [1e-6, 1.01e-6, 0.99e-6, 1.02e-6, 1e308]
    rows = compared({float(size): {"host": host, "accelerated": [1e-7] * 5} for size in (1, 2)})
    assert faster(rows) == (1, 1)


@given(st.lists(st.floats(-3, 3), min_size=1, max_size=9), st.floats(0.2, 5))
def test_single_runs_are_clear_beyond_ten_percent(logs: list[float], slope: float) -> None:
    host = [2.0 ** (slope * place) for place in range(len(logs))]
    rows = compared(
        {
            2.0**place: {"host": [time], "accelerated": [time / np.exp(log)]}
            for place, (time, log) in enumerate(zip(host, logs, strict=True))
        }
    )
    for sign, log in zip(faster(rows), logs, strict=True):
        if abs(log) > 0.1001:
            assert sign == (1 if log > 0 else -1)
        assert sign in (0, 1 if log > 0 else -1)


def test_means_with_their_spread_tell_what_their_runs_tell() -> None:
    runs = np.random.default_rng(5).lognormal(0, 0.05, (2, 6, 40)) * np.array([[[1.0]], [[1.1]]])
    sizes = [2.0**power for power in range(6)]
    raw = Timings(granularity=sizes, host=runs[0], accelerated=runs[1])
    spreads = [[(row.std(ddof=1), row.size) for row in side] for side in runs]
    means = Timings(
        granularity=sizes,
        host=runs[0].mean(axis=1),
        accelerated=runs[1].mean(axis=1),
        host_spread=spreads[0],
        accelerated_spread=spreads[1],
    )
    both = compared_timings(raw), compared_timings(means)
    assert faster(both[0]) == faster(both[1]) == (-1,) * 6
    for one, other in zip(*both, strict=True):
        assert other.host.level == one.host.level == 0.95
        assert other.host.repeats == 40
        # the interval of a median is wider than that of a mean, by the root of half pi or so
        assert 0.5 < other.host.precision / one.host.precision < 1.1


def test_the_interval_of_a_mean_is_that_of_student() -> None:
    """Covers the mean of normal times as often as its confidence says."""
    times = np.random.default_rng(0).normal(1.0, 0.05, (2000, 5))
    found = [median_of_mean(row.mean(), row.std(ddof=1), 5, 0.9) for row in times]
    covered = sum(each.lower < 1 < each.upper for each in found)
    assert covered == pytest.approx(1800, abs=45)  # three standard deviations
    assert median_of_mean(1.0, 0.0, 30).level == median_of_mean(1.0, 0.1, 1).level == 0.0
