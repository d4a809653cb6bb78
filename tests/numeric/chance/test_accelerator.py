"""Uncertain accelerators: against plain Monte Carlo, and laws that hold for all."""

from dataclasses import replace
from math import inf, nan
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_sampling import Law, Sampled, sigma

from logca.common.sizes import SizeError
from logca.numeric.accelerator.parameter_ranges import DomainError
from logca.numeric.chance.accelerator import UncertainAccelerator
from logca.numeric.chance.distributions import LogNormal, Uniform

SIGMAS = 4.5


def distribution(law: Law) -> Any:
    kind, first, second = law
    if kind == "lognormal":
        return LogNormal(median=first, factor=second)
    return first if kind == "certain" else Uniform(least=first, most=second)


def of(sampled: Sampled) -> UncertainAccelerator:
    parameters: dict[str, Any] = {name: distribution(law) for name, law in sampled.laws.items()}
    return UncertainAccelerator(**parameters, latency="linear" if sampled.linear else "constant")


def random_case(seed: int) -> Sampled:
    """Parameters of all kinds, of which some are certain."""
    rng = np.random.default_rng(seed)
    linear = bool(rng.integers(2))
    medians = {"o": 10 ** rng.uniform(2, 5), "C": 10 ** rng.uniform(1, 2.5)}
    medians |= {"A": rng.uniform(1.2, 20), "beta": rng.choice([0.8, 1.0, 1.2])}
    medians["L"] = 10 ** rng.uniform(-1, 1.5) if linear else 10 ** rng.uniform(2, 5)
    laws: dict[str, Law] = {}
    for name in ("o", "L", "C", "A", "beta"):
        median, spread = float(medians[name]), rng.uniform(0.05, 0.6)
        if name == "beta":
            spread /= 10
        kind = rng.integers(3)
        if kind == 0:
            laws[name] = ("certain", median, median)
        elif kind == 1:
            laws[name] = ("lognormal", median, 1 + spread)
        else:
            laws[name] = ("uniform", median * (1 - spread), median * (1 + spread))
    return Sampled(laws=laws, linear=linear, seed=seed)


@pytest.mark.parametrize("seed", range(24))
def test_as_plain_monte_carlo(seed: int) -> None:
    sampled = random_case(seed)
    found = of(sampled)
    rng = np.random.default_rng(1000 + seed)
    for _ in range(6):
        g, s = 10 ** rng.uniform(1, 5), rng.uniform(0.3, 4)
        share = sampled.share_above(s, g)
        answer = found.probability(s, g)
        assert answer.lower - 1e-12 <= answer.value <= answer.upper + 1e-12
        assert abs(answer.value - share) <= SIGMAS * sigma(share) + answer.error
        speedup = found.speedup_quantile(0.8, g).value
        below = 1 - sampled.share_above(speedup, g)
        assert abs(below - 0.8) <= SIGMAS * sigma(0.8) + 1e-9 or len(found.uncertain) == 0


@pytest.mark.parametrize("seed", range(8))
def test_sizes_as_plain_monte_carlo(seed: int) -> None:
    sampled = random_case(seed)
    found = of(sampled)
    for p in (0.3, 0.8):
        size = found.granularity_quantile(p)
        reached = found.probability_reached()
        if size.value == inf:
            # with exponents next to one it may be reached at sizes that no number stands for
            assert reached.lower <= p or "beta" in found.uncertain
            continue
        if not found.uncertain or not 1e-2 < size.value < 1e8:
            continue
        share = sampled.share_up_to(1.0, size.value)
        assert abs(share - p) <= SIGMAS * sigma(p) + 2e-3


@pytest.mark.parametrize(
    "uncertain",
    [
        {"o": ("lognormal", 4e7, 2.0), "L": ("lognormal", 15.0, 1.5)},
        {"o": ("uniform", 1e6, 4e8), "L": ("uniform", 5.0, 90.0)},
        {"beta": ("uniform", 0.85, 1.05)},
        {"beta": ("lognormal", 0.94, 1.02), "L": ("lognormal", 30.0, 1.5)},
        {"C": ("lognormal", 290.0, 1.5), "A": ("uniform", 1.0, 7.0), "L": ("uniform", 5.0, 90.0)},
    ],
    ids=["o-L", "o-L-uniform", "beta", "beta-L", "C-A-L"],
)
def test_a_speedup_that_falls_as_plain_monte_carlo(uncertain: dict[str, Law]) -> None:
    known = {"o": 4e7, "L": 15.0, "C": 290.0, "A": 7.0, "beta": 0.94}
    laws = {name: ("certain", value, value) for name, value in known.items()} | uncertain
    sampled = Sampled(laws=laws, linear=True, seed=3)
    found = of(sampled)
    assert found.falls
    for target in (1.0, 2.5):
        reached = found.probability_reached(target)
        share = sampled.share_up_to(target, 1e14)
        assert abs(reached.value - share) <= SIGMAS * sigma(share) + reached.error + 2e-3
        for p in (0.2, 0.5):
            size = found.granularity_quantile(p, target)
            if size.value == inf:
                assert reached.value <= p + 0.01
            else:
                share = sampled.share_up_to(target, size.value)
                assert abs(share - p) <= SIGMAS * sigma(p) + 2e-3


LAWS = st.builds(
    lambda kind, spread: (kind, spread),
    st.sampled_from(["certain", "lognormal", "uniform"]),
    st.floats(0.05, 0.6),
)


