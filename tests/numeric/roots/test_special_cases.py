"""What is known of the roots where something is zero, meets, or leaves the numbers."""

import math
from itertools import product
from typing import Any

import numpy as np
import pytest
from exact_model import EPS, HUGE, TINY, Exact, off

from logca.numeric.roots.granularity import granularity_for, trinomial_roots
from logca.numeric.roots.status import MEANINGS, RootStatus

NAN = math.nan


def solve(s: float = 1.0, latency: str = "linear", **changes: float) -> Any:
    """The roots with o = 400, L = 1, C = 200, A = 20, beta = 1/2 but for what is changed."""
    found = {"o": 400.0, "L": 1.0, "C": 200.0, "A": 20.0, "beta": 0.5} | changes
    return granularity_for(s, **found, latency=latency)


STATUSES = [
    ("no overhead, beta < 1", {"o": 0.0}, "UPPER_ONLY"),
    ("no overhead, beta > 1", {"o": 0.0, "beta": 1.5}, "ONE"),
    ("no overhead, beta = 1, cheap", {"o": 0.0, "beta": 1.0}, "EVERYWHERE"),
    ("no overhead, beta = 1, dear", {"o": 0.0, "beta": 1.0, "L": 200.0}, "NEVER"),
    ("no latency", {"L": 0.0}, "ONE"),
    ("no latency, beta = 1", {"L": 0.0, "beta": 1.0}, "ONE"),
    ("no cost", {"o": 0.0, "L": 0.0}, "EVERYWHERE"),
    ("beta < 1, dear", {"C": 20.0}, "NEVER"),
    ("beta < 1, cheap", {}, "TWO"),
    ("beta = 1, cheap", {"beta": 1.0}, "ONE"),
    ("beta = 1, dear", {"beta": 1.0, "L": 191.0}, "NEVER"),
    ("beta > 1, very dear", {"beta": 1.01, "L": 191.0}, "ONE"),
    ("target is the acceleration", {"s": 20.0}, "BEYOND_ACCELERATION"),
    ("target above it", {"s": 21.0}, "BEYOND_ACCELERATION"),
    ("target above it, no cost", {"s": 21.0, "o": 0.0, "L": 0.0}, "BEYOND_ACCELERATION"),
    ("no acceleration", {"A": 1.0}, "BEYOND_ACCELERATION"),
    ("a brake", {"A": 0.5}, "BEYOND_ACCELERATION"),
]


@pytest.mark.parametrize(
    ("changes", "status"), [x[1:] for x in STATUSES], ids=[x[0] for x in STATUSES]
)
def test_the_status_says_what_there_is(changes: dict[str, float], status: str) -> None:
    answer = solve(**changes)
    assert answer.status is RootStatus[status]
    has_lower = status in ("ONE", "TWO", "DOUBLE", "UPPER_OUT_OF_RANGE")
    has_upper = status in ("TWO", "DOUBLE", "UPPER_ONLY")
    assert math.isnan(answer.lower) is not has_lower
    assert math.isnan(answer.upper) is not has_upper


@pytest.mark.parametrize("latency", ["constant", "linear"])
@pytest.mark.parametrize("name", ["s", "o", "L", "C", "A", "beta"])
@pytest.mark.parametrize("value", [NAN, math.inf, -math.inf, -1.0, -0.25, -1e-300])
def test_outside_of_the_domain_there_is_nothing(name: str, value: float, latency: str) -> None:
    answer = solve(latency=latency, **{name: value})
    assert answer.status is RootStatus.OUTSIDE_DOMAIN
    assert math.isnan(answer.lower)
    assert math.isnan(answer.upper)


@pytest.mark.parametrize("latency", ["constant", "linear"])
@pytest.mark.parametrize("name", ["s", "C", "A", "beta"])
def test_zero_is_outside_of_the_domain_of_what_must_be_positive(name: str, latency: str) -> None:
    assert solve(latency=latency, **{name: 0.0}).status is RootStatus.OUTSIDE_DOMAIN


