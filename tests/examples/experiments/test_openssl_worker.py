"""The worker and the server behind its pipe, in this process: what they answer is hashlib's."""

import hashlib
import io
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from logca.examples.experiments import openssl_worker, pipe_server
from logca.examples.experiments.pipes import HEADER
from logca.numeric.measure.experiment import ExperimentError

Question = dict[str, Any]
Ask = Callable[..., list[dict[str, Any]]]


@pytest.fixture
def ask(monkeypatch: pytest.MonkeyPatch) -> Ask:
    """Run the worker on questions, on whatever core the tests are: all that it says."""

    def ask(*words: str, questions: tuple[Question, ...] = ()) -> list[dict[str, Any]]:
        said: list[dict[str, Any]] = []

        def asked(leave: Callable[[], None]) -> Iterator[Question]:
            yield from questions
            leave()

        monkeypatch.setattr(openssl_worker, "replies", lambda: said.append)
        monkeypatch.setattr(openssl_worker, "questions", asked)
        monkeypatch.setattr("sys.argv", ["worker", *words])
        openssl_worker.main()
        return said

    monkeypatch.setattr(openssl_worker, "stay", lambda which, process=0: True)
    return ask


def test_both_paths_compute_and_are_timed(ask: Ask) -> None:
    data = bytes(range(200))
    computed = [{"path": path, "data": data.hex()} for path in ("here", "pipe")]
    timed = [{"path": path, "size": 4096, "calls": 3} for path in ("here", "pipe")]
    report, *answers = ask("sha256", "1", questions=(*computed, *timed))
    assert report["cores"] == 1
    assert report["start"] > 0
    assert len(report["there"]) == 2
    digest = hashlib.sha256(data).hexdigest()
    assert [answer["result"] for answer in answers[:2]] == [digest, digest]
    assert all(0 < answer["seconds"] < 1 for answer in answers[2:])


def test_without_cores_there_is_no_pipe(ask: Ask) -> None:
    report, answer = ask("sha256", questions=({"path": "here", "data": ""},))
    assert "there" not in report
    assert answer["result"] == hashlib.sha256(b"").hexdigest()


def test_a_core_that_is_missing_is_said_and_the_server_ends(
    ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    def only_one(which: int, process: int = 0) -> bool:
        if which:
            raise ExperimentError("cores = 2: this process may use 1")
        return True

    monkeypatch.setattr(openssl_worker, "stay", only_one)
    assert ask("sha256", "2") == [{"error": "cores = 2: this process may use 1"}]


def test_the_server_answers_until_a_message_is_cut_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    messages = [b"abc", bytes(1000), b"", b"x" * 37]
    sent = b"".join(len(data).to_bytes(HEADER, sys.byteorder) + data for data in messages)
    cut = (100).to_bytes(HEADER, sys.byteorder) + b"only this"
    (tmp_path / "messages").write_bytes(sent + cut)
    back = io.BytesIO()
    before = signal.getsignal(signal.SIGINT)
    with (tmp_path / "messages").open(encoding="latin-1") as there:
        monkeypatch.setattr("sys.stdin", there)
        monkeypatch.setattr("sys.stdout", io.TextIOWrapper(back))
        monkeypatch.setattr("sys.argv", ["server", "sha256"])
        try:
            pipe_server.main()
        finally:
            signal.signal(signal.SIGINT, before)
        answers = back.getvalue().partition(b"\n")[2]
    assert answers == b"".join(hashlib.sha256(data).digest() for data in messages)
