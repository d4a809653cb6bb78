"""A sweep's data set: coordinates, units and meanings, and the values of one block."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from logca.common.extras import require
from logca.numeric.sweep.blocks import SweepError
from logca.numeric.sweep.plan import Sweep, compute, depends_on, entry

if TYPE_CHECKING:
    import xarray as xr

__all__ = [
    "Values",
    "attributes",
    "block_of",
    "block_values",
    "labelled",
    "read_values",
    "skeleton",
    "without_record",
]

Values = dict[str, np.ndarray[Any, np.dtype[np.float64]]]
"""For each quantity its values, along the axes that it depends on."""


def block_of(sweep: Sweep, quantity: str, number: int) -> tuple[slice, ...] | None:
    """Where the values of a quantity belong that are computed with a block; None if nowhere.

    What does not depend on an axis is the same in all blocks along it, and goes with the first.
    """
    place = dict(zip(sweep.axes, sweep.grid.place(number), strict=True))
    own = sweep.axes_of(quantity)
    if any(part.start for name, part in place.items() if name not in own):
        return None
    return tuple(place[name] for name in own)


def block_values(sweep: Sweep, number: int, *, everywhere: bool = False) -> Values:
    """Values of the quantities in a block [unit of each]."""
    place = dict(zip(sweep.axes, sweep.grid.place(number), strict=True))
    found: Values = {}
    memory: dict[str, Any] = {}
    for quantity in sweep.quantities:
        if not everywhere and block_of(sweep, quantity, number) is None:
            continue
        own = sweep.axes_of(quantity)
        arguments = {
            name: np.array(sweep.axes[name][place[name]]).reshape(
                [-1 if each == name else 1 for each in own]
            )
            if name in sweep.axes
            else np.float64(sweep.fixed[name])
            for name in depends_on(quantity, sweep.latency)
        }
        shape = [place[name].stop - place[name].start for name in own]
        found[quantity] = np.broadcast_to(
            compute(quantity, sweep.latency, arguments, memory), shape
        )
    return found


def read_values(array: "xr.DataArray") -> np.ndarray[Any, Any]:
    """Values of a part of a sweep; a `SweepError` if they are in a file that is damaged."""
    try:
        found: np.ndarray[Any, Any] = array.values
    except (
        OSError,
        RuntimeError,
        ValueError,
    ) as error:  # of the system, or of the format's library
        raise SweepError(
            f"the values of {array.name} cannot be read, as the sweep's file is damaged ({error}); "
            "copy it again, or run the sweep again with force"
        ) from None
    return found


_RECORD = ("sweep", "complete")


def attributes(sweep: Sweep, name: str) -> dict[str, str]:
    """Unit and meaning of a parameter or quantity."""
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
