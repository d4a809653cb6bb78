"""Where a derivative exists: not decided by its formula alone, where that asks for more."""

import pytest
import sympy as sp

from logca.derive.core.symbols import o
from logca.proofs.language.parser import parse
from logca.proofs.language.syntax import ClaimSyntaxError


@pytest.mark.parametrize(
    "claim", ["exists(diff(o**beta, o))", "not exists(1 + diff(o*sqrt(o + L), o))"]
)
def test_what_may_exist_without_its_formula_is_no_question(claim: str) -> None:
    with pytest.raises(ClaimSyntaxError, match="may exist where its formula does not"):
        parse(claim, "constant")


def test_what_stands_beside_a_derivative_is_one() -> None:
    found = parse("diff(o**beta, o) > 0 and exists(1/o)", "constant")
    assert sp.Ne(o, 0) in found.formula.args
    assert parse("exists(diff(A**2, A))", "constant").formula is sp.true
