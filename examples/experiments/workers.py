"""Processes that do what must not happen in the calling one, and what they do: answer questions."""

import json
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import IO, Any

from logca.numeric.measure.experiment import ExperimentError

__all__ = [
    "Service",
    "Worker",
    "command",
    "serve",
    "working",
]

_PATIENCE_S = 5.0


def command(module: str, *arguments: str) -> list[str]:
    """How to start a module of ours in a process of its own."""
    return [sys.executable, "-P", "-m", module, *arguments]


@dataclass(frozen=True, slots=True, kw_only=True)
class Worker:
    """A process that answers questions, one after the other."""

    process: "subprocess.Popen[bytes]"  # the process
    complaints: IO[bytes]  # what it writes to standard error

    def ask(self, **question: Any) -> dict[str, Any]:
        """The answer to a question."""
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(json.dumps(question).encode() + b"\n")
            self.process.stdin.flush()
        except (OSError, ValueError):
            raise self._ended() from None
        return self.hear()

    def hear(self) -> dict[str, Any]:
        """What it says next."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line.endswith(b"\n"):
            raise self._ended()
        answer: dict[str, Any] = json.loads(line)
        if "error" in answer:
            raise ExperimentError(answer["error"])
        return answer

    def _ended(self) -> ExperimentError:
        try:
            code: int | None = self.process.wait(_PATIENCE_S)
        except subprocess.TimeoutExpired:
            code = None
        why = ""
        if not self.complaints.closed:
            self.complaints.seek(0)
            said = self.complaints.read().decode(errors="replace").strip()
            why = ": " + said.rpartition("\n")[2] if said else ""
        return ExperimentError(f"the process that measures has ended (exit code {code}){why}")


@contextmanager
def working(
    module: str, *arguments: str, environment: Mapping[str, str]
) -> Iterator[tuple[Worker, dict[str, Any]]]:
    """A worker and its report; in the end the worker is gone."""
    with tempfile.TemporaryFile() as complaints:
        process = subprocess.Popen(
            command(module, *arguments),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=complaints,
            env=dict(environment),
        )
        try:
            worker = Worker(process=process, complaints=complaints)
            yield worker, worker.hear()
        finally:
            _end(process)


def _end(process: "subprocess.Popen[bytes]") -> None:
    for pipe in (process.stdin, process.stdout):
        assert pipe is not None
        with suppress(OSError):  # what was still to be written is of no use any more
            pipe.close()
    try:
        process.wait(_PATIENCE_S)
    except subprocess.TimeoutExpired:
        pass
    finally:
        process.kill()
        process.wait()


def _nothing() -> None:
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """What a worker offers."""

    report: dict[str, Any]  # what to say first
    answer: Callable[..., dict[str, Any]]  # answers a question given as its keywords
    leave: Callable[[], None] = _nothing  # what to do before the end


def serve(opened: Callable[[], Service]) -> None:
    """Answer each line of standard input with a line, until there are no more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent hears it too, and decides
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what libraries print is no answer

    def say(answer: dict[str, Any]) -> None:
        answers.write(json.dumps(answer) + "\n")
        answers.flush()

    try:
        service = opened()
        questions: queue.SimpleQueue[str] = queue.SimpleQueue()
        threading.Thread(target=_listen, args=(questions, service.leave), daemon=True).start()
        say(service.report)
        while True:
            say(service.answer(**json.loads(questions.get())))
    except ExperimentError as error:
        say({"error": str(error)})


def _listen(questions: "queue.SimpleQueue[str]", leave: Callable[[], None]) -> None:
    """Pass lines on; without a parent end at once, whatever the main thread computes."""
    try:
        for line in sys.stdin:
            questions.put(line)
        leave()
    finally:
        os._exit(0)
