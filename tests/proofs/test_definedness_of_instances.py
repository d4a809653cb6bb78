"""A quantity must exist with what is inserted for its symbols, not only with its symbols."""

import pytest

from logca.proofs.judge import settle
from logca.proofs.question import problem


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
