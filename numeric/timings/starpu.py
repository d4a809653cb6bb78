"""Timings from StarPU: performance models of codelets, and what a machine's buses take.

Fields: starpu-runtime/starpu, src/core/perfmodel/perfmodel_history.c (version 45 of the model) and
perfmodel_bus.c: bandwidths in MB/s, latencies in microseconds, a row for the node that is left.
"""

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from os import PathLike, fspath
from pathlib import Path

from logca.common.sizes import format_size
from logca.common.toml import text_of
from logca.numeric.timings.benchmark_runs import Runs, TimedRun
from logca.numeric.timings.timings import TimingsError
from logca.numeric.timings.units import number, size_of, spread_of, time_of

__all__ = ["Buses", "buses_of", "is_bus", "is_starpu", "starpu_runs"]

_SIGN = "# Performance Model Version"
_TYPES = {0: "cpu", 1: "cuda", 2: "opencl"}
_ENTRY = ("hash", "size", "flops", "mean", "dev", "sum", "sum2", "n")
_BACK = 3  # a third of the operands is the result, as of C = A B
_ROUNDED = 0.01  # of a mean against its sum, both with seven digits


@dataclass(frozen=True, slots=True, kw_only=True)
class Buses:
    """Times of transfers between the memory nodes of a machine: 0 is that of the host."""

    # from, to: a row for each node; NaN if there is no such node
    bandwidth: Sequence[Sequence[float]]  # [B/us]
    latency: Sequence[Sequence[float]]  # [us]
    name: str  # of the machine

    def seconds(self, size: float, source: int, target: int) -> float:
        """Time of a transfer, as StarPU predicts it; NaN if there is no such node [s]."""
        try:
            rate, wait = self.bandwidth[source][target], self.latency[source][target]
        except IndexError:
            return math.nan
        return (wait + size / rate) * 1e-6 if rate > 0 else math.nan


@dataclass(frozen=True, slots=True, kw_only=True)
class _Entry:
    """Runs of one footprint, which stands for all operands' shapes."""

    footprint: str
    run: TimedRun
    devices: tuple[tuple[str, int], ...]


def is_starpu(text: str) -> bool:
    """True if a text is a performance model of StarPU."""
    return _SIGN in text[:2000]


def is_bus(text: str) -> bool:
    """True if a text is a matrix of bandwidths or latencies between StarPU's memory nodes."""
    return re.match(r"\s*# to 0\s+to 1\s", text) is not None


def starpu_runs(text: str, file: str, buses: Buses | None = None) -> Runs:
    """Runs of a codelet's model; with buses, transfers are added to those on accelerators."""
    # entries come in the order of a hash table
    found, notes = sorted(_entries(text, file), key=lambda each: each.run.granularity), []
    sizes: dict[str, set[float]] = {}
    for each in found:
        sizes.setdefault(each.footprint, set()).add(each.run.granularity)
    for footprint, several in sizes.items():
        if len(several) > 1:
            listed = " and ".join(map(format_size, sorted(several)))
            notes.append(f"footprint {footprint} has the sizes {listed} on its devices: left out")
    found = [each for each in found if len(sizes[each.footprint]) == 1]
    if buses is None:
        notes.append(
            "times are those of the codelet alone, without transfers; add them with the machine's "
            "bus files: --bus NAME.bandwidth"
        )
        return Runs(samples=[each.run for each in found], notes=notes)
    notes.append(
        f"transfers by the bus files of {buses.name} are added: all operands to the memory of the "
        "CUDA device in one, and a third of them back"
    )
    samples = []
    for each in found:
        if all(kind == "cpu" for kind, _ in each.devices):
            samples.append(each.run)
            continue
        # nodes of other kinds come after all CUDA devices, whose number no file tells
        alone = len(each.devices) == 1 and each.devices[0][0] == "cuda"
        node = 1 + each.devices[0][1] if alone else len(buses.bandwidth)
        inward = buses.seconds(each.run.granularity, 0, node)
        outward = buses.seconds(each.run.granularity / _BACK, node, 0)
        if not inward + outward > 0:
            notes.append(f"{each.run.name}: left out: {buses.name} does not tell its bus")
            continue
        seconds = tuple(each + inward + outward for each in each.run.seconds)
        samples.append(replace(each.run, seconds=seconds))
    return Runs(samples=samples, notes=list(dict.fromkeys(notes)))


