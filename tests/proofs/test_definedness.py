import pytest

from logca.proofs.judge import settle


@pytest.mark.parametrize("claim", ["exists(gA2)", "implies(C/L > A, exists(gA2))"])
def test_no_granularity_without_overhead_under_linear_latency(claim: str) -> None:
    given = ("latency == linear", "beta == 1", "L > 0", "C > A*L")
    decision, _ = settle((claim,), given)
    assert decision.status == "refuted"
    assert decision.counterexample is not None
    assert decision.counterexample["o"] == 0
    assert settle((claim,), (*given, "o > 0"))[0].status == "proved"