@st.composite
def accelerators(draw: Any) -> UncertainAccelerator:
    latency = draw(st.sampled_from(["constant", "linear"]))
    medians = {"o": 2e4, "L": 3.0 if latency == "linear" else 5e3, "C": 90.0, "A": 4.0}
    medians["beta"] = draw(st.sampled_from([0.8, 1.0, 1.2]))
    parameters: dict[str, Any] = {}
    for name, median in medians.items():
        kind, spread = draw(LAWS)
        spread = spread / 10 if name == "beta" else spread
        parameters[name] = {
            "certain": median,
            "lognormal": LogNormal(median=median, factor=1 + spread),
            "uniform": Uniform(least=median * (1 - spread), most=median * (1 + spread)),
        }[kind]
    return UncertainAccelerator(**parameters, latency=latency, points=64)


@settings(max_examples=60, deadline=None)
@given(accelerators(), st.floats(1, 1e6), st.floats(0.2, 4), st.floats(1.01, 3))
def test_higher_targets_are_less_likely_and_larger_sizes_more(
    found: UncertainAccelerator, g: float, s: float, more: float
) -> None:
    here = found.probability(s, g).value
    assert found.probability(s * more, g).value <= here + 1e-12
    assert found.probability_reached(s).value >= here - found.probability_reached(s).error - 1e-3
    if not found.falls:
        assert found.probability(s, g * more).value >= here - 1e-12


@settings(max_examples=40, deadline=None)
@given(accelerators(), st.floats(10, 1e5), st.floats(0.05, 0.9))
def test_quantiles_are_the_inverse_of_probabilities(
    found: UncertainAccelerator, g: float, p: float
) -> None:
    speedup, size = found.speedup_quantile(p, g), found.granularity_quantile(p)
    higher = found.speedup_quantile(p + 0.05, g)
    assert higher.value >= speedup.value * (1 - 1e-9)
    assert found.granularity_quantile(p + 0.05).value >= size.value * (1 - 1e-9)
    if found.uncertain:
        above = found.probability(speedup.value, g)
        assert above.value == pytest.approx(1 - p, abs=above.error + 1e-3)
    if found.uncertain and not found.falls and 0 < size.value < inf:
        pays = found.probability(1, size.value)
        assert pays.value == pytest.approx(p, abs=pays.error + 1e-3)


def test_the_same_twice_and_in_every_order() -> None:
    found = of(random_case(5))
    first = [found.probability(1, g).value for g in (100, 1000)]
    second = [replace(found).probability(1, g).value for g in (1000, 100)]
    assert first == second[::-1]


def test_texts_with_units_and_a_name() -> None:
    found = UncertainAccelerator(
        o="10us", L="2us", C=LogNormal(median=36e-9, factor=1.2), A=12, unit="seconds", name="x"
    )
    assert found.o == 1e-5
    assert found.uncertain == ("C",)
    assert found.accelerator().name == "x"
    assert found.median == {"o": 1e-5, "L": 2e-6, "C": 36e-9, "A": 12.0, "beta": 1.0}


@pytest.mark.parametrize("A", [0.5, 1.0, Uniform(least=0.2, most=0.9)])
def test_an_accelerator_that_never_pays(A: Any) -> None:
    found = UncertainAccelerator(o=100, L=10, C=LogNormal(median=90, factor=2), A=A)
    assert found.probability(1, "1 MiB").value == 0
    assert found.probability_reached().value == 0
    assert found.granularity_quantile(0.01).value == inf


def test_nothing_is_paid() -> None:
    found = UncertainAccelerator(o=0, L=0, C=LogNormal(median=90, factor=2), A=3)
    assert found.probability(2.9, 1).value == 1
    assert found.probability(3, 1).value == 0
    assert found.granularity_quantile(0.99, 2).value == 0
    assert found.speedup_quantile(0.2, 77).value == 3


MISTAKES: list[tuple[dict[str, Any], str]] = [
    ({"o": -1}, "o = -1 must be a finite number at least 0"),
    ({"o": nan}, "o = nan must"),
    ({"C": Uniform(least=0, most=2)}, "C = 0 must be a finite number greater than 0"),
    ({"beta": Uniform(least=0, most=2)}, "beta = 0 must"),
    ({"A": 0}, "A = 0 must be a finite number greater than 0"),
    ({"A": Uniform(least=0, most=2)}, "A = 0.0 must"),
    ({"A": "fast"}, "A = 'fast' is not a number"),
    ({"latency": "some"}, "latency = 'some' must be"),
    ({"unit": "hours"}, "unit = 'hours' must be"),
    ({"name": 3}, "name = 3 must be a text"),
    ({"points": 1000}, "points = 1000 must be a power of two"),
    ({"points": 2**17}, "points = 131072 must be a power of two, at most 65536"),
    ({"points": 0}, "points = 0 must"),
]


@pytest.mark.parametrize(("wrong", "said"), MISTAKES, ids=[said for _, said in MISTAKES])
def test_mistakes(wrong: dict[str, Any], said: str) -> None:
    good: dict[str, Any] = {"o": 100, "L": 10, "C": 90, "A": 19}
    with pytest.raises(DomainError, match=said):
        UncertainAccelerator(**{**good, **wrong})


def test_questions_that_make_no_sense() -> None:
    found = UncertainAccelerator(o=100, L=10, C=LogNormal(median=90, factor=2), A=19)
    with pytest.raises(DomainError, match="s = -1 must"):
        found.probability(-1, 64)
    with pytest.raises(SizeError):
        found.probability(1, "none")
    with pytest.raises(DomainError, match="probability = 0 must be a probability between"):
        found.speedup_quantile(0, 64)
    with pytest.raises(DomainError, match=r"probability = 1\.5 must"):
        found.granularity_quantile(1.5)
    with pytest.raises(DomainError, match="s = nan must"):
        found.probability_reached(nan)
