"""Audits, against costs that are summed over times that are known."""

import sys
from functools import cache
from math import inf, nan
from pathlib import Path
from typing import Any

import numpy as np
import pytest

sys.path.append(str(Path(__file__).parents[1] / "fit"))
from known_devices import CONSTANT, LINEAR, SIZES, SLOWER, STEEP, Known

from logca.common.errors import LogcaError
from logca.numeric.audit.audit import audit
from logca.numeric.audit.emitted_code import code_rule
from logca.numeric.audit.rule import RuleError, threshold_rule
from logca.numeric.fit.decide import decide
from logca.numeric.fit.fit import Fit, fit
from logca.numeric.generate.offload.source import LANGUAGES, source
from logca.numeric.timings.timings import Timings

CALLS = {size: size**-1.5 for size in SIZES[3:-3]}


def costs(device: Known, threshold: float) -> tuple[float, float]:
    """What all calls truly take by a threshold, and with the best choice at each size [s]."""
    present = best = 0.0
    for size, calls in CALLS.items():
        host, other = float(device.host(size)), float(device.accelerated(size))
        present += calls * (other if size >= threshold else host)
        best += calls * min(host, other)
    return present, best


@cache
def fitted(device: Known) -> Fit:
    return fit(device.timings(0.01, seed=3))


@pytest.mark.parametrize("device", [CONSTANT, LINEAR, STEEP])
@pytest.mark.parametrize("misplaced", [0.1, 1.0, 8.0])
def test_a_misplaced_threshold_costs_what_it_truly_does(device: Known, misplaced: float) -> None:
    threshold = misplaced * device.where(1.0)
    found = audit(fitted(device), threshold, workload=CALLS)
    present, best = costs(device, threshold)
    assert found.present == pytest.approx(present, rel=0.02)
    assert found.best == pytest.approx(best, rel=0.02)
    assert found.loss.lower <= present - best <= found.loss.upper
    assert found.stale == (misplaced != 1.0)
    assert not found.confirming
    assert found.best_single == pytest.approx(best, rel=0.02)
    assert found.best_threshold == pytest.approx(device.where(1.0), rel=0.1)
    assert found.never == pytest.approx(costs(device, inf)[0], rel=0.02)
    assert found.always == pytest.approx(costs(device, 0)[0], rel=0.02)


def test_intervals_of_losses_cover_the_truth() -> None:
    threshold, within = 0.5 * CONSTANT.where(1.0), 0
    true = np.subtract(*costs(CONSTANT, threshold))
    for seed in range(4):
        loss = audit(CONSTANT.timings(0.05, seed=seed, repeats=5), threshold, workload=CALLS).loss
        within += loss.lower <= true <= loss.upper
    assert within >= 3


def test_a_rule_below_its_threshold_is_audited_the_other_way_round() -> None:
    swapped = CONSTANT.timings(0.01)
    timings = Timings(
        granularity=swapped.granularity, host=swapped.accelerated, accelerated=swapped.host
    )
    basis = fit(timings)
    found = audit(basis, CONSTANT.where(1.0), below=True, workload=CALLS)
    assert found.loss.share < 0.01
    assert found.best_threshold == pytest.approx(CONSTANT.where(1.0), rel=0.4)
    wrong_way = audit(basis, CONSTANT.where(1.0), workload=CALLS)
    assert wrong_way.stale
    assert wrong_way.loss.share > 1


def test_a_threshold_is_not_stale_if_it_cannot_be_told() -> None:
    found = audit(Known(o=1e-7, C=1e-9, A=1.04).timings(0.4), "512 KiB")
    assert not found.told
    assert not found.stale
    assert found.answer().startswith(
        "It cannot be told whether the threshold of 512 KiB is stale: "
    )


def test_to_offload_never_is_right_where_it_never_pays() -> None:
    found = audit(fitted(SLOWER), "never")
    assert (found.stale, found.loss.total, found.best_threshold) == (False, 0.0, inf)
    assert audit(fitted(SLOWER), "always").stale


def test_two_crossings_need_two_thresholds() -> None:
    sizes = [2.0**power for power in range(11, 20)]
    host = np.array([6, 12, 22, 45, 90, 175, 350, 20, 31]) * 1e-6
    other = np.array([8, 14, 24, 13, 14, 15, 18, 24, 35]) * 1e-6
    timings = Timings(granularity=sizes, host=host, accelerated=other)
    found = audit(timings, "10 KiB")
    assert found.stale  # it offloads the largest sizes as well
    assert found.thresholds.likely[0].below < inf
    assert found.best_single == found.present
    assert found.best < found.best_single
    with pytest.raises(RuleError, match="no curve follows the times: measure there"):
        audit(timings, "10 KiB", workload={1 << 30: 1.0})


