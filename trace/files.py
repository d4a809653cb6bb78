"""Traces as files: what they are called, and reading them; docs/trace.md has the format."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from logca.trace.errors import TraceError, require

__all__ = ["FORMAT", "SUFFIXES", "VERSION", "TraceFileError", "check_output", "read_trace"]

FORMAT, VERSION = "logca-trace", "1"
SUFFIXES = (".parquet", ".arrow", ".feather")


class TraceFileError(TraceError):
    """A file of a trace cannot be written, or is none; the message says why."""


def check_output(path: str | Path, *, force: bool) -> None:
    """Say at once, before anything is compiled, if a trace cannot be written.

    Parameters
    ----------
    path : path
        The file.
    force : bool
        Whether it may exist already.

    Raises
    ------
    TraceFileError
        If it has another ending, exists, or is in a folder that cannot be written to.
    MissingCompilerError
        If pyarrow is not installed.
    """
    require("pyarrow")
    path = Path(path)
    if path.suffix.lower() not in SUFFIXES:
        raise TraceFileError(f"{path} must end in {' or '.join(SUFFIXES)}{told(path.suffix)}")
    if path.is_dir():
        raise TraceFileError(f"{path} is a folder")
    if path.exists() and not force:
        raise TraceFileError(f"{path} exists; --force (from Python: force=True) replaces it")
    if not path.parent.is_dir():
        raise TraceFileError(f"there is no folder {path.parent}: make it, or name another")
    if not os.access(path.parent, os.W_OK):
        raise TraceFileError(f"{path.parent} cannot be written to")


def told(suffix: str) -> str:
    """What to say of a wrong ending [text]."""
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
    arrow = require("pyarrow")
    if not path.is_file():
        raise TraceFileError(f"there is no file {path}")
    if path.suffix.lower() not in SUFFIXES:
        raise TraceFileError(f"{path} must end in {' or '.join(SUFFIXES)}{told(path.suffix)}")
    try:
        if path.suffix.lower() == ".parquet":
            file = require("pyarrow.parquet").ParquetFile(path)
            texts = file.metadata.metadata or {}
            batches = file.iter_batches()
        else:
            file = require("pyarrow.ipc").open_file(str(path))
            texts = dict(file.schema.metadata or {})
            last = file.num_record_batches - 1
            if last >= 0:
                texts |= file.get_batch_with_custom_metadata(last)[1] or {}
            batches = (file.get_batch(number) for number in range(last))
    except (OSError, arrow.ArrowException) as error:
        raise TraceFileError(f"{path} cannot be read: {error}") from None
    return _metadata(path, texts), batches


def _metadata(path: Path, texts: dict[bytes, bytes]) -> dict[str, Any]:
    name, version = texts.get(b"format", b"").decode(), texts.get(b"version", b"").decode()
    if name != FORMAT:
        raise TraceFileError(f"{path} is no trace: its metadata has no format {FORMAT!r}")
    if version != VERSION:
        raise TraceFileError(
            f"{path} is a trace of version {version}, and this logca reads version {VERSION}"
        )
    if b"program" not in texts or b"run" not in texts:
        raise TraceFileError(f"{path} is incomplete: its metadata has no program or no run")
    return {
        "format": name,
        "version": version,
        "program": json.loads(texts[b"program"]),
        "run": json.loads(texts[b"run"]),
    }
