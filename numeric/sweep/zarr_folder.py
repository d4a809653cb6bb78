"""Sweeps as Zarr (version 3): a chunk for each block and quantity, so blocks are written apart."""

import json
import re
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from math import isnan
from os import fstat
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import numpy as np

from logca.common.extras import require
from logca.common.files import write_new
from logca.numeric.sweep.dataset import Values, attributes, block_of, skeleton, without_record
from logca.numeric.sweep.formats import OutputRecord, Write
from logca.numeric.sweep.plan import Sweep, digest_of

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
    "restore",
    "writing",
    "written",
]

_BEING_WRITTEN = re.compile(r"(.*)\.[0-9a-f]{32}\.partial")
"""Zarr's own names of files that it is about to write, left by what was killed."""

_BLOSC_HEAD_B = 16
"""Length of what stands before the numbers [B]; its last four bytes are the length of all."""

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


def restore(path: Path, sweep: Sweep) -> None:
    """Everything but the values of the quantities again, where some of it has gone."""
    with TemporaryDirectory() as folder:
        fresh = Path(folder, "fresh.zarr")
        create(fresh, sweep)
        for file in filter(Path.is_file, sorted(fresh.rglob("*/**/*"))):
            place, written = path / file.relative_to(fresh), file.read_bytes()
            of_quantity = file.parent.name in sweep.quantities
            # what says how chunks are written stays with the chunks that are there
            if not place.is_file() or not (of_quantity or place.read_bytes() == written):
                place.parent.mkdir(parents=True, exist_ok=True)
                write_new(written, place, force=True)


@contextmanager
def writing(path: Path, sweep: Sweep) -> Iterator[Write]:
    """Open the folder to write blocks."""
    library: Any = require("zarr", "sweep")
    # a chunk without a number in it is written too, since a chunk that is missing is not done;
    # arrays take that from the settings when they are opened, and from no argument of open_array
    with library.config.set({"array.write_empty_chunks": True}):
        arrays: dict[str, Any] = {
            name: library.open_array(path / name, mode="r+") for name in sweep.quantities
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
            if not _is_whole(path.joinpath(name, "c", *indices)):
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
        group = library.open_group(path, mode="r", use_consolidated=False)
        said = dict(group.attrs)
        identity, complete = json.loads(said["sweep"]), bool(said["complete"])
        lacks = _first_missing(path, group, identity) if complete else ""
        return OutputRecord(identity=identity, complete=complete, lacks=lacks)
    except (OSError, KeyError, ValueError, TypeError, AttributeError):
        return None


def _first_missing(path: Path, group: Any, identity: Mapping[str, Any]) -> str:
    """The first part that a complete folder lacks; empty if it lacks none."""
    parameters = [*identity["axes"], *identity["fixed"]]
    for name in (*parameters, *identity["quantities"]):
        if not path.joinpath(name, "zarr.json").is_file():
            return f"{name}/zarr.json"
    read = {}
    for name in parameters:
        try:
            read[name] = group[name][...].tolist()
        except (OSError, RuntimeError, ValueError):  # of the system, or of a codec
            return f"the values of {name}, which are damaged"
    said = {key: value for key, value in identity.items() if key != "digest"}
    if other := [name for name, value in identity["fixed"].items() if read[name] != value]:
        return f"the value of {other[0]}"
    axes = {name: read[name] for name in identity["axes"]}
    if digest_of(said, axes) != identity["digest"]:
        holes = [name for name, values in axes.items() if any(map(isnan, values))]
        return f"the values of {holes[0] if holes else ', '.join(axes)}"
    for name in identity["quantities"]:
        chunks = path / name / "c"
        for indices in np.ndindex(group[name].cdata_shape):
            if not _is_whole(chunk := chunks.joinpath(*map(str, indices))):
                return str(chunk.relative_to(path))
    return ""


def _is_whole(chunk: Path) -> bool:
    """True for the file of a chunk that is as long as its head says, which is that of Blosc."""
    try:
        with chunk.open("rb") as file:
            head = file.read(_BLOSC_HEAD_B)
            length = fstat(file.fileno()).st_size
    except OSError:
        return False
    return len(head) == _BLOSC_HEAD_B and int.from_bytes(head[12:16], "little") == length


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
