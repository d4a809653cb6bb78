"""Between which sizes offloading pays, of accelerators and of fits with given intervals."""

from collections.abc import Sequence
from dataclasses import replace
from math import inf, log, nan
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from logca.common.sizes import SizeError
from logca.numeric.accelerator.accelerator import Accelerator
from logca.numeric.fit.as_measured import as_measured, few_thresholds
from logca.numeric.fit.decide import decide
from logca.numeric.fit.fit import Fit, fit
from logca.numeric.fit.hysteresis_thresholds import (
    by_curve,
    measured_times,
    pays_where,
    thresholds,
    words,
)
from logca.numeric.fit.profile_likelihood import ConfidenceInterval as Interval
from logca.numeric.fit.size_ranges import (
    CANNOT_BE_TOLD,
    DOES_NOT_PAY,
    Ranges,
    SizesBetween,
    Thresholds,
    ranges_text,
)
from logca.numeric.timings.crossing import compared
from logca.numeric.timings.timings import Samples, Timings, compared_timings
from logca.show.fit.words import answer

NOWHERE = Interval(nan, nan, 1.0)
SIZES = np.logspace(6, 22, 9, base=2)


def host(g: float) -> float:
    return 4e-9 * g**0.9


def accelerated(g: float) -> float:
    return 12.2e-6 + 1e-10 * g + host(g) / 4


@pytest.fixture(scope="module")
def plain() -> Fit:
    """A break-even at 11 KiB, and another beyond all that was measured."""
    draw = np.random.default_rng(5)
    noise = np.exp(0.01 * draw.standard_normal((2, SIZES.size, 3)))
    return fit(
        Timings(
            granularity=SIZES,
            host=[host(g) * each for g, each in zip(SIZES, noise[0], strict=True)],
            accelerated=[accelerated(g) * each for g, each in zip(SIZES, noise[1], strict=True)],
        )
    )


def told(fit: Fit, lower: Interval, upper: Interval = NOWHERE) -> Thresholds:
    """Thresholds if those were the intervals."""
    return by_curve(replace(fit, intervals={**fit.intervals, "g1": lower, "g1_upper": upper}))


def dear(fit: Fit) -> Fit:
    """The same with an A below one."""
    estimates = {
        latency: found._replace(best=found.best._replace(curve=found.best.curve._replace(D=9.0)))
        for latency, found in fit.estimates.items()
    }
    return replace(fit, estimates=estimates)


def ends(ranges: Ranges) -> tuple[float, float]:
    (sizes,) = ranges
    return sizes.above, sizes.below


def test_the_interval_is_where_a_state_matters(plain: Fit) -> None:
    likely, last = plain.accelerator.break_even()
    found = told(plain, Interval(8192.0, 16384.0), Interval(1e13, 1e16, 0.0))
    assert ends(found.likely) == (likely, last)
    assert ends(found.staying) == (8192.0, 1e16)
    assert ends(found.starting) == (16384.0, 1e13)
    assert found.told


def test_who_walks_up_and_down_switches_at_the_ends_on_the_losing_side(plain: Fit) -> None:
    found = told(plain, Interval(8192.0, 16384.0), Interval(1e13, 1e16, 0.0))
    sizes = [1e3, 9e3, 15e3, 17e3, 9e12, 9e15, 2e16, 9e15, 9e12, 15e3, 9e3, 8e3, 15e3]
    offloading, switched = False, []
    for size in sizes:
        before, offloading = offloading, found.pays(size, offloading=offloading)
        switched += [size] * (offloading is not before)
    assert switched == [17e3, 2e16, 9e12, 8e3]


@pytest.mark.parametrize(
    ("size", "certainty"),
    [
        (8000, "does not pay"),
        (8200, "cannot be told"),
        (16000, "cannot be told"),
        (17000, "pays"),
        (9e12, "pays"),
        (2e13, "cannot be told"),
        (2e16, "does not pay"),
    ],
)
def test_inside_an_interval_it_cannot_be_told(plain: Fit, size: float, certainty: str) -> None:
    found = told(plain, Interval(8192.0, 16384.0), Interval(1e13, 1e16, 0.0))
    assert found.certainty(size) == certainty


