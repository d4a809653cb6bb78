"""Ends of the command: exit codes, errors of the user in one line each, and signals."""

import errno
import os
import signal
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from types import FrameType

from logca.common.errors import LogcaError

__all__ = [
    "BAD_INPUT",
    "BROKEN_PIPE",
    "CONTRADICTION",
    "FAILED_PROGRAM",
    "FAILURE",
    "INTERRUPTED",
    "Failure",
    "UsageFailure",
    "end_orderly",
    "failure",
]

FAILED_PROGRAM = 1
BAD_INPUT = 2
CONTRADICTION = 4
FAILURE = 5
INTERRUPTED = 130
BROKEN_PIPE = 141

_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO})
_CONTRADICTION = "two methods contradict each other: "


class UsageFailure(LogcaError, ValueError):
    """Something asked of the command line that cannot be done; the message says what instead."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """Message for the user, and the exit code."""

    message: str  # one line
    code: int  # exit code [1]


def failure(error: BaseException) -> Failure | None:
    """Message and exit code of an error; None if it is a defect whose traceback should show."""
    if isinstance(error, LogcaError) and error.exit_code is not None:
        prefix = _CONTRADICTION if error.exit_code == CONTRADICTION else ""
        return Failure(message=f"{prefix}{error}", code=error.exit_code)
    if isinstance(error, OSError) and error.filename is None and error.errno in _FULL:
        return Failure(message=f"output cannot be written: {error.strerror}", code=FAILURE)
    if isinstance(error, OSError):
        return Failure(message=str(error), code=FAILURE)
    return None


_CLEANING_S = 2.0
_asked = -_CLEANING_S


def end_orderly() -> None:
    """From now on SIGTERM and SIGHUP raise `SystemExit`; those that are ignored still are."""
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _leave)


def _leave(number: int, frame: FrameType | None) -> None:
    global _asked
    now = time.monotonic()
    if now - _asked < _CLEANING_S:  # a terminal that closes may say so twice: go on cleaning up
        return
    _asked = now
    if "multiprocessing" in sys.modules:
        from multiprocessing import active_children

        for child in active_children():
            if child.pid is not None:
                with suppress(ProcessLookupError):
                    os.kill(child.pid, signal.SIGINT)
    raise SystemExit(128 + number)
