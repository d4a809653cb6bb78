"""Tables of text that are shown in the terminal and written as Markdown alike."""

from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

__all__ = ["Grid", "markdown", "rendered"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """A table."""

    title: str = ""  # what it is about; nothing if that is clear
    headings: tuple[str, ...]  # one for each column
    rows: tuple[tuple[str, ...], ...]  # the cells
    notes: tuple[str, ...] = ()  # what stands below it
    right: frozenset[str] = frozenset()  # headings of columns that are aligned on the right


def rendered(grid: Grid) -> RenderableType:
    """The table for the terminal; columns that are empty are left out."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    shown = _shown(grid)
    for column in shown:
        heading = grid.headings[column]
        longest = max((len(row[column]) for row in grid.rows), default=0)
        table.add_column(
            Text(heading),
            justify="right" if heading in grid.right else "left",
            no_wrap=longest <= _SHORT,
            overflow="fold",
        )
    for row in grid.rows:
        table.add_row(*(Text(row[k]) for k in shown))
    title = [Text(grid.title, style="bold"), Text()] if grid.title else []
    return Group(*title, table, *(Text(note, style="dim") for note in grid.notes if note))


def markdown(grids: Sequence[Grid]) -> str:
    """The tables as one text in Markdown.

    Examples
    --------
    >>> print(markdown([Grid(headings=("g", "speedup"), rows=(("1 KiB", "2.6"),))]), end="")
    | g | speedup |
    |:--|:--|
    | 1 KiB | 2.6 |
    """
    parts = []
    for grid in grids:
        shown = _shown(grid)
        rule = ["--:" if grid.headings[k] in grid.right else ":--" for k in shown]
        lines = [f"## {grid.title}", ""] if grid.title else []
        lines += [_line([grid.headings[k] for k in shown]), f"|{'|'.join(rule)}|"]
        lines += [_line([row[k] for k in shown]) for row in grid.rows]
        for note in filter(None, grid.notes):
            lines += ["", _escaped(note)]
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)


_SHORT = 28
_SPECIAL = str.maketrans({"|": "\\|", "*": "\\*", "_": "\\_", "<": "&lt;", ">": "&gt;"})


def _shown(grid: Grid) -> list[int]:
    return [k for k in range(len(grid.headings)) if any(row[k] for row in grid.rows)]


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(map(_escaped, cells))} |"


def _escaped(text: str) -> str:
    return text.translate(_SPECIAL)