def test_where_there_may_be_no_break_even_nothing_begins(plain: Fit) -> None:
    found = told(plain, Interval(8192.0, 16384.0, 0.4))
    assert not found.told
    assert found.certainty(8000) == "does not pay"
    assert found.certainty(1e9) == "cannot be told"
    assert not found.pays(1e9, offloading=False)
    assert found.pays(1e9, offloading=True)
    assert found.pays(1e9)
    assert "uncertain" in words(found, 0.95)["break-even"]


def test_where_there_is_none_nothing_pays(plain: Fit) -> None:
    found = told(dear(plain), NOWHERE)
    assert found.told
    for state in (None, True, False):
        assert not found.pays(1, offloading=state)
        assert not found.pays(1e18, offloading=state)
    assert found.certainty(1e18) == "does not pay"
    assert words(found, 0.95) == {
        "pays": "at no size",
        "break-even": "none (> 99.9 %)",
        "start offloading": "at no size",
        "keep offloading": "at no size",
    }


@pytest.mark.parametrize("lower", [Interval(5e6, inf, 0.4), Interval(nan, nan, 0.97)])
def test_what_is_unlikely_may_be_all_the_same(plain: Fit, lower: Interval) -> None:
    found = told(dear(plain), lower)
    assert not found.told
    assert not found.pays(1e9)
    assert found.certainty(1e9) == "cannot be told"


def test_curve_and_intervals_that_contradict_each_other_tell_nothing(plain: Fit) -> None:
    for found in (
        told(plain, NOWHERE),
        told(dear(plain), Interval(8192.0, 16384.0, 0.0)),
    ):
        assert not found.told
        assert found.certainty(1e9) == "cannot be told"


def test_an_interval_always_has_what_is_most_likely(plain: Fit) -> None:
    likely = plain.accelerator.break_even()[0]
    for lower in (
        Interval(likely / 4, likely / 2),
        Interval(2 * likely, 4 * likely),
    ):
        found = told(plain, lower)
        assert found.lower[0] <= likely <= found.lower[1]


def test_an_interval_without_an_end_never_lets_begin(plain: Fit) -> None:
    found = told(plain, Interval(8192.0, inf, 0.01))
    assert found.told
    assert not found.pays(1e18, offloading=False)
    assert found.pays(9000, offloading=True)


def test_a_break_even_at_nothing_is_always(plain: Fit) -> None:
    found = told(plain, Interval(0.0, 16384.0))
    assert found.pays(1e-9, offloading=True)
    assert found.certainty(1) == "cannot be told"


positive = st.floats(1e-6, 1e9)


@given(
    o=st.one_of(st.just(0.0), positive),
    L=st.one_of(st.just(0.0), positive),
    C=positive,
    A=st.floats(1.001, 1e3),
    beta=st.floats(0.3, 2.0),
    latency=st.sampled_from(["constant", "linear"]),
    g=st.floats(1.0, 1e12),
)
def test_accelerators_pay_where_they_are_faster(
    o: float, L: float, C: float, A: float, beta: float, latency: str, g: float
) -> None:
    time = C * g**beta
    offloaded = o + L * (g if latency == "linear" else 1) + time / A
    found = thresholds(Accelerator(o=o, L=L, C=C, A=A, beta=beta, latency=latency))
    if abs(time / offloaded - 1) > 1e-9:
        assert {found.pays(g, offloading=state) for state in (None, True, False)} == {
            time > offloaded
        }
        assert found.certainty(g) == ("pays" if time > offloaded else "does not pay")