def _entries(text: str, file: str) -> list[_Entry]:
    """All entries of all combinations of devices and implementations."""
    lines = _data(text)
    kinds = dict(_TYPES)
    if told := re.search(r"device type \((.*)\)", text):
        pairs = re.findall(r"(\w+) - (\d+)", told[1])
        kinds |= {int(number): name.lower() for name, number in pairs}
    version = _whole(lines, "version", file)
    found = []
    try:
        for _ in range(_whole(lines, "number of combinations", file)):
            devices, name = [], []
            for _ in range(_whole(lines, "number of devices", file)):
                kind, which, cores = (
                    _whole(lines, what, file)
                    for what in ("device type", "device id", "number of cores")
                )
                devices.append((kinds.get(kind, f"type{kind}_"), which))
                name.append(f"{devices[-1][0]}{which}" + (f"_{cores}cores" if cores > 1 else ""))
            for impl in range(_whole(lines, "number of implementations", file)):
                entries = _whole(lines, "number of entries", file)
                for what in ("regression", "nonlinear regression", "multiple regression"):
                    _next(lines, what, file)
                for _ in range(entries):
                    line, cells = _next(lines, "entry", file)
                    path = "_".join([*name, f"impl{impl}"])
                    found.append(_entry(cells, path, tuple(devices), f"{file}: line {line}"))
    except TimingsError as error:
        raise TimingsError(f"{error} (model of version {version}; 45 is known)") from None
    if not found:
        raise TimingsError(f"{file}: the model has no entries: its codelet has not been calibrated")
    return found


def _data(text: str) -> Iterator[tuple[int, list[str]]]:
    for line, each in enumerate(text.splitlines(), start=1):
        if cells := each.partition("#")[0].split():
            yield line, cells


def _next(lines: Iterator[tuple[int, list[str]]], what: str, file: str) -> tuple[int, list[str]]:
    found = next(lines, None)
    if found is None:
        raise TimingsError(f"{file}: ends before {what}; was the file cut?")
    return found


def _whole(lines: Iterator[tuple[int, list[str]]], what: str, file: str) -> int:
    line, cells = _next(lines, what, file)
    if len(cells) == 1 and cells[0].isdecimal():
        return int(cells[0])
    raise TimingsError(f"{file}: line {line}: {' '.join(cells)!r:.40} is no {what}")


def _entry(
    cells: Sequence[str], path: str, devices: tuple[tuple[str, int], ...], where: str
) -> _Entry:
    titles = _ENTRY if len(cells) == len(_ENTRY) else [each for each in _ENTRY if each != "flops"]
    if len(cells) != len(titles):
        raise TimingsError(f"{where}: {len(cells)} values, and an entry has {len(_ENTRY)}")
    row = dict(zip(titles, cells, strict=True))
    mean = time_of(row["mean"], "us", f"{where}: mean")
    spread = spread_of(row["dev"], row["n"], 1e-6, f"{where}: dev", f"{where}: n")
    total = number(row["sum"], f"{where}: sum")
    if abs(total * 1e-6 / spread.runs / mean - 1) > _ROUNDED:
        raise TimingsError(
            f"{where}: mean {row['mean']} us contradicts sum {row['sum']} us of n {row['n']}: "
            "mend or delete the entry"
        )
    run = TimedRun(
        name=path,
        granularity=size_of(row["size"], "B", f"{where}: size"),
        seconds=(mean,),
        where=where.partition(": ")[2],
        spread=spread,
    )
    return _Entry(footprint=row["hash"], run=run, devices=devices)


def buses_of(path: str | PathLike[str], codelet: str) -> Buses:
    """Bus files: NAME.bandwidth and NAME.latency, either of them named, or a folder that has them.

    In a folder, NAME is what the codelet's file name ends with, as StarPU writes it.
    """
    given = Path(fspath(path))
    if given.is_dir():
        given /= Path(codelet).suffix.removeprefix(".") + ".bandwidth"
    if given.suffix not in (".bandwidth", ".latency"):
        raise TimingsError(f"--bus {given}: name the file NAME.bandwidth, or a folder that has it")
    bandwidth, latency = (
        _matrix(given.with_suffix(f".{each}")) for each in ("bandwidth", "latency")
    )
    return Buses(bandwidth=bandwidth, latency=latency, name=given.stem)


def _matrix(file: Path) -> list[list[float]]:
    text = text_of(file, error=TimingsError, not_text="no bus file of StarPU")
    try:
        return [[float(each) for each in cells] for _, cells in _data(text)]
    except ValueError as error:
        raise TimingsError(f"{file}: no bus file of StarPU: {error}") from None
