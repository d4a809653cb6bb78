"""Processes that do what must not happen in the calling one; `serving` is their other end.

A worker that loses its parent ends: it reads the pipe from it to the end. So does one whose parent
closes it, at once or, if it does not, killed.
"""

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import IO, Any

from logca.numeric.measuring.experiment import ExperimentError

__all__ = ["Worker", "command", "working"]

_PATIENCE_S = 5.0


def command(module: str, *arguments: str) -> list[str]:
    """How to start a module of ours in a process of its own [text].

    Parameters
    ----------
    module : str
        Its full name [text].
    *arguments : str
        What to give to it [text].
    """
    return [sys.executable, "-P", "-m", module, *arguments]


@dataclass(frozen=True, slots=True, kw_only=True)
class Worker:
    """A process that answers questions, one after the other.

    Parameters
    ----------
    process : subprocess.Popen
        The process.
    complaints : binary file
        What it writes to standard error.
    """

    process: "subprocess.Popen[bytes]"
    complaints: IO[bytes]

    def ask(self, **question: Any) -> dict[str, Any]:
        """The answer to a question.

        Parameters
        ----------
        **question : any
            What can be written as JSON.

        Raises
        ------
        ExperimentError
            If the worker has ended, or says that it cannot.
        """
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(json.dumps(question).encode() + b"\n")
            self.process.stdin.flush()
        except (OSError, ValueError):
            raise self._ended() from None
        return self.hear()

    def hear(self) -> dict[str, Any]:
        """What it says next.

        Raises
        ------
        ExperimentError
            If it has ended, or says that it cannot.
        """
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
    """A worker and its report; in the end the worker is gone.

    Parameters
    ----------
    module : str
        What it runs [text].
    *arguments : str
        What to give to it [text].
    environment : Mapping of str to str
        Its environment, whole [text].

    Raises
    ------
    ExperimentError
        If it does not start; the message has what it says about that.
    """
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
