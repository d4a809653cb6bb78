"""The cheapest change as the terminal shows it: parameters before and after."""

from collections.abc import Mapping
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from logca.common.tables import Column, Table
from logca.common.terminal import folding
from logca.numeric.accelerator.change import Change
from logca.show.results import View

__all__ = [
    "VIEWS",
    "change_table",
]


def change_table(change: Change, before: Mapping[str, Any]) -> RenderableType:
    """Parameters before and after a change, and what it brings."""
    said = Text(str(change), style="bold" if change.reached else "bold red")
    if not change.parameters:
        return said
    rows = (
        (
            *(name, f"{before[name]:.6g}", f"{value:.6g}"),
            f"{change.factors[name]:.4g}" if name in change.factors else "",
        )
        for name, value in change.parameters.items()
    )
    columns = map(Column.number, ("", "before", "after", "factor"))
    return Group(said, folding(Table.by_rows(columns, rows)))


def _after(change: Change) -> Table:
    factors = {name: f"{factor:.4g}" for name, factor in change.factors.items()}
    return Table.by_rows(
        ("", Column.number("after"), Column.number("factor")),
        (
            (name, f"{value:.6g}", factors.get(name, ""))
            for name, value in change.parameters.items()
        ),
    )


VIEWS = {"Change": View(answer=str, tables=lambda found: [_after(found)])}
"""View of a change in Python."""