@pytest.mark.parametrize(
    ("parameters", "pays"),
    [
        ({"o": 1e300, "L": 0, "C": 1e-300, "A": 2, "beta": 0.1}, False),
        ({"o": 1e-300, "L": 0, "C": 1e300, "A": 2, "beta": 0.1}, True),
        ({"o": 0, "L": 1, "C": 2, "A": 2, "latency": "linear"}, False),
        ({"o": 0, "L": 0.5, "C": 2, "A": 2, "latency": "linear"}, True),
    ],
)
def test_break_evens_out_of_range_are_never_or_always(
    parameters: dict[str, Any], pays: bool
) -> None:
    found = thresholds(Accelerator(**parameters))
    assert [found.pays(g) for g in (1e-300, 1.0, 1e300)] == [pays] * 3


@pytest.mark.parametrize("size", [0, -1, nan, inf, "64 KB", "many", True])
def test_what_is_no_size_is_refused(plain: Fit, size: float | str) -> None:
    with pytest.raises(SizeError):
        thresholds(plain).pays(size)


def measured(speedups: Sequence[float], runs: int = 1, noise: float = 0.0) -> Fit:
    """A fit of times with these ratios, at sizes four times as large each."""
    draw = np.random.default_rng(4)
    sizes = 1024 * 4.0 ** np.arange(len(speedups))
    host = 1e-9 * sizes

    def row(time: float) -> Samples:
        return np.asarray(time * np.exp(noise * draw.standard_normal(runs)))

    return fit(
        Timings(
            granularity=sizes,
            host=[row(time) for time in host],
            accelerated=[row(time) for time in host / speedups],
        )
    )


@pytest.mark.parametrize("runs", [1, 7])
def test_two_crossings_are_ranges(runs: int) -> None:
    """A win at three sizes only, as where a protocol changes; found without repeats too."""
    speedups = [0.8, 0.8, 4.0, 8.0, 9.0, 0.85, 0.9]
    found = measured(speedups, runs, noise=0.01 * (runs > 1))
    ranges = thresholds(found)
    sizes = [float(each) for each in found.timings.granularity]
    assert [ranges.pays(each) for each in sizes] == [each > 1 for each in speedups]
    assert len(ranges.likely) == 1
    above, below = ends(ranges.likely)
    assert sizes[1] < above < sizes[2]
    assert sizes[4] < below < sizes[5]
    # the crossing is where the line between the ratios is one, in logarithms
    assert above == pytest.approx(sizes[1] * 4 ** (log(0.8) / log(0.8 / 4.0)), rel=0.03)
    assert ranges.contradicted
    assert "as measured" in words(ranges, 0.95)
    assert ranges_text(ranges.likely) in decide(found, sizes[3]).answer()
    for size, speedup in zip(sizes, speedups, strict=True):
        assert decide(found, size).speedup == pytest.approx(speedup, rel=0.05)


def test_several_ranges() -> None:
    found = thresholds(measured([3.0, 0.3, 3.0, 0.3, 0.3, 3.0, 3.0]))
    assert len(found.likely) == 3
    assert ranges_text(found.likely).count("from") == 2  # the first is "up to"
    for each in (found.staying, found.starting):
        assert len(each) == 3


def test_beyond_the_sizes_a_curve_that_agrees_goes_on_deciding() -> None:
    """All sizes pay, but the curve says of one that it does not: below them it still has an end."""
    rows = compared_timings(measured([1.3, 3.0, 9.0, 20.0]).timings)
    found = as_measured(
        Thresholds(
            likely=(SizesBetween(above=500.0, below=5000.0), SizesBetween(above=2e4, below=1e9)),
            staying=(SizesBetween(above=500.0, below=1e9),),
            starting=(),
            none=0.0,
            told=True,
        ),
        rows,
        [0.0] * len(rows),
        0.95,
    )
    assert found.contradicted == (16384.0,)
    assert found.likely == (SizesBetween(above=500.0, below=1e9),)


