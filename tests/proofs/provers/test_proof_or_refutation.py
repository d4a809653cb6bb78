from logca.proofs.engine.judge import settle


def test_an_unjustified_limit_is_open_and_not_refuted() -> None:
    decision, _ = settle(("limit(T1, g, 0) == o + L0",), ())
    assert decision.status == "undecided"
    assert decision.counterexample is None


def test_a_wrong_limit_is_refuted_where_it_is_justified() -> None:
    decision, latency = settle(("limit(T1, g, 0) == o",), ("beta == 1",))
    assert (decision.status, latency) == ("refuted", "constant")
    assert decision.counterexample is not None
    assert decision.counterexample["L"] > 0
    # C and A are gone once the limit is evaluated, but the statement has them
    assert list(decision.counterexample) == ["o", "L", "C", "A", "beta"]


def test_a_known_exponent_turns_roots_into_closed_forms() -> None:
    given = ("beta == 1", "o > 0", "L > 0", "r > 1", "exists(g1(L=r*L))")
    decision, _ = settle(("g1(L=r*L) > g1",), given)
    assert decision.status == "proved"
