"""Uncertain decisions: what they say, and that their numbers are those of the accelerator."""

from math import inf, log

import pytest
from scipy import stats

import logca
from logca.common.errors import ArgumentTypeError
from logca.numeric.chance.accelerator import UncertainAccelerator
from logca.numeric.chance.decide import PROBABILITIES, decide_uncertain
from logca.numeric.chance.distributions import LogNormal, Uniform

ON_CHIP = UncertainAccelerator(o=LogNormal(median=29_000, factor=1.3), L=1500, C=90, A=19)


def test_it_pays_from_a_size_on() -> None:
    found = decide_uncertain(ON_CHIP, "4 KiB")
    overhead = stats.lognorm(s=log(1.3), scale=29_000)
    ends = [1 / ((overhead.ppf(p) + 1500) / (90 * 4096) + 1 / 19) for p in (0.95, 0.05)]
    size = (overhead.ppf(0.9) + 1500) / (90 * (1 - 1 / 19))
    assert found.answer("the T2") == (
        "Offloading 4 KiB to the T2 pays with > 99.9 % probability: 7.387 times as fast (90 %: "
        f"{ends[0]:.4g} to {ends[1]:.4g}); it pays from {size:.4g} B on with 90 % probability."
    )
    assert found.notes == ("all numbers are closed forms",)
    assert list(found.speedups) == list(found.granularities) == list(PROBABILITIES)
    assert found.speedups[0.25] == ON_CHIP.speedup_quantile(0.25, 4096)


def test_it_may_never_pay() -> None:
    gpu = UncertainAccelerator(
        o=LogNormal(median=29_000, factor=1.3), L=1500, C=90, A=Uniform(least=0.8, most=5)
    )
    found = decide_uncertain(gpu, "64 KiB")
    never = (1 - 0.8) / (5 - 0.8)
    assert f"; with {100 * never:.3g} % probability it never pays." in found.answer()
    assert "16 randomizations of 4096 points" in found.notes[-1]
    assert "independently" in found.notes[0]
    rare = decide_uncertain(
        UncertainAccelerator(o=1, L=1, C=90, A=Uniform(least=0.9, most=1.3)), 64
    )
    assert "from no size on it pays with 90 % probability" in rare.answer()
    assert rare.granularities[0.95].value == inf


def test_targets_and_speedups_that_fall() -> None:
    radix = UncertainAccelerator(
        o=4e8, L=LogNormal(median=15, factor=1.1), C=290, A=7, beta=0.94, latency="linear"
    )
    answer = decide_uncertain(radix, "512 MiB", speedup=2).answer()
    assert answer.startswith("Offloading 512 MiB is more than 2 times as fast with ")
    assert " it first is so at " in answer
    certain = UncertainAccelerator(o=0, L=0, C=1, A=2)
    assert "it pays at every size with 90 % probability" in decide_uncertain(certain, 8).answer()


def test_of_a_fit() -> None:
    fit = logca.fit("examples/timings/sha256-pipe.csv")
    found = decide_uncertain(fit, "8 KiB")
    assert found.answer("fit.json").startswith("By fit.json, offloading 8 KiB pays with ")
    assert "confidence" in found.answer()
    assert "probability" not in found.answer()
    assert found.granularities[0.95].value == fit.interval("g1", 0.9).upper
    other = decide_uncertain(fit, "8 KiB", speedup=1.2)
    assert other.reached is None
    assert not other.granularities
    assert other.answer().endswith(").")


def test_mistakes() -> None:
    with pytest.raises(ArgumentTypeError, match="rests on an UncertainAccelerator or a Fit"):
        decide_uncertain(logca.Accelerator(o=1, L=1, C=1, A=2), 64)  # type: ignore[arg-type]
