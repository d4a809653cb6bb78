"""Tables drawn in a terminal: the only place that makes tables of Rich."""

from collections.abc import Iterable, Iterator, Sequence

from rich import box
from rich.console import Console, Group, RenderableType
from rich.table import Table as RichTable
from rich.text import Text

from logca.common.tables import Column, Section, Styled, Table, head_lines, widths

__all__ = ["drawn", "facts", "folding", "styled"]

_GAP = 2
_NARROWEST = 12
_SHORT = 28
_PLAIN = Console(width=200)
_HEAT = ((50.0, "bold red"), (10.0, "yellow"), (1.0, ""), (0.0, "dim"))


def styled(cell: str, style: str = "") -> Text:
    """A cell in its own styles, or else in that of its column."""
    if isinstance(cell, Styled):
        return Text.assemble(*cell.parts)
    return Text(cell, style=style)


def folding(table: Table, *, gap: int = _GAP) -> RenderableType:
    """A table whose long texts go on below themselves; lines stand between its sections."""
    ruled = len(table.sections) > 1
    grid = RichTable(
        box=box.SIMPLE_HEAD if ruled else None,
        pad_edge=False,
        padding=(0, 1) if ruled else (0, gap, 0, 0),
        header_style="bold",
        show_header=any(column.heading for column in table.columns),
    )
    shown = table.shown() or range(len(table.columns))
    for place in shown:
        column = table.columns[place]
        longest = max((len(row[place]) for row in table.rows), default=0)
        grid.add_column(
            styled(column.heading),
            justify="right" if column.right else "left",
            style=column.style,
            min_width=column.least or None,
            # a short text that wraps looks like two rows
            no_wrap=longest <= _SHORT and not column.fold,
            overflow="fold",
        )
    for section in table.sections:
        for row in section.rows:
            grid.add_row(*(styled(row[place]) for place in shown))
        grid.add_section()
    title = [Text(table.title, style="bold"), Text()] if table.title else []
    return Group(*title, grid, *(Text(note, style="dim") for note in table.notes if note))


def facts(rows: Iterable[tuple[str, RenderableType]]) -> RenderableType:
    """Headings on the left, what they head on the right; empty ones are left out."""
    grid = RichTable.grid(padding=(0, _GAP, 0, 0))
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column(overflow="fold")
    for heading, content in rows:
        if content:
            grid.add_row(heading, content)
    return grid


def drawn(tables: Sequence[Table], width: int) -> RenderableType:
    """Tables one below the other, each row on one line: what does not fit is cut or left out."""
    parts: list[RenderableType] = []
    for number, table in enumerate(tables):
        parts += [Text(), *_drawn(table, width)] if number else _drawn(table, width)
    return Group(*parts)


def _drawn(table: Table, width: int) -> Iterator[Text]:
    columns = _fitting(table, width)
    if table.title:
        yield _line(table.title, "bold")
    for head in head_lines(table):
        yield _row(table.columns, head, columns, heading=True)
    for section in table.sections:
        yield from _heading(section, width)
        for row in section.rows:
            if _is_said(table):
                yield from _said(row, columns, width)
            else:
                yield _row(table.columns, row, columns)
    for note in table.notes:
        yield Text(note, style="dim")


def _is_said(table: Table) -> bool:
    return bool(table.columns) and table.columns[-1].fold


def _fitting(table: Table, width: int) -> dict[int, int]:
    """Columns and their widths: some left out, and one cut, where there is no room for all."""
    columns = widths(table)
    spare = [place for place in columns if table.columns[place].spare]
    for place in sorted(spare, key=lambda place: (-table.columns[place].spare, -place)):
        if _total(columns) <= width:
            break
        columns.pop(place)
    # Only one text is cut: a reader completes one cut cell, not a row of them; numbers never are.
    texts = [place for place in columns if not table.columns[place].right]
    if not _is_said(table) and texts and (excess := _total(columns) - width) > 0:
        widest = max(texts, key=lambda place: columns[place])
        columns[widest] = max(_NARROWEST, columns[widest] - excess)
    return columns


def _total(columns: dict[int, int]) -> int:
    return sum(columns.values()) + _GAP * (len(columns) - 1)


def _line(text: str, style: str) -> Text:
    return Text(text, style=style, no_wrap=True, overflow="ellipsis")


def _heading(section: Section, width: int) -> Iterator[Text]:
    """A function, or a line of the source below the file that it is in."""
    for text in section.heading.split("\n") if section.heading else ():
        yield _line(text, "cyan")
    if section.line:
        parts = (section.number, "dim"), (section.source, "bold")
        line = Text.assemble(*parts, no_wrap=True, overflow="ellipsis")
        line.truncate(width, overflow="ellipsis")
        yield line


def _row(
    columns: Sequence[Column],
    row: Sequence[str],
    shown: dict[int, int],
    *,
    heading: bool = False,
) -> Text:
    line = Text(no_wrap=True, overflow="ellipsis")
    for number, (place, width) in enumerate(shown.items()):
        column = columns[place]
        cell = styled(row[place], "dim" if heading else _style(column, row[place]))
        cell.truncate(width, overflow="ellipsis")
        cell.align("right" if column.right else "left", width)
        line.append(" " * _GAP * bool(number))
        line.append_text(cell)
    line.rstrip()
    return line


def _style(column: Column, cell: str) -> str:
    if not column.heat or not cell:
        return column.style
    share = float(cell.strip("<>"))
    return next(style for least, style in _HEAT if share >= least)


def _said(row: Sequence[str], columns: dict[int, int], width: int) -> Iterator[Text]:
    """A row of two cells, name and what is said of it, which goes on below itself."""
    indent = columns.get(0, 0) + _GAP
    said = Text(row[1]).wrap(_PLAIN, max(width - indent, _NARROWEST))
    for number, line in enumerate(said):
        line.rstrip()
        yield Text.assemble((("" if number else row[0]).ljust(indent), "dim"), line)
