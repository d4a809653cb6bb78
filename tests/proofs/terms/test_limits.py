from logca.proofs.engine.judge import settle

LARGE = ("latency == constant", "A > 1", "o + L > 0")


def test_an_equation_among_the_hypotheses_is_known_to_the_limit() -> None:
    decision, _ = settle(("limit(g1, A, oo) == (o + L)/C",), ("beta == 1", *LARGE))
    assert decision.status == "proved"


def test_without_the_equation_the_limit_is_another() -> None:
    decision, _ = settle(("limit(g1, A, oo) == (o + L)/C",), LARGE)
    assert decision.status == "refuted"
    decision, _ = settle(("limit(g1, A, oo) == ((o + L)/C)**(1/beta)",), LARGE)
    assert decision.status == "proved"


def test_an_equation_with_the_variable_itself_is_not_inserted() -> None:
    given = ("A*C == 3", "latency == constant", "beta == 1", "o + L > 0")
    decision, _ = settle(("limit(speedup(g=1), A, oo) == C/(o + L)",), given)
    assert decision.status == "proved"
