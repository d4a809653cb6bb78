"""Every claim as the ledger decides it: as read by hand, and by how many methods.

The verdicts that ship are those of these very sources, which test_cache holds. So a run judges
every sixteenth claim anew; `make laws` and `make prove` judge all of them.
"""

import re
from importlib import import_module

import pytest
from effort import tried
from verdicts_by_hand import EXPECTED, READINGS, Reading

from logca.proofs.claims.catalogue import CLAIM_MODULES, all_claims
from logca.proofs.claims.claim import Claim, Verdict
from logca.proofs.engine.answer import SECONDS_PER_CLAIM
from logca.proofs.engine.judge import judge
from logca.proofs.ledger.cache import shipped

SHIPPED = shipped().entries
JUDGED = tried(all_claims(), 16 if SHIPPED else 1)


@pytest.mark.parametrize("reading", READINGS, ids=lambda reading: reading.modules[0])
def test_every_statement_is_read_by_hand_and_in_the_ledger(reading: Reading) -> None:
    modules = [f"claims.{module}" for module in reading.modules]
    assert set(modules) <= set(CLAIM_MODULES)
    claims = [c for module in modules for c in import_module(f"logca.proofs.{module}").CLAIMS]
    assert dict(reading.verdicts()).keys() == {claim.id for claim in claims}


@pytest.mark.parametrize("claim", all_claims(), ids=lambda claim: claim.id)
def test_the_verdict_that_ships_is_the_one_read_by_hand(claim: Claim) -> None:
    verdict = SHIPPED[claim.id]["verdict"].lower()
    assert verdict == EXPECTED.get(claim.id, "corrected" if claim.corrected else "proved")


@pytest.mark.parametrize("claim", JUDGED, ids=lambda claim: claim.id)
def test_two_methods_confirm_every_assertion_and_one_its_whole_domain(claim: Claim) -> None:
    judged = judge(claim)
    assert claim.id not in SHIPPED or SHIPPED[claim.id]["verdict"] == judged.verdict.name
    assert judged.verdict.value == EXPECTED.get(claim.id, judged.verdict.value), judged.failing
    if not claim.asserts:
        assert judged.verdict is Verdict.UNDECIDED
        assert re.search("prints no (parameters|numbers)", claim.argument)
        return
    assert judged.verdict is (Verdict.CORRECTED if claim.corrected else Verdict.PROVED)
    assert (judged.counterexample is not None) == (claim.corrected is not None)
    assert judged.confirmations >= 2
    assert len(judged.methods) >= 2
    assert "whole domain" in judged.methods[0].scope
    assert judged.seconds < SECONDS_PER_CLAIM
