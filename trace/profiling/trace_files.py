"""Traces as Parquet or Arrow files, a row an access, and profiles as JSON has them.

docs/trace.md has the format.
"""

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import asdict, fields
from pathlib import Path
from types import TracebackType
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from logca.common.errors import TraceError
from logca.common.extras import require
from logca.common.files import beside, keep
from logca.trace.execute.decoding import Chunk
from logca.trace.execute.run import Run
from logca.trace.ir.program import Program
from logca.trace.profiling.operation_counts import unrecorded_counts
from logca.trace.profiling.region import TracedRegion
from logca.trace.profiling.report import Profile

__all__ = [
    "FORMAT",
    "SUFFIXES",
    "VERSION",
    "TraceFileError",
    "TraceWriter",
    "check_output",
    "described",
    "ended",
    "profile_data",
    "read_trace",
    "tables",
]

FORMAT, VERSION = "logca-trace", "1"
SUFFIXES = (".parquet", ".arrow", ".feather")
_ENDINGS = f"{', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]}"


class TraceFileError(TraceError):
    """A file of a trace cannot be written, or is none; the message says why."""


def check_output(path: str | Path, *, force: bool) -> None:
    """Say at once, before anything is compiled, if a trace cannot be written."""
    require("pyarrow", "trace")
    path = Path(path)
    if path.suffix.lower() not in SUFFIXES:
        raise TraceFileError(f"{path} must end in {_ENDINGS}{told(path.suffix)}")
    if path.is_dir():
        raise TraceFileError(f"{path} is a folder; name a file in it")
    if path.exists() and not force:
        raise TraceFileError(f"{path} exists; --force (from Python: force=True) replaces it")
    folder = (path.resolve() if path.is_symlink() else path).parent
    if not folder.is_dir():
        raise TraceFileError(f"there is no folder {folder}; make it, or name another")
    if not os.access(folder, os.W_OK):
        raise TraceFileError(f"{folder} cannot be written to; name another place")


def told(suffix: str) -> str:
    """End of the message about a wrong ending."""
    return f", not {suffix!r}" if suffix else ""


def read_trace(path: str | Path) -> tuple[dict[str, Any], Iterator[Any]]:
    """Read a trace that `profile` or `logca trace` wrote.

    Parameters
    ----------
    path : path
        The file.

    Returns
    -------
    metadata : dict
        ``format``, ``version``, ``program`` (what it is a trace of) and ``run`` (how the run
        ended, ``truncated`` and the counts of blocks and edges among it).
    batches : iterator of pyarrow.RecordBatch
        The accesses in program order, read piece by piece.

    Raises
    ------
    TraceFileError
        If there is no such file, or it is no trace, or one of a version that is not known here.
    MissingCompilerError
        If pyarrow is not installed.
    """
    path = Path(path)
    arrow = require("pyarrow", "trace")
    try:
        is_file = path.is_file()
    except OSError as error:  # such as a name that is too long
        raise TraceFileError(f"{path} cannot be read: {error.strerror}") from None
    if not is_file:
        raise TraceFileError(f"there is no file {path}")
    if path.suffix.lower() not in SUFFIXES:
        raise TraceFileError(f"{path} must end in {_ENDINGS}{told(path.suffix)}")
    try:
        if path.suffix.lower() == ".parquet":
            file = require("pyarrow.parquet", "trace").ParquetFile(path)
            texts = file.metadata.metadata or {}
            batches = file.iter_batches()
        else:
            file = require("pyarrow.ipc", "trace").open_file(str(path))
            texts = dict(file.schema.metadata or {})
            last = file.num_record_batches - 1
            if last >= 0:
                texts |= file.get_batch_with_custom_metadata(last)[1] or {}
            batches = (file.get_batch(number) for number in range(last))
    # what a damaged file says of its own contents ends in any of these
    except (OSError, ValueError, TypeError, MemoryError, arrow.ArrowException) as error:
        raise TraceFileError(f"{path} cannot be read: {error}") from None
    metadata = _metadata(path, texts)
    return metadata, _read(path, batches, metadata["run"])


def _digest(values: NDArray[Any], before: int) -> int:
    """CRC-32 of a column up to some values, whichever batches they came in [1].

    Numbers of iterations that there are none of are below zero, and null in the file.
    """
    whole = np.maximum(values, -1) if values.dtype.kind == "i" else values
    return crc32(np.ascontiguousarray(whole).view(np.uint8).data, before)


def _read(path: Path, batches: Iterator[Any], run: Mapping[str, Any]) -> Iterator[Any]:
    """Batches that are what was written; an error of ours where they are not."""
    arrow = require("pyarrow", "trace")
    rows = left = run["rows"]
    # files of an earlier version have none
    wanted = run.get("digests")
    wanted = wanted if isinstance(wanted, dict) else {}
    digests: dict[str, int] = {}
    try:
        for batch in batches:
            batch.validate(full=True)
            left -= len(batch)
            for name, column in zip(batch.schema.names, batch.columns, strict=True):
                whole = column.fill_null(-1) if column.null_count else column
                values = whole.to_numpy(zero_copy_only=False)
                digests[name] = _digest(values, digests.get(name, 0))
            yield batch
        if left:
            raise ValueError(f"it has {rows - left} accesses, and its metadata say {rows}")
        changed = [name for name, digest in digests.items() if digest != wanted.get(name, digest)]
        if changed:
            raise ValueError(f"values of {', '.join(changed)} have changed since it was written")
    except (OSError, ValueError, TypeError, MemoryError, arrow.ArrowException) as error:
        raise TraceFileError(f"{path} is damaged: {error}") from None


