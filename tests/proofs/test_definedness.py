import time

import pytest
import sympy as sp

from logca.proofs.decide import by_lemmas
from logca.proofs.judge import settle
from logca.proofs.question import problem
from logca.proofs.syntax import parse


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
        proofs = [by_lemmas(asked, goal, time.monotonic() + 5) for _, goal in asked.goals]
        assert not all(proofs)


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
