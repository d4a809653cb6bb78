"""Files that one process at a time may write to."""

from contextlib import suppress
from typing import IO

__all__ = ["lock"]


def lock(file: IO[bytes]) -> bool:
    """Take an open file for this process alone, until it is closed; whether that went well.

    Where the system has no such locks, as on Windows, it always does.

    Parameters
    ----------
    file : file
        Open for writing.
    """
    with suppress(ImportError):
        import fcntl

        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
    return True
