"""Results are kept while a command is incomplete, and only whole ones count."""

import os
import time
from contextlib import suppress
from pathlib import Path

import pytest

from logca.common import kept_results as module
from logca.common.kept_results import KeptResults, kept_results


@pytest.fixture(autouse=True)
def own_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))


def interrupted(answer: object, *asked: object) -> Path:
    with suppress(KeyboardInterrupt), kept_results("sum", *asked) as kept:
        kept.put(("a", 1), answer)
        raise KeyboardInterrupt
    return kept.folder


def results(folder: Path) -> list[Path]:
    return [each for each in folder.iterdir() if each.name != ".held"]


def test_what_was_interrupted_is_there_and_what_was_complete_is_not() -> None:
    folder = interrupted({"x": 3})
    with kept_results("sum") as kept:
        assert kept.get(("a", 1)) == {"x": 3}
        assert kept.get(("a", 2)) is None
    assert not folder.exists()
    with kept_results("sum") as kept:
        assert kept.get(("a", 1)) is None


def test_what_is_complete_leaves_what_another_question_has_kept() -> None:
    folder = interrupted(7, "table 4")
    with kept_results("sum", "table 6") as kept:
        assert kept.get(("a", 1)) == 7, "it may ask in part for the same"
        kept.put(("b", 1), 8)
    assert not kept.folder.exists()
    with kept_results("sum", "table 4") as kept:
        assert kept.folder == folder
        assert kept.get(("a", 1)) == 7
        assert kept.get(("b", 1)) is None
    assert [*folder.parent.iterdir()] == []


def test_of_two_that_ask_the_same_the_last_removes_what_was_kept() -> None:
    with kept_results("sum") as one:
        one.put(("a", 1), 7)
        with kept_results("sum") as other:
            other.put(("a", 2), 8)
        assert one.get(("a", 2)) == 8
    assert not one.folder.exists()


def test_one_that_is_interrupted_beside_one_that_completes_keeps_its_results() -> None:
    with suppress(KeyboardInterrupt), kept_results("sum") as one:
        one.put(("a", 1), 7)
        with kept_results("sum"):
            pass
        raise KeyboardInterrupt
    with kept_results("sum") as again:
        assert again.get(("a", 1)) == 7


def test_what_kept_nothing_leaves_nothing() -> None:
    with suppress(KeyboardInterrupt), kept_results("sum") as kept:
        raise KeyboardInterrupt
    assert not kept.folder.exists()


@pytest.mark.parametrize("damage", [b"", b"x", b"x" * 40])
def test_a_file_that_is_not_whole_does_not_count(damage: bytes) -> None:
    (file,) = results(interrupted(7))
    whole = file.read_bytes()
    for contents in (damage, whole[:-1], whole[:40] + damage, whole + b"x"):
        if contents == whole:
            continue
        file.write_bytes(contents)
        with suppress(ZeroDivisionError), kept_results("sum") as kept:
            assert kept.get(("a", 1)) is None
            raise ZeroDivisionError


def test_results_of_other_sources_do_not_count_and_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    folder = interrupted(7)
    with monkeypatch.context() as patched:
        patched.setattr(module, "_state", lambda: "another state of the sources")
        with kept_results("sum") as kept:
            assert kept.get(("a", 1)) is None
    with kept_results("sum") as kept:
        assert kept.get(("a", 1)) == 7
    assert not folder.exists()


def age(folder: Path, days: float) -> None:
    then = time.time() - days * 24 * 3600
    os.utime(folder, (then, then))


def test_what_nobody_has_come_back_to_for_a_month_goes(tmp_path: Path) -> None:
    old, young = interrupted(7, "old"), interrupted(8, "young")
    former = tmp_path / "logca" / "unfinished" / "sum-0123456789abcdef"  # with no file to lock
    former.mkdir()
    age(old, 31)
    age(young, 29)
    age(former, 31)
    with kept_results("product"):
        pass
    assert [*young.parent.iterdir()] == [young]


def test_what_a_running_command_holds_stays_however_old_it_is() -> None:
    with kept_results("sum") as running:
        running.put(("a", 1), 7)
        age(running.folder, 400)
        with kept_results("product"):
            pass
        assert running.get(("a", 1)) == 7


def test_an_old_result_of_the_same_command_is_taken_up() -> None:
    age(interrupted(7), 400)
    with kept_results("sum") as kept:
        assert kept.get(("a", 1)) == 7


def test_where_nothing_can_be_written_nothing_is_kept(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    kept = KeptResults(folder=tmp_path / "file" / "below")
    kept.put("question", 1)
    assert kept.get("question") is None
