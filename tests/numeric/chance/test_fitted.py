"""A fit's confidence: ends of its intervals, and how often it is right."""

from math import inf

import numpy as np
import pytest
from known_devices import CONSTANT, SLOWER, Known

from logca.common.errors import ArgumentError, ArgumentTypeError
from logca.numeric.accelerator.parameter_ranges import DomainError
from logca.numeric.chance.fitted import PROFILE_LIKELIHOOD, UncertainFit
from logca.numeric.fit.decide import decide, speedup_interval
from logca.numeric.fit.fit import Fit, fit

SIZE = 16_384.0


def measured(device: Known, seed: int = 0) -> Fit:
    return fit(device.timings(0.05, seed=seed), latency="constant")


@pytest.fixture(scope="module")
def found() -> UncertainFit:
    return UncertainFit(fit=measured(CONSTANT))


@pytest.mark.parametrize("level", [0.5, 0.9, 0.99])
def test_ends_of_intervals_have_their_probability(found: UncertainFit, level: float) -> None:
    interval = speedup_interval(found.fit, SIZE, level)
    for end, share in ((interval.lower, (1 + level) / 2), (interval.upper, (1 - level) / 2)):
        answer = found.probability(end, SIZE)
        assert answer.value == pytest.approx(share, abs=2e-3)
        assert answer.method == PROFILE_LIKELIHOOD
        assert 0 <= answer.lower <= answer.value <= answer.upper <= 1
    assert found.speedup_quantile((1 - level) / 2, SIZE).value == pytest.approx(
        interval.lower, rel=1e-9
    )
    sizes = found.fit.interval("g1", level)
    assert found.granularity_quantile((1 + level) / 2).value == pytest.approx(sizes.upper, rel=1e-9)
    assert found.granularity_quantile((1 - level) / 2).value == pytest.approx(sizes.lower, rel=1e-9)


def test_the_median_is_what_is_most_likely(found: UncertainFit) -> None:
    likely = decide(found.fit, SIZE).speedup
    assert found.speedup_quantile(0.5, SIZE).value == likely
    assert found.probability(likely, SIZE).value == pytest.approx(0.5, abs=0.02)
    size = found.granularity_quantile(0.5).value
    assert size == pytest.approx(found.fit.accelerator.break_even()[0], rel=2e-3)


def test_higher_targets_are_less_sure_and_quantiles_rise(found: UncertainFit) -> None:
    shares = [found.probability(s, SIZE).value for s in np.linspace(0.8, 1.4, 9)]
    assert shares == sorted(shares, reverse=True)
    quantiles = [found.speedup_quantile(p, SIZE).value for p in (0.05, 0.3, 0.5, 0.7, 0.95)]
    assert quantiles == sorted(quantiles)


def test_the_truth_is_as_often_below_as_confidence_says() -> None:
    """Over many series of timings the confidence at the true speedup is uniform."""
    truth = float(CONSTANT.host(SIZE) / CONSTANT.accelerated(SIZE))
    shares = [
        UncertainFit(fit=measured(CONSTANT, seed)).probability(truth, SIZE).value
        for seed in range(40)
    ]
    counts, _ = np.histogram(shares, bins=4, range=(0, 1))
    assert counts.min() >= 3  # ten are expected; fewer than 3 have a chance of 0.2 % each
    assert 0.35 < float(np.mean(shares)) < 0.65


def test_a_path_that_is_never_faster() -> None:
    found = UncertainFit(fit=measured(SLOWER))
    assert found.probability_reached().value < 1e-6
    assert found.granularity_quantile(0.5).value == inf
    assert found.probability(1, "1 MiB").value < 1e-3


def test_breaks_in_the_times() -> None:
    step = CONSTANT.timings(0.02, sizes=tuple(2.0 ** np.arange(6, 26)), repeats=5)
    slow = [times * (1.6 if size > 2**18 else 1.0) for size, times in zip(
        step.granularity, step.accelerated, strict=True)]  # fmt: skip
    broken = fit(type(step)(granularity=step.granularity, host=step.host, accelerated=slow))
    assert broken.breaks
    found = UncertainFit(fit=broken)
    for size in (2.0**14, 2.0**22):
        for p in (0.1, 0.8):
            end = found.speedup_quantile(p, size).value
            assert found.probability(end, size).value == pytest.approx(1 - p, abs=0.01)
    assert found.probability(1e-6, 2.0**22).value > 0.999
    assert found.probability(1e6, 2.0**22).value < 0.001


def test_mistakes(found: UncertainFit) -> None:
    with pytest.raises(ArgumentTypeError, match="fit = 3 must be a Fit"):
        UncertainFit(fit=3)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match=r"speedup = 2: .* break-evens only"):
        found.probability_reached(2)
    with pytest.raises(ArgumentError, match="break-evens only"):
        found.granularity_quantile(0.5, 2)
    with pytest.raises(DomainError, match="probability = 2 must"):
        found.speedup_quantile(2, SIZE)
