"""A ledger that is decided already, so that the face can be tested without the engine."""

import os
import pty
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from synthetic_timings import HOSTILE, Truth, write_table

from logca.proofs.claims.catalogue import all_claims
from logca.proofs.claims.claim import Claim
from logca.proofs.engine.answer import Record
from logca.proofs.ledger.cache import Verdicts

if TYPE_CHECKING:
    from logca.numeric.fit.fit import Fit


def made_up(claim: Claim) -> Record:
    """A record such as the engine would give."""
    if claim.corrected is None:
        return Record(verdict="PROVED", methods=("symbolic (whole domain)", "cvc5 (whole domain)"))
    return Record(
        verdict="CORRECTED",
        methods=("z3 (whole domain)",),
        counterexample={"o": "1", "A": "3/2", "latency": "linear"},
        failing=claim.asserts[0] if claim.asserts else "",
        seconds=0.25,
    )


@pytest.fixture
def decided(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Record]:
    """Fill a cache of its own with a record of every claim."""
    monkeypatch.setenv("LOGCA_CACHE", str(tmp_path / "cache"))
    verdicts = Verdicts()
    found = {claim.id: made_up(claim) for claim in all_claims()}
    for claim in all_claims():
        verdicts.put(claim, found[claim.id])
    verdicts.save()
    return found


Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(run: Run, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run the command line in this process, 120 columns wide: exit status, stdout, stderr."""
    monkeypatch.setenv("COLUMNS", "120")
    return run


TERMINAL = {"TERM": "xterm", "COLUMNS": "100"}


@pytest.fixture(scope="session")
def told() -> Callable[..., tuple[bytes, bytes]]:
    """Run a command whose stderr is a terminal: stdout, and what the terminal was told."""

    def call(*words: str) -> tuple[bytes, bytes]:
        screen, terminal = pty.openpty()
        command = [sys.executable, "-m", "logca", *words]
        environment = os.environ | TERMINAL
        out = subprocess.check_output(command, stderr=terminal, env=environment)
        os.close(terminal)
        shown = os.read(screen, 1 << 16)
        os.close(screen)
        return out, shown

    return call


@pytest.fixture(scope="session")
def interrupted() -> Callable[..., tuple[int, bytes]]:
    """Press Ctrl-C a second after a command tells a word on a terminal: exit code, stdout."""

    def call(word: bytes, *words: str) -> tuple[int, bytes]:
        screen, terminal = pty.openpty()
        command = [sys.executable, "-m", "logca", *words]
        environment = os.environ | TERMINAL
        running = subprocess.Popen(
            command, stderr=terminal, stdout=subprocess.PIPE, env=environment
        )
        os.close(terminal)
        shown = b""
        with suppress(OSError):  # where the command has ended
            while word not in shown:
                shown += os.read(screen, 4096)
        assert word in shown
        time.sleep(1)
        running.send_signal(signal.SIGINT)
        out = running.communicate(timeout=30)[0]
        os.close(screen)
        return running.returncode, out

    return call


@pytest.fixture(scope="session")
def fits(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Truth], "Fit"]:
    """Fits of timings that are drawn once, from a table in a file."""
    from logca.numeric.fit.fit import fit

    folder = tmp_path_factory.mktemp("fits")
    found: dict[Truth, Fit] = {}

    def of(truth: Truth) -> "Fit":
        if truth not in found:
            found[truth] = fit(write_table(folder / f"{len(found)}.csv", truth))
        return found[truth]

    return of


@pytest.fixture(scope="session")
def pages(fits: Callable[[Truth], "Fit"]) -> Callable[[Truth], str]:
    """Reports of such fits, made once, of files whose names are markup."""
    from logca.report.sections import report_html

    found: dict[Truth, str] = {}

    def of(truth: Truth) -> str:
        if truth not in found:
            found[truth] = report_html(replace(fits(truth), provenance={"timings": HOSTILE}))
        return found[truth]

    return of