def test_beyond_the_sizes_the_outermost_one_decides_if_the_curve_contradicts_it() -> None:
    """Measured half as fast at the largest size, where a curve may say that it pays."""
    found = thresholds(measured([0.05, 0.2, 0.8, 3.0, 9.0, 20.0, 0.5]))
    assert found.contradicted[-1] == 1024 * 4.0**6
    assert not found.pays(1e9)
    assert not found.pays(1e9, offloading=False)


@pytest.mark.parametrize("noise", [0.0, 0.02])
def test_what_wins_at_all_sizes_pays(noise: float) -> None:
    """Thousands of times as fast, then ten: the host has a fixed cost, the other path has none."""
    draw = np.random.default_rng(1)
    sizes = 2.0 ** np.arange(8, 21)
    scatter = np.exp(noise * draw.standard_normal((2, sizes.size, 3)))
    own, other = (1e-4 + 1e-9 * sizes)[:, None] * scatter[0], (1e-10 * sizes)[:, None] * scatter[1]
    found = fit(Timings(granularity=sizes, host=list(own), accelerated=list(other)))
    assert thresholds(found).told
    assert found.interval("g1").none < 0.01
    assert {decide(found, size).certainty for size in sizes[:-1]} == {"pays"}
    assert decide(found, sizes[-1]).offload
    assert answer(found).startswith("Offloading pays at every size measured, from 256 B on")


def test_a_break_even_below_a_byte_is_none() -> None:
    ranges = thresholds(measured([5.0, 5.01, 5.02, 5.01, 5.0, 4.99, 5.0]))
    for each in (ranges.likely, ranges.staying):
        assert each[0].above == 0
    assert "B on" not in pays_where(fit(measured([5.0, 5.01, 5.02, 5.01, 5.0]).timings))


def test_speedups_of_a_curve_that_is_contradicted_are_told(plain: Fit) -> None:
    found = measured([0.05, 0.2, 0.8, 3.0, 9.0, 20.0, 0.5])
    beyond = decide(found, 1e9)
    assert beyond.speedup > 1
    assert not beyond.offload
    assert "speedup and times are the curve's" in beyond.notes[-1]
    assert not any("curve's, which" in note for note in decide(plain, 1e9).notes)


@given(st.lists(st.floats(-2.0, 2.0), min_size=4, max_size=8))
@settings(max_examples=15)
def test_decisions_follow_what_is_clearly_faster(logarithms: list[float]) -> None:
    speedups = [float(np.exp(each)) for each in logarithms]
    found = measured(speedups)
    ranges = thresholds(found)
    for size, speedup in zip(found.timings.granularity, speedups, strict=True):
        if abs(log(speedup)) > 0.11:
            assert ranges.pays(size) is (speedup > 1)
        for state in (True, False):  # who begins goes on
            assert ranges.pays(size, offloading=True) or not ranges.pays(size, offloading=state)
    for sizes in (ranges.likely, ranges.staying, ranges.starting):
        edges = [end for each in sizes for end in (each.above, each.below)]
        assert edges == sorted(set(edges)), "ascending, and apart"


def test_repeated_times_that_a_curve_describes_contradict_it_nowhere(plain: Fit) -> None:
    assert thresholds(plain) == by_curve(plain)
    assert measured_times(plain, 16384.0) is None


def stepped(seed: int, sizes: list[float], o: float, b: float, factor: float, at: float) -> Fit:
    """Of a host that takes 4.6 ns a byte, and an offload of which a step makes times longer."""
    rng = np.random.default_rng(seed)
    g = np.array(sizes)
    accelerated = (o + b * g) * np.where(g >= at, factor, 1.0)
    host, other = (
        rng.lognormal(0, 0.02, (g.size, 3)) * path[:, None] for path in (4.6e-9 * g, accelerated)
    )
    return fit(Timings(granularity=g, host=host, accelerated=other))


