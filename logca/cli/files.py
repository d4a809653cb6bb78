"""Files that verbs write: nothing is overwritten unasked, and nothing is half written."""

import os
from collections.abc import Sequence
from pathlib import Path

import typer

from logca.cli.errors import UsageFailure

__all__ = ["check_writable", "write", "write_telling"]


def check_writable(path: Path, suffixes: Sequence[str], *, force: bool) -> None:
    """Say at once, before anything is computed, if a file cannot be written.

    Parameters
    ----------
    path : Path
        The file.
    suffixes : sequence of str
        What its name may end in [text].
    force : bool
        Whether it may exist already.

    Raises
    ------
    UsageFailure
        If it has another ending, exists, or is in a folder that cannot be written to.
    """
    if path.suffix.lower() not in suffixes:
        raise UsageFailure(f"{path} must end in {' or '.join(suffixes)}, not '{path.suffix}'")
    if path.is_dir():
        raise UsageFailure(f"{path} is a folder")
    if path.exists() and not force:
        raise UsageFailure(f"{path} exists; --force replaces it")
    if not path.parent.is_dir():
        raise UsageFailure(f"there is no folder {path.parent}: make it, or name another")
    target = path if path.exists() else path.parent
    if not os.access(target, os.W_OK):
        raise UsageFailure(f"{target} cannot be written to")


def write(path: Path, contents: bytes) -> None:
    """Write a file that was checked.

    Parameters
    ----------
    path : Path
        The file.
    contents : bytes
        What to write.

    Raises
    ------
    UsageFailure
        If it cannot be written after all.
    """
    from logca.numeric.whole_files import write_new

    try:
        write_new(contents, path, force=True)
    except OSError as error:
        raise UsageFailure(f"{path} cannot be written: {error.strerror}") from None


def write_telling(path: Path, contents: bytes) -> None:
    """Write a file that was checked, and say on stderr how large it is.

    Parameters
    ----------
    path : Path
        The file.
    contents : bytes
        What to write.

    Raises
    ------
    UsageFailure
        If it cannot be written after all.
    """
    write(path, contents)
    typer.echo(f"{path}: {len(contents) / 1000:.0f} kB", err=True)
