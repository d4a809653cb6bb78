"""What verbs print, how far they are, the files they write, and choices that they share."""

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from enum import StrEnum
from io import StringIO
from pathlib import Path
from typing import Any

import typer
from rich.console import Console, RenderableType

from logca.cli.terminal.errors import BROKEN_PIPE, UsageFailure
from logca.common.json import to_json
from logca.common.tables import Table
from logca.common.terminal import drawn, folding

__all__ = [
    "NEVER_CUT",
    "FormulaLatency",
    "Markup",
    "check_writable",
    "complete_claims",
    "complete_formulas",
    "progress",
    "show",
    "show_json",
    "show_tables",
    "width",
    "write",
    "write_telling",
]

_WIDE = 200  # of what is laid out for a width: sentences are folded there, in a pipe too
NEVER_CUT = 2_000  # in a pipe, where a program reads on: nothing may be lost


class FormulaLatency(StrEnum):
    """Forms of latency."""

    affine = "affine"
    constant = "constant"
    linear = "linear"


class Markup(StrEnum):
    """Ways to print a formula."""

    text = "text"
    latex = "latex"
    mathml = "mathml"
    markdown = "markdown"
    python = "python"


def show(*parts: RenderableType | Table) -> None:
    """Print on stdout: as wide as the terminal, or in a pipe so wide that nothing is cut."""
    terminal = Console(highlight=False)
    renderables = [folding(part) if isinstance(part, Table) else part for part in parts]
    if terminal.is_terminal:
        terminal.print(*renderables, sep="\n")
        return
    text = StringIO()
    plain = Console(highlight=False, width=NEVER_CUT, file=text)
    plain.print(*renderables, sep="\n")
    try:
        for line in text.getvalue().splitlines():
            typer.echo(line.rstrip())
    except BrokenPipeError:
        # Otherwise the interpreter complains once more when it flushes at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(BROKEN_PIPE) from None


def show_json(data: Any, *, indent: int | None = 1) -> None:
    """Print a result as JSON."""
    typer.echo(to_json(data, indent=indent))


def show_tables(tables: Iterable[Table], *, pipe: int = _WIDE) -> None:
    """Print tables on stdout, one below the other, each row on one line."""
    show(drawn(list(tables), width(pipe)))


def width(pipe: int = _WIDE) -> int:
    """Columns that there are on stdout, or so many in a pipe [1]."""
    terminal = Console()
    return terminal.width if terminal.is_terminal else pipe


def complete_formulas(incomplete: str) -> list[str]:
    """Names of formulas that begin so."""
    from logca.derive.core.catalogue import PAPER_NAMES, names

    return [name for name in (*names(), *PAPER_NAMES) if name.startswith(incomplete)]


def complete_claims(incomplete: str) -> list[tuple[str, str]]:
    """Ids of claims that begin so, with their statements."""
    from logca.proofs.claims.catalogue import all_claims

    return [
        (claim.id, claim.statement) for claim in all_claims() if claim.id.startswith(incomplete)
    ]


@contextmanager
def progress(total: int, doing: str) -> Iterator[Callable[[str], None]]:
    """Tells on a terminal how much is done, and what was last; nothing in a pipe."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
    )

    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda what: None
        return
    columns: tuple[Any, ...] = (
        TextColumn(doing), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(),
        TextColumn("[dim]{task.description}"),
    )  # fmt: skip
    with Progress(*columns, console=console, transient=True) as shown:
        task = shown.add_task("", total=total)

        yield lambda what: shown.update(task, advance=1, description=what)


def check_writable(path: Path, suffixes: Sequence[str], *, force: bool) -> None:
    """Say at once, before anything is computed, if a file cannot be written."""
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
