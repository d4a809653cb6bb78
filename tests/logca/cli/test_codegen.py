"""`logca codegen`, as a user meets it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from logca.cli.codegen import _LANGUAGES
from logca.cli.options.completion import complete_quantities
from logca.numeric.generate.codegen.source_program import DEFAULT, offered
from logca.numeric.generate.languages.registry import LANGUAGES, source

Run = Callable[..., tuple[int, str, str]]


def test_help_has_examples_and_the_default(run: Run) -> None:
    code, out, _ = run("codegen", "--help")
    assert code == 0
    assert "Examples" in out
    assert "logca codegen --lang c" in out
    assert ",".join(DEFAULT) in out


def test_every_language_can_be_chosen() -> None:
    assert tuple(_LANGUAGES) == LANGUAGES


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_source_goes_to_stdout_as_it_is(run: Run, language: str) -> None:
    code, out, err = run("codegen", "--lang", language)
    assert (code, err) == (0, "")
    assert out == source(language)


def test_quantities_and_latency_are_chosen(run: Run) -> None:
    _, out, _ = run("codegen", "--lang", "rust", "--what", "T0, g_s", "--latency", "linear")
    assert out == source("rust", ["T0", "g_s"], "linear")
    assert "pub fn g_s_linear(" in out
    assert "speedup_" not in out


def test_the_list_has_everything(run: Run) -> None:
    code, out, _ = run("codegen", "--list")
    assert code == 0
    listed = {line.split()[0] for line in out.splitlines() if line.strip()}
    assert set(offered()) <= listed


def test_a_file_is_written(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "logca.h"
    code, out, err = run("codegen", "--lang", "c", "--what", "T0", "-o", str(path))
    assert (code, out) == (0, "")
    assert str(path) in err
    assert path.read_text(encoding="utf-8") == source("c", ["T0"])


def test_a_file_is_replaced_only_if_forced(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "logca.py"
    path.write_text("mine")
    words = ("codegen", "--lang", "python", "--what", "T0", "-o", str(path))
    code, out, err = run(*words)
    assert (code, out) == (2, "")
    assert "--force replaces it" in err
    assert path.read_text() == "mine"
    assert run(*words, "--force")[0] == 0
    assert path.read_text(encoding="utf-8") == source("python", ["T0"])


def test_the_last_name_is_completed() -> None:
    found = complete_quantities("speedup,gA2")
    assert found == ["speedup,gA2", "speedup,gA2_newton", "speedup,gA2_upper"]
