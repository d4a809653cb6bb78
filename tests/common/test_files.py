"""Files written as a whole: rights of new files and of old ones."""

import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import IO

import pytest

from logca.common.files import (
    MOST_SOURCE_B,
    lock,
    locked_beside,
    read_text,
    read_whole,
    remove_dead,
    source_text,
    write_new,
)


@pytest.mark.skipif(os.name != "posix", reason="rights of files are those of POSIX")
@pytest.mark.parametrize(("mask", "mode"), [(0o022, 0o644), (0o077, 0o600)])
def test_a_new_file_has_the_rights_that_the_user_gives_new_files(
    tmp_path: Path, mask: int, mode: int
) -> None:
    before = os.umask(mask)
    try:
        write_new("new", tmp_path / "x", force=False)
    finally:
        os.umask(before)
    assert (tmp_path / "x").stat().st_mode & 0o777 == mode


@pytest.mark.skipif(os.name != "posix", reason="rights of files are those of POSIX")
def test_a_file_that_is_replaced_keeps_its_rights(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_text("old")
    path.chmod(0o640)
    write_new(b"new", path, force=True)
    assert (path.read_text(), path.stat().st_mode & 0o777) == ("new", 0o640)
    assert list(tmp_path.iterdir()) == [path]


def test_text_has_line_feeds_whatever_ends_its_lines(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"\xef\xbb\xbfa\r\nb\rc\n")
    assert read_text(path, "utf-8-sig") == "a\nb\nc\n"


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="the system has no endless file")
def test_an_endless_file_is_refused() -> None:
    with pytest.raises(OSError, match="it has more than 1 MiB"):
        read_whole("/dev/zero", 1 << 20)


def test_a_source_has_line_feeds_and_may_be_in_any_encoding(tmp_path: Path) -> None:
    path = tmp_path / "x.c"
    path.write_bytes(b"int a;\r\n// \xe9\rint b;\n")
    assert source_text(path) == "int a;\n// \ufffd\nint b;\n"
    assert source_text(path, "surrogateescape") == "int a;\n// \udce9\nint b;\n"


def test_what_is_no_file_or_too_large_has_no_text(tmp_path: Path) -> None:
    large = tmp_path / "large.c"
    with large.open("wb") as file:
        file.truncate(MOST_SOURCE_B)
    assert len(source_text(large) or "") == MOST_SOURCE_B
    os.truncate(large, MOST_SOURCE_B + 1)
    for path in (large, tmp_path, tmp_path / "missing.c", "a\0b.c", "/dev/zero"):
        assert source_text(path) is None


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
@pytest.mark.parametrize("swapped", [False, True])
def test_a_pipe_is_not_waited_for(
    tmp_path: Path, swapped: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "x.c"
    os.mkfifo(path)
    if swapped:  # it was a file when it was looked at, and is a pipe when it is opened
        (tmp_path / "before.c").touch()
        before = os.stat(tmp_path / "before.c")
        monkeypatch.setattr(os, "stat", lambda _path: before)
    found: list[str | None] = []
    reader = threading.Thread(target=lambda: found.append(source_text(path)), daemon=True)
    reader.start()
    reader.join(10)
    monkeypatch.undo()
    assert found == [None]


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="the system has no such files")
def test_no_more_is_read_than_a_file_says_that_it_has() -> None:
    assert source_text("/proc/self/maps") == ""


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="not the administrator")
def test_a_file_that_the_administrator_replaces_keeps_its_owner(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_text("old")
    os.chown(path, 12, 34)
    write_new("new", path, force=True)
    assert (path.stat().st_uid, path.stat().st_gid) == (12, 34)


HOLDS = """
import sys, time
from pathlib import Path
from logca.common.files import locked_beside

with locked_beside(Path(sys.argv[1]), "part") as (part, file):
    print(part.name, flush=True)
    time.sleep(600)
"""


@pytest.mark.skipif(os.name != "posix", reason="the system has no locks that tell")
def test_only_what_a_killed_process_left_behind_is_removed(tmp_path: Path) -> None:
    place = tmp_path / "x.csv"
    alien = f".x.csv.{'0' * 31}g.part", f".x.csv.{'0' * 32}.other", f".y.csv.{'0' * 32}.part"
    for name in alien:
        (tmp_path / name).touch()
    (tmp_path / f".x.csv.{'1' * 32}.part").mkdir()
    (tmp_path / f".x.csv.{'2' * 32}.part").symlink_to(tmp_path / alien[0])
    others = sorted(tmp_path.iterdir())
    holders = [
        subprocess.Popen([sys.executable, "-c", HOLDS, str(place)], stdout=subprocess.PIPE)
        for _ in range(2)
    ]
    try:
        dead, running = (
            tmp_path / (each.stdout.readline().decode().strip() if each.stdout else "")
            for each in holders
        )
        remove_dead(place, "part")
        assert sorted(tmp_path.iterdir()) == sorted([*others, dead, running])
        holders[0].kill()
        holders[0].wait()
        remove_dead(place, "part")
        assert sorted(tmp_path.iterdir()) == sorted([*others, running])
    finally:
        for each in holders:
            each.kill()
            each.communicate()


def test_a_file_taken_for_a_dead_one_before_it_was_locked_is_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken: list[Path] = []

    def lock_late(file: IO[bytes]) -> bool:
        if not taken:
            taken.append(Path(file.name))
            taken[0].unlink()
        return lock(file)

    monkeypatch.setattr("logca.common.files.lock", lock_late)
    with locked_beside(tmp_path / "x", "part") as (part, file):
        file.write(b"new")
        file.flush()
        assert part != taken[0]
        assert [*tmp_path.iterdir()] == [part]
        assert part.read_bytes() == b"new"
    assert not [*tmp_path.iterdir()]
