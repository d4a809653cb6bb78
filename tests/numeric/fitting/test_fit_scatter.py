"""Times that no power law describes: what calls cost, and sizes that scatter."""

from dataclasses import replace

import numpy as np
import pytest
from known_devices import CONSTANT, LINEAR, SIZES

from logca.numeric.fitting.derived import call_cost, interval_of, parameters
from logca.numeric.fitting.estimate import estimate
from logca.numeric.fitting.timings import Timings


@pytest.mark.parametrize("noise", [0.01, 0.05])
def test_a_cost_of_calls_does_not_move_the_break_even(noise: float) -> None:
    cost = 2e-7
    called = replace(CONSTANT, call=cost, o=CONSTANT.o + cost)
    found = estimate(called.timings(noise, seed=8, repeats=5), "linear")
    assert call_cost(found) == pytest.approx(cost, rel=4 * noise)
    assert parameters(found)["o"] == pytest.approx(CONSTANT.o, rel=2 * noise)
    g1 = interval_of(found, "g1", 0.99)
    assert g1.lower < CONSTANT.where(1.0) < g1.upper < 1.2 * g1.lower


def test_without_it_there_is_no_such_cost() -> None:
    for seed in range(5):
        assert call_cost(estimate(LINEAR.timings(0.1, seed=seed), "linear")) == 0


def test_how_far_sizes_scatter_is_found_for_each_path() -> None:
    rng = np.random.default_rng(1)
    sizes = 2.0 ** np.arange(4, 26, 0.25)
    plain = LINEAR.timings(0.01, sizes=sizes)
    timings = Timings(
        granularity=sizes,
        host=[row * np.exp(0.1 * rng.standard_normal()) for row in plain.host],
        accelerated=plain.accelerated,
    )
    found = estimate(timings, "linear")
    assert found.misfit
    assert found.data.host.apart == pytest.approx(0.1, rel=0.15)
    assert found.data.accelerated.apart < 0.01
    assert found.data.host.spread == pytest.approx(0.01, rel=0.15)


def test_repeats_of_sizes_that_scatter_are_no_evidence_on_the_curve() -> None:
    rng = np.random.default_rng(2)
    errors = 0.1 * rng.standard_normal((2, len(SIZES)))

    def width(repeats: int) -> float:
        plain = LINEAR.timings(0.01, repeats=repeats)
        timings = Timings(
            granularity=SIZES,
            host=[row * np.exp(by) for row, by in zip(plain.host, errors[0], strict=True)],
            accelerated=[
                row * np.exp(by) for row, by in zip(plain.accelerated, errors[1], strict=True)
            ],
        )
        lower, upper, _ = interval_of(estimate(timings, "constant"), "g1", 0.95)
        return float(np.log(upper / lower))

    assert width(20) == pytest.approx(width(5), rel=0.1)
