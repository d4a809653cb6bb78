"""Verdicts on disk: found by content, never in the way."""

import json
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import logca.derive
import logca.proofs
from logca.proofs.claims.catalogue import CLAIM_MODULES, all_claims
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


def keep(record: Record = RECORD) -> cache.Verdicts:
    verdicts = cache.Verdicts()
    verdicts.put(CLAIM, record)
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


@pytest.fixture
def copies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, Path]]:
    """The rooms that the stamp covers, as copies that a test may change."""
    folders = {}
    for room in (logca.derive, logca.proofs):
        [source] = map(Path, room.__path__)
        copy = tmp_path / room.__name__
        shutil.copytree(source, copy, ignore=shutil.ignore_patterns("__pycache__"))
        monkeypatch.setattr(room, "__path__", [str(copy)])
        folders[room.__name__] = copy
    cache.sources.cache_clear()
    yield folders
    cache.sources.cache_clear()


def test_a_byte_changed_in_formulas_or_provers_is_another_source(copies: dict[str, Path]) -> None:
    before = cache.sources()
    proofs = copies["logca.proofs"]
    claims = {proofs / f"{name.replace('.', '/')}.py" for name in CLAIM_MODULES}
    files = [path for folder in copies.values() for path in sorted(folder.rglob("*.py"))]
    assert claims <= set(files)
    for path in files:
        text = path.read_bytes()
        path.write_bytes(text + b"\n")
        cache.sources.cache_clear()
        same = path in claims or path.is_relative_to(proofs / "ledger")
        assert (cache.sources() == before) == same, path
        path.write_bytes(text)


def test_line_ends_of_a_checkout_do_not_matter(copies: dict[str, Path]) -> None:
    before = cache.sources()
    for path in copies["logca.derive"].rglob("*.py"):
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    cache.sources.cache_clear()
    assert cache.sources() == before


def test_the_shipped_verdicts_are_those_of_the_sources() -> None:
    """`make prove` writes them; test_verdicts holds each of them to what the provers find now."""
    known = cache.shipped()
    assert list(known.entries) == [claim.id for claim in all_claims()], "run `make prove`"
    assert all(cache.Verdicts().is_shipped(claim) for claim in all_claims()), "run `make prove`"
    assert set(known.by) == {"python", *cache._LIBRARIES}


@pytest.fixture
def own_ledger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Ship to a file of the test's own."""
    monkeypatch.setattr(cache, "SHIPPED", tmp_path / "shipped.json")
    return tmp_path / "shipped.json"


def test_what_is_shipped_is_found_under_any_solver(
    own_ledger: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache.ship({CLAIM: RECORD}, "2026-01-02")
    monkeypatch.setattr(cache, "_version", lambda name: "another")
    cache.engine.cache_clear()
    assert kept() == RECORD
    assert cache.Verdicts().is_shipped(CLAIM)
    assert cache.shipped().decided == "2026-01-02"
    cache.engine.cache_clear()


def test_what_is_shipped_of_another_claim_or_source_is_not_taken(
    own_ledger: Path, copies: dict[str, Path]
) -> None:
    cache.ship({CLAIM: RECORD}, "2026-01-02")
    changed = replace(CLAIM, asserts=("A > 1",))
    assert cache.Verdicts().get(changed) is None
    assert not cache.Verdicts().is_shipped(changed)
    (copies["logca.derive"] / "new.py").write_text("")
    cache.sources.cache_clear()
    assert kept() is None
    assert cache.shipped().entries == {}


def test_what_is_decided_here_stands_before_what_is_shipped(own_ledger: Path) -> None:
    cache.ship({CLAIM: replace(RECORD, failing="A > 2")}, "2026-01-02")
    verdicts = keep()
    assert verdicts.get(CLAIM) == RECORD
    assert not verdicts.is_shipped(CLAIM)


def test_what_is_open_here_is_decided_by_what_is_shipped(own_ledger: Path) -> None:
    is_open = replace(RECORD, verdict="UNDECIDED")
    assert keep(is_open).get(CLAIM) == is_open
    cache.ship({CLAIM: RECORD}, "2026-01-02")
    verdicts = cache.Verdicts()
    assert verdicts.get(CLAIM) == RECORD
    assert verdicts.is_shipped(CLAIM)


def test_shipping_again_keeps_what_differs_in_time_only(own_ledger: Path) -> None:
    cache.ship({CLAIM: RECORD}, "2026-01-02")
    before = own_ledger.read_bytes()
    cache.ship({CLAIM: replace(RECORD, seconds=9.0)}, "2026-01-02")
    assert own_ledger.read_bytes() == before
    cache.ship({CLAIM: replace(RECORD, verdict="PROVED")}, "2026-01-02")
    assert own_ledger.read_bytes() != before


@pytest.mark.parametrize("broken", [b"", b"{", b"[]", b"null", b'{"sources": "x"}', b"\xff"])
def test_a_broken_shipped_file_counts_as_empty(own_ledger: Path, broken: bytes) -> None:
    own_ledger.write_bytes(broken)
    assert kept() is None
