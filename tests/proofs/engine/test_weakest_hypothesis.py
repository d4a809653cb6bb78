"""Weakest hypotheses: those that the model's theorems name, in the language of claims."""

import pytest

from logca.proofs.engine.answer import NO_QUESTION, WeakestHypothesis
from logca.proofs.engine.ask import ask
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


@pytest.mark.parametrize(
    ("claim", "given"),
    [
        ("root_three > root_two", []),
        ("A < 1", ["A < 1", "A > 2"]),
        ("A > 3", ["beta < 0"]),
        ("g1 < 1", ["A == 1"]),
        ("speedup > 1", ["A < 1", "A >= 1"]),
        ("g1 < gA2", ["1 < 0"]),
        ("share_L > gA2", ["A == 1", "g == g1"]),
        # SymPy has no Min or Max of what has no real value where the hypotheses would hold
        ("max(1, log(A)) >= 1", ["A <= 0"]),
        ("min(3, log(C)) <= 0.1/C", ["C <= 0"]),
        ("(max(T1, A) + (L + L)) > (s + C)*10", ["A < 0", "g == 1", "latency == constant"]),
        ("max(1, log(C - 2) + A) >= 1", ["C <= 1"]),
        ("max(1, log(A - C)) >= 1", ["A <= C - 1", "C <= 1"]),
        ("max(1, log(beta - 1)) >= 1", ["beta == 1/2"]),
    ],
)
def test_where_nothing_is_there_to_speak_of_there_is_no_question(
    claim: str, given: list[str]
) -> None:
    for found in weakest_hypothesis(claim, given):
        assert (found.condition, found.necessary, found.reason) == ("", False, NO_QUESTION)
        assert "always" not in str(found)
    assert ask(claim, given).reason == NO_QUESTION


@pytest.mark.parametrize(("claim", "given"), [("A > 1", ["A < 1"]), ("x**2 < 0", [])])
def test_what_never_holds_is_said_to_never_hold(claim: str, given: list[str]) -> None:
    for found in weakest_hypothesis(claim, given):
        assert (found.condition, found.necessary) == ("False", True)
        assert str(found) == f"{found.latency} latency: never"


@pytest.mark.parametrize(
    ("claim", "given"),
    [
        ("g1 <= 5", []),
        ("g1 < gA2", []),
        ("g >= g1", [LINEAR, "beta < 1"]),
        ("abs(x - 1) < min(A, 2)", ["A > 1"]),
    ],
)
def test_conditions_are_in_the_claim_language(claim: str, given: list[str]) -> None:
    for found in weakest_hypothesis(claim, given):
        if found.condition:
            parse(found.condition, found.latency)


def test_limits_have_no_conditions() -> None:
    with pytest.raises(ClaimSyntaxError, match="without limits"):
        weakest_hypothesis("limit(speedup, g, oo) == A")


def test_the_clock_ends_a_search_without_a_verdict() -> None:
    (found,) = weakest_hypothesis("g1 < gA2", [CONSTANT], timeout=1e-6)
    assert found.reason.startswith("out of time")


def test_the_words() -> None:
    some = WeakestHypothesis(latency="constant", condition="A > 3")
    assert str(some) == "constant latency: at least if A > 3"
