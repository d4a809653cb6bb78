"""A table as HTML, with symbols in MathML."""

from html import escape

from logca.common.tables import Table
from logca.derive.notation.boxes import Name
from logca.derive.notation.mathml import element

__all__ = [
    "table",
]

_NAMES = {"peak": "speedup_peak"}


def table(data: Table) -> str:
    """Markup of a table, without empty columns; it scrolls where it is wider than the page."""
    shown = [(place, data.columns[place]) for place in data.shown()]
    head = "".join(_cell("th", escape(column.heading), column.right) for _, column in shown)
    rows = "".join(
        "<tr>"
        + "".join(
            _cell("td", _symbol(row[k]) if column.symbol else escape(row[k]), column.right)
            for k, column in shown
        )
        + "</tr>"
        for row in data.rows
    )
    whole = f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
    notes = "".join(f'<p class="note">{escape(note)}</p>' for note in data.notes if note)
    return f'<div class="table" tabindex="0">{whole}</div>{notes}'


def _symbol(name: str) -> str:
    return element(Name(_NAMES.get(name, name)), "", display=False)


def _cell(tag: str, content: str, right: bool) -> str:
    kind = ' class="number"' if right else ""
    return f"<{tag}{kind}>{content.replace('B**beta', 'Bᵝ')}</{tag}>"
