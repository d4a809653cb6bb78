"""Output of verbs: tables, JSON, as wide as there is room; progress on a terminal."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from io import StringIO
from typing import Any

import typer
from rich.console import RenderableType
from rich.text import Text

from logca.cli.terminal.errors import UsageFailure
from logca.common.json_output import to_json
from logca.common.tables import Table
from logca.common.terminal import drawn, folding, safe_console
from logca.common.visible_text import visible

__all__ = [
    "NEVER_CUT",
    "progress",
    "say",
    "show",
    "show_answer",
    "show_json",
    "show_latex",
    "show_tables",
    "width",
]

_WIDE = 200  # of formulas, in a pipe
NEVER_CUT = 2_000  # in a pipe, where a program reads on: nothing may be lost


def say(text: str, *, err: bool = False) -> None:
    """Print a line, whatever it quotes, on stdout or stderr."""
    typer.echo(visible(text), err=err)


def show(*parts: RenderableType | Table) -> None:
    """Print on stdout: as wide as the terminal, or in a pipe so wide that nothing is cut."""
    terminal = safe_console(highlight=False)
    renderables = [folding(part) if isinstance(part, Table) else part for part in parts]
    if terminal.is_terminal:
        terminal.print(*renderables, sep="\n")
        return
    text = StringIO()
    plain = safe_console(highlight=False, width=NEVER_CUT, file=text)
    plain.print(*renderables, sep="\n")
    for line in text.getvalue().splitlines():
        typer.echo(line.rstrip())


def show_answer(answer: str, *parts: RenderableType | Table) -> None:
    """Print an answer, a sentence or lines of them, and below an empty line what it rests on."""
    show(Text(answer, style="bold"), "", *parts)


def show_json(data: Any, *, indent: int | None = 1) -> None:
    """Print a result as JSON."""
    typer.echo(to_json(data, indent=indent))


def show_latex(tables: Iterable[Table], *, as_json: bool) -> None:
    """Print tables as LaTeX, for the package booktabs."""
    if as_json:
        raise UsageFailure("--json or --as, not both")
    from logca.common.tables import booktabs
    from logca.derive.notation.signs import latex_of

    typer.echo(booktabs(list(tables), symbol=lambda name: latex_of(name.replace("/", ""))))


def show_tables(tables: Iterable[Table]) -> None:
    """Print tables on stdout, one below the other: as wide as the terminal, whole in a pipe."""
    show(drawn(list(tables), width(NEVER_CUT)))


def width(pipe: int = _WIDE) -> int:
    """Columns that there are on stdout, or so many in a pipe [1]."""
    terminal = safe_console()
    return terminal.width if terminal.is_terminal else pipe


@contextmanager
def progress(total: int, doing: str) -> Iterator[Callable[[str], None]]:
    """Tells on a terminal how much is done, and what was last; nothing in a pipe."""
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
    )

    console = safe_console(stderr=True)
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
