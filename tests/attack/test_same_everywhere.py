"""The same words are answered alike whatever the locale, Python's options, or the folder."""

import os
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import pytest
from attack_inputs import EVERYTHING, MODEL, PROGRAM

VERBS = (
    "check --claim A>0",
    "gpu program.c --device h100",
    f"explain 4KiB {MODEL}",
    *("formula speedup", "derive g1", f"granularities {MODEL}", f"regions {MODEL}"),
    *(f"sweep {MODEL} --g 1KiB:1MiB:3", "trace program.c --stage strides", "partition program.c"),
    f"codegen {MODEL} --lang c",
)
WORLDS: dict[str, tuple[Sequence[str], Mapping[str, str]]] = {
    "turkish": ((), {"LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8", "TZ": "Pacific/Kiritimati"}),
    "optimised": (("-OO",), {"PYTHONHASHSEED": "77"}),
    "warnings": (("-W", "error", "-X", "dev"), {"HOME": ""}),
    "german": ((), {"LC_ALL": "de_DE.UTF-8", "LC_NUMERIC": "de_DE.UTF-8"}),
    "asserts": (("-O",), {"PYTHONHASHSEED": "1"}),
}


@cache
def usual(words: str) -> bytes:
    folder = Path(mkdtemp(prefix="logca-usual-"))
    (folder / "program.c").write_text(PROGRAM)
    try:
        return answer(folder, words, (), {})
    finally:
        for path in folder.iterdir():
            path.unlink()
        folder.rmdir()


def answer(folder: Path, words: str, options: Sequence[str], variables: Mapping[str, str]) -> bytes:
    environment = {**os.environ, "NO_COLOR": "1", **variables}
    if environment.get("HOME") == "":
        del environment["HOME"]
    found = subprocess.run(
        [sys.executable, *options, "-m", "logca", *words.split()],
        cwd=folder,
        env=environment,
        capture_output=True,
        stdin=subprocess.DEVNULL,
    )
    assert found.returncode == 0, found.stderr.decode(errors="replace")
    # how long programs, solvers and checkers ran is in no two answers alike
    return re.sub(
        rb" *[0-9.]+ (?:s|ms|\xc2\xb5s|ns)(?: instrumented)?$", b"", found.stdout, flags=re.M
    )


@pytest.mark.parametrize("world", WORLDS if EVERYTHING else [*WORLDS][:3])
@pytest.mark.parametrize("words", VERBS if EVERYTHING else VERBS[:3])
def test_an_answer_does_not_depend_on_where_it_is_asked(
    words: str, world: str, tmp_path: Path
) -> None:
    folder = tmp_path / "it's ü 漢 $x"
    folder.mkdir()
    (folder / "program.c").write_text(PROGRAM)
    options, variables = WORLDS[world]
    assert answer(folder, words, options, variables) == usual(words)
