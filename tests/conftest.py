"""What all tests share: repeatable examples, and golden files.

hypothesis draws the same examples in every run: a red test is red again until it is mended. To let
it look further afield: ``pytest --hypothesis-profile=default``.

A golden file holds what the program prints, beside the test and named after it. It says that
nothing has changed, not that it is right. To rewrite it: ``pytest --update-golden``.
"""

import gc
import os
import re
import signal
import sys
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from hypothesis import settings

# SymPy keeps what it has computed: full collections walk through all of it and free next to none.
gc.set_threshold(50_000, 20, 20)

# The tests start hundreds of Pythons: each would compile the product anew, which takes three times
# as long as what it is started for.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# A shell lets what it starts in the background ignore Ctrl-C, and that lets its children: tests
# press it in theirs.
for number, handler in (
    (signal.SIGINT, signal.default_int_handler),
    (signal.SIGQUIT, signal.SIG_DFL),
):
    if signal.getsignal(number) is signal.SIG_IGN:
        signal.signal(number, handler)

settings.register_profile("repeatable", derandomize=True, database=None, deadline=None)
settings.register_profile("laws", settings.get_profile("repeatable"), max_examples=1_000)
settings.load_profile("repeatable")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden", action="store_true", help="Rewrite golden files with what is printed."
    )


def pytest_collection_finish() -> None:
    """What is there by now stays: no collection of garbage need walk through it."""
    gc.freeze()


def pytest_sessionfinish() -> None:
    """Workers of xdist leave without what is registered at exit: the provers end here."""
    for name in ("logca.proofs.engine.client", "logca.proofs.provers.cvc5_worker"):
        if name in sys.modules:
            sys.modules[name].close()


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str], None]:
    """Compares a text with the golden file of the test; a missing file is a failure."""
    name = re.sub(r"[^\w.]+", "-", request.node.name).strip("-")
    path = request.path.parent / "golden" / f"{request.path.stem}.{name}.txt"

    def compare(text: str) -> None:
        if request.config.getoption("--update-golden"):
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
        assert path.is_file(), f"there is no {path.name}; pytest --update-golden writes it"
        assert text == path.read_text(encoding="utf-8")

    return compare


@cache
def _verbs() -> Callable[[Any], Any]:
    """What typer makes of all verbs, once: made anew for each call it is half of most of them."""
    from typer.main import get_command

    return cache(get_command)


@pytest.fixture
def run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., tuple[int, str, str]]:
    """Run the command line in this process: exit status, stdout, stderr."""

    def call(*words: str) -> tuple[int, str, str]:
        from logca.cli import main

        monkeypatch.setattr("typer.main.get_command", _verbs())
        monkeypatch.setattr("sys.argv", ["logca", *words])
        capsys.readouterr()
        try:
            main()
            code: object = 0
        except SystemExit as end:
            code = end.code
        shown = capsys.readouterr()
        return int(str(code or 0)), shown.out, shown.err

    return call