def _metadata(path: Path, texts: dict[bytes, bytes]) -> dict[str, Any]:
    name, version = (
        texts.get(key, b"").decode(errors="replace") for key in (b"format", b"version")
    )
    if name != FORMAT:
        raise TraceFileError(f"{path} is no trace: its metadata has no format {FORMAT!r}")
    if version != VERSION:
        raise TraceFileError(
            f"{path} is a trace of version {version}, and this logca reads version {VERSION}"
        )
    if b"program" not in texts or b"run" not in texts:
        raise TraceFileError(f"{path} is incomplete: its metadata has no program or no run")
    try:
        program, run = (json.loads(texts[key]) for key in (b"program", b"run"))
    except (ValueError, RecursionError):
        raise TraceFileError(f"{path} is damaged: its metadata is no JSON") from None
    # what else there is in these tables is for people to read: no number is computed of it
    if (
        not isinstance(program, dict)
        or not isinstance(run, dict)
        or type(run.get("rows")) is not int
    ):
        raise TraceFileError(f"{path} is damaged: its metadata has no tables, or no number of rows")
    return {"format": name, "version": version, "program": program, "run": run}


class TraceWriter:
    """Writes a trace piece by piece under another name, and gives it its own at the end."""

    __slots__ = (
        "_arrow",
        "_digests",
        "_force",
        "_lines",
        "_metadata",
        "_part",
        "_path",
        "_rows",
        "_sink",
        "_stores",
    )

    def __init__(
        self, path: str | Path, metadata: dict[str, Any], program: Program, *, force: bool
    ) -> None:
        """Prepare; nothing is written before the first accesses are there."""
        self._arrow = require("pyarrow", "trace")
        check_output(path, force=force)
        self._path = Path(path).resolve()  # where a link leads; it stays
        self._part = beside(self._path, "part")
        self._force = force
        self._sink: Any = None
        self._digests: dict[str, int] = {}
        self._rows = 0
        self._metadata = {
            "format": FORMAT,
            "version": VERSION,
            "program": json.dumps(metadata, separators=(",", ":")),
        }
        self._stores = np.array([each.store for each in program.accesses], dtype=np.bool_)
        self._lines = np.array([each.line for each in program.accesses], dtype=np.uint32)

    def __enter__(self) -> "TraceWriter":
        """Start."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Leave nothing behind that is not finished."""
        try:
            if self._sink is not None:
                self._sink.close()
        except (OSError, self._arrow.ArrowException):
            pass  # what cannot be finished is thrown away anyway
        finally:
            self._part.unlink(missing_ok=True)

    def write(self, chunk: Chunk, wanted: NDArray[np.bool_] | None = None) -> None:
        """Write accesses."""
        columns = self._columns(chunk)
        if wanted is not None:
            columns = {name: values[wanted] for name, values in columns.items()}
        self._put(columns)

    def finish(self, run: Run) -> None:
        """Write how the run ended, and give the file its name."""
        if self._sink is None:
            nothing = np.empty(0, dtype=np.uint32)
            empty = Chunk(
                access=nothing,
                address=nothing.astype(np.uint64),
                size=nothing,
                iterations=np.empty((0, 0), dtype=np.int32),
            )
            self._put(self._columns(empty))
        try:
            told = {"rows": self._rows, "digests": self._digests, **ended(run)}
            self._sink.close_with({"run": json.dumps(told, separators=(",", ":"))})
            self._sink = None
            if self._path.exists() and not self._force:
                raise TraceFileError(f"{self._path} has appeared meanwhile, and is left as it is")
            with self._part.open("rb") as file:
                keep(file)
            self._part.replace(self._path)
        except (OSError, self._arrow.ArrowException) as error:
            raise self._failed(error) from None

    def _columns(self, chunk: Chunk) -> dict[str, NDArray[Any]]:
        columns: dict[str, NDArray[Any]] = {
            "access": chunk.access,
            "address": chunk.address,
            "size": chunk.size,
            "store": self._stores[chunk.access],
            "line": self._lines[chunk.access],
        }
        if chunk.nest is not None and chunk.launch is not None:
            columns |= {"nest": chunk.nest, "launch": chunk.launch}
        for number in range(chunk.iterations.shape[1]):
            columns[f"iteration_{number}"] = np.ascontiguousarray(chunk.iterations[:, number])
        return columns

    def _put(self, columns: dict[str, NDArray[Any]]) -> None:
        arrow = self._arrow
        arrays = [
            arrow.array(values, mask=values < 0 if name.startswith("iteration_") else None)
            for name, values in columns.items()
        ]
        try:
            if self._sink is None:
                fields = [
                    arrow.field(name, array.type, nullable=name.startswith("iteration_"))
                    for name, array in zip(columns, arrays, strict=True)
                ]
                schema = arrow.schema(fields, metadata=self._metadata)
                kind = _Parquet if self._path.suffix.lower() == ".parquet" else _Arrow
                self._sink = kind(self._part, schema)
            self._rows += len(arrays[0])
            for name, values in columns.items():
                self._digests[name] = _digest(values, self._digests.get(name, 0))
            self._sink.write(arrow.record_batch(arrays, schema=self._sink.schema))
        except (OSError, arrow.ArrowException) as error:
            raise self._failed(error) from None

    def _failed(self, error: Exception) -> TraceFileError:
        reason = getattr(error, "strerror", None) or str(error)
        return TraceFileError(f"{self._path} cannot be written: {reason}")


