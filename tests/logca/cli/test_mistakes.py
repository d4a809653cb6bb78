"""Mistakes and what is told: one line that names what was typed and what to write instead.

They are listed in mistakes.toml. All of them as a table in Markdown, with whole messages:
``python tests/logca/cli/test_mistakes.py``.
"""

import re
import shlex
import tomllib
from collections.abc import Callable, Iterator
from contextlib import chdir, redirect_stderr, redirect_stdout, suppress
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import pytest

from logca.cli.options.programs import note_unused

Run = Callable[..., tuple[int, str, str]]

TABLE: dict[str, dict[str, Any]] = tomllib.loads(
    Path(__file__).with_name("mistakes.toml").read_text(encoding="utf-8")
)
FILES = TABLE.pop("files")
LONGEST = 300  # characters of a message [1]


def write_files(folder: Path) -> None:
    for name, text in FILES.items():
        if name.endswith("/"):
            (folder / name).mkdir()
        else:
            (folder / name).write_text(text, encoding="utf-8")


def mistakes(verb: str) -> Iterator[tuple[list[str], str, int]]:
    """Words of the command line, what must be said, exit status."""
    for line, told in TABLE[verb].items():
        says, status = (told, 2) if isinstance(told, str) else (told["says"], told["status"])
        yield [*([verb] if verb != "logca" else []), *shlex.split(line)], says, status


MISSING = re.compile(r"^name an? |\b(needs?|lacks|missing|depends on)\b")


def names_what_was_typed(words: list[str], message: str) -> bool:
    """Whether a word or a part of one is in the message, or it says what is missing."""
    parts = {part for word in words for part in (word, *re.split(r"[=:,/. -]", word)) if part}
    quoted = re.findall(r"'(\S+?)'", message)
    return (
        any(part in message for part in parts - {*TABLE})
        or any(each in " ".join(words) for each in quoted)
        or MISSING.search(message) is not None
        or "" in words
    )


def contains(message: str, says: str) -> bool:
    return re.search(".*".join(map(re.escape, says.split("..."))), message) is not None


@pytest.mark.parametrize("verb", TABLE)
def test_every_mistake_is_told_in_a_line(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, verb: str
) -> None:
    write_files(tmp_path)
    monkeypatch.chdir(tmp_path)
    wrong = []
    for words, says, status in mistakes(verb):
        code, out, err = run(*words)
        told, _, rest = err.removeprefix("logca: ").partition("\n")
        right = (code, out, rest) == (status, "", "") and err.startswith("logca: ")
        right = right and contains(told, says) and len(told) <= LONGEST
        if not right or not names_what_was_typed(words, told):
            wrong.append(f"logca {shlex.join(words)}: {code}\n  not {says}\n  but {out}{err}")
    assert not wrong, "\n".join(wrong)
    assert {path.name for path in tmp_path.iterdir()} == {name.rstrip("/") for name in FILES}
    assert all((tmp_path / name).read_text() == text for name, text in FILES.items() if text)


def test_no_verb_is_left_out() -> None:
    from logca.cli.app import app

    assert {*TABLE} == {"logca", *(str(verb.name) for verb in app.registered_commands)}


def test_what_changes_nothing_is_told(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for file, text in {
        "main.c": '#include "size.h"\nint main(void) { return HALF; }\n',
        "include/size.h": '# include "half.h"\n#define SIZE N\n',
        "include/half.h": "#define HALF (SIZE / 2)\n",
    }.items():
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).write_text(text)
    monkeypatch.chdir(tmp_path)
    defines = ["N=4", "M=3", "NDEBUG", "_GNU_SOURCE", "MAX(a,b)=a"]
    note_unused(defines, [Path("main.c")], [Path("include")])
    assert capsys.readouterr().err == (
        "note: -D M=3 changes nothing: no source mentions M\n"
        "note: -D MAX(a,b)=a changes nothing: no source mentions MAX\n"
    )
    words = ["sweep", "--g", "1KiB", "--o", "1", "--L", "1", "--C", "1", "--A", "2", "--s", "5"]
    code, _, err = run(*words)
    assert (code, err) == (0, "note: --s 5 changes nothing: speedup does not depend on it\n")


def message_of(words: list[str]) -> str:
    from logca.cli import main

    told = StringIO()
    typed = patch("sys.argv", ["logca", *words])
    with typed, redirect_stderr(told), redirect_stdout(StringIO()), suppress(SystemExit):
        main()
    return told.getvalue().strip().removeprefix("logca: ")


def in_markdown() -> Iterator[str]:
    with TemporaryDirectory() as folder, chdir(folder):
        write_files(Path(folder))
        for verb in TABLE:
            yield f"\n### {verb}\n\n| what is typed | what is told |\n|---|---|"
            for words, _, _ in mistakes(verb):
                typed, told = f"logca {shlex.join(words)}", message_of(words)
                yield "| `{}` | {} |".format(*(each.replace("|", "\\|") for each in (typed, told)))


if __name__ == "__main__":
    for line in in_markdown():
        print(line)
