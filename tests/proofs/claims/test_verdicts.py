"""Every claim as the ledger decides it: proved or corrected, and by how many methods."""

import pytest

from logca.proofs.claims.catalogue import all_claims
from logca.proofs.claims.claim import Claim, Verdict
from logca.proofs.engine.judge import judge

_SECONDS = 15


@pytest.mark.parametrize("claim", all_claims(), ids=lambda claim: claim.id)
def test_two_methods_confirm_every_assertion_and_one_its_whole_domain(claim: Claim) -> None:
    found = judge(claim)
    if not claim.asserts:
        assert found.verdict is Verdict.UNDECIDED
        assert claim.argument
        return
    assert found.verdict is (Verdict.CORRECTED if claim.corrected else Verdict.PROVED)
    assert (found.counterexample is not None) == (claim.corrected is not None)
    assert found.confirmations >= 2
    assert "whole domain" in found.methods[0].scope
    assert found.seconds < _SECONDS
