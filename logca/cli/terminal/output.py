"""What verbs print, how far they are, the files they write, and choices that they share."""

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from enum import StrEnum
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from rich.console import Console, Group, RenderableType
from rich.text import Text

from logca.cli.terminal.errors import BROKEN_PIPE, UsageFailure
from logca.common.json import to_json
from logca.common.tables import Sheet, heads, widths

if TYPE_CHECKING:
    from logca.common.columns import Columns

__all__ = [
    "Latency",
    "Markup",
    "check_writable",
    "complete_claims",
    "complete_formulas",
    "progress",
    "sheets_drawn",
    "show",
    "show_json",
    "show_tables",
    "width",
    "write",
    "write_telling",
]

_GAP = 2
_NARROWEST = 12
_PLAIN = Console(width=200)
_HEAT = ((50.0, "bold red"), (10.0, "yellow"), (1.0, ""), (0.0, "dim"))


def sheets_drawn(sheets: Sequence[Sheet], width: int) -> RenderableType:
    """Tables one below the other."""
    parts: list[RenderableType] = []
    for number, sheet in enumerate(sheets):
        parts += [Text(), *_drawn(sheet, width)] if number else _drawn(sheet, width)
    return Group(*parts)


def _drawn(sheet: Sheet, width: int) -> Iterator[Text]:
    columns = _fitting(sheet, width)
    if sheet.title:
        yield _line(sheet.title, "bold")
    for head in heads(sheet):
        yield _row(sheet, head, columns, heading=True)
    bare = not any(sheet.headings)
    for part in sheet.parts:
        yield from _heading(part.heading, width)
        for row in part.rows:
            yield from _folded(row, columns, width) if bare else [_row(sheet, row, columns)]
    for note in sheet.notes:
        yield Text(note, style="dim")


def _fitting(sheet: Sheet, width: int) -> dict[int, int]:
    """Columns and their widths: some left out, and one cut, where there is no room for all."""
    columns = widths(sheet)
    for column in sheet.spare:
        if _total(columns) <= width:
            break
        columns.pop(column, None)
    texts = columns.keys() - sheet.right
    if any(sheet.headings) and texts and (excess := _total(columns) - width) > 0:
        widest = max(texts, key=lambda column: columns[column])
        columns[widest] = max(_NARROWEST, columns[widest] - excess)
    return columns


def _total(columns: dict[int, int]) -> int:
    return sum(columns.values()) + _GAP * (len(columns) - 1)


def _line(text: str, style: str) -> Text:
    return Text(text, style=style, no_wrap=True, overflow="ellipsis")


def _heading(heading: str, width: int) -> Iterator[Text]:
    """A function, or a line of the source below the file that it is in."""
    *above, last = heading.split("\n")
    for text in above:
        yield _line(text, "cyan")
    if not last:
        return
    number, code = last[:6], last[6:]
    if number.strip().isdigit() or number.strip() == "?":
        line = Text.assemble((number, "dim"), (code, "bold"), no_wrap=True, overflow="ellipsis")
        line.truncate(width, overflow="ellipsis")
        yield line
    else:
        yield _line(last, "cyan")


def _row(
    sheet: Sheet, row: Sequence[str], columns: dict[int, int], *, heading: bool = False
) -> Text:
    line = Text(no_wrap=True, overflow="ellipsis")
    for place, (column, width) in enumerate(columns.items()):
        cell = Text(row[column], style="dim" if heading else _style(sheet, column, row[column]))
        cell.truncate(width, overflow="ellipsis")
        cell.align("right" if column in sheet.right else "left", width)
        line.append(" " * _GAP * bool(place))
        line.append_text(cell)
    line.rstrip()
    return line


def _style(sheet: Sheet, column: int, cell: str) -> str:
    if column not in sheet.heat or not cell:
        return ""
    share = float(cell.strip("<>"))
    return next(style for least, style in _HEAT if share >= least)


def _folded(row: Sequence[str], columns: dict[int, int], width: int) -> Iterator[Text]:
    """A row of two cells, name and what is said of it, which goes on below itself."""
    indent = columns[0] + _GAP
    said = Text(row[1]).wrap(_PLAIN, max(width - indent, _NARROWEST))
    for number, line in enumerate(said):
        line.rstrip()
        yield Text.assemble((("" if number else row[0]).ljust(indent), "dim"), line)


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


def show_json(data: Any, *, indent: int | None = 1) -> None:
    """Print a result as JSON."""
    typer.echo(to_json(data, indent=indent))


def show_tables(tables: "Iterable[Columns]") -> None:
    """Print tables on stdout, one below the other."""
    from logca.common.columns import as_sheet

    show(sheets_drawn([as_sheet(each) for each in tables], width()))


def width() -> int:
    """Columns that there are on stdout [1]."""
    terminal = Console()
    return terminal.width if terminal.is_terminal else _WIDE


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
