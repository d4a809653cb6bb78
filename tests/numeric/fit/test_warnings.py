"""What a fit says that the timings cannot tell: said where it is so, and not where it is not."""

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from known_devices import CONSTANT, LINEAR, SIZES, SLOWER, Known

from logca.common.sizes import parse_size
from logca.numeric.fit.estimate import akaike_criteria, estimate, simpler
from logca.numeric.fit.fit import Fit, fit
from logca.numeric.fit.intervals import interval_of
from logca.numeric.fit.profile_likelihood import ConfidenceInterval as Interval
from logca.numeric.fit.warnings import warnings_of
from logca.numeric.timings.timings import Timings

FLAT = Known(o=2e-6, L=6e-11, C=3e-8, A=9.0, beta=0.7)
NEVER_SATURATED = Known(o=1e-3, C=1e-9, A=20.0)
SAME = Known(o=1e-6, C=1e-9, A=1.01)
SMALL = [float(size) for size in range(4096, 8192, 512)]

SAID = {
    "slower": "A <= 1",
    "whether": "it is uncertain whether there is a break-even",
    "beyond": "the break-even is extrapolated: it is above",
    "below": "the break-even is extrapolated: it is below",
    "misfit": "the fitted curve deviates from the times",
    "call": "each call costs about",
    "o and L": "only o + L is identifiable",
    "A": "A is poorly determined",
    "beta": "beta is poorly determined",
    "spikes": "times are outliers (down-weighted)",
}


def cases(found: Fit) -> set[str]:
    """Which of the known warnings a fit has."""
    return {name for name, words in SAID.items() if any(words in each for each in found.warnings)}


def scattered(known: Known, by: float, sizes: Sequence[float] = SIZES) -> Timings:
    """Times of which every size has an error of its own, the same for all of its runs."""
    rng, timings = np.random.default_rng(3), known.timings(0.003, sizes=sizes)
    return Timings(
        granularity=sizes,
        host=[row * np.exp(by * rng.standard_normal()) for row in timings.host],
        accelerated=[row * np.exp(by * rng.standard_normal()) for row in timings.accelerated],
    )


@pytest.mark.parametrize(
    ("timings", "latency", "expected"),
    [
        (FLAT.timings(0.01, seed=1), "linear", set()),
        (FLAT.timings(0.01, seed=1), "constant", {"o and L", "misfit"}),
        (CONSTANT.timings(0.01, seed=3), "constant", {"o and L"}),
        (CONSTANT.timings(0.01, seed=3, spikes=0.05), "constant", {"o and L", "spikes"}),
        (SLOWER.timings(0.01), "constant", {"slower", "o and L"}),
        (NEVER_SATURATED.timings(0.05, sizes=SIZES[:-4]), "constant", {"A", "o and L", "beyond"}),
        (CONSTANT.timings(0.05, sizes=SIZES[-6:]), "constant", {"below", "o and L"}),
        (CONSTANT.timings(0.1, sizes=SMALL), "constant", {"A", "beta", "o and L", "beyond"}),
        (SAME.timings(0.1, seed=4), "constant", {"o and L", "slower", "whether"}),
        (scattered(FLAT, 0.05), "linear", {"misfit"}),
        (replace(FLAT, call=3e-7).timings(0.01, seed=1), "linear", {"call"}),
    ],
    ids=[
        *("nothing", "latency", "constant", "spikes", "slower", "beyond", "below", "narrow"),
        *("whether", "misfit", "call"),
    ],
)
def test_what_is_said(timings: Timings, latency: str, expected: set[str]) -> None:
    assert cases(fit(timings, latency=latency)) == expected


@pytest.mark.parametrize(
    ("peak", "words"),
    [
        (
            Interval(6.0, 8.0),
            "since o or L mask it; the greatest speedup is better determined: 6 to 8",
        ),
        (Interval(6.0, np.inf), "the largest size, 32 MiB, is far from saturation"),
    ],
)
def test_what_hides_A_is_told_apart_from_sizes_that_are_too_small(
    peak: Interval, words: str
) -> None:
    chosen = estimate(replace(LINEAR, beta=1.0).timings(0.05), "linear")
    A = interval_of(chosen, "A", 0.95)
    ends = {
        "g1": Interval(1e3, 2e3),
        "beta": Interval(0.9, 1.0),
        "A": A,
        "peak": peak,
    }
    assert A.upper == np.inf
    (said,) = warnings_of(chosen, {"linear": 0.0}, ends, (16.0, 2.0**25), 0.95)
    assert said == f"A is poorly determined: anywhere from {A.lower:.3g} to inf" + (
        f", {words}" if words.startswith("since") else f"; {words}"
    )


