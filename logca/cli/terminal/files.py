"""The files that verbs write: checked before anything is computed, written whole."""

import os
from collections.abc import Sequence
from pathlib import Path

import typer

from logca.cli.terminal.errors import UsageFailure, one_of

__all__ = [
    "check_writable",
    "write",
    "write_telling",
]


def check_writable(path: Path, suffixes: Sequence[str], *, force: bool) -> None:
    """Say at once, before anything is computed, if a file cannot be written."""
    if path.is_dir():
        raise UsageFailure(f"{path} is a folder; name a file in it")
    if suffixes and path.suffix.lower() not in suffixes:
        raise UsageFailure(f"{path} must end in {one_of(suffixes)}, not '{path.suffix}'")
    if path.exists() and not force:
        raise UsageFailure(f"{path} exists; --force replaces it")
    if not path.parent.is_dir():
        raise UsageFailure(f"there is no folder {path.parent}; make it, or name another")
    target = path if path.exists() else path.parent
    if not os.access(target, os.W_OK):
        raise UsageFailure(f"{target} cannot be written to; name another place")


def write(path: Path, contents: bytes) -> None:
    """Write a file that was checked."""
    from logca.common.files import write_new

    try:
        write_new(contents, path, force=True)
    except OSError as error:
        raise UsageFailure(f"{path} cannot be written: {error.strerror}") from None


def write_telling(path: Path, contents: bytes) -> None:
    """Write a file that was checked, and say on stderr how large it is."""
    write(path, contents)
    typer.echo(f"{path}: {len(contents) / 1000:.0f} kB", err=True)
