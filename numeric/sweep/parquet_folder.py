"""Sweeps as rows: Parquet, a folder with one file for each block; or one file of CSV.

The columns are all parameters and all quantities. A file gets its name when it is complete, so a
killed process leaves whole files only.
"""

import json
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import numpy as np

from logca.common.extras import require
from logca.common.files import keep, locked_beside, publish
from logca.numeric.sweep.blocks import Grid, SweepError
from logca.numeric.sweep.dataset import Values, attributes, labelled
from logca.numeric.sweep.formats import OutputRecord, Write
from logca.numeric.sweep.plan import Sweep

if TYPE_CHECKING:
    import dask.array as da
    import pyarrow as pa
    import xarray as xr

__all__ = [
    "PARALLEL",
    "REPEATS_QUANTITIES",
    "UNFINISHED_CSV",
    "create",
    "finish",
    "load",
    "others",
    "recorded",
    "restore",
    "write_csv",
    "writing",
    "written",
]

PARALLEL = True
REPEATS_QUANTITIES = True

UNFINISHED_CSV = "sweep"
"""Ending of the hidden name under which a file of CSV is written."""

_KEY, _NUMBER = b"logca", b"logca block"


def create(path: Path, sweep: Sweep) -> None:
    """A new folder."""
    require("pyarrow", "sweep")
    path.mkdir()


def restore(_path: Path, _sweep: Sweep) -> None:
    """Nothing: a folder has nothing but its blocks."""


@contextmanager
def writing(path: Path, sweep: Sweep) -> Iterator[Write]:
    """Open the folder to write blocks."""
    parquet: Any = require("pyarrow.parquet", "sweep")
    schema = _schema(sweep)
    parameters = [*sweep.axes, *sweep.fixed]

    def write(number: int, values: Values) -> None:
        part = _part(path, number)
        # a name that nobody can have put a link under
        unfinished = part.with_name(f".{part.stem}.{uuid4().hex}.parquet")
        own = schema.with_metadata({**schema.metadata, _NUMBER: str(number)})
        table = require("pyarrow", "sweep").table(_columns(sweep, number, values), schema=own)
        # The parameters' columns repeat themselves: lz4 sees that sooner than a dictionary does.
        parquet.write_table(
            table,
            unfinished,
            compression="lz4",
            use_dictionary=False,
            write_statistics=parameters,
        )
        unfinished.replace(part)

    yield write


def written(path: Path, sweep: Sweep, claimed: Iterable[int]) -> frozenset[int]:
    """Those of the blocks with these numbers that are in the folder."""
    return frozenset(number for number in claimed if _part(path, number).is_file())


def finish(path: Path) -> None:
    """Remove what a killed process had not finished; with all its files the folder is complete."""
    for unfinished in path.glob(".part-*.parquet"):
        unfinished.unlink()


def recorded(path: Path) -> OutputRecord | None:
    """Record of the sweep in the folder; None if it is not one of a sweep."""
    said = _specification(path)
    if said is None:
        return None
    whole = sum(1 for _ in path.glob("part-*.parquet")) == _sweep(said).grid.blocks
    return OutputRecord(identity=said["identity"], complete=whole)


def others(path: Path) -> list[str]:
    """Names of what is in the folder and no part of it."""
    parts = {*path.glob("part-*.parquet"), *path.glob(".part-*.parquet")}
    return sorted(each.name for each in path.iterdir() if each not in parts)


def load(path: Path) -> "xr.Dataset":
    """The folder as a data set whose values are read when they are needed."""
    said = _specification(path)
    if said is None:
        raise SweepError(f"{path} holds no sweep")
    sweep = _sweep(said)
    return labelled(sweep, {name: _lazy(path, sweep, name) for name in sweep.quantities})


