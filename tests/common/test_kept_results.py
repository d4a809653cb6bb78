"""Results are kept while a command is incomplete, and only whole ones count."""

from contextlib import suppress
from pathlib import Path

import pytest

from logca.common import kept_results as module
from logca.common.kept_results import KeptResults, kept_results


@pytest.fixture(autouse=True)
def own_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))


def interrupted(answer: object) -> Path:
    with suppress(KeyboardInterrupt), kept_results("sum") as kept:
        kept.put(("a", 1), answer)
        raise KeyboardInterrupt
    return kept.folder


def test_what_was_interrupted_is_there_and_what_was_complete_is_not() -> None:
    folder = interrupted({"x": 3})
    with kept_results("sum") as kept:
        assert kept.get(("a", 1)) == {"x": 3}
        assert kept.get(("a", 2)) is None
    assert not folder.exists()
    with kept_results("sum") as kept:
        assert kept.get(("a", 1)) is None


@pytest.mark.parametrize("damage", [b"", b"x", b"x" * 40])
def test_a_file_that_is_not_whole_does_not_count(damage: bytes) -> None:
    (file,) = interrupted(7).iterdir()
    whole = file.read_bytes()
    for contents in (damage, whole[:-1], whole[:40] + damage, whole + b"x"):
        if contents == whole:
            continue
        file.write_bytes(contents)
        with suppress(ZeroDivisionError), kept_results("sum") as kept:
            assert kept.get(("a", 1)) is None
            raise ZeroDivisionError


def test_results_of_other_sources_do_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    folder = interrupted(7)
    monkeypatch.setattr(module, "_state", lambda: "another state of the sources")
    with kept_results("sum") as kept:
        assert kept.get(("a", 1)) is None
    assert not folder.exists()


def test_where_nothing_can_be_written_nothing_is_kept(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    kept = KeptResults(folder=tmp_path / "file" / "below")
    kept.put("question", 1)
    assert kept.get("question") is None
