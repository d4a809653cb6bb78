"""Decisions about a size: speedups, their intervals, bottleneck, what would have to change."""

from dataclasses import replace
from math import inf

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from logca.common.sizes import SizeError
from logca.numeric.accelerator.accelerator import Accelerator
from logca.numeric.fit.decide import decide
from logca.numeric.fit.fit import Fit, fit
from logca.numeric.fit.hysteresis_thresholds import thresholds
from logca.numeric.fit.profile_likelihood import ConfidenceInterval as Interval
from logca.numeric.timings.timings import Timings

SIZES = np.logspace(6, 24, 10, base=2)
NOISE = 0.03
STATES = (None, True, False)


def fitted(o: float, L: float, C: float, A: float, beta: float, seed: int = 3) -> Fit:
    draw = np.random.default_rng(seed)
    time = C * SIZES**beta
    noise = np.exp(NOISE * draw.standard_normal((2, SIZES.size, 3)))
    return fit(
        Timings(
            granularity=SIZES,
            host=list(time[:, None] * noise[0]),
            accelerated=list((o + L * SIZES + time / A)[:, None] * noise[1]),
        )
    )


@pytest.fixture(scope="module")
def twice() -> Fit:
    """It pays from about 22 KiB to 9 MiB."""
    return fitted(o=9e-6, L=2.5e-10, C=5e-9, A=4, beta=0.85)


@pytest.fixture(scope="module")
def slower() -> Fit:
    """An accelerated path that does not compute faster."""
    return fitted(o=9e-6, L=0.0, C=5e-9, A=0.5, beta=1.0)


def test_one_is_a_speedup_that_is_not_refuted_just_inside_the_break_even_intervals(
    twice: Fit,
) -> None:
    """Both intervals come from one likelihood, along two different families of curves."""
    found = thresholds(twice)
    for end, outside in zip((*found.lower, *found.upper), (-1, 1, -1, 1), strict=True):
        for side, inside in ((outside, False), (-outside, True)):
            within = decide(twice, end * 1.03**side).speedup_interval
            assert within is not None
            assert (within.lower < 1 < within.upper) is inside


def test_the_interval_has_the_speedup_and_grows_beyond_what_was_measured(twice: Fit) -> None:
    widths = []
    for size in (2**14, 2**24, 2**34):
        found = decide(twice, size)
        within = found.speedup_interval
        assert within is not None
        assert within.lower < found.speedup < within.upper
        widths.append(within.upper / within.lower)
    assert widths == sorted(widths)
    assert any("extrapolated" in note for note in decide(twice, 2**34).notes)
    assert not any("extrapolated" in note for note in decide(twice, 2**24).notes)


def test_times_and_shares_are_those_of_the_fitted_accelerator(twice: Fit) -> None:
    found, model = decide(twice, "64 KiB"), twice.parameters
    time = model["C"] * 65536 ** model["beta"]
    parts = (model["o"], model["L"] * 65536, time / model["A"])
    assert found.time_host == pytest.approx(time)
    assert found.time_accelerated == pytest.approx(sum(parts))
    assert found.speedup == pytest.approx(time / sum(parts))
    assert tuple(found.shares) == pytest.approx([part / sum(parts) for part in parts])
    assert found.binds == ("overhead", "latency", "computation")[int(np.argmax(parts))]
    assert found.unit == "seconds"


@pytest.mark.parametrize("size", [2**8, 2**14, 2**18, 2**24, 2**30])
def test_what_to_do_is_what_the_thresholds_say(twice: Fit, size: float) -> None:
    found = thresholds(twice)
    for state in STATES:
        decision = decide(twice, size, offloading=state)
        assert decision.offload == found.pays(size, offloading=state)
        assert decision.certainty == found.certainty(size)
    assert decide(twice, size).offload == (decide(twice, size).speedup > 1)