@pytest.mark.parametrize(("first", "second"), [("s", "C"), ("s", "A"), ("C", "A"), ("o", "L")])
@pytest.mark.parametrize("beta", [0.5, 1.0, 1.7])
def test_two_wrong_signs_do_not_make_a_right_one(first: str, second: str, beta: float) -> None:
    given = {"s": 1.0, "o": 400.0, "L": 1.0, "C": 200.0, "A": 20.0}
    changes = {name: -given[name] for name in (first, second)}
    for latency in ("constant", "linear"):
        assert solve(latency=latency, beta=beta, **changes).status is RootStatus.OUTSIDE_DOMAIN


@pytest.mark.parametrize("name", ["C", "A"])
def test_a_target_above_the_acceleration_does_not_hide_a_wrong_sign(name: str) -> None:
    """(A - s)/A is negative then, or the other way round."""
    for latency, beta in product(("constant", "linear"), (0.5, 1.0, 1.7)):
        for s in (1.0, 25.0):
            answer = solve(s=s, latency=latency, beta=beta, **{name: -20.0})
            assert answer.status is RootStatus.OUTSIDE_DOMAIN


def test_what_is_outside_of_the_domain_does_not_disturb_its_neighbours() -> None:
    o = np.array([NAN, 400.0, -1.0, 400.0, math.inf, 0.0])
    answer = granularity_for(1, o=o, L=1.0, C=200.0, A=20.0, beta=0.5, latency="linear")
    names = [RootStatus(each).name for each in answer.status]
    out = "OUTSIDE_DOMAIN"
    assert names == [out, "TWO", out, "TWO", out, "UPPER_ONLY"]
    assert answer.lower[1] == answer.lower[3] == solve().lower


def test_two_roots_meet_where_the_target_is_just_reached() -> None:
    """beta = 1/2, o = 4, L = 1: 4*sqrt(g) = 4 + g only at g = 4; C = 8 and A = 2 make k = 4."""
    exactly = {"o": 4.0, "L": 1.0, "A": 2.0}
    answer = solve(C=8.0, **exactly)
    assert answer.status is RootStatus.DOUBLE
    assert answer.lower == answer.upper == 4.0
    less, more = solve(C=8 * (1 - 1e-12), **exactly), solve(C=8 * (1 + 1e-12), **exactly)
    assert less.status is RootStatus.NEVER
    assert more.status is RootStatus.TWO
    assert more.lower < 4 < more.upper
    # sqrt(g) = k/2 -+ sqrt(k*k/4 - 4) with k = 4*(1 + e): g is about 4*(1 -+ 2*sqrt(2*e))
    width = 16 * math.sqrt(2e-12)
    assert more.upper - more.lower == pytest.approx(width, rel=1e-3)


@pytest.mark.parametrize("steps", range(-8, 9))
@pytest.mark.parametrize("beta", [0.1, 0.5, 0.94])
def test_next_to_the_meeting_only_rounding_is_in_doubt(steps: int, beta: float) -> None:
    model = Exact.of(o=400.0, L=1.0, C=1.0, A=2.0, beta=beta, latency="linear")
    least = 2 * (model.o / (1 - model.beta)) ** (1 - model.beta) * model.beta**-model.beta
    C = float(least) * (1 + steps * EPS)
    answer = solve(o=400.0, L=1.0, C=C, A=2.0, beta=beta)
    assert answer.status in (RootStatus.TWO, RootStatus.DOUBLE, RootStatus.NEVER)
    if answer.status is not RootStatus.NEVER:
        peak = float(model.peak())
        assert answer.lower <= peak * (1 + 4 * EPS)
        assert answer.upper >= peak * (1 - 4 * EPS)
        assert answer.lower == pytest.approx(peak, rel=1e-6)
        assert answer.upper == pytest.approx(peak, rel=1e-6)


