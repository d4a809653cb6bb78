"""Timings from StarPU: performance models of codelets, and what a machine's buses take.

Fields: starpu-runtime/starpu, src/core/perfmodel/perfmodel_history.c (versions 42, 44 and 45 of the
model, as files in tools/perfmodels/sampling have them) and perfmodel_bus.c: bandwidths in MB/s,
latencies in microseconds, a row for the node that is left.
"""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike, fspath
from pathlib import Path

from logca.common.readable_numbers import whole_number_from
from logca.common.sizes import format_size
from logca.common.toml import text_of
from logca.numeric.timings.benchmark_runs import Runs, TimedRun
from logca.numeric.timings.timings import TimingsError
from logca.numeric.timings.units import is_plain, number, size_of, spread_of, time_of

__all__ = ["Buses", "buses_of", "is_bus", "is_starpu", "starpu_runs"]

_SIGN = re.compile(r"#\s*Performance\s+Model\s+Version")
_TYPES = {0: "cpu", 1: "cuda", 2: "opencl"}
_KINDS = ("cpu", "cuda", "opencl", "mic", "scc")  # of version 42, in this order
_COMBINED, _MULTIPLE = 44, 45  # first versions with combinations, and with multiple regressions
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
    cuda: int | None  # number of CUDA devices, whose nodes come first; None if not known [1]

    def node(self, devices: Sequence[tuple[str, int]]) -> int | None:
        """Memory node of a device; None if the files do not tell it [1]."""
        (kind, which), *others = devices
        if others or kind not in ("cuda", "opencl") or (kind == "opencl" and self.cuda is None):
            return None
        return 1 + which + (self.cuda or 0 if kind == "opencl" else 0)

    def seconds(self, size: float, source: int, target: int) -> float:
        """Time of a transfer, as StarPU predicts it; NaN if there is no such node [s]."""
        try:
            rate, wait = self.bandwidth[source][target], self.latency[source][target]
        except IndexError:
            return math.nan
        known = 0 < rate < math.inf and 0 <= wait < math.inf
        return (wait + size / rate) * 1e-6 if known else math.nan


@dataclass(frozen=True, slots=True, kw_only=True)
class _Entry:
    """Runs of one footprint, which stands for all operands' shapes."""

    footprint: str
    run: TimedRun
    devices: tuple[tuple[str, int], ...]


def is_starpu(text: str) -> bool:
    """True if a text is a performance model of StarPU."""
    return _SIGN.search(text[:2000]) is not None


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
        "device in one, and a third of them back"
    )
    samples = []
    for each in found:
        if all(kind == "cpu" for kind, _ in each.devices):
            samples.append(each.run)
            continue
        node = buses.node(each.devices)
        inward = outward = math.nan
        if node is not None:
            inward = buses.seconds(each.run.granularity, 0, node)
            outward = buses.seconds(each.run.granularity / _BACK, node, 0)
        if not inward + outward > 0:
            notes.append(
                f"{each.run.name}: left out: the files of {buses.name} do not tell its bus"
            )
            continue
        seconds = tuple(each + inward + outward for each in each.run.seconds)
        samples.append(replace(each.run, seconds=seconds))
    return Runs(samples=samples, notes=list(dict.fromkeys(notes)))


def _entries(text: str, file: str) -> list[_Entry]:
    """All entries of all combinations of devices and implementations."""
    lines = _data(text)
    kinds = dict(_TYPES)
    if told := re.search(r"device type \((.*)\)", text):
        pairs = re.findall(r"(\w+) - ([0-9]{1,9})\b", told[1])
        kinds |= {int(number): name.lower() for name, number in pairs}
    version = _whole(lines, "version", file)
    found = []
    try:
        blocks = _combinations if version >= _COMBINED else _devices
        for devices, name in blocks(lines, kinds, file):
            for impl in range(_whole(lines, "number of implementations", file)):
                entries = _whole(lines, "number of entries", file)
                for _ in range(3 if version >= _MULTIPLE else 2):
                    _next(lines, "regression", file)
                for _ in range(entries):
                    line, cells = _next(lines, "entry", file)
                    path = f"{name}_impl{impl}"
                    found.append(_entry(cells, path, devices, f"{file}: line {line}"))
    except TimingsError as error:
        raise TimingsError(f"{error} (model of version {version}; 42 to 45 are known)") from None
    if not found:
        raise TimingsError(f"{file}: the model has no entries: its codelet has not been calibrated")
    return found


_Block = tuple[tuple[tuple[str, int], ...], str]  # devices, and what they are called
_Lines = Iterator[tuple[int, list[str]]]


def _combinations(lines: _Lines, kinds: Mapping[int, str], file: str) -> Iterator[_Block]:
    """Combinations of devices, as the file goes on to have their implementations."""
    for _ in range(_whole(lines, "number of combinations", file)):
        devices, names = [], []
        for _ in range(_whole(lines, "number of devices", file)):
            kind, which, cores = (
                _whole(lines, what, file)
                for what in ("device type", "device id", "number of cores")
            )
            devices.append((kinds.get(kind, f"type{kind}_"), which))
            names.append(_called(*devices[-1], cores))
        yield tuple(devices), "_".join(names)


def _devices(lines: _Lines, _: Mapping[int, str], file: str) -> Iterator[_Block]:
    """Devices of each kind, with one, two, ... workers in parallel."""
    for kind in _KINDS:
        for which in range(_whole(lines, f"number of {kind} devices", file)):
            for workers in range(_whole(lines, "number of workers", file)):
                yield ((kind, which),), _called(kind, which, workers + 1)


def _called(kind: str, which: int, cores: int) -> str:
    return f"{kind}{which}" + (f"_{cores}cores" if cores > 1 else "")


def _data(text: str) -> _Lines:
    for line, each in enumerate(text.splitlines(), start=1):
        if cells := each.partition("#")[0].split():
            yield line, cells


def _next(lines: _Lines, what: str, file: str) -> tuple[int, list[str]]:
    found = next(lines, None)
    if found is None:
        raise TimingsError(f"{file}: ends before {what}; was the file cut?")
    return found


def _whole(lines: _Lines, what: str, file: str) -> int:
    line, cells = _next(lines, what, file)
    number = whole_number_from(cells[0]) if len(cells) == 1 else None
    if number is not None:
        return number
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
    config = given.with_suffix(".config")
    told = None
    if config.exists():
        text = text_of(config, error=TimingsError, not_text=_NO_BUS)
        told = re.search(r"\b([0-9]{1,9})\s*# Number of CUDA devices", text)
    cuda = int(told[1]) if told else None
    return Buses(bandwidth=bandwidth, latency=latency, name=given.stem, cuda=cuda)


_NO_BUS = "no bus file of StarPU"


def _matrix(file: Path) -> list[list[float]]:
    text = text_of(file, error=TimingsError, not_text=_NO_BUS)
    try:
        return [[_cell(each) for each in cells] for _, cells in _data(text)]
    except ValueError as error:
        raise TimingsError(f"{file}: {_NO_BUS}: {error}") from None


def _cell(text: str) -> float:
    """A number of a bus file, NaN where StarPU knows none; a ValueError if it is no number."""
    if not is_plain(text):
        raise ValueError(f"{text!r} is no number")
    return float(text)
