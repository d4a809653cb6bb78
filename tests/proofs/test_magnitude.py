"""Numbers too long to write out are refused or left alone, never computed."""

import pytest

from logca.proofs.judge import settle
from logca.proofs.syntax import ClaimSyntaxError, parse


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