def test_inside_the_interval_it_says_what_to_measure(twice: Fit) -> None:
    found = thresholds(twice)
    inside = decide(twice, sum(found.lower) / 2)
    assert inside.certainty == "cannot be told"
    assert any("95 % interval of a break-even" in note for note in inside.notes)
    unsure = replace(twice, intervals={**twice.intervals, "g1": Interval(2e4, inf, 0.3)})
    (note,) = decide(unsure, "64 KiB").notes
    assert (
        "it is uncertain whether there is a break-even: with 30 % confidence there is none" in note
    )


def test_where_the_accelerated_path_is_slower_only_acceleration_helps(slower: Fit) -> None:
    found = decide(slower, "1 MiB")
    assert slower.parameters["A"] < 1
    assert (found.offload, found.certainty) == (False, "does not pay")
    assert found.cheapest is None
    assert found.bottlenecks == "A"
    needed = found.break_even_with
    assert {name for name, value in needed.items() if value is not None} == {"A"}
    model, g = slower.parameters, 2.0**20
    paid = model["o"] + model["L"] * (g if slower.latency == "linear" else 1)
    time = model["C"] * g ** model["beta"]
    assert time / (paid + time / needed["A"]) == pytest.approx(1)
    assert decide(slower, 64).break_even_with["A"] is None


positive = st.floats(1e-3, 1e6)


@settings(max_examples=60)
@given(
    o=positive,
    L=positive,
    C=positive,
    A=st.floats(1.01, 1e3),
    beta=st.floats(0.3, 2.0),
    latency=st.sampled_from(["constant", "linear"]),
    g=st.floats(2.0, 1e9),
)
def test_with_what_it_breaks_even_it_does(
    o: float, L: float, C: float, A: float, beta: float, latency: str, g: float
) -> None:
    now = {"o": o, "L": L, "C": C, "A": A, "beta": beta}

    def speedup(**other: float) -> float:
        at = {**now, **other}
        time = at["C"] * g ** at["beta"]
        bytes_paid = g if latency == "linear" else 1.0
        return float(time / (at["o"] + at["L"] * bytes_paid + time / at["A"]))

    assume(1e-9 < speedup() < 1e9)
    found = decide(Accelerator(**now, latency=latency), g)
    best = {"o": {"o": 0.0}, "L": {"L": 0.0}, "A": {"A": 1e300}}
    for name, value in found.break_even_with.items():
        if value is not None:
            assert speedup(**{name: value}) == pytest.approx(1, rel=1e-6)
        elif name in best and speedup() < 1 - 1e-9:
            assert speedup(**best[name]) < 1 + 1e-9
    assert found.speedup == pytest.approx(speedup())
    if found.cheapest is not None and found.cheapest.reached:
        assert speedup(**found.cheapest.parameters) == pytest.approx(1, rel=1e-6)


def test_devices_have_no_interval_and_no_state() -> None:
    aes = Accelerator(o=29_000, L=1500, C=90, A=19)
    for state in STATES:
        assert decide(aes, 358, offloading=state).offload
        assert not decide(aes, 357, offloading=state).offload
    found = decide(aes, "4 KiB")
    assert (found.speedup_interval, found.notes, found.unit) == (None, (), "cycles")
    assert str(found) == found.answer()
    assert found.bottlenecks == aes.regions().at("4 KiB")


@pytest.mark.parametrize("size", [1e-300, 1e300])
def test_sizes_far_away_are_answered(twice: Fit, size: float) -> None:
    found = decide(twice, size)
    assert (found.offload, found.certainty) == (False, "does not pay")
    assert found.speedup_interval == Interval(0.0, inf)
    assert decide(Accelerator(o=1, L=1, C=1e-30, A=2), size=1e-300).cheapest is None


def test_it_is_written_in_a_line(twice: Fit) -> None:
    text = str(decide(twice, "64 KiB"))
    assert text.startswith("Offloading 64 KiB pays: 1.")
    assert " times as fast (95 %: 1." in text
    assert "\n" not in text


@pytest.mark.parametrize("size", [0, -5, "64 KB", "nothing"])
def test_what_is_no_size_is_refused(twice: Fit, size: float | str) -> None:
    with pytest.raises(SizeError):
        decide(twice, size)
