"""The tree names no path of somebody's machine and no host of a package index."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from rooms import ROOT

LOCAL = re.compile(
    r"(?<![\w.])/(?:work|tmp|root|home|Users)/|\b[A-Z]:\\\\?Users\b"
    r"|\bpypi\.[a-z]|\bpythonhosted\.|\bregistry\.npmjs\.|--(?:extra-)?index-url",
    flags=re.ASCII,
)
GENERATED = re.compile(r"build|dist|node_modules|__pycache__|.*\.egg-info|package-lock\.json|\..+")
KEPT = {".ci", ".gitignore"}


def files(folder: Path) -> Iterator[Path]:
    """Every file of the tree that is not generated."""
    for entry in sorted(os.scandir(folder), key=lambda entry: entry.name):
        if GENERATED.fullmatch(entry.name) and entry.name not in KEPT:
            continue
        if entry.is_dir(follow_symlinks=False):
            yield from files(Path(entry))
        else:
            yield Path(entry)


def test_no_machine_paths() -> None:
    found = {}
    for path in files(ROOT):
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
        for number, line in enumerate(lines, start=1):
            if path != Path(__file__) and LOCAL.search(line):
                found[f"{path.relative_to(ROOT)}:{number}"] = line.strip()
    assert found == {}


@pytest.mark.parametrize(
    "line", ["cd /" + "home/me/logca", "see '/" + "tmp/x'", "C:\\" + "Users\\me"]
)
def test_the_check_sees_a_path(line: str) -> None:
    assert LOCAL.search(line)


@pytest.mark.parametrize("line", ["https://example.org/home/page", "a/work/b", "w * tmp/x"])
def test_the_check_lets_the_rest_pass(line: str) -> None:
    assert not LOCAL.search(line)
