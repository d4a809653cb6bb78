"""Tables put together column by column, for the terminal and for Markdown."""

from collections.abc import Sequence
from dataclasses import dataclass

from logca.common.grids import Grid
from logca.common.tables import Part, Sheet

__all__ = ["Column", "Columns", "as_grid", "as_sheet"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A column of a table."""

    # group, heading: what it belongs to with its neighbours, and its own heading
    group: str = ""
    heading: str
    cells: tuple[str, ...]  # what stands in it
    right: bool = True  # whether it is aligned on the right
    spare: bool = False  # whether it can be left out where there is no room


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """A table."""

    title: str  # what it is about
    columns: tuple[Column, ...]  # its columns, all of one length
    notes: tuple[str, ...] = ()  # what stands below it


def as_sheet(table: Columns) -> Sheet:
    """The table for the terminal: the name of a group stands above its first column."""
    headings, last = [], ""
    for column in table.columns:
        headings.append(
            f"{column.group}\n{column.heading}"
            if column.group not in ("", last)
            else column.heading
        )
        last = column.group
    places = range(len(table.columns))
    return Sheet(
        title=table.title,
        headings=tuple(headings),
        parts=(Part(rows=_rows(table.columns)),),
        notes=table.notes,
        right=frozenset(place for place in places if table.columns[place].right),
        spare=tuple(place for place in reversed(places) if table.columns[place].spare),
    )


def as_grid(table: Columns) -> Grid:
    """The table for Markdown: every heading has the name of its group.

    Examples
    --------
    >>> column = Column(group="A", heading="ms", cells=("1",))
    >>> as_grid(Columns(title="", columns=(column,))).headings
    ('A: ms',)
    """
    names = [f"{each.group}: {each.heading}".strip(": ") for each in table.columns]
    return Grid(
        title=table.title,
        headings=tuple(names),
        rows=_rows(table.columns),
        notes=table.notes,
        right=frozenset(
            name for name, each in zip(names, table.columns, strict=True) if each.right
        ),
    )


def _rows(columns: Sequence[Column]) -> tuple[tuple[str, ...], ...]:
    return tuple(zip(*(column.cells for column in columns), strict=True))
