"""The files that verbs write, by the same options in all of them: checked first, written whole."""

import os
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from logca.cli.terminal.errors import UsageFailure, one_of
from logca.cli.terminal.output import say

__all__ = [
    "OutputOption",
    "check_place",
    "check_writable",
    "write",
    "write_telling",
]


class OutputOption:
    """Types of the options, to be used as annotations; `to` makes those that name a file."""

    option = partial(typer.Option, rich_help_panel="Output")
    force = Annotated[bool, option("--force", help="Replace files that exist.")]
    as_json = Annotated[bool, option("--json", help="As JSON.")]
    table = Annotated[
        Literal["latex"] | None,
        option("--as", help="Markup: tables for a paper.", show_default="for the terminal"),
    ]
    width = Annotated[
        Literal["column", "page"],
        option(help="Width of pictures: 3.3 in, as a column of a paper, or 7 in, as its page."),
    ]

    @staticmethod
    def to(
        *suffixes: str, what: str = "File to write", name: str = "--output", metavar: str = "FILE"
    ) -> Any:
        """Option for a file that ends in one of these.

        Examples
        --------
        >>> OutputOption.to(".svg", ".png", ".pdf").help
        'File to write: .svg, .png or .pdf.'
        """
        listed = " or ".join(filter(None, (", ".join(suffixes[:-1]), *suffixes[-1:])))
        names = (name, "-o") if name == "--output" else (name,)
        return OutputOption.option(
            *names,
            help=f"{what}{': ' * bool(listed)}{listed}.",
            metavar=metavar,
            show_default=False,
        )


def check_writable(path: Path, suffixes: Sequence[str], *, force: bool) -> None:
    """Say at once, before anything is computed, if a file cannot be written."""
    if path.is_dir():
        raise UsageFailure(f"{path} is a folder; name a file in it")
    if str(path) == "-":
        raise UsageFailure("'-' names no file here: leave the option out, or name a file")
    if suffixes and path.suffix.lower() not in suffixes:
        raise UsageFailure(f"{path} must end in {one_of(suffixes)}, not '{path.suffix}'")
    if path.exists() and not force:
        raise UsageFailure(f"{path} exists; --force replaces it")
    check_place(path)


def check_place(path: Path) -> None:
    """Say at once if a file, or a new folder, cannot be made or replaced at a place."""
    if not path.parent.is_dir():
        raise UsageFailure(f"there is no folder {path.parent}; make it, or name another")
    target = path if path.exists() else path.parent
    if not os.access(target, os.W_OK):
        raise UsageFailure(f"{target} cannot be written to; name another place")


def write(path: Path, contents: bytes, *, force: bool = True) -> None:
    """Write a file that was checked; without `force` none that has come to be since then."""
    from logca.common.files import write_new

    try:
        write_new(contents, path, force=force)
    except OSError as error:
        raise UsageFailure(f"{path} cannot be written: {error.strerror}") from None


def write_telling(path: Path, contents: bytes, *, force: bool = True) -> None:
    """Write a file that was checked, and say on stderr how large it is."""
    write(path, contents, force=force)
    say(f"{path}: {len(contents) / 1000:.0f} kB", err=True)
