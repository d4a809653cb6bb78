"""Timings from files: samples, tables, text and JSON of the tools that measure."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import sha256
from importlib.metadata import version
from os import PathLike, fspath
from pathlib import Path

from logca.common.errors import ArgumentTypeError, FileError
from logca.common.toml import text_of
from logca.numeric.timings.benchmark_runs import Runs, TimedRun, sized
from logca.numeric.timings.formats import benchmarks_of
from logca.numeric.timings.gpu_blob import gpu_blob_runs, is_gpu_blob, of_one_size
from logca.numeric.timings.in_flight import rows_in_flight
from logca.numeric.timings.machine import machine_line
from logca.numeric.timings.messages import is_nccl_tests, is_osu, nccl_tests_runs, osu_runs
from logca.numeric.timings.nvbench import is_nvbench, nvbench_benchmarks
from logca.numeric.timings.openssl_speed import is_openssl_speed, openssl_speed_runs
from logca.numeric.timings.pairing import Reading, assembled, names_of, path_of
from logca.numeric.timings.sample_file import (
    is_samples,
    notes_of,
    parsed,
    sizes_of_both,
)
from logca.numeric.timings.starpu import buses_of, is_bus, is_starpu, starpu_runs
from logca.numeric.timings.text_tables import rows_of, separator_of, table_runs
from logca.numeric.timings.timings import Timings, TimingsError

__all__ = [
    "Reading",
    "made_now",
    "measured_timings",
    "of_file",
    "read",
    "read_each",
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


def measured_timings(text: str, file: str, in_flight: int = 1) -> Reading:
    """Timings of a file of samples, so many in flight; what failed or was left out is noted."""
    try:
        found = parsed(text, file).of(in_flight)
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


_TAG = re.compile(r"^\[\d+,\d+\]<std(?:out|err)>: ?", re.M)  # of each line, by mpirun --tag-output
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
    other: str | PathLike[str] | None = None,
    columns: Mapping[str, str] | None = None,
    units: Mapping[str, str] | None = None,
    host: str | None = None,
    accelerated: str | None = None,
    bus: str | PathLike[str] | None = None,
    in_flight: int = 1,
) -> Reading:
    """Timings of a file, and notes on what was left out, sorted or assumed.

    Sizes may come in any order and more than once: they are sorted, and runs of one size are
    repetitions. Times that are zero, negative or NaN are refused, and so are mixed units. `other`
    is the file of the accelerated path if it has one of its own; `bus` are bus files of StarPU, by
    which transfers are added to the times of its accelerators. Of samples, and of a table with a
    column in_flight, only times with so many requests in flight are read.
    """
    columns, units = _roles(columns), units or {}
    if other is None and is_samples(_text(path)):
        if columns or units or host or accelerated or bus:
            raise TimingsError(
                f"{fspath(path)}: samples of `logca measure` have units and paths of their own; "
                "leave out columns, units, host, accelerated and bus"
            )
        found = measured_timings(_text(path), fspath(path), in_flight)
        return replace(found, provenance={**of_file(path), **found.provenance})
    if other is None and host is not None and host == accelerated:
        raise TimingsError(
            f"{fspath(path)}: host and accelerated are both {host!r}; name another for one of them"
        )
    names = {"host": host, "accelerated": accelerated}
    runs, paths = _paired(path, other, columns, units, names, bus, every=False, in_flight=in_flight)
    found = assembled(
        runs.samples,
        runs.notes,
        host=paths["host"],
        accelerated=paths["accelerated"],
        file=fspath(path),
        resolution=runs.resolution,
    )
    return replace(found, provenance=_origin(path, other, bus))


def read_each(
    path: str | PathLike[str],
    *,
    other: str | PathLike[str] | None = None,
    columns: Mapping[str, str] | None = None,
    units: Mapping[str, str] | None = None,
    host: str | None = None,
    bus: str | PathLike[str] | None = None,
) -> dict[str, Reading | TimingsError]:
    """Timings of the host and each other path of a file, by its name; or why there are none.

    Parameters are those of `read`.
    """
    columns, units = _roles(columns), units or {}
    if is_samples(_text(path)):
        raise TimingsError(
            f"{fspath(path)}: samples of `logca measure` have one accelerated path: nothing to rank"
        )
    names = {"host": host, "accelerated": None}
    runs, paths = _paired(path, other, columns, units, names, bus, every=True)
    listed = names_of(runs.samples)
    own = path_of(listed, paths["host"], "host", fspath(path))
    found: dict[str, Reading | TimingsError] = {}
    for name in listed:
        if name == own:
            continue
        try:
            reading = assembled(
                [each for each in runs.samples if each.name in (own, name)],
                runs.notes,
                host=own,
                accelerated=name,
                file=fspath(path),
                resolution=runs.resolution,
            )
            found[name] = replace(reading, provenance=_origin(path, other, bus))
        except TimingsError as error:
            found[name] = error
    if not found:
        raise TimingsError(f"{fspath(path)}: one path only, {own!r}: nothing to rank")
    return found


def _roles(columns: Mapping[str, str] | None) -> Mapping[str, str]:
    for role in columns or {}:
        if role not in _ROLES:
            raise TimingsError(f"columns: unknown role {role!r}; known are {', '.join(_ROLES)}")
    return columns or {}


def _origin(
    path: str | PathLike[str],
    other: str | PathLike[str] | None,
    bus: str | PathLike[str] | None,
) -> dict[str, str]:
    found = of_file(path)
    if other is not None:
        found |= {f"accelerated_{key}": each for key, each in of_file(other).items()}
    return found if bus is None else found | {"bus": Path(fspath(bus)).name}


def _paired(
    path: str | PathLike[str],
    other: str | PathLike[str] | None,
    columns: Mapping[str, str],
    units: Mapping[str, str],
    names: Mapping[str, str | None],
    bus: str | PathLike[str] | None,
    *,
    every: bool,
    in_flight: int = 1,
) -> tuple[Runs, dict[str, str | None]]:
    """Runs of one file or of two, and the names of both paths as far as they are known."""
    if other is None:
        runs, own = _runs(
            path,
            ("host", "accelerated"),
            columns,
            units,
            names,
            bus,
            every=every,
            in_flight=in_flight,
        )
        accelerated = None if every else "accelerated"
        return runs, dict(names) if own else {"host": "host", "accelerated": accelerated}
    if Path(fspath(path)).resolve() == Path(fspath(other)).resolve():
        raise TimingsError(
            f"{fspath(path)} is named twice: name it once with host and accelerated, or the file "
            "of the other path"
        )
    samples, notes, steps = [], [], []
    for file, role, opposite in ((path, "host", "accelerated"), (other, "accelerated", "host")):
        theirs = {key: each for key, each in columns.items() if key != opposite}
        wanted = {role: names[role]}
        runs, own = _runs(
            file, (role,), theirs, units, wanted, bus, every=every, in_flight=in_flight
        )
        listed = names_of(runs.samples)
        # a run of the same benchmark in the other file has its name
        same = names["host"]
        wish = names[role] or (same if same and any(same in each for each in listed) else None)
        if every and role == "accelerated":
            chosen = {name: name for name in listed}
        else:
            chosen = {path_of(listed, wish if own else None, role, fspath(file)): role}
        samples += [
            replace(each, name=chosen[each.name], where=f"{fspath(file)}: {each.where}")
            for each in runs.samples
            if each.name in chosen
        ]
        if role in chosen.values():
            notes.append(f"{role} is {next(iter(chosen))!r} of {fspath(file)}")
        notes += runs.notes
        steps.append(runs.resolution)
    found = Runs(samples=samples, notes=list(dict.fromkeys(notes)), resolution=max(steps))
    return found, {"host": "host", "accelerated": None if every else "accelerated"}


def _runs(
    path: str | PathLike[str],
    paths: Sequence[str],
    columns: Mapping[str, str],
    units: Mapping[str, str],
    names: Mapping[str, str | None],
    bus: str | PathLike[str] | None,
    *,
    every: bool,
    in_flight: int = 1,
) -> tuple[Runs, bool]:
    """Runs of a file, and whether they have names of their own, not those of `paths`."""
    file, text = fspath(path), _text(path)
    if bus is not None and not is_starpu(text):
        raise TimingsError(f"--bus {fspath(bus)} is for performance models of StarPU, not {file}")
    own = {is_starpu: starpu_runs, is_openssl_speed: openssl_speed_runs}
    own |= {is_nccl_tests: nccl_tests_runs, is_osu: osu_runs}
    if text.lstrip()[:1] in ("{", "["):
        if is_samples(text):
            raise TimingsError(f"{file}: samples of `logca measure` have both paths: name it alone")
        benchmarks, notes = benchmarks_of(text, columns, units, file)
    elif is_nvbench(text):
        _only(columns, units, ("granularity", "time"), ("granularity",), file)
        benchmarks, notes = nvbench_benchmarks(
            text, columns.get("granularity"), columns.get("time"), file
        )
    elif known := next((each for each in own if each(text)), None):
        _only(columns, units, (), (), file)
        if known is is_starpu:
            return starpu_runs(text, file, buses_of(bus, file) if bus is not None else None), True
        return own[known](text, file), True
    elif is_bus(text):
        raise TimingsError(
            f"{file}: bus file of StarPU; give it with a model of a codelet: --bus {file}"
        )
    else:
        rows = rows_in_flight(rows_of(text, file), in_flight, file)
        if is_gpu_blob(rows[0][1]):
            _only(columns, units, (), (), file)
            runs = gpu_blob_runs(rows[0][1], rows[1:], file)
            return replace(runs, notes=[*runs.notes, *of_one_size(runs.samples)]), True
        named = {role: name for role, name in names.items() if name is not None}
        return table_runs(
            rows,
            columns,
            units,
            named=named,
            paths=paths,
            every=every,
            thousands=separator_of(text) == ";",
            file=file,
        )
    samples, more = sized(benchmarks, columns.get("granularity"), units.get("granularity"), file)
    return Runs(samples=samples, notes=[*notes, *more]), True


def _only(
    columns: Mapping[str, str],
    units: Mapping[str, str],
    titled: Sequence[str],
    in_units: Sequence[str],
    file: str,
) -> None:
    """Refuse roles of columns and units that a format has of its own."""
    for what, given, known in (("columns", columns, titled), ("units", units, in_units)):
        if left := sorted(set(given) - set(known)):
            raise TimingsError(
                f"{what}: {', '.join(left)}: {file} is of a format that has its own; leave them out"
            )


def _text(path: str | PathLike[str]) -> str:
    if not isinstance(path, str | PathLike):
        raise ArgumentTypeError(
            f"timings must be Timings or the path of a file, not {type(path).__name__}"
        )
    place = Path(fspath(path))
    if place.exists() and not (place.is_file() or place.is_dir()):
        raise TimingsError(
            f"{fspath(path)} is no file but a pipe or a device, and timings are read more than "
            "once: save them in a file"
        )
    return _TAG.sub("", text_of(path, error=TimingsError, not_text=_NOT_TEXT))
