"""Marks of verdicts."""

from logca.api.display import VERDICTS, mark
from logca.proofs.claims.claim import Verdict


def test_every_verdict_has_a_mark() -> None:
    assert set(VERDICTS) == set(Verdict)
    assert len({str(mark(verdict.name)) for verdict in Verdict}) == len(Verdict)
