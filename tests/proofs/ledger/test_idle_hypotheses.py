"""Hypotheses bear load: a sample of the claims; `idle_hypotheses` as a program tries all."""

import pytest
from effort import LAWS

from logca.proofs.claims.catalogue import all_claims
from logca.proofs.claims.claim import Claim
from logca.proofs.ledger.idle_hypotheses import idle_hypotheses

SAMPLE = all_claims()[::10] if LAWS else all_claims()[40::80]


@pytest.mark.parametrize("claim", SAMPLE, ids=lambda claim: claim.id)
def test_none_can_be_dropped(claim: Claim) -> None:
    assert idle_hypotheses(claim) == ()


def test_an_idle_one_is_named() -> None:
    claim = Claim(
        id="example",
        source="altaf2017",
        statement="The speedup grows with the acceleration.",
        given=("L > 1", "A > 2"),
        asserts=("speedup(A=2*A) > 1 or A > 1",),
    )
    assert idle_hypotheses(claim) == ("L > 1",)
