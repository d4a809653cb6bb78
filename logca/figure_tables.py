"""What the paper says of its figures beside what its Table 5 gives, for terminal and programs."""

from collections.abc import Sequence
from math import isfinite
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from logca.grids import Grid
from logca.numeric.comparisons import RULE, Agreement, Comparison

__all__ = ["comparison_data", "comparison_grid", "comparison_table"]

_SIGNS = {
    Agreement.AGREES: ("✓", "green"),
    Agreement.IN_RANGE: ("≈", "yellow"),
    Agreement.DIFFERS: ("✗", "bold red"),
    Agreement.UNKNOWN: ("?", "magenta"),
}
_HEADINGS = ("", "the paper says", "printed", "Table 5 gives", "verdict", "remark", "where")


def comparison_table(rows: Sequence[Comparison], *, title: str, caption: str) -> RenderableType:
    """The comparison for the terminal: a sign for each verdict, remarks below what is said.

    Parameters
    ----------
    rows : sequence of Comparison
        What is compared.
    title, caption : str
        Title of the figure, and what is said of it [text].
    """
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    table.add_column("", no_wrap=True)
    table.add_column("the paper says", overflow="fold")
    table.add_column("printed", no_wrap=True)
    table.add_column("Table 5 gives", overflow="fold")
    for row in rows:
        sign, style = _SIGNS[row.agreement]
        panel = f"({row.fact.panel}) " if row.fact.panel else ""
        said = Text.assemble(f"{panel}{row.fact.says}", (f"  {row.fact.where}", "dim"))
        if row.remark:
            said.append(f"\n{row.remark}", style="italic")
        table.add_row(Text(sign, style=style), said, row.fact.printed, Text(row.exact))
    signs = ", ".join(f"{sign} {verdict}" for verdict, (sign, _) in _SIGNS.items())
    notes = [Text(note, style="dim") for note in (signs, RULE, _ledger(rows)) if note]
    return Group(Text(title, style="bold"), Text(caption), Text(), table, Text(), *notes)


def comparison_grid(rows: Sequence[Comparison], *, title: str, caption: str) -> Grid:
    """The comparison as a table of text, one column for each thing.

    Parameters
    ----------
    rows : sequence of Comparison
        What is compared.
    title, caption : str
        Title of the figure, and what is said of it [text].
    """
    return Grid(
        title=title,
        headings=_HEADINGS,
        rows=tuple(
            (
                f"({row.fact.panel})" if row.fact.panel else "",
                row.fact.says,
                row.fact.printed,
                row.exact,
                row.agreement.value,
                row.remark,
                row.fact.where,
            )
            for row in rows
        ),
        notes=(caption, RULE, _ledger(rows)),
    )


def comparison_data(row: Comparison) -> dict[str, Any]:
    """A comparison as JSON has it; what does not exist is null."""
    fact = row.fact
    return {
        "figure": fact.figure,
        "panel": fact.panel,
        "says": fact.says,
        "printed": fact.printed or None,
        "terms": list(fact.terms),
        "exact": row.exact,
        "values": [value if isfinite(value) else None for value in row.values],
        "verdict": row.agreement.value,
        "remark": row.remark,
        "where": fact.where,
        "claims": list(fact.claims),
    }


def _ledger(rows: Sequence[Comparison]) -> str:
    claims = dict.fromkeys(claim for row in rows for claim in row.fact.claims)
    return f"Proofs: logca check {' '.join(claims)}" if claims else ""
