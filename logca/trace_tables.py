"""What the terminal shows of programs that were traced, drawn with Rich."""

from collections.abc import Iterator, Sequence

from rich.console import Console, Group, RenderableType
from rich.text import Text

from logca.trace.sheets import Sheet, heads, widths

__all__ = ["sheets_drawn"]

_GAP = 2
_NARROWEST = 12
_PLAIN = Console(width=200)
_HEAT = ((50.0, "bold red"), (10.0, "yellow"), (1.0, ""), (0.0, "dim"))


def sheets_drawn(sheets: Sequence[Sheet], width: int) -> RenderableType:
    """Tables one below the other.

    Parameters
    ----------
    sheets : sequence of Sheet
        The tables.
    width : int
        Columns of the terminal; tables that are wider lose what can be spared [1].
    """
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
