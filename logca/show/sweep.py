"""Points of sweeps and fronts, as a table and as JSON."""

from collections.abc import Mapping
from math import isfinite
from typing import TYPE_CHECKING, Any

from logca.common.sizes import format_size
from logca.common.tables import Column, Table
from logca.numeric.generated.units import PARAMETERS

if TYPE_CHECKING:
    import xarray as xr

__all__ = [
    "points_json",
    "points_table",
]

_SIZE = "B"


def points_json(dataset: "xr.Dataset") -> dict[str, Any]:
    """Points of a data set: what is fixed, the units, and a row for each point."""
    return {
        "latency": dataset.attrs["latency"],
        "fixed": {name: value.item() for name, value in _fixed(dataset).items()},
        "units": {name: each.attrs["units"] for name, each in dataset.variables.items()},
        "points": _rows(dataset),
    }


def points_table(dataset: "xr.Dataset") -> Table:
    """Points of a data set, one row each, with units in the header, and below what is fixed."""
    rows = _rows(dataset)
    names = list(rows[0]) if rows else _varying(dataset)
    units = [dataset[name].attrs["units"] for name in names]
    fixed = [
        f"{name} = {_written(each.item(), each.attrs)}{_unit(each.attrs)}"
        for name, each in _fixed(dataset).items()
    ]
    said = ", ".join([*fixed, f"{dataset.attrs['latency']} latency"])
    return Table.by_rows(
        (
            Column.number(name if unit in ("1", _SIZE) else f"{name} [{unit}]")
            for name, unit in zip(names, units, strict=True)
        ),
        ([_written(row[name], dataset[name].attrs) for name in names] for row in rows),
        notes=[f"{len(rows)} points; {said}"],
    )


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


def _unit(attributes: Mapping[str, Any]) -> str:
    return "" if attributes["units"] in ("1", _SIZE) else f" {attributes['units']}"


def _written(value: float, attributes: Mapping[str, Any]) -> str:
    if not isfinite(value):
        return "-"
    return format_size(value) if attributes["units"] == _SIZE else f"{value:.6g}"
