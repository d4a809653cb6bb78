"""Whole files: written completely or not at all, one writer at a time."""

import errno
import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import StringIO
from os import PathLike, fspath
from pathlib import Path
from typing import IO
from uuid import uuid4

__all__ = [
    "beside",
    "keep",
    "left_behind",
    "lock",
    "locked_beside",
    "publish",
    "read_text",
    "read_whole",
    "remove_dead",
    "source_text",
    "write_new",
]


MOST_B = 1 << 30
"""The largest file that is read as a whole [B]: an endless one would take all memory."""


def read_whole(path: str | PathLike[str], most_B: int = MOST_B) -> bytes:
    """Contents of a file; an `OSError` if it has more bytes than that, or none that end."""
    with open(path, "rb") as file:
        octets = file.read(most_B + 1)
    if len(octets) > most_B:
        raise OSError(errno.EFBIG, f"it has more than {most_B >> 20} MiB", fspath(path))
    return octets


def read_text(path: str | PathLike[str], encoding: str, newline: str | None = None) -> str:
    """Text of a file that `read_whole` reads, its lines ended by a line feed each.

    If newline is empty, they end as in the file.
    """
    return StringIO(read_whole(path).decode(encoding), newline=newline).read()


MOST_SOURCE_B = 16 << 20
"""The largest source whose lines are looked at [B]: some 400,000 lines of C."""
_WITHOUT_WAITING = (
    getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)
)


def source_text(path: str | PathLike[str], errors: str = "replace") -> str | None:
    """Text of a source, its lines ended by a line feed each; None if it is no file of bounded size.

    Anyone can give a source any name, of a device or of a pipe that nobody writes to: what is no
    regular file is not even opened, and no more is read than a file says that it has.
    """
    try:
        if not _is_source(os.stat(path)):
            return None
        # another file may have taken its name since
        with open(os.open(path, os.O_RDONLY | _WITHOUT_WAITING), "rb") as file:
            found = os.fstat(file.fileno())
            octets = file.read(found.st_size) if _is_source(found) else None
    except (OSError, ValueError):
        return None
    if octets is None:
        return None
    return StringIO(octets.decode("utf-8", errors), newline=None).read()


def _is_source(found: os.stat_result) -> bool:
    return stat.S_ISREG(found.st_mode) and found.st_size <= MOST_SOURCE_B


def beside(place: Path, ending: str) -> Path:
    """A hidden name beside a file, of its own: nobody can have put a link under it."""
    return place.with_name(f".{place.name}.{uuid4().hex}.{ending}")


def left_behind(place: Path, ending: str) -> list[Path]:
    """Files with such names beside another, of this process or of others."""
    ours = re.compile(rf"\.{re.escape(place.name)}\.[0-9a-f]{{32}}\.{re.escape(ending)}")
    try:
        return [each for each in place.parent.iterdir() if ours.fullmatch(each.name)]
    except OSError:  # a folder that may be written to, and not listed
        return []


@contextmanager
def locked_beside(place: Path, ending: str) -> Iterator[tuple[Path, IO[bytes]]]:
    """A new hidden file beside another, which `remove_dead` leaves while this process runs.

    If it still has its name at the end, it is removed.
    """
    while True:
        part = beside(place, ending)
        try:
            with part.open("xb") as file:
                locked = True
                with suppress(OSError):  # without locks on this file system nobody can have it
                    locked = lock(file)
                # until it was locked, another process may have taken it for a dead one's
                if locked and part.exists():
                    yield part, file
                    return
        finally:
            part.unlink(missing_ok=True)


def remove_dead(place: Path, ending: str) -> None:
    """Remove files of `locked_beside` whose processes ended without doing so, as if killed.

    Where the system has no locks, nothing tells them from those of running processes: they stay.
    """
    if os.name == "nt":
        return
    for part in left_behind(place, ending):
        if part.is_symlink() or not part.is_file():
            continue
        with suppress(OSError), part.open("r+b") as file:
            if lock(file):
                part.unlink()


def write_new(contents: str | bytes, path: str | PathLike[str], *, force: bool) -> None:
    """Write a file as a whole: who reads it sees the old one or the new one."""
    octets = contents.encode() if isinstance(contents, str) else contents
    place = Path(fspath(path)).resolve()
    if place.exists() and not force:
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), fspath(path))
    if place.exists() and not place.is_file():  # a device or a pipe cannot be exchanged
        place.write_bytes(octets)
        return
    part = beside(place, "part")
    try:
        with part.open("xb") as file:  # with the rights that the user's new files have
            file.write(octets)
            keep(file)
        if place.exists():
            before = place.stat()
            with suppress(OSError, AttributeError):  # only the administrator can give files away
                os.chown(part, before.st_uid, before.st_gid)
            part.chmod(before.st_mode)
        publish(part, place, force=force)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def publish(part: Path, place: Path, *, force: bool) -> None:
    """Give a complete file its name; a `FileExistsError` if another has it and not `force`."""
    if not force:
        try:
            os.link(part, place)  # which fails where two processes write one file, for the second
        except FileExistsError:
            raise
        except OSError:  # there are file systems without links
            if place.exists():
                raise FileExistsError(
                    errno.EEXIST, os.strerror(errno.EEXIST), fspath(place)
                ) from None
        else:
            part.unlink()
            return
    os.replace(part, place)


def keep(file: IO[bytes]) -> None:
    """See to it that what was written is there even if the power fails right after."""
    file.flush()
    # what is no file on a disk, such as a pipe, cannot be asked for that
    with suppress(OSError):
        os.fsync(file.fileno())


def lock(file: IO[bytes], *, shared: bool = False) -> bool:
    """Take an open file for this process alone, until it is closed; whether that went well.

    Shared, it is for all that take it so. Who has a shared one may ask for it alone afterwards.
    Where the system has no such locks, as on Windows, it always does.
    """
    with suppress(ImportError):
        import fcntl

        try:
            fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
    return True
