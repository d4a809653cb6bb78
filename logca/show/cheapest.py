"""The cheapest change as the terminal shows it: parameters before and after."""

from collections.abc import Mapping
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from logca.common.tables import Column, Table
from logca.common.terminal import folding
from logca.numeric.accelerator.change import Change

__all__ = [
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