@pytest.mark.parametrize("delta", [1e-12, 1e-9, 1e-6, EPS])
def test_a_target_just_below_the_acceleration(delta: float) -> None:
    s = 20.0 * (1 - delta)
    found = {"o": 400.0, "L": 1.0, "C": 200.0, "A": 20.0, "beta": 1.0}
    (exact,) = Exact.of(**found, latency="constant").roots(s)
    answer = granularity_for(s, **found, latency="constant")
    assert answer.status is RootStatus.ONE
    assert off(answer.lower, exact) < 8  # s and A are taken as they are, not as far apart as noise
    assert solve(s=s, beta=1.0).status is RootStatus.NEVER


@pytest.mark.parametrize("side", [-1, 1])
@pytest.mark.parametrize("distance", [2 * EPS, 1e-12, 1e-9, 1e-5])
@pytest.mark.parametrize("L", [1.0, 189.999, 190.0, 190.001])
def test_exponents_next_to_one(side: int, distance: float, L: float) -> None:
    """At beta = 1 all k*g = c + l*g with k > l have one root; here k = 190."""
    beta = 1 + side * distance
    answer = solve(beta=beta, L=L, A=20.0, C=200.0)
    model = Exact.of(o=400.0, L=L, C=200.0, A=20.0, beta=beta, latency="linear")
    exact = model.roots(1)
    expected = [root for root in exact if TINY <= root <= HUGE]
    given = [each for each in (answer.lower, answer.upper) if not math.isnan(each)]
    assert len(given) == len(expected)
    for each, root in zip(given, expected, strict=True):
        condition = float(model.condition(1, root))
        if condition * EPS < 1e-3:
            assert off(each, root) <= 8 * (1 + condition)


def test_an_exponent_of_one_with_a_latency_equal_to_the_index() -> None:
    """C*(A - 1)/A = 190 to the last bit."""
    assert solve(beta=1.0, L=190.0).status is RootStatus.NEVER
    assert solve(beta=1.0, L=190.0, o=0.0).status is RootStatus.EVERYWHERE
    barely = solve(beta=1.0, L=math.nextafter(190.0, 0))
    assert barely.status is RootStatus.ONE
    assert barely.lower == 400 / (190.0 - math.nextafter(190.0, 0))


RANGE = [
    # status, parameters: C, A and s = 1 make k = C/2
    ("OUT_OF_RANGE", {"o": 1e200, "L": 1.0, "C": 1e-200, "beta": 1.0}, "constant"),
    ("OUT_OF_RANGE", {"o": 1e-200, "L": 0.0, "C": 1e200, "beta": 1.0}, "constant"),
    ("OUT_OF_RANGE", {"o": 1e10, "L": 0.0, "C": 1.0, "beta": 0.01}, "constant"),
    ("OUT_OF_RANGE", {"o": 1e-10, "L": 0.0, "C": 1.0, "beta": 0.01}, "linear"),
    ("OUT_OF_RANGE", {"o": 0.0, "L": 1.0, "C": 1e10, "beta": 0.99}, "linear"),
    ("OUT_OF_RANGE", {"o": 1.0, "L": 1e10, "C": 1.0, "beta": 1.01}, "linear"),
    ("UPPER_OUT_OF_RANGE", {"o": 1.0, "L": 1e-10, "C": 10.0, "beta": 0.99}, "linear"),
    ("UPPER_OUT_OF_RANGE", {"o": 1e-30, "L": 1e-300, "C": 1e10, "beta": 0.5}, "linear"),
    ("ONE", {"o": 1e308, "L": 0.0, "C": 1e308, "beta": 1.0}, "constant"),
    ("ONE", {"o": 1e-308, "L": 0.0, "C": 1e-308, "beta": 0.3}, "constant"),
    ("ONE", {"o": 5e-324, "L": 5e-324, "C": 1.0, "beta": 2.0}, "constant"),
    ("ONE", {"o": 5e-324, "L": 1e-310, "C": 1.0, "beta": 2.0}, "linear"),
    ("TWO", {"o": 5e-320, "L": 1e-310, "C": 1e-300, "beta": 0.5}, "linear"),
]


