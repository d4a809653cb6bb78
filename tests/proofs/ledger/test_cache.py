"""Verdicts on disk: found by content, never in the way."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from logca.proofs.claims.claim import Claim, Correction
from logca.proofs.engine.answer import Record
from logca.proofs.ledger import cache

CLAIM = Claim(id="one", source="logca2026", statement="A is positive.", asserts=("A > 0",))
RECORD = Record(
    verdict="CORRECTED",
    methods=("z3 (whole domain)",),
    counterexample={"A": "1/3", "latency": "linear"},
    failing="A > 1",
    seconds=0.5,
)


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LOGCA_CACHE", str(tmp_path / "deep" / "cache"))
    return tmp_path / "deep" / "cache"


def kept() -> Record | None:
    return cache.Verdicts().get(CLAIM)


def keep() -> cache.Verdicts:
    verdicts = cache.Verdicts()
    verdicts.put(CLAIM, RECORD)
    verdicts.save()
    return verdicts


def test_what_is_kept_is_found_again() -> None:
    assert kept() is None
    keep()
    assert kept() == RECORD


def test_nothing_is_written_before_there_is_something_new(own_folder: Path) -> None:
    verdicts = cache.Verdicts()
    verdicts.get(CLAIM)
    verdicts.save()
    assert not own_folder.exists()


@pytest.mark.parametrize(
    "changed",
    [
        replace(CLAIM, asserts=("A >= 0",)),
        replace(CLAIM, given=("A > 1",)),
        replace(CLAIM, touch=("g1",)),
        replace(CLAIM, corrected=Correction(statement="", asserts=("A > 0",))),
    ],
)
def test_another_claim_is_not_mistaken_for_it(changed: Claim) -> None:
    keep()
    assert cache.Verdicts().get(changed) is None


def test_words_about_a_claim_do_not_matter() -> None:
    keep()
    assert cache.Verdicts().get(replace(CLAIM, id="two", statement="x", argument="y")) == RECORD


@pytest.mark.parametrize(
    "broken",
    [
        b"",
        b"{",
        b"\xff\xfe\x00",
        b"[]",
        b"null",
        b'{"stamp": "other", "entries": {}}',
        b'{"entries": {}}',
    ],
)
def test_a_broken_file_counts_as_empty_and_is_replaced(broken: bytes) -> None:
    path = keep().path
    path.write_bytes(broken)
    assert kept() is None
    keep()
    assert kept() == RECORD


@pytest.mark.parametrize("broken", [None, 1, [], {}, {"verdict": 3}, {"verdict": "PROVED", "x": 1}])
def test_a_broken_entry_counts_as_missing(broken: object) -> None:
    path = keep().path
    stored = json.loads(path.read_text(encoding="utf-8"))
    stored["entries"] = dict.fromkeys(stored["entries"], broken)
    path.write_text(json.dumps(stored), encoding="utf-8")
    assert kept() is None


def test_nothing_half_written_stays(own_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    keep()
    monkeypatch.setattr(json, "dump", fail)
    with pytest.raises(KeyboardInterrupt):
        keep()
    assert [path.suffix for path in own_folder.iterdir()] == [".json"]
    monkeypatch.undo()


def test_a_folder_that_cannot_be_written_costs_only_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("LOGCA_CACHE", str(tmp_path / "file" / "below"))
    keep()
    assert kept() is None


def test_another_engine_keeps_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    keep()
    cache.engine.cache_clear()
    monkeypatch.setattr(cache, "_version", lambda name: "another")
    assert kept() is None
    cache.engine.cache_clear()
    monkeypatch.undo()


def test_only_some_engines_are_remembered(own_folder: Path) -> None:
    for number in range(20):
        cache.write(own_folder / f"verdicts-{number}.json", "stamp", {})
    keep()
    assert len(list(own_folder.glob("verdicts-*.json"))) <= 8
    assert kept() == RECORD


def test_books_are_not_part_of_the_engine() -> None:
    from logca.proofs.claims.catalogue import BOOKS

    assert BOOKS
    folder = Path(cache.__file__).parent
    assert all((folder / f"{book}.py").exists() for book in BOOKS)
