"""The cheapest change as the terminal and programs have it: parameters before and after."""

from collections.abc import Mapping
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from logca.common.json_output import attributes
from logca.common.readable_numbers import time_text
from logca.common.sizes import format_size
from logca.common.tables import Column, Table
from logca.common.terminal import folding
from logca.numeric.accelerator.change import Change, same
from logca.numeric.sweep.plan import entry
from logca.show.results import View

__all__ = [
    "VIEWS",
    "change_answer",
    "change_data",
    "change_shown",
    "change_words",
]


def change_shown(change: Change, before: Mapping[str, Any], unit: str) -> RenderableType:
    """A change's answer, and the parameters before and after it; `unit` is that of times."""
    said = Text(change_answer(change, before, unit), style="bold" if change.reached else "bold red")
    if not change.parameters:
        return said
    rows = (
        (
            *(name, f"{before[name]:.6g}", f"{value:.6g}"),
            f"{change.factors[name]:.4g}" if name in change.factors else "",
            _unit(name, before, unit),
        )
        for name, value in change.parameters.items()
    )
    columns = (*map(Column.number, ("", "before", "after", "factor")), Column("unit"))
    return Group(said, folding(Table.by_rows(columns, rows)))


def change_data(change: Change, before: Mapping[str, Any], unit: str) -> dict[str, Any]:
    """A change as JSON has it; what does not exist is null."""
    return {
        "answer": change_answer(change, before, unit),
        **attributes(change, "reached target g speedup cost"),
        "latency": before["latency"],
        "units": {name: _unit(name, before, unit) for name in change.parameters},
        **attributes(change, "parameters factors"),
    }


def change_answer(change: Change, before: Mapping[str, Any], unit: str) -> str:
    """Sentence that says what has to change for the speedup, and what that costs."""
    where = f"{change.target:g} at {format_size(change.g)}"
    changed = change_words(change, before, unit)
    if not change.reached and not change.parameters:
        return f"No change reaches a speedup of {where}: it stays below {change.speedup:.4g}."
    if not change.reached:
        greatest = f"the greatest is {change.speedup:.4g}{changed and f', with {changed}'}"
        return f"No point of the sweep reaches a speedup of {where}: {greatest}."
    if not changed:
        return f"A speedup of {where} needs no change: it is {change.speedup:.4g} already."
    more = "" if same(change.speedup, change.target) else f"gives {change.speedup:.4g} and "
    return f"A speedup of {where} needs {changed}; this {more}costs {change.cost:.4g}."


def change_words(change: Change, before: Mapping[str, Any], unit: str) -> str:
    """The parameters that change, each from what to what; empty if none does."""
    changes = [
        f"{name} from {_value(name, before[name], before, unit)} to "
        f"{_value(name, change.parameters[name], before, unit)}"
        for name in change.factors
    ]
    return " and ".join(filter(None, (", ".join(changes[:-1]), *changes[-1:])))


def _unit(name: str, before: Mapping[str, Any], unit: str) -> str:
    found = entry(name, before["latency"], "s" if unit == "seconds" else unit)[0]
    return "" if found == "1" else found


def _value(name: str, value: float, before: Mapping[str, Any], unit: str) -> str:
    if not (per := _unit(name, before, unit)):
        return f"{value:.4g}"
    return time_text(value, unit) + "".join(per.partition("/")[1:])


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