def test_sizes_outside_the_measured_ones_are_named() -> None:
    calls = {float(1 << 30): 5.0, 1024.0: 95.0, 3000.0: 1.0}
    found = audit(fitted(CONSTANT), "10 KiB", workload=calls)
    assert [row.known for row in found.rows] == ["measured", "between", "outside"]
    assert found.notes[0].startswith("sizes of the workload are outside the measured ones, 16 B to")
    assert "1 GiB (5 calls)" in found.notes[0]
    assert found.rows[2].host == pytest.approx(float(CONSTANT.host(1 << 30)), rel=0.05)


@pytest.mark.parametrize("language", LANGUAGES)
def test_emitted_code_says_which_sizes_it_offloads(language: str) -> None:
    basis = fitted(LINEAR)
    rule = code_rule(source(language, basis, name="aes" if language == "c" else ""), "file")
    found = audit(basis, rule)
    edge = found.thresholds.likely[0].above
    assert [rule.offloads(size) for size in (1, int(edge), int(edge) + 1, 1e12)] == [
        *(False, False, True),
        found.thresholds.pays(1e12),
    ]
    assert not found.stale
    assert found.loss.share < 0.001


def test_a_threshold_is_read_from_a_variable() -> None:
    rule = threshold_rule("env:MIN", environment={"MIN": "4096"})
    assert [rule.offloads(size) for size in (4095, 4096)] == [False, True]
    assert threshold_rule("MIN=never").ranges == ()
    assert threshold_rule("4 KiB", below=True).offloads(4095)
    for wrong, told in {
        "env:MIN": "has no variable 'MIN'",
        "a b=1": "write NAME=VALUE",
        "MIN=lots": "MIN says so",
    }.items():
        with pytest.raises(RuleError, match=told):
            threshold_rule(wrong, environment={})


@pytest.mark.parametrize(
    ("workload", "told"),
    [
        ({4096: nan}, "nan calls of 4096; write a number from 0"),
        ({4096: -3}, "-3 calls of 4096"),
        ({4096: "many"}, "'many' calls"),
        ({4096: 1e308, 8192: 1e308}, "too many calls"),
        ({4096: 0}, "no calls at any size"),
        ({}, "no calls at any size"),
        ({"soon": 3}, "'soon' is no size"),
        ([4096], "no file and no mapping"),
    ],
)
def test_what_is_no_workload_is_refused(workload: Any, told: str) -> None:
    with pytest.raises(LogcaError, match=told):
        audit(fitted(CONSTANT), 4096, workload=workload)


def test_sizes_of_a_workload_may_be_texts() -> None:
    known = fitted(CONSTANT)
    once = audit(known, 4096, workload={"4 KiB": 2, 4096: 1, "64 KiB": 1})
    again = audit(known, 4096, workload={4096: 3, 65536: 1})
    assert once.loss == again.loss


def test_a_threshold_of_zero_offloads_every_size() -> None:
    for zero in (0, "0", "MIN_BYTES=0"):
        assert threshold_rule(zero).offloads(1)
        assert not threshold_rule(zero, below=True).offloads(1)
    known = fitted(CONSTANT)
    assert audit(known, "0").loss == audit(known, "always").loss


def test_large_losses_are_written_without_powers_of_ten() -> None:
    found = audit(fitted(CONSTANT), "never", workload={2**24: 1})
    assert f"It costs {100 * found.loss.share:,.0f} % " in found.answer()
    assert found.loss.share > 1


FEW = Timings(  # as of StarPU's Cholesky: once far faster than the interval of the curve can tell
    granularity=[800 * 1024, 3200 * 1024, 7200 * 1024, 16200 * 1024],
    host=[7.7e-4, 5.3e-3, 1.78e-2, 6.1e-2],
    accelerated=[4.2e-4, 1.2e-3, 2.0e-3, 5.5e-3],
)


def test_a_threshold_against_clear_times_is_stale() -> None:
    """The interval of the break-even has 900 KiB; at 800 KiB offloading was 1.8 times as fast."""
    known = fit(FEW)
    assert known.interval("g1").upper > 900 * 1024
    found = audit(known, "900 KiB")
    assert found.loss.lower > 0
    assert found.stale
    decided = decide(known, "800 KiB")
    assert decided.certainty == "pays"
    assert "the times of the sizes measured there tell" in decided.notes[0]


def test_a_stale_threshold_that_costs_nothing_says_why() -> None:
    found = audit(fitted(CONSTANT), "1 MiB", workload={2**22: 1})
    assert found.stale
    assert found.loss.total == 0
    assert found.answer().endswith("None of these sizes lies where it is wrong.")


def test_the_one_threshold_is_that_of_the_times_if_no_break_even_is_known() -> None:
    """Two paths as fast as each other, but for noise: OpenSSL with QAT against without."""
    times = Timings(
        granularity=[16, 64, 256, 1024, 8192, 16384],
        host=[5.10e-8, 1.82e-7, 6.92e-7, 2.65e-6, 2.15e-5, 4.19e-5],
        accelerated=[4.72e-8, 1.68e-7, 6.93e-7, 2.66e-6, 2.25e-5, 4.48e-5],
    )
    found = audit(times, "4 KiB")
    assert not found.told
    assert found.best_single <= min(found.never, found.always, found.present)
