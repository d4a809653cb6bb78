"""Weakest hypotheses: those that the model's theorems name, in the language of claims."""

import pytest

from logca.proofs.engine.answer import WeakestHypothesis
from logca.proofs.engine.weakest_hypothesis import weakest_hypothesis
from logca.proofs.language.parser import ClaimSyntaxError, parse

CONSTANT, LINEAR = "latency == constant", "latency == linear"


@pytest.mark.parametrize(
    ("claim", "given", "condition"),
    [
        ("exists(gA2)", [LINEAR, "beta == 1"], "o > 0 and C > A*L"),
        ("exists(gA2)", [CONSTANT], "L + o > 0"),
        ("exists(g1)", [CONSTANT], "A > 1 and L + o > 0"),
        ("g1 < gA2", [CONSTANT], "A > 2"),
        ("speedup < A", [], "L + o > 0"),
        ("gain_o > 1", [CONSTANT], "o > 0 and r > 1"),
        ("A**beta > A", ["A > 1"], "beta > 1"),
        ("log(x) < x - 1", [], "x != 1"),
        ("x**2 > x", [], "x > 1"),
        ("x**2 >= 0", [], "True"),
    ],
)
def test_the_condition_is_found_and_proved_both_ways(
    claim: str, given: list[str], condition: str
) -> None:
    for found in weakest_hypothesis(claim, given):
        assert (found.condition, found.necessary) == (condition, True)
        parse(found.condition, found.latency)


def test_what_no_simple_condition_describes_is_unknown() -> None:
    (found,) = weakest_hypothesis("exists(g1)", [LINEAR])
    assert (found.condition, found.necessary) == ("", False)
    assert str(found) == "linear latency: unknown, no simple condition agrees with the claim"


def test_limits_have_no_conditions() -> None:
    with pytest.raises(ClaimSyntaxError, match="without limits"):
        weakest_hypothesis("limit(speedup, g, oo) == A")


def test_the_clock_ends_a_search_without_a_verdict() -> None:
    (found,) = weakest_hypothesis("g1 < gA2", [CONSTANT], timeout=1e-6)
    assert found.reason.startswith("out of time")


def test_the_words() -> None:
    some = WeakestHypothesis(latency="constant", condition="A > 3")
    assert str(some) == "constant latency: at least if A > 3"