class _Parquet:
    """A Parquet file that is being written; metadata that comes last goes into its footer."""

    __slots__ = ("_file", "schema")

    def __init__(self, path: Path, schema: Any) -> None:
        self.schema = schema
        self._file = require("pyarrow.parquet", "trace").ParquetWriter(
            path,
            schema,
            compression="zstd",
            compression_level=1,
            use_dictionary=["access", "size", "store", "line"],
            column_encoding={
                name: "DELTA_BINARY_PACKED"
                for name in schema.names
                if name not in ("access", "size", "store", "line")
            },
        )

    def write(self, batch: Any) -> None:
        self._file.write_batch(batch)

    def close_with(self, metadata: dict[str, str]) -> None:
        self._file.add_key_value_metadata(metadata)
        self._file.close()

    def close(self) -> None:
        self._file.close()


class _Arrow:
    """An Arrow file that is being written; metadata that comes last goes to an empty last batch."""

    __slots__ = ("_file", "schema")

    def __init__(self, path: Path, schema: Any) -> None:
        self.schema = schema
        self._file = require("pyarrow.ipc", "trace").new_file(str(path), schema)

    def write(self, batch: Any) -> None:
        self._file.write_batch(batch)

    def close_with(self, metadata: dict[str, str]) -> None:
        arrow = require("pyarrow", "trace")
        empty = arrow.RecordBatch.from_pylist([], schema=self.schema)
        self._file.write_batch(empty, custom_metadata=metadata)
        self._file.close()

    def close(self) -> None:
        self._file.close()


def described(
    program: Program, region: TracedRegion, defines: Mapping[str, object]
) -> dict[str, Any]:
    """Metadata of a trace: the tables of the program, the region and the macros."""
    return {
        "region": {"title": region.title, "nests": region.nests and list(region.nests)},
        "defines": {name: None if to is None else str(to) for name, to in defines.items()},
        **tables(program),
    }


def tables(program: Program) -> dict[str, Any]:
    """The accesses, loops, blocks, edges and functions of a program, each with its number.

    The fields are those of `logca.trace.ir.program`; of instructions there is only how many, and
    how many of them reach memory in a way that no trace has.
    """
    return {
        "level": program.level,
        "files": list(program.files),
        "functions": [asdict(each) for each in program.functions],
        "blocks": [
            {
                **_fields(block, "instructions"),
                "instructions": len(block.instructions),
                "unrecorded": sum(bool(each.unrecorded) for each in block.instructions),
            }
            for block in program.blocks
        ],
        "edges": [asdict(edge) for edge in program.edges],
        "loops": [
            {
                **_fields(loop, "blocks"),
                "blocks": sorted(loop.blocks),
                "gathered": [asdict(each) for each in loop.gathered],
            }
            for loop in program.loops
        ],
        "accesses": [asdict(access) for access in program.accesses],
    }


def ended(run: Run) -> dict[str, Any]:
    """End of a run, and its counts of blocks and edges."""
    return {
        "status": run.status,
        "ending": run.ending,
        "message": run.message,
        "seconds": run.wall_s,
        "recorded": run.recorded,
        "truncated": run.truncated,
        "contained": run.contained,
        "block_counts": run.block_counts.tolist(),
        "edge_counts": run.edge_counts.tolist(),
    }


def profile_data(profile: Profile) -> dict[str, Any]:
    """A profile as JSON has it."""
    output = profile.output
    return {
        "compiler": profile.compiler,
        "region": _fields(profile.region, "blocks", "accesses"),
        "run": ended(profile.run),
        "instructions": profile.instructions,
        "executed": profile.executed,
        "loads": profile.loads,
        "stores": profile.stores,
        "bytes": profile.bytes,
        "footprint": profile.footprint,
        "reuse": profile.reuse,
        "unrecorded": unrecorded_counts(
            profile.program, profile.region.blocks, profile.run.block_counts.tolist()
        ),
        "loops": [{**asdict(each), "trip": each.trip} for each in profile.loops],
        "lines": profile.lines,
        "values": profile.values,
        "output": None if output is None else str(output),
        "program": tables(profile.program),
    }


def _fields(data: Any, *without: str) -> dict[str, Any]:
    return {
        each.name: getattr(data, each.name) for each in fields(data) if each.name not in without
    }