def test_where_a_single_size_may_be_equal_is_where_sizes_that_scatter_are() -> None:
    """With an error of its own, a size's times are equal where the speedup undoes the error."""
    found = fit(scattered(CONSTANT, 0.05), latency="constant")
    (said,) = (each for each in found.warnings if SAID["misfit"] in each)
    low, high = (parse_size(each) for each in said.split("anywhere from ")[1].split(" to "))
    own, other = 0.05 * np.random.default_rng(4).standard_normal((2, 2000))
    speedup = np.exp(other - own)
    crossings = speedup * CONSTANT.o / CONSTANT.C / (1 - speedup / CONSTANT.A)
    assert 0.9 < np.mean((low < crossings) & (crossings < high)) < 0.99


def test_spikes_are_counted() -> None:
    found = fit(CONSTANT.timings(0.01, seed=3, spikes=0.05), latency="constant")
    for name in ("host", "accelerated"):
        times = np.array(getattr(found.timings, name))
        spikes = int((times > 5 * np.median(times, axis=1)[:, None]).sum())
        assert any(f"{spikes} of {times.size} {name} times" in each for each in found.warnings)


def test_models_that_explain_the_times_alike() -> None:
    words = "constant and linear latency fit the times about equally well"
    timings = replace(CONSTANT, L=1e-12).timings(0.05, seed=6)
    general = estimate(timings, "linear")
    deviances = {each.latency: each.best.deviance for each in (general, simpler(general))}
    models = akaike_criteria(deviances, general.parameters, general.freedom)
    ends = {name: Interval(1.0, 2.0) for name in ("g1", "A", "beta", "peak")}
    assert abs(models["constant"] - models["linear"]) < 2
    assert words in warnings_of(general, models, ends, (1.0, 2.0), 0.95)
    assert words not in warnings_of(general, {**models, "constant": 1e3}, ends, (1.0, 2.0), 0.95)


def said(timings: Timings) -> list[str]:
    return [each for each in fit(timings).warnings if "contradict" in each]


@pytest.mark.parametrize("known", [CONSTANT, LINEAR, SLOWER], ids=["constant", "linear", "slower"])
@pytest.mark.parametrize("seed", [1, 2])
def test_nothing_is_said_where_the_model_holds(known: Known, seed: int) -> None:
    assert said(known.timings(0.1, seed=seed, repeats=6)) == []


def test_a_step_that_moves_the_break_even_is_told() -> None:
    plain = CONSTANT.timings(0.01, seed=3, repeats=6)
    even = CONSTANT.where(1.0)
    near = [size for size in SIZES if size > even][:2]
    slower = [3.0 if size in near else 1.0 for size in SIZES]
    timings = Timings(
        granularity=plain.granularity,
        host=plain.host,
        accelerated=[
            factor * np.asarray(row) for factor, row in zip(slower, plain.accelerated, strict=True)
        ],
    )
    (sentence,) = said(timings)
    assert "where the host is faster" in sentence


@pytest.mark.parametrize(
    ("share", "factor", "noise"),
    [(0.3, 1.5, 0.01), (0.3, 1.5, 0.05), (0.44, 1.6, 0.01), (0.1, 4, 0.01)],
)
def test_of_two_modes_the_more_frequent_one_is_fitted_and_the_other_is_told(
    share: float, factor: float, noise: float
) -> None:
    rng = np.random.default_rng(3)
    size = 2.0 ** np.arange(8, 21)
    slow = rng.random((13, 10)) < share
    host = 1e-8 * size[:, None] * np.exp(noise * rng.standard_normal((13, 10)))
    other = (2e-5 + 2e-9 * size[:, None]) * np.exp(noise * rng.standard_normal((13, 10)))
    found = fit(Timings(granularity=size, host=list(host * factor**slow), accelerated=list(other)))
    assert found.times(size)[0] == pytest.approx(1e-8 * size, rel=0.02)
    (told,) = (each for each in found.warnings if "second mode" in each)
    part, factor_told = re.match(r"(\d+) % of the host times take about (\S+) times", told).groups()
    assert int(part) == round(100 * slow.mean())
    assert float(factor_told) == pytest.approx(factor, rel=noise)
    assert told.endswith("could be chance: the intervals hold both") == (share == 0.44)
