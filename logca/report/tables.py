"""Tables as HTML."""

from html import escape

from logca.derive.layout import Name
from logca.derive.mathml import element
from logca.grids import Grid

__all__ = ["table"]

_NAMES = {"peak": "speedup_peak"}


def table(grid: Grid) -> str:
    """A table that scrolls by itself where it is wider than the page, as markup [text].

    A column without a heading has symbols. Columns that are empty are left out.

    Parameters
    ----------
    grid : Grid
        The table.
    """
    shown = [k for k in range(len(grid.headings)) if any(row[k] for row in grid.rows)]
    right = [heading in grid.right for heading in grid.headings]
    head = "".join(_cell("th", escape(grid.headings[k]), right[k]) for k in shown)
    rows = "".join(
        "<tr>"
        + "".join(
            _cell("td", escape(row[k]) if grid.headings[k] else _symbol(row[k]), right[k])
            for k in shown
        )
        + "</tr>"
        for row in grid.rows
    )
    whole = f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
    notes = "".join(f'<p class="note">{escape(note)}</p>' for note in grid.notes if note)
    return f'<div class="table" tabindex="0">{whole}</div>{notes}'


def _symbol(name: str) -> str:
    return element(Name(_NAMES.get(name, name)), "", display=False)


def _cell(tag: str, content: str, right: bool) -> str:
    kind = ' class="number"' if right else ""
    return f"<{tag}{kind}>{content.replace('B**beta', 'Bᵝ')}</{tag}>"
