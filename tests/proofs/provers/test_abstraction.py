"""Statements over the reals: roots whose exponent is an expression, not a symbol."""

import pytest
from effort import tried

from logca.proofs.engine.judge import settle


@pytest.mark.parametrize("given", tried([("beta <= 1",), ("beta > 1",)], 2))
def test_a_root_with_a_reciprocal_exponent_solves_its_equation(given: tuple[str, ...]) -> None:
    hypotheses = ("latency == affine", "exists(cutoff_L_from)", *given)
    assert settle(("gain_L(g=cutoff_L_from) == q",), hypotheses)[0].status == "proved"
    assert settle(("gain_L(g=cutoff_L_from) > q + 1",), hypotheses)[0].status == "refuted"


def test_such_a_root_rises_or_falls_through_the_line_as_it_says() -> None:
    given = ("latency == affine", "exists(cutoff_L_from)", "exists(cutoff_L_from_upper)")
    decision, _ = settle(("cutoff_L_from <= cutoff_L_from_upper",), (*given, "beta > 1"))
    assert decision.status == "proved"


def test_a_granularity_to_touch_is_not_taken_to_exist() -> None:
    given = ("beta < 1", "o + L0 > 0")
    decision, _ = settle(("L1 > 0 or speedup == 0",), given, ("g_peak",))
    assert decision.status == "refuted"
