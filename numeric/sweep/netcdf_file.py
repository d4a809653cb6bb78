"""Sweeps as NetCDF-4: one file, in which the place of every value is settled from the beginning.

The variables are neither cut into chunks nor compressed: then writing a block changes nothing but
the values, and a process killed in the middle leaves a file that can be read and gone on with.
"""

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from logca.common.extras import require
from logca.numeric.sweep.dataset import Values, attributes, block_of, skeleton, without_record
from logca.numeric.sweep.formats import OutputRecord, Write
from logca.numeric.sweep.plan import Sweep

if TYPE_CHECKING:
    import h5netcdf
    import h5py
    import xarray as xr

__all__ = [
    "PARALLEL",
    "REPEATS_QUANTITIES",
    "create",
    "finish",
    "load",
    "others",
    "recorded",
    "restore",
    "writing",
    "written",
]

PARALLEL = False
REPEATS_QUANTITIES = False

_WRITTEN = "block_is_written"


def create(path: Path, sweep: Sweep) -> None:
    """A new file, with everything but the values of the quantities."""
    base = skeleton(sweep).assign_attrs(sweep=json.dumps(sweep.identity()), complete=np.int8(0))
    plain: dict[Any, dict[str, Any]] = {name: {"_FillValue": None} for name in base.coords}
    base.to_netcdf(path, mode="w", engine="h5netcdf", encoding=plain)
    with _opened(path, "r+") as file:
        for name in sweep.quantities:
            variable = file.create_variable(name, sweep.axes_of(name), "f8")
            variable.attrs.update(attributes(sweep, name))
            # HDF5 gives a variable its place in the file when the first value is written.
            variable[(0,) * len(sweep.axes_of(name)) or ...] = np.nan
        file.dimensions["block"] = sweep.grid.blocks
        there = file.create_variable(_WRITTEN, ("block",), "u1")
        there.attrs["long_name"] = "1 where the values of a block are written, else 0"
        there[:] = 0


def restore(_path: Path, _sweep: Sweep) -> None:
    """Nothing: it is one file, which is there or not."""


@contextmanager
def writing(path: Path, sweep: Sweep) -> Iterator[Write]:
    """Open the file to write blocks."""
    with _opened(path, "r+") as file:
        variables = {name: file.variables[name] for name in sweep.quantities}

        def write(number: int, values: Values) -> None:
            for name, array in values.items():
                place = block_of(sweep, name, number)
                assert place is not None
                variables[name][place or ...] = array
            file.flush()
            file.variables[_WRITTEN][number] = 1
            file.flush()

        yield write


def written(path: Path, sweep: Sweep, claimed: Iterable[int]) -> frozenset[int]:
    """Those of the blocks with these numbers that are in the file."""
    with _opened(path, "r") as file:
        if _WRITTEN not in file.variables:
            return frozenset()
        there = np.flatnonzero(file.variables[_WRITTEN][:])
    return frozenset(claimed) & frozenset(there.tolist())


def finish(path: Path) -> None:
    """Say in the file that all blocks are there."""
    file: h5py.File
    with require("h5py", "sweep").File(path, "r+") as file:
        file.attrs.modify("complete", np.int8(1))  # in its place, as all that is written here


def recorded(path: Path) -> OutputRecord | None:
    """Record of the sweep in the file; None if it is not one of a sweep."""
    try:
        with _opened(path, "r") as file:
            said = dict(file.attrs)
        return OutputRecord(identity=json.loads(said["sweep"]), complete=bool(said["complete"]))
    except (OSError, KeyError, ValueError, TypeError):
        return None


def others(_: Path) -> list[str]:
    """Nothing: it is a file."""
    return []


def load(path: Path) -> "xr.Dataset":
    """The file as a data set whose values are read when they are needed."""
    xarray: Any = require("xarray", "sweep")
    require("h5netcdf", "sweep")
    found: xr.Dataset = xarray.open_dataset(path, engine="h5netcdf")
    return without_record(found.drop_vars(_WRITTEN, errors="ignore"))


def _opened(path: Path, mode: str) -> "h5netcdf.File":
    return require("h5netcdf", "sweep").File(path, mode)
