"""Coordinates, units and meanings: all of a sweep's data set but the values."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from logca.numeric.missing import require
from logca.numeric.sweeping.plan import Sweep
from logca.numeric.sweeping.quantities import entry

if TYPE_CHECKING:
    import xarray as xr

__all__ = ["attributes", "labelled", "skeleton", "without_record"]

_RECORD = ("sweep", "complete")


def attributes(sweep: Sweep, name: str) -> dict[str, str]:
    """Unit and meaning of a parameter or quantity [text]."""
    unit, meaning = entry(name, sweep.latency, sweep.unit)
    return {"units": unit, "long_name": meaning}


def skeleton(sweep: Sweep) -> "xr.Dataset":
    """The data set without the quantities."""
    xarray: Any = require("xarray", "sweep")
    axes = {
        name: (name, np.array(values), attributes(sweep, name))
        for name, values in sweep.axes.items()
    }
    fixed = {name: ((), value, attributes(sweep, name)) for name, value in sweep.fixed.items()}
    said = {"title": "Sweep of the LogCA model", "latency": sweep.latency, "time_unit": sweep.unit}
    dataset: xr.Dataset = xarray.Dataset(coords=axes | fixed, attrs=said)
    return dataset


def labelled(sweep: Sweep, values: Mapping[str, Any]) -> "xr.Dataset":
    """The data set with the quantities."""
    return skeleton(sweep).assign(
        {
            name: (sweep.axes_of(name), array, attributes(sweep, name))
            for name, array in values.items()
        }
    )


def without_record(dataset: "xr.Dataset") -> "xr.Dataset":
    """A data set less what its file says of the sweep that wrote it: as computed in memory."""
    kept = {name: said for name, said in dataset.attrs.items() if name not in _RECORD}
    return dataset.drop_attrs(deep=False).assign_attrs(kept)