def write_csv(path: Path, sweep: Sweep, dataset: "xr.Dataset", *, force: bool) -> None:
    """Write a sweep as one file of CSV: a row for each point, names with their units above.

    It appears when it is complete. What does not exist is an empty cell; numbers have all digits.
    """
    arrow: Any = require("pyarrow", "sweep")
    written: Any = require("pyarrow.csv", "sweep")
    names = [*sweep.axes, *sweep.fixed, *sweep.quantities]
    heads = [f"{name} [{attributes(sweep, name)['units']}]" for name in names]
    schema = arrow.schema([arrow.field(head, arrow.float64()) for head in heads])
    # a name of its own: two sweeps that write one file must not write into each other's part
    with locked_beside(path, UNFINISHED_CSV) as (unfinished, opened):
        with written.CSVWriter(opened, schema) as file:
            for number in range(sweep.grid.blocks):
                place = dict(zip(sweep.axes, sweep.grid.place(number), strict=True))
                values = {
                    name: dataset[name].to_numpy()[
                        tuple(place[each] for each in sweep.axes_of(name))
                    ]
                    for name in sweep.quantities
                }
                columns = _columns(sweep, number, values)
                cells = [arrow.array(column, from_pandas=True) for column in columns]
                file.write_table(arrow.table(cells, schema=schema))
        keep(opened)
        if os.name == "nt":  # where an open file gets no other name, and has no lock to lose
            opened.close()
        publish(unfinished, path, force=force)


def _part(path: Path, number: int) -> Path:
    return path / f"part-{number:08d}.parquet"


def _schema(sweep: Sweep) -> "pa.Schema":
    arrow: Any = require("pyarrow", "sweep")
    fields = [
        arrow.field(name, arrow.float64(), nullable=False, metadata=attributes(sweep, name))
        for name in [*sweep.axes, *sweep.fixed, *sweep.quantities]
    ]
    said = {"identity": sweep.identity(), "axes": dict(sweep.axes)}
    return arrow.schema(fields, metadata={_KEY: json.dumps(said)})


def _columns(sweep: Sweep, number: int, values: Values) -> list[Any]:
    place = sweep.grid.place(number)
    shape = [part.stop - part.start for part in place]
    columns = []
    for axis, (name, part) in enumerate(zip(sweep.axes, place, strict=True)):
        along = np.array(sweep.axes[name][part])
        columns.append(along.reshape([-1 if each == axis else 1 for each in range(len(shape))]))
    columns += [np.array(value) for value in sweep.fixed.values()]
    for quantity in sweep.quantities:
        own = sweep.axes_of(quantity)
        missing = [axis for axis, name in enumerate(sweep.axes) if name not in own]
        columns.append(np.expand_dims(values[quantity], missing))
    return [np.broadcast_to(column, shape).ravel() for column in columns]


def _specification(path: Path) -> dict[str, Any] | None:
    """Specification of the sweep, the same one in all of the files; None if there is none."""
    parquet: Any = require("pyarrow.parquet", "sweep")
    texts = set()
    for part in path.glob("part-*.parquet"):
        try:
            metadata = parquet.read_schema(part).metadata
            texts.add(metadata[_KEY])
            number = int(metadata.get(_NUMBER, part.stem.removeprefix("part-")))
        except (OSError, KeyError, TypeError, ValueError):
            return None
        if part.name != _part(path, number).name:
            raise SweepError(
                f"{part} holds block {number}; its name was {_part(path, number).name}"
            )
    try:
        said: dict[str, Any] | None = json.loads(texts.pop()) if len(texts) == 1 else None
    except ValueError:
        return None
    return said


def _sweep(said: dict[str, Any]) -> Sweep:
    identity = said["identity"]
    axes = {name: tuple(values) for name, values in said["axes"].items()}
    return Sweep(
        quantities=tuple(identity["quantities"]),
        axes=axes,
        fixed=identity["fixed"],
        latency=identity["latency"],
        unit=identity["unit"],
        grid=Grid(shape=tuple(map(len, axes.values())), block=tuple(identity["block"])),
    )


def _lazy(path: Path, sweep: Sweep, quantity: str) -> "da.Array":
    """A column, of which files are read when they are needed."""
    dask: Any = require("dask.array", "sweep")
    parquet: Any = require("pyarrow.parquet", "sweep")
    grid = sweep.grid
    lengths = tuple(
        tuple(min(step, length - start) for start in range(0, length, step))
        for length, step in zip(grid.shape, grid.block, strict=True)
    )

    def read(block_id: tuple[int, ...]) -> Any:
        number = int(np.ravel_multi_index(block_id, grid.counts)) if block_id else 0
        column = parquet.read_table(_part(path, number), columns=[quantity])[quantity]
        return column.to_numpy().reshape([part.stop - part.start for part in grid.place(number)])

    column = dask.map_blocks(read, chunks=lengths, dtype=np.float64, meta=np.empty(0))
    own = sweep.axes_of(quantity)
    found: da.Array = column[tuple(slice(None) if name in own else 0 for name in sweep.axes)]
    return found
