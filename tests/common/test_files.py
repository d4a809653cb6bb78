"""Files written as a whole: rights of new files and of old ones."""

import os
from pathlib import Path

import pytest

from logca.common.files import read_text, read_whole, write_new


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


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="not the administrator")
def test_a_file_that_the_administrator_replaces_keeps_its_owner(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_text("old")
    os.chown(path, 12, 34)
    write_new("new", path, force=True)
    assert (path.stat().st_uid, path.stat().st_gid) == (12, 34)