@pytest.mark.parametrize(("status", "found", "latency"), RANGE)
def test_roots_beyond_the_range_of_floating_point(
    status: str, found: dict[str, float], latency: str
) -> None:
    answer = solve(latency=latency, **found, A=2.0)
    model = Exact.of(**found, A=2.0, latency=latency)
    exact = [root for root in model.roots(1) if TINY <= root <= HUGE]
    given = [each for each in (answer.lower, answer.upper) if not math.isnan(each)]
    assert answer.status is RootStatus[status]
    assert len(given) == len(exact)
    for each, root in zip(given, exact, strict=True):
        assert off(each, root) <= 8 * (1 + float(model.condition(1, root)))


SUBNORMAL = [5e-324, 1e-320, 3e-315, 1e-308]


@pytest.mark.parametrize("C", SUBNORMAL)
@pytest.mark.parametrize("latency", ["constant", "linear"])
def test_a_subnormal_index_is_taken_as_it_is(C: float, latency: str) -> None:
    """The effective index is half of it, or 9/10, which is rounded to very few digits."""
    for A, s, beta in product([2.0, 10.0], [1.0], [1.0, 2.0, 0.5]):
        found = {"o": 1e-300, "L": 0.0, "C": C, "A": A, "beta": beta}
        model = Exact.of(**found, latency=latency)
        (exact,) = model.roots(s)
        answer = granularity_for(s, **found, latency=latency)
        assert answer.status is RootStatus.ONE
        assert off(answer.lower, exact) <= 8 * (1 + float(model.condition(s, exact)))


@pytest.mark.parametrize("beta", [1e-3, 1e-9, 1e-300, 5e-324])
def test_tiny_exponents(beta: float) -> None:
    """The kernel's time hardly depends on the size: C*g**beta is about C."""
    dear = solve(beta=beta, C=300.0, A=2.0)
    assert dear.status is RootStatus.NEVER
    cheap = solve(beta=beta, C=900.0, A=2.0, o=400.0)
    model = Exact.of(o=400.0, L=1.0, C=900.0, A=2.0, beta=beta, latency="linear")
    if beta < 1e-8:
        assert cheap.status is RootStatus.UPPER_ONLY  # the lower one is below all numbers
    assert off(cheap.upper, model.roots(1)[-1]) <= 64
    assert cheap.upper == pytest.approx(50.0, rel=0.1)


@pytest.mark.parametrize("beta", [50.0, 1e3, 1e6, 1e12, 1e15, 1e100, 1e300])
@pytest.mark.parametrize("latency", ["constant", "linear"])
def test_huge_exponents(beta: float, latency: str) -> None:
    """There is a wall at one byte."""
    answer = solve(beta=beta, latency=latency)
    model = Exact.of(o=400.0, L=1.0, C=200.0, A=20.0, beta=min(beta, 1e40), latency=latency)
    assert answer.status is RootStatus.ONE
    assert off(answer.lower, model.roots(1)[0]) <= 8


def test_acceleration_and_target_whose_product_is_out_of_range() -> None:
    found = {"o": 400.0, "L": 1.0, "C": 2e202, "A": 1e200, "beta": 1.5}
    (exact,) = Exact.of(**found, latency="linear").roots(2.5e199)
    answer = granularity_for(2.5e199, **found, latency="linear")
    assert off(answer.lower, exact) <= 64


def test_the_trinomial_by_itself() -> None:
    answer = trinomial_roots([3.0, 3.0, 1.0], 2.0, [1.0, 0.0, 1.0], [0.5, 1.0, 2.0])
    np.testing.assert_allclose(answer.lower, [1.0, 2 / 3, 2.0], rtol=16 * EPS)
    np.testing.assert_allclose(answer.upper, [4.0, NAN, NAN], rtol=16 * EPS)


def test_every_status_has_words() -> None:
    assert set(MEANINGS) == set(RootStatus)
    assert len(set(MEANINGS.values())) == len(RootStatus)
    assert [int(each) for each in RootStatus] == list(range(len(RootStatus)))
