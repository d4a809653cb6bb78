"""Points of sweeps and fronts, as a table and as JSON."""

from collections.abc import Mapping, Sequence
from math import isfinite, prod
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from logca.common.readable_numbers import time_text
from logca.common.sizes import format_size
from logca.common.tables import Column, Table
from logca.numeric.generated.units import PARAMETERS

if TYPE_CHECKING:
    import xarray as xr

__all__ = [
    "front_answer",
    "points_answer",
    "points_json",
    "points_table",
]

_SIZE, _SECONDS = "B", "seconds"
_SHORT = (_SECONDS, "s")


def points_answer(dataset: "xr.Dataset") -> str:
    """Sentence that says from what to what the first quantity of a sweep goes, and where."""
    name = str(next(iter(dataset.data_vars)))
    rows = [row for row in _rows(dataset) if isfinite(row[name])]
    count = _points(dataset.to_array().shape[1:])
    if not rows:
        return f"{name} exists at none of {count}."
    least, most = (end(rows, key=itemgetter(name)) for end in (min, max))
    if least[name] == most[name]:
        return f"{name} is {_of_row(dataset, name, least)} at {count}."
    ends = (f"{_of_row(dataset, name, row)}{_where(dataset, row)}" for row in (least, most))
    return f"{name} at {count}: from {' to '.join(ends)}."


def front_answer(front: "xr.Dataset", of: int, objectives: Sequence[str]) -> str:
    """Sentence that says how many points are Pareto-optimal, and what they range over."""
    rows = _rows(front)
    ranges = []
    for name in objectives:
        ends = [end(rows, key=lambda row: row[name]) for end in (min, max)] if rows else []
        ranges += [f"{name} from {' to '.join(_of_row(front, name, e) for e in ends)}"] * bool(ends)
    said = f"{len(rows):,} of {_points([of])} {'is' if len(rows) == 1 else 'are'} Pareto-optimal"
    return f"{said}{': ' * bool(ranges)}{', '.join(ranges)}."


def _points(shape: Sequence[int]) -> str:
    number = prod(shape)
    return "1 point" if number == 1 else f"{number:,} points"


def _of_row(dataset: "xr.Dataset", name: str, row: Mapping[str, float]) -> str:
    return _with_unit(row[name], dataset[name].attrs, digits=4)


def _where(dataset: "xr.Dataset", row: Mapping[str, float]) -> str:
    along = [name for name in _parameters(dataset) if dataset[name].dims]
    said = ", ".join(f"{name} = {_of_row(dataset, name, row)}" for name in along)
    return f" ({said})" if said else ""


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
        f"{name} = {_with_unit(each.item(), each.attrs)}" for name, each in _fixed(dataset).items()
    ]
    said = ", ".join([*fixed, f"{dataset.attrs['latency']} latency"])
    return Table.by_rows(
        (
            Column.number(name if unit in ("1", _SIZE) else f"{name} [{unit.replace(*_SHORT)}]")
            for name, unit in zip(names, units, strict=True)
        ),
        ([_written(row[name], dataset[name].attrs) for name in names] for row in rows),
        notes=[f"{_points([len(rows)])}; {said}"],
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


def _with_unit(value: float, attributes: Mapping[str, Any], digits: int = 6) -> str:
    """A number with its unit; a time in seconds has a prefix."""
    unit = str(attributes["units"])
    if unit.startswith(_SECONDS) and isfinite(value):
        return time_text(value, _SECONDS) + unit.removeprefix(_SECONDS)
    if unit == _SIZE:
        return _written(value, attributes)
    return f"{value:.{digits}g}" + ("" if unit == "1" else f" {unit}")


def _written(value: float, attributes: Mapping[str, Any]) -> str:
    if not isfinite(value):
        return "-"
    return format_size(value) if attributes["units"] == _SIZE else f"{value:.6g}"
