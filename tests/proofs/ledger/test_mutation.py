"""The ledger notices: a sample of all mutants; `make mutation` tries every one."""

import pytest
from effort import LAWS

from logca.derive.core.catalogue import LOGCA, all_formulas
from logca.derive.core.formula import Formula
from logca.proofs.claims.catalogue import all_claims
from logca.proofs.ledger.mutation import killer, mutants

FORMULAS = [
    formula for formula in all_formulas(LOGCA) if any(c.isalnum() for c in str(formula.expr))
]
_EVERY = 7 if LAWS else 56


@pytest.mark.parametrize("formula", FORMULAS[::_EVERY], ids=lambda formula: formula.name)
def test_a_mutant_of_each_kind_turns_a_claim_red(formula: Formula) -> None:
    kinds = {}
    for mutant in mutants(formula):
        kinds.setdefault(mutant.change.partition(" at ")[0], mutant)
    for mutant in kinds.values():
        assert killer(mutant, all_claims()), mutant.change


def test_a_formula_that_no_claim_mentions_would_be_noticed() -> None:
    formula = FORMULAS[0]
    mutant = next(mutants(formula))
    others = [claim for claim in all_claims() if claim.id == "ext-ceilings-acceleration"]
    assert not killer(mutant, others)
