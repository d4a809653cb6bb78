import pytest

from logca.proofs.engine.ask import ask
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


NEVER_NEAR_THE_LIMIT = (
    # the break-even o/(C (1 - 1/A) - L) of linear work: C may be less than L
    ("limit(g1, A, oo) > 0", ("latency == linear",)),
    ("limit(g1, L, oo) == 1", ("latency == linear", "beta == 1", "o > L", "L > 0")),
    ("limit(g1, L, oo) == 0", ("latency == linear", "beta == 1")),
    # half of the acceleration is reached below C = A L only
    ("limit(gA2, L, oo) == oo", ("A > 1",)),
    ("limit(gA2, C, 0) > 0", ("beta == 1/2", "A > 2")),
    # there is none for an acceleration below one
    ("limit(g1, A, 0) == 0", ("latency == constant", "beta == 1")),
    ("limit(g1, A, 1) == oo", ("latency == linear", "beta == 1")),
)


@pytest.mark.parametrize(("claim", "given"), NEVER_NEAR_THE_LIMIT)
def test_a_limit_of_what_does_not_exist_near_it_is_no_counterexample(
    claim: str, given: tuple[str, ...]
) -> None:
    assert ask(claim, given).verdict == "undecided"


def test_a_limit_of_what_exists_near_it_is_decided() -> None:
    linear = ("latency == linear", "beta == 1")
    assert ask("limit(g1, A, oo) == o/(C - L)", linear).verdict == "proved"
    assert ask("limit(g1, C, oo) == 0", linear).verdict == "proved"
    found = ask("limit(g1, A, oo) == o/C", linear)
    assert found.verdict == "refuted"
    assert found.counterexample["C"] > found.counterexample["L"]


def test_an_upper_root_goes_to_infinity_as_the_line_flattens() -> None:
    """With x = sqrt(g), C x/2 = o + L x**2: the greater root is about C/(2 L)."""
    given = ("latency == linear", "beta == 1/2", "o > 0", "A == 2")
    assert ask("limit(g1_upper, L, 0) == oo", given).verdict == "proved"
    assert ask("limit(gA2_upper, L, 0) == oo", (*given[::2], "beta < 1")).verdict == "proved"
    for claim in ("limit(g1_upper, L, 0) == 4*o**2/C**2", "limit(g1_upper, L, 0) < oo"):
        assert ask(claim, given).verdict == "refuted"
    assert ask("limit(g1, L, 0) == 4*o**2/C**2", given).verdict == "proved"


def test_a_limit_that_is_no_real_number_is_none() -> None:
    assert ask("limit(entropy, beta, oo) > 0").verdict == "undecided"
