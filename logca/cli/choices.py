"""Choices and completions that several verbs share."""

import os
import sys
from collections.abc import Iterable
from enum import StrEnum
from io import StringIO
from typing import TYPE_CHECKING

import typer
from rich.console import Console, RenderableType

from logca.cli.errors import BROKEN_PIPE

if TYPE_CHECKING:
    from logca.columns import Columns

__all__ = [
    "Latency",
    "Markup",
    "complete_claims",
    "complete_formulas",
    "show",
    "show_tables",
    "width",
]

_WIDE = 200
_NEVER_CUT = 2_000


class Latency(StrEnum):
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


def show(*renderables: RenderableType) -> None:
    """Print on stdout: as wide as the terminal, or in a pipe so wide that nothing is cut."""
    terminal = Console(highlight=False)
    if terminal.is_terminal:
        terminal.print(*renderables, sep="\n")
        return
    text = StringIO()
    plain = Console(highlight=False, width=_NEVER_CUT, file=text)
    plain.print(*renderables, sep="\n")
    try:
        for line in text.getvalue().splitlines():
            typer.echo(line.rstrip())
    except BrokenPipeError:
        # Otherwise the interpreter complains once more when it flushes at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(BROKEN_PIPE) from None


def show_tables(tables: "Iterable[Columns]") -> None:
    """Print tables on stdout, one below the other.

    Parameters
    ----------
    tables : iterable of Columns
        The tables.
    """
    from logca.columns import as_sheet
    from logca.trace_tables import sheets_drawn

    show(sheets_drawn([as_sheet(each) for each in tables], width()))


def width() -> int:
    """Columns that there are on stdout [1]."""
    terminal = Console()
    return terminal.width if terminal.is_terminal else _WIDE


def complete_formulas(incomplete: str) -> list[str]:
    """Names of formulas that begin so [text]."""
    from logca.derive.catalogue import names
    from logca.derive.paper_names import PAPER_NAMES

    return [name for name in (*names(), *PAPER_NAMES) if name.startswith(incomplete)]


def complete_claims(incomplete: str) -> list[tuple[str, str]]:
    """Ids of claims that begin so, with their statements [text]."""
    from logca.proofs.claims import all_claims

    return [
        (claim.id, claim.statement) for claim in all_claims() if claim.id.startswith(incomplete)
    ]
