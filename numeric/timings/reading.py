"""Timings from files: samples, tables, JSON of Google Benchmark and other tools."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import sha256
from importlib.metadata import version
from os import PathLike, fspath
from pathlib import Path

from logca.common.errors import ArgumentTypeError, FileError
from logca.common.toml import text_of
from logca.numeric.timings.benchmark_runs import TimedRun, sized
from logca.numeric.timings.formats import benchmarks_of
from logca.numeric.timings.machine import machine_line
from logca.numeric.timings.pairing import Reading, assembled
from logca.numeric.timings.sample_file import (
    is_samples,
    notes_of,
    parsed,
    sizes_of_both,
)
from logca.numeric.timings.text_tables import table_timings
from logca.numeric.timings.timings import Timings, TimingsError

__all__ = [
    "Reading",
    "made_now",
    "measured_timings",
    "of_file",
    "read",
    "read_timings",
]


def made_now() -> dict[str, str]:
    """The date in UTC, as ``fitted``, and the version of this package, as ``logca``.

    Examples
    --------
    >>> sorted(made_now())
    ['fitted', 'logca']
    """
    return {"fitted": datetime.now(UTC).date().isoformat(), "logca": version("logca")}


def of_file(path: str | PathLike[str]) -> dict[str, str]:
    """Name, as ``timings``, and digest, as ``sha256``, of a file of timings."""
    file = Path(fspath(path))
    return {"timings": file.name, "sha256": sha256(file.read_bytes()).hexdigest()}


def measured_timings(text: str, file: str) -> Reading:
    """Timings of a file of samples; what failed or was left out is noted."""
    try:
        found = parsed(text, file)
    except FileError as error:
        raise TimingsError(str(error)) from None
    both, notes = sizes_of_both(found), notes_of(found)
    samples = [
        TimedRun(
            name=each.path,
            granularity=float(each.size),
            seconds=(each.seconds,),
            where=f"round {each.round}",
        )
        for each in sorted(found.samples, key=lambda each: each.size)
        if each.size in both
    ]
    if not samples:
        raise TimingsError(f"{file}: no size has times of both paths; {'; '.join(notes[-3:])}")
    reading = assembled(samples, notes, host="host", accelerated="accelerated", file=file)
    least = min(found.header.resolution / each.calls for each in found.samples)
    return replace(
        reading,
        timings=replace(reading.timings, resolution=least),
        provenance={
            "experiment": found.header.title,
            "machine": machine_line(found.header.machine),
            "measured": found.header.begun,
        },
    )


_NOT_TEXT = "not UTF-8 text; write a table as CSV, or JSON"
_ROLES = ("granularity", "host", "accelerated", "path", "time")


def read_timings(
    path: str | PathLike[str],
    *,
    columns: Mapping[str, str] | None = None,
    units: Mapping[str, str] | None = None,
    host: str | None = None,
    accelerated: str | None = None,
) -> Timings:
    """Timings of a file; see `read`, which also tells what was left out or assumed.

    Parameters
    ----------
    path : path
        A table (CSV), or JSON of a known tool.
    columns, units, host, accelerated
        As for `read`.

    Raises
    ------
    TimingsError
        If it cannot be read; the message names the row or key, and what to do.
    """
    return read(path, columns=columns, units=units, host=host, accelerated=accelerated).timings


def read(
    path: str | PathLike[str],
    *,
    columns: Mapping[str, str] | None = None,
    units: Mapping[str, str] | None = None,
    host: str | None = None,
    accelerated: str | None = None,
) -> Reading:
    """Timings of a file, and notes on what was left out, sorted or assumed.

    Sizes may come in any order and more than once: they are sorted, and runs of one size are
    repetitions. Times that are zero, negative or NaN are refused, and so are mixed units.
    """
    columns, units = columns or {}, units or {}
    for role in columns:
        if role not in _ROLES:
            raise TimingsError(f"columns: unknown role {role!r}; known are {', '.join(_ROLES)}")
    if not isinstance(path, str | PathLike):
        raise ArgumentTypeError(
            f"timings must be Timings or the path of a file, not {type(path).__name__}"
        )
    file, text = fspath(path), text_of(path, error=TimingsError, not_text=_NOT_TEXT)
    if is_samples(text):
        if columns or units or host or accelerated:
            raise TimingsError(
                f"{file}: samples of `logca measure` have units and paths of their own; leave out "
                "columns, units, host and accelerated"
            )
        found = measured_timings(text, file)
    elif text.lstrip()[:1] in ("{", "["):
        benchmarks, notes = benchmarks_of(text, columns, units, file)
        size, unit = columns.get("granularity"), units.get("granularity")
        samples, more = sized(benchmarks, size, unit, file)
        notes = [*notes, *more]
        found = assembled(samples, notes, host=host, accelerated=accelerated, file=file)
    else:
        found = table_timings(text, columns, units, host=host, accelerated=accelerated, file=file)
    return replace(found, provenance={**of_file(path), **found.provenance})
