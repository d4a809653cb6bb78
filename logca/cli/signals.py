"""Signals that ask the command to end: it ends as if by an exit, so that nothing is left behind."""

import os
import signal
import sys
import time
from contextlib import suppress
from types import FrameType

__all__ = ["end_orderly"]

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
