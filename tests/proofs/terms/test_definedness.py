"""What may not exist is neither proved of nor reasoned from."""

import math

import pytest
import sympy as sp
from effort import LAWS

from logca.proofs.engine.judge import settle
from logca.proofs.engine.problems import problem
from logca.proofs.language.parser import ClaimSyntaxError, parse
from logca.proofs.provers.effort import Effort
from logca.proofs.provers.proof_attempts import by_lemmas


@pytest.mark.parametrize("claim", ["exists(gA2)", "implies(C/L > A, exists(gA2))"])
def test_no_granularity_without_overhead_under_linear_latency(claim: str) -> None:
    given = ("latency == linear", "beta == 1", "L > 0", "C > A*L")
    decision, _ = settle((claim,), given)
    assert decision.status == "refuted"
    assert decision.counterexample is not None
    assert decision.counterexample["o"] == 0
    assert settle((claim,), (*given, "o > 0"))[0].status == "proved"


def test_a_derivative_exists_only_where_all_its_parts_do() -> None:
    statement = parse("diff(g_s_upper, o) < 0", "affine")
    assert any(isinstance(condition, sp.Ne) for _, condition in statement.defined)
    given = ("L1 > 0", "exists(g_s_upper)")
    assert settle(("diff(g_s_upper, o) < 0",), given)[0].status != "proved"
    assert settle(("diff(g_s_upper, o) < 0",), (*given, "g_s_upper > g_peak"))[0].status == "proved"


@pytest.mark.parametrize(
    "claim",
    [
        "iff(exists((beta*o/((2-beta)*L))**(1/beta)), beta < 2)",
        "implies(not exists((g1-5)**(1/2)), A > 1)",
        "exists((g1-5)**(1/2)) or not exists(log(g1-4))",
        "exists(1/g1) or exists(log(g1))",
        "implies(exists(g1), exists((g1-5)**(1/2)))",
        "newton_error_bound != 0 or beta != 1",
    ],
)
def test_what_may_not_exist_brings_no_facts_about_its_value(claim: str) -> None:
    for latency in ("constant", "linear"):
        asked = problem((claim,), ("o > 0",), latency)
        assert not all(
            by_lemmas(asked, goal, Effort(until=math.inf, units=15_000_000 if LAWS else 4_000_000))
            for _, goal in asked.goals
        )


@pytest.mark.parametrize(
    ("claim", "given"),
    [
        ("iff(exists((beta*o/((2-beta)*L))**(1/beta)), beta < 2)", ("o > 0", "L > 0")),
        ("implies(exists((g1-5)**(1/2)), exists(g1))", ()),
        ("implies(exists((g1-5)**(1/2)), g1 >= 5)", ("exists(g1)",)),
        ("implies(g1 > 5, exists((g1-5)**(1/2)))", ("exists(g1)",)),
    ],
)
def test_existence_is_shown_from_the_parts_up(claim: str, given: tuple[str, ...]) -> None:
    assert settle((claim,), given)[0].status == "proved"


@pytest.mark.parametrize(
    ("claim", "needed"),
    [
        ("speedup(g=(o/C)**(1/beta)) < 1", "o > 0"),
        ("T0(g=x - y)/T0(g=x - y) == 1", "x > y"),
    ],
)
def test_a_vanishing_argument_is_not_overlooked(claim: str, needed: str) -> None:
    assert settle((claim,), (), thorough=False)[0].status != "proved"
    assert settle((claim,), (needed,), thorough=False)[0].status == "proved"


def test_what_exists_for_all_arguments_takes_no_condition() -> None:
    for claim in ("speedup(g=2*g, o=0) > 0", "T0(g=1) == C"):
        assert len(problem((claim,), (), "constant", total=True).goals) == 1


@pytest.mark.parametrize(
    "text", ["speedup(g=7, beta=1e9) < A", "g1(o=3, L=1, C=1, A=2, beta=1e-9) > 1"]
)
def test_a_quantity_at_values_that_make_it_too_long_is_refused(text: str) -> None:
    with pytest.raises(ClaimSyntaxError, match="too many digits"):
        parse(text, "constant")


@pytest.mark.parametrize("exponent", ["beta == 1000000000", "beta == 10**9 + g"])
def test_hypotheses_that_fix_such_values_do_not_stop_the_search(exponent: str) -> None:
    decision, _ = settle(("speedup < A",), ("g == 7", exponent, "o + L0 > 0"))
    assert decision.status == "proved"
    decision, _ = settle(("speedup < 1",), ("g == 7", exponent, "o + L0 > 0"))
    assert decision.status in ("refuted", "undecided")