@pytest.mark.parametrize("seed", [1, 2])
def test_a_step_may_be_anywhere_between_two_sizes(seed: int) -> None:
    """Between two at which the host is faster offloading pays before the step, and the reverse."""
    losing = stepped(seed, [2300 * 2.0**k for k in range(10)], 77e-6, 1.5e-9, 1.72, 36_500)
    assert 4.6e-9 * 30_000 > 77e-6 + 1.5e-9 * 30_000
    assert thresholds(losing).certainty(30_000) == CANNOT_BE_TOLD
    winning = stepped(seed, [5440 * 4.0**k for k in range(-3, 6)], 18e-6, 0.15e-9, 1.9, 5600)
    assert 4.6e-9 * 5700 < 1.9 * (18e-6 + 0.15e-9 * 5700)
    assert thresholds(winning).certainty(5700) == CANNOT_BE_TOLD


def test_between_two_sizes_at_which_the_host_is_faster_nothing_is_known() -> None:
    """With an exponent of a half offloading pays between 64 B and 64 KiB alone."""
    times = {
        g: {"host": [g**0.5] * 3, "accelerated": [12 + 0.004 * g + g**0.5 / 20] * 3}
        for g in (64.0, 65536.0)
    }
    found = few_thresholds(compared(times))
    assert 2048**0.5 > 12 + 0.004 * 2048 + 2048**0.5 / 20
    assert found.certainty(2048) == CANNOT_BE_TOLD
    assert [found.certainty(g) for g in (64, 65536)] == [DOES_NOT_PAY] * 2
    between = {1024.0: {"host": [40.0] * 3, "accelerated": [20.0] * 3}}
    below = {16.0: {"host": [4.0] * 3, "accelerated": [12.3] * 3}}
    settled = few_thresholds(compared(below | {64.0: times[64.0]} | between))
    assert settled.certainty(32) == DOES_NOT_PAY  # concave, and above one later


def test_lines_through_the_sizes_beside_settle_what_lies_between_two_losses() -> None:
    """A speedup that has its peak below one, far above the noise elsewhere."""
    ratios = [0.05, 0.09, 0.2, 0.41, 0.68, 0.97, 0.83, 0.57, 0.32]
    sizes = [64 * 4.0**k for k in range(len(ratios))]
    noise = np.array([0.98, 1.0, 1.02])
    found = few_thresholds(
        compared(
            {
                g: {"host": list(noise), "accelerated": list(noise / ratio)}
                for g, ratio in zip(sizes, ratios, strict=True)
            }
        )
    )
    for below in (100, 332, 2000, 10_000, 700_000, 3e6):
        assert found.certainty(below) == DOES_NOT_PAY
    for near_the_peak in (40_000, 100_000):
        assert found.certainty(near_the_peak) == CANNOT_BE_TOLD


def test_what_times_without_noise_settle_is_true_of_the_device() -> None:
    """Devices within the model: host C g**beta, offloaded o + L g + C g**beta / A."""
    rng = np.random.default_rng(3)
    noise, told = np.array([0.999, 1.0, 1.001]), 0
    for _ in range(200):
        beta, A, o = rng.uniform(0.3, 1.6), 10 ** rng.uniform(0.1, 1.5), 10 ** rng.uniform(0, 4)
        L, C = rng.choice([0.0, 10 ** rng.uniform(-3, 0)]), 10 ** rng.uniform(-1, 1)
        sizes = np.sort(10 ** rng.uniform(1, 7, rng.integers(2, 7)))
        between = 10 ** rng.uniform(*np.log10(sizes[[0, -1]]), 15)
        at_sizes, at_others = ((C * g**beta, o + L * g + C * g**beta / A) for g in (sizes, between))
        times = {
            float(g): {"host": list(own * noise), "accelerated": list(offloaded * noise)}
            for g, own, offloaded in zip(sizes, *at_sizes, strict=True)
        }
        found = few_thresholds(compared(times))
        for g, own, offloaded in zip(between, *at_others, strict=True):
            certainty = found.certainty(float(g))
            told += certainty != CANNOT_BE_TOLD
            if abs(own / offloaded - 1) > 0.003:
                wrong = DOES_NOT_PAY if own > offloaded else "pays"
                assert certainty != wrong
    assert told > 1500
