"""What the terminal shows of sweeps, drawn with Rich."""

from collections.abc import Mapping
from math import isfinite
from typing import TYPE_CHECKING, Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from logca.common.sizes import format_size
from logca.numeric.accelerator.change import Change
from logca.numeric.generated.units import PARAMETERS

if TYPE_CHECKING:
    import xarray as xr

__all__ = ["change_table", "points_json", "points_table"]

_SIZE = "B"


def points_json(dataset: "xr.Dataset") -> dict[str, Any]:
    """Points of a data set: what is fixed, the units, and a row for each point."""
    return {
        "latency": dataset.attrs["latency"],
        "fixed": {name: value.item() for name, value in _fixed(dataset).items()},
        "units": {name: each.attrs["units"] for name, each in dataset.variables.items()},
        "points": _rows(dataset),
    }


def points_table(dataset: "xr.Dataset") -> RenderableType:
    """Points of a data set, one row each, with units in the header, and below what is fixed."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    rows = _rows(dataset)
    for name in rows[0] if rows else _varying(dataset):
        unit = dataset[name].attrs["units"]
        table.add_column(
            Text(name if unit in ("1", _SIZE) else f"{name} [{unit}]"),
            justify="right",
            no_wrap=True,
        )
    for row in rows:
        table.add_row(*(_written(value, dataset[name].attrs) for name, value in row.items()))
    fixed = [
        f"{name} = {_written(each.item(), each.attrs)}" for name, each in _fixed(dataset).items()
    ]
    said = ", ".join([*fixed, f"{dataset.attrs['latency']} latency"])
    return Group(table, Text(f"{len(rows)} points; {said}", style="dim"))


def change_table(change: Change, before: Mapping[str, Any]) -> RenderableType:
    """Parameters before and after a change, and what it brings."""
    said = Text(str(change), style="bold" if change.reached else "bold red")
    if not change.parameters:
        return said
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for heading in ("", "before", "after", "factor"):
        table.add_column(heading, justify="right", no_wrap=True)
    for name, value in change.parameters.items():
        factor = change.factors.get(name)
        table.add_row(
            name, f"{before[name]:.6g}", f"{value:.6g}", "" if factor is None else f"{factor:.4g}"
        )
    return Group(said, table)


def _fixed(dataset: "xr.Dataset") -> dict[str, "xr.DataArray"]:
    return {name: dataset[name] for name in _parameters(dataset) if not dataset[name].dims}


def _varying(dataset: "xr.Dataset") -> list[str]:
    along = [name for name in _parameters(dataset) if dataset[name].dims]
    return [*along, *map(str, dataset.data_vars)]


def _parameters(dataset: "xr.Dataset") -> list[str]:
    return [name for name in PARAMETERS if name in dataset.coords]


def _rows(dataset: "xr.Dataset") -> list[dict[str, float]]:
    names = _varying(dataset)
    if not dataset.dims:
        return [{name: dataset[name].item() for name in names}]
    table = dataset.to_dataframe().reset_index()[names]
    return [{str(name): value for name, value in row.items()} for row in table.to_dict("records")]


def _written(value: float, attributes: Mapping[str, Any]) -> str:
    if not isfinite(value):
        return "-"
    return format_size(value) if attributes["units"] == _SIZE else f"{value:.6g}"
