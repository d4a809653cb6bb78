import pytest
import sympy as sp

from logca.proofs.judge import settle
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
