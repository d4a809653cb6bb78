"""Traces of a program that switches in its own times: found there, and not in crossings."""

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.append(str(Path(__file__).parents[1] / "fit"))
from known_devices import CONSTANT, LINEAR, STEEP, Known

from logca.numeric.audit.audit import audit
from logca.numeric.audit.rule import threshold_rule
from logca.numeric.audit.self_confirming import SelfConfirming, self_confirming
from logca.numeric.timings.timings import Timings, compared_timings

SIZES = tuple(2.0 ** np.arange(8, 24.1))


def through(
    device: Known, threshold: float, name: str, noise: float = 0.03, seed: int = 0, repeats: int = 5
) -> Timings:
    """Times through a program that switches at a threshold, whatever path it is asked for by name.

    Asked for the other path it keeps it: a program whose knob reaches only one side.
    """
    draw = np.random.default_rng(seed)
    times: dict[str, list[np.ndarray]] = {"host": [], "accelerated": []}
    for size in SIZES:
        for path, rows in times.items():
            ran = path if path != name else "accelerated" if size >= threshold else "host"
            rows.append(getattr(device, ran)(size) * np.exp(noise * draw.standard_normal(repeats)))
    return Timings(granularity=SIZES, **times)


def traces(timings: Timings, threshold: float) -> SelfConfirming:
    return self_confirming(compared_timings(timings), threshold_rule(threshold))


@pytest.mark.parametrize("device", [CONSTANT, LINEAR, STEEP])
@pytest.mark.parametrize("name", ["host", "accelerated"])
@pytest.mark.parametrize("misplaced", [0.3, 3.0])
def test_a_switch_within_is_found(device: Known, name: str, misplaced: float) -> None:
    threshold = misplaced * device.where(1.0)
    for seed in range(3):
        found = traces(through(device, threshold, name, seed=seed), threshold)
        assert found
        below = [size for size in SIZES if size < threshold]
        same = below if name == "accelerated" else [*SIZES[len(below) :]]
        assert list(found.same) in ([], same)
        assert all(step.path == name for step in found.steps)
        assert {(step.lower, step.upper) for step in found.steps} <= {
            (below[-1], SIZES[len(below)])
        }


@pytest.mark.parametrize("device", [CONSTANT, LINEAR, STEEP])
@pytest.mark.parametrize("misplaced", [0.1, 1.0, 10.0])
@pytest.mark.parametrize("repeats", [1, 5])
def test_a_crossing_has_no_trace(device: Known, misplaced: float, repeats: int) -> None:
    threshold = misplaced * device.where(1.0)
    for seed in range(5):
        timings = device.timings(0.05, seed=seed, repeats=repeats, sizes=SIZES)
        assert not traces(timings, threshold)


def test_a_step_elsewhere_does_not_confirm_a_threshold() -> None:
    threshold = 3 * CONSTANT.where(1.0)
    timings = through(CONSTANT, threshold, "accelerated")
    assert not traces(timings, 16 * threshold).steps
    assert not traces(timings, 16 * threshold).same


def test_such_times_give_no_answer_but_what_to_do() -> None:
    threshold = 3 * CONSTANT.where(1.0)
    found = audit(through(CONSTANT, threshold, "accelerated"), threshold)
    assert not found.told
    assert not found.stale
    assert found.answer().startswith("These times cannot tell whether the threshold of ")
    assert "one path does that is timed under both names" in found.answer()
    assert "`logca tune`" in found.answer()


def test_with_one_size_on_a_side_it_is_not_tested() -> None:
    timings = CONSTANT.timings(0.01, sizes=SIZES)
    found = traces(timings, SIZES[1])
    assert (bool(found), found.tested) == (False, False)
    assert "is not tested" in audit(timings, SIZES[1]).notes[-1]
