"""Tables drawn in a terminal, the only place that makes tables of Rich; consoles for texts."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from rich import box
from rich.console import Console, ConsoleOptions, Group, RenderableType
from rich.segment import Segment
from rich.table import Table as RichTable
from rich.text import Text

from logca.common.tables import Column, Section, Styled, Table, head_lines, widths
from logca.common.visible_text import visible

__all__ = ["drawn", "facts", "folding", "safe_console", "styled"]


class _SafeConsole(Console):
    """A console that shows control characters of texts; those of styles are its own."""

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterator[Segment]:
        for segment in super().render(renderable, options):
            yield segment if segment.control else segment._replace(text=visible(segment.text))


def safe_console(**options: Any) -> Console:
    """A console of Rich, with these options, that obeys nothing in the texts it prints."""
    return _SafeConsole(**options)


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
    """Tables one below the other: long texts go on below themselves, columns in a further table.

    No word is cut; columns that may be spared are left out first.
    """
    parts: list[RenderableType] = []
    for number, table in enumerate(tables):
        parts += [Text(), *_drawn(table, width)] if number else _drawn(table, width)
    return Group(*parts)


def _drawn(table: Table, width: int) -> Iterator[Text]:
    columns = _fitting(table, width)
    if table.title:
        yield Text(table.title, style="bold")
    if _total(columns) > width and len(columns) > 2 and not _is_said(table):
        for number, piece in enumerate(_pieces(table, [*columns], width)):
            yield from [Text()] * bool(number)
            yield from _body(piece, _fitting(piece, width), width)
    else:
        yield from _body(table, columns, width)
    for note in table.notes:
        yield Text(note, style="dim")


def _pieces(table: Table, places: Sequence[int], width: int) -> Iterator[Table]:
    """Parts of the columns that fit, the first one in each of them."""
    key, *rest = places
    taken: list[int] = []
    for place in rest:
        if taken and _total(widths(_part(table, [key, *taken, place]))) > width:
            yield _part(table, [key, *taken])
            taken = []
        taken.append(place)
    yield _part(table, [key, *taken])


def _part(table: Table, places: Sequence[int]) -> Table:
    sections = (
        replace(section, rows=tuple(tuple(row[place] for place in places) for row in section.rows))
        for section in table.sections
    )
    columns = tuple(replace(table.columns[place], spare=0) for place in places)
    return Table(columns=columns, sections=tuple(sections))


def _body(table: Table, columns: dict[int, int], width: int) -> Iterator[Text]:
    for head in head_lines(table):
        yield from _row(table.columns, head, columns, heading=True)
    for section in table.sections:
        yield from _heading(section, width)
        for row in section.rows:
            if _is_said(table):
                yield from _said(row, columns, width)
            else:
                yield from _row(table.columns, row, columns)


def _is_said(table: Table) -> bool:
    return bool(table.columns) and table.columns[-1].fold


def _fitting(table: Table, width: int) -> dict[int, int]:
    """Columns and their widths: some left out, one narrower, where there is no room for all."""
    columns = widths(table)
    spare = [place for place in columns if table.columns[place].spare]
    for place in sorted(spare, key=lambda place: (-table.columns[place].spare, -place)):
        if _total(columns) <= width:
            break
        columns.pop(place)
    # Only one text goes on below itself; numbers never do.
    texts = [place for place in columns if not table.columns[place].right]
    if not _is_said(table) and texts and (excess := _total(columns) - width) > 0:
        widest = max(texts, key=lambda place: columns[place])
        columns[widest] = max(_NARROWEST, columns[widest] - excess)
    return columns


def _total(columns: dict[int, int]) -> int:
    return sum(columns.values()) + _GAP * (len(columns) - 1)


def _heading(section: Section, width: int) -> Iterator[Text]:
    """A function, or a line of the source below the file that it is in."""
    for text in section.heading.split("\n") if section.heading else ():
        yield Text(text, style="cyan")
    if section.line:
        parts = (section.number, "dim"), (section.source, "bold")
        yield from _wrapped(Text.assemble(*parts), width, len(section.number))


def _row(
    columns: Sequence[Column],
    row: Sequence[str],
    shown: dict[int, int],
    *,
    heading: bool = False,
) -> Iterator[Text]:
    """A row, with further lines below it if a text is longer than its column."""
    cells = {}
    for place, width in shown.items():
        style = "dim" if heading else _style(columns[place], row[place])
        cell = styled(row[place], style)
        cells[place] = _wrapped(cell, width) if len(cell) > width else [cell]
    for number in range(max(map(len, cells.values()), default=1)):
        line = Text(no_wrap=True, overflow="crop")
        for place, width in shown.items():
            cell = cells[place][number] if number < len(cells[place]) else Text()
            cell.align("right" if columns[place].right else "left", width)
            line.append(" " * _GAP * (place != next(iter(shown))))
            line.append_text(cell)
        line.rstrip()
        yield line


def _wrapped(text: Text, width: int, indent: int = 0) -> list[Text]:
    """Lines of a text, broken between words; those after the first are indented as it is."""
    indent = indent or len(text.plain) - len(text.plain.lstrip())
    indent = indent if width - indent >= _NARROWEST else 0
    first, rest = text[:indent], text[indent:]
    lines = [*rest.wrap(_PLAIN, max(width - indent, 1))]
    for number, line in enumerate(lines):
        line.rstrip()
        line = Text.assemble(first if not number else " " * indent, line)
        lines[number] = line
    return lines


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
