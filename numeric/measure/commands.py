"""Two commands as an experiment: each runs as a program of its own, without a shell."""

import hashlib
import os
import shlex
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterable, Mapping
from textwrap import shorten
from typing import IO

from logca.common.programs import kill_session
from logca.numeric.measure.experiment import (
    Experiment,
    ExperimentError,
    FailedRunError,
    Timer,
)

__all__ = [
    "FROM_START",
    "PLACEHOLDER",
    "command_timer",
    "commands_experiment",
    "programs_digest",
    "words_of",
]

PLACEHOLDER = "{bytes}"
"""Stands in a command for the size."""

FROM_START = (
    "times of commands are from start to end, and starting a program is in both: take sizes at "
    "which it is a small part of the host's time, or fit those with --sizes"
)
"""Note on times of commands."""

_FOR_A_SHELL = frozenset({"|", "||", "&&", "&", ";", "<", ">", ">>", "2>", "2>&1"})
_TAIL = 4096
_TITLE = 40


def commands_experiment(
    host: str, accelerated: str, sizes: tuple[int, int], longest: float
) -> Experiment:
    """Two commands, timed from start to end."""
    return Experiment(
        name=f"host: {host}; accelerated: {accelerated}",
        title=f"{_short(host)} against {_short(accelerated)}",
        host=command_timer(host, "host", longest),
        accelerated=command_timer(accelerated, "accelerated", longest),
        sizes=sizes,
        notes=(FROM_START,),
        pin=False,
        prepare=lambda: programs_digest(shlex.split(each)[0] for each in (host, accelerated)),
    )


def words_of(command: str, what: str) -> list[str]:
    """The words of a command; an `ExperimentError` if it is not well quoted."""
    try:
        return shlex.split(command)
    except ValueError as error:
        raise ExperimentError(f"{what} {command!r} is not well quoted: {error}") from None


def programs_digest(words: Iterable[str]) -> str:
    """A digest of the programs and files that words of commands name; those that are none aside."""
    found = hashlib.sha256()
    for word in words:
        path = shutil.which(word) or word
        if os.path.isfile(path):
            with open(path, "rb") as file:
                found.update(hashlib.file_digest(file, "sha256").digest())
    return found.hexdigest()[:16]


def command_timer(
    command: str,
    path: str,
    longest: float,
    variables: Mapping[str, str] | None = None,
    *,
    built: bool = False,
) -> Timer:
    """A timer that runs a command, with these variables in its environment besides all others.

    If its program is `built` later, it need not be there yet.
    """
    words = words_of(command, f"{path} command")
    if not any(PLACEHOLDER in word for word in words):
        raise ExperimentError(
            f"{path} command {command!r} has no {PLACEHOLDER}: write it where the size goes, such "
            f"as 'openssl-bench --size {PLACEHOLDER}'"
        )
    foreign = [word for word in words if word in _FOR_A_SHELL]
    if foreign:
        raise ExperimentError(
            f"{path} command {command!r} has {foreign[0]!r}, which is for a shell, and there is "
            "none: write sh -c '...'"
        )
    if not built and PLACEHOLDER not in words[0] and shutil.which(words[0]) is None:
        raise ExperimentError(f"{path} command: there is no program {words[0]!r}")

    def timer(size: int, calls: int) -> float:
        given = [word.replace(PLACEHOLDER, str(size)) for word in words]
        with tempfile.TemporaryFile() as errors:
            return sum(_run(given, errors, longest, variables) for _ in range(calls))

    return timer


def _short(command: str) -> str:
    return shorten(command, _TITLE, placeholder=" ...")


def _run(
    words: list[str], errors: IO[bytes], longest: float, variables: Mapping[str, str] | None
) -> float:
    """Time of one run [s]; waiting with a limit would poll, so that a watch ends it."""
    late = threading.Event()
    running: list[subprocess.Popen[bytes]] = []

    def stop() -> None:
        late.set()
        for each in running:
            kill_session(each)

    watch = threading.Timer(min(longest, threading.TIMEOUT_MAX), stop)
    watch.daemon = True
    watch.start()
    try:
        start = time.perf_counter()
        with subprocess.Popen(
            words,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=errors,
            env={**os.environ, **variables} if variables else None,
            start_new_session=True,
        ) as process:
            running.append(process)
            try:
                code = process.wait()
            except BaseException:
                kill_session(process)
                raise
        seconds = time.perf_counter() - start
    except OSError as error:
        raise ExperimentError(f"{words[0]} cannot be run: {error.strerror}") from None
    finally:
        watch.cancel()
    if late.is_set():
        raise FailedRunError(f"ran longer than {longest:g} s, the budget, and was stopped")
    if code:
        raise FailedRunError(f"{_status(code)}{_last_line(errors)}")
    return seconds


def _status(code: int) -> str:
    if code > 0:
        return f"exit status {code}"
    try:
        return f"ended by {signal.Signals(-code).name}"
    except ValueError:
        return f"ended by signal {-code}"


def _last_line(errors: IO[bytes]) -> str:
    """Last line of the program on stderr, after a colon; nothing if there is none."""
    length = errors.seek(0, 2)
    errors.seek(max(0, length - _TAIL))
    lines = errors.read().decode(errors="replace").split("\n")
    last = next((line.strip() for line in reversed(lines) if line.strip()), "")
    printable = "".join(letter if letter.isprintable() else " " for letter in last)
    return f": {printable}" if printable else ""
