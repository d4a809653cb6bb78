"""Every command and every line of Python in README and docs works, in the order they stand.

A page runs in a folder that is like a fresh clone. The word behind ``` says how:

- ``sh``, ``console``, ``python``: run; in a ``console`` what stands below a command is its output,
  in which ``...`` stands for anything
- ``times`` behind it: the output has times that this machine takes, which stand for any
- ``minutes`` behind it: takes minutes; run by ``make commands``
- ``setup`` behind it: installs, or is for other machines; not run
- ``file=NAME``: the text is written to that file first
"""

import os
import re
import shlex
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from rooms import ROOT

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
MINUTES = bool(os.environ.get("LOGCA_MINUTES"))
TIMES = r"[\d.,]+ (?:ns|µs|ms|s)\b"

Run = Callable[..., tuple[int, str, str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fence:
    """A block of a page."""

    line: int
    language: str
    words: tuple[str, ...]
    text: str


def fences(page: Path) -> Iterator[Fence]:
    text = page.read_text(encoding="utf-8")
    for found in re.finditer(r"^( *)```(\w+)([^\n]*)\n(.*?)^\1```$", text, re.M | re.S):
        indent, language, words, inside = found.groups()
        yield Fence(
            line=text.count("\n", 0, found.start()) + 1,
            language=language,
            words=tuple(words.split()),
            text=re.sub(f"^{indent}", "", inside, flags=re.M),
        )


def commands(fence: Fence) -> Iterator[tuple[list[str], str]]:
    """Commands of a block, each with the output that stands below it."""
    whole = fence.text.replace("\\\n", " ")
    if fence.language == "sh":
        for line in whole.splitlines():
            if words := shlex.split(line, comments=True):
                yield words, ""
        return
    for part in re.split(r"^\$ ", whole, flags=re.M)[1:]:
        command, _, output = part.partition("\n")
        yield shlex.split(command, comments=True), output


def pattern(shown: str, *, times: bool = False) -> str:
    """Regular expression of an output: any blanks, anything for `...`, any times if asked."""
    if times:
        shown = re.sub(TIMES, "<time>", shown)
    text = r"\s+".join(map(re.escape, shown.split()))
    return text.replace("<time>", TIMES).replace(r"\.\.\.", r"[\s\S]*?")


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder like a fresh clone: what is written beside its folders stays in it."""
    for entry in ("examples", "docs", "gpu", "benchmarks"):
        (tmp_path / entry).symlink_to(ROOT / entry)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_does_what_it_shows(page: Path, clone: Path, run: Run) -> None:
    names: dict[str, object] = {}
    for fence in fences(page):
        where = f"{page.name}:{fence.line}"
        for word in fence.words:
            if word.startswith("file="):
                Path(word.removeprefix("file=")).write_text(fence.text, encoding="utf-8")
        if "setup" in fence.words or ("minutes" in fence.words and not MINUTES):
            continue
        if fence.language == "python":
            code = compile("\n" * fence.line + fence.text, page, "exec")
            exec(code, names)
        elif fence.language in ("sh", "console"):
            for words, shown in commands(fence):
                assert words[0] == "logca", f"{where}: {words[0]} is not run here: mark it `setup`"
                status, out, err = run(*words[1:])
                assert status == 0, f"{where}: {shlex.join(words)}\n{err}"
                assert "Traceback" not in err
                if shown:
                    told = pattern(shown, times="times" in fence.words)
                    assert re.match(rf"\s*{told}\s*$", out), f"{where}: {out}"


def test_a_page_has_no_block_of_an_unknown_kind() -> None:
    known = {"sh", "console", "python", "c", "toml", "json", "sql", "text", "csv"}
    marks = re.compile(r"setup|minutes|times|file=[\w.-]+")
    for page in PAGES:
        for fence in fences(page):
            assert fence.language in known, f"{page.name}:{fence.line}: {fence.language}"
            for word in fence.words:
                assert marks.fullmatch(word), f"{page.name}:{fence.line}: {word}"


def test_an_output_that_is_not_the_one_shown_is_noticed() -> None:
    shown = "speedup  1.2\n...\nfound in 3.1 ms\n"
    assert re.match(pattern(shown, times=True), "speedup 1.2\nmore\nfound in 12 µs")
    assert not re.match(pattern(shown, times=True), "speedup 1.3\nmore\nfound in 12 µs")
    assert not re.match(pattern(shown), "speedup 1.2\nmore\nfound in 12 µs")
