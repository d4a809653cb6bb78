"""Sweeps as Zarr (version 3): a chunk for each block and quantity, so blocks are written apart."""

import json
import re
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from logca.common.extras import require
from logca.numeric.sweep.dataset import Values, attributes, block_of, skeleton, without_record
from logca.numeric.sweep.formats import OutputRecord, Write
from logca.numeric.sweep.plan import Sweep

if TYPE_CHECKING:
    import xarray as xr

__all__ = [
    "PARALLEL",
    "REPEATS_QUANTITIES",
    "create",
    "finish",
    "load",
    "others",
    "recorded",
    "writing",
    "written",
]

_BEING_WRITTEN = re.compile(r"(.*)\.[0-9a-f]{32}\.partial")
"""Zarr's own names of files that it is about to write, left by what was killed."""

PARALLEL = True
REPEATS_QUANTITIES = False


def create(path: Path, sweep: Sweep) -> None:
    """A new folder, with everything but the values of the quantities."""
    library: Any = require("zarr", "sweep")
    said = {"sweep": json.dumps(sweep.identity()), "complete": 0}
    base = skeleton(sweep)
    with _calm():
        base.assign_attrs(said).to_zarr(path, mode="w-", zarr_format=3, consolidated=False)
    group = library.open_group(path, mode="r+")
    lengths = dict(zip(sweep.axes, sweep.grid.block, strict=True))
    for name in sweep.quantities:
        own = sweep.axes_of(name)
        group.create_array(
            name,
            shape=sweep.shape_of(name),
            chunks=tuple(lengths[axis] for axis in own),
            dtype="float64",
            fill_value=np.nan,
            dimension_names=own,
            attributes=attributes(sweep, name),
            # As small as zstd makes these numbers, and more than twice as fast.
            compressors=library.codecs.BloscCodec(cname="lz4", clevel=1, shuffle="shuffle"),
        )


@contextmanager
def writing(path: Path, sweep: Sweep) -> Iterator[Write]:
    """Open the folder to write blocks."""
    library: Any = require("zarr", "sweep")
    # a chunk without a number in it is written too, since a chunk that is missing is not done
    always = {"write_empty_chunks": True}
    arrays: dict[str, Any] = {
        name: library.open_array(path / name, mode="r+", config=always) for name in sweep.quantities
    }

    def write(number: int, values: Values) -> None:
        for name, array in values.items():
            place = block_of(sweep, name, number)
            assert place is not None
            arrays[name][place or ...] = array

    yield write


def written(path: Path, sweep: Sweep, claimed: Iterable[int]) -> frozenset[int]:
    """Those of the blocks with these numbers that are in the folder."""
    lengths = dict(zip(sweep.axes, sweep.grid.block, strict=True))

    def is_there(number: int) -> bool:
        for name in sweep.quantities:
            place = block_of(sweep, name, number)
            if place is None:
                continue
            starts = zip(sweep.axes_of(name), place, strict=True)
            indices = [str(part.start // lengths[axis]) for axis, part in starts]
            if not path.joinpath(name, "c", *indices).is_file():
                return False
        return True

    return frozenset(filter(is_there, claimed))


def finish(path: Path) -> None:
    """Say in the folder that all blocks are there."""
    library: Any = require("zarr", "sweep")
    library.open_group(path, mode="r+").attrs["complete"] = 1
    with _calm():
        library.consolidate_metadata(path)


def recorded(path: Path) -> OutputRecord | None:
    """Record of the sweep in the folder; None if it is not one of a sweep."""
    library: Any = require("zarr", "sweep")
    try:
        said = dict(library.open_group(path, mode="r", use_consolidated=False).attrs)
        return OutputRecord(identity=json.loads(said["sweep"]), complete=bool(said["complete"]))
    except (OSError, KeyError, ValueError, TypeError):
        return None


def others(path: Path) -> list[str]:
    """Names of what is in the folder and no part of it."""
    record = recorded(path)
    said = {} if record is None else record.identity
    arrays = {name for kind in ("quantities", "axes", "fixed") for name in said.get(kind, ())}

    def is_part(entry: Path) -> bool:
        *above, name = entry.relative_to(path).parts
        if entry.is_symlink() or (above and above[0] not in arrays):
            return False
        if entry.is_dir():
            return _is_chunk([*above[1:], name]) if above else name in arrays
        if being_written := _BEING_WRITTEN.fullmatch(name):
            name = being_written[1].replace("zarr", "zarr.json")
        if name == "zarr.json":
            return len(above) < 2
        return bool(above) and _is_chunk([*above[1:], name])

    return sorted(str(each.relative_to(path)) for each in path.rglob("*") if not is_part(each))


def _is_chunk(parts: Sequence[str]) -> bool:
    """True for the path of a chunk in the folder of its array, or of a folder with chunks."""
    return parts[0] == "c" and all(map(str.isdecimal, parts[1:]))


def load(path: Path) -> "xr.Dataset":
    """The folder as a data set whose values are read when they are needed."""
    xarray: Any = require("xarray", "sweep")
    found: xr.Dataset = xarray.open_dataset(path, engine="zarr", chunks=None, consolidated=False)
    return without_record(found)


@contextmanager
def _calm() -> Iterator[None]:
    """Consolidated metadata are an extension of version 3, and without them xarray complains."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Consolidated metadata is currently not part")
        yield
