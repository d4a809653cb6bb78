"""Running the ledger: each claim once, nothing lost, contradictions loud."""

from contextlib import suppress
from pathlib import Path

import pytest

from logca.common.errors import ContradictionError
from logca.proofs.claims.catalogue import all_claims
from logca.proofs.claims.claim import Claim
from logca.proofs.engine import client
from logca.proofs.engine.answer import OUT_OF_TIME, Record
from logca.proofs.ledger import check

CLAIMS = [
    Claim(id=f"isca2017-eq{n}", source="altaf2017", statement=f"Number {n}.", asserts=(f"A > {n}",))
    for n in range(5)
]


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOGCA_CACHE", str(tmp_path))


def engine(
    monkeypatch: pytest.MonkeyPatch, stop_at: str = "", error: type = KeyboardInterrupt
) -> list[str]:
    """Put a stand-in in the engine's place that notes what it is asked."""
    asked: list[str] = []

    def judge(claim_id: str, timeout: float) -> Record:
        asked.append(claim_id)
        if claim_id == stop_at:
            raise error("stop")
        assert timeout <= 120
        return Record(verdict="PROVED", methods=("z3 (whole domain)",))

    monkeypatch.setattr(client, "judge", judge)
    return asked


def test_claims_are_decided_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = engine(monkeypatch)
    first, again = (list(check.decided(CLAIMS)) for _ in range(2))
    assert [claim for claim, _ in first] == CLAIMS
    assert asked == [claim.id for claim in CLAIMS]
    assert again == first


def test_all_is_decided_anew_when_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = engine(monkeypatch)
    list(check.decided(CLAIMS))
    list(check.decided(CLAIMS[:2], anew=True))
    assert asked == [claim.id for claim in (*CLAIMS, *CLAIMS[:2])]


def test_what_there_was_no_time_for_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    late = Record(verdict="UNDECIDED", failing=OUT_OF_TIME, seconds=120.0)
    open_ = Record(verdict="UNDECIDED", failing="A > 1", seconds=9.0)
    answers = iter([late, open_, late])
    monkeypatch.setattr(client, "judge", lambda claim_id, timeout: next(answers))
    assert [record for _, record in check.decided(CLAIMS[:2])] == [late, open_]
    assert [record for _, record in check.decided(CLAIMS[:2])] == [late, open_]


def test_an_interrupt_keeps_what_was_decided(monkeypatch: pytest.MonkeyPatch) -> None:
    engine(monkeypatch, stop_at=CLAIMS[3].id)
    found: dict[str, Record] = {}
    with suppress(KeyboardInterrupt):
        found.update((claim.id, record) for claim, record in check.decided(CLAIMS))
    assert list(found) == [claim.id for claim in CLAIMS[:3]]
    asked = engine(monkeypatch)
    list(check.decided(CLAIMS))
    assert asked == [claim.id for claim in CLAIMS[3:]]


def test_a_contradiction_stops_the_run_and_names_the_claim(monkeypatch: pytest.MonkeyPatch) -> None:
    engine(monkeypatch, stop_at=CLAIMS[1].id, error=ContradictionError)
    with pytest.raises(ContradictionError, match=r"isca2017-eq1: stop"):
        list(check.decided(CLAIMS))


def test_one_claim_for_real() -> None:
    claim = next(claim for claim in all_claims() if claim.id.endswith("eq1"))
    [(_, record)] = check.decided([claim], anew=True)
    assert record.verdict == "PROVED"
    assert any("whole domain" in method for method in record.methods)
    client.close()


def test_papers_are_told_apart() -> None:
    titles = list(check.by_paper(all_claims()))
    assert titles[:2] == [check.PAPERS["cal2015"], check.PAPERS["isca2017"]]
    assert sum(map(len, check.by_paper(all_claims()).values())) == len(all_claims())
