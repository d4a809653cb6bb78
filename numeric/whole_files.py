"""Files that are written as a whole: none is ever half written."""

import errno
import os
from os import PathLike, fspath
from pathlib import Path
from uuid import uuid4

__all__ = ["write_new"]


def write_new(contents: str | bytes, path: str | PathLike[str], *, force: bool) -> None:
    """Write a file as a whole: who reads it sees the old one or the new one.

    Parameters
    ----------
    contents : str or bytes
        What it holds; text is written as UTF-8 [text].
    path : path
        Where [text].
    force : bool
        Whether a file that is there is replaced.

    Raises
    ------
    FileExistsError
        If a file is there.
    OSError
        If it cannot be written.
    """
    octets = contents.encode() if isinstance(contents, str) else contents
    place = Path(fspath(path)).resolve()
    if place.exists() and not force:
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), fspath(path))
    if place.exists() and not place.is_file():  # a device or a pipe cannot be exchanged
        place.write_bytes(octets)
        return
    part = place.with_name(f"{place.name}.{uuid4().hex}.part")
    try:
        with part.open("xb") as file:  # with the rights that the user's new files have
            file.write(octets)
        if place.exists():
            part.chmod(place.stat().st_mode)
        os.replace(part, place)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
