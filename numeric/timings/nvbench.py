"""Timings from NVBench: its CSV (--csv), or the tables that it prints (--md).

Fields: NVIDIA/nvbench, nvbench/csv_printer.cu and markdown_printer.cu. "CPU Time" is the time of a
launch and of waiting for it, "GPU Time" that of the kernel alone; "Noise" is the deviation of the
times before it over their mean.
"""

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence

from logca.numeric.timings.benchmark_runs import Benchmark
from logca.numeric.timings.timings import Spread, TimingsError
from logca.numeric.timings.units import number, said, spread_of, time_of

__all__ = ["is_nvbench", "nvbench_benchmarks"]

_OURS = {"Samples", "Noise", "Batch", "Skipped", "Benchmark", "Device", "Device Name"}
_TIMES = ("CPU Time", "GPU Time", "Batch GPU")

_Row = tuple[int, str, list[str], list[str]]  # line, benchmark, titles, cells


def is_nvbench(text: str) -> bool:
    """True if a text has a table of NVBench."""
    return any(
        "Samples" in line and "CPU Time" in line and ("|" in line or "Benchmark,Device," in line)
        for line in text.splitlines()
    )


def nvbench_benchmarks(
    text: str, wanted: str | None, time: str | None, file: str
) -> tuple[list[Benchmark], list[str]]:
    """Runs of all tables: parameters are the axes, and the bytes that a benchmark tells."""
    asked = time or _TIMES[0]
    found, skipped = [], 0
    for line, name, titles, cells in _rows(text):
        where = f"{file}: line {line}"
        if len(cells) != len(titles):
            raise TimingsError(
                f"{where}: {len(cells)} values, and the header has {len(titles)}; was it cut?"
            )
        bare = [re.sub(r" \([^)]*\)$", "", title) for title in titles]
        if asked not in bare:
            known = ", ".join(each for each in _TIMES if each in bare)
            raise TimingsError(f"{where}: there is no column {asked!r} of times; there are {known}")
        row = dict(zip(bare, cells, strict=True))
        if not (value := cells[bare.index(asked)]) or row.get("Skipped") == "Yes":
            skipped += 1
            continue
        unit = "s" if "(sec)" in titles[bare.index(asked)] else None
        seconds = time_of(value, unit, f"{where}: {asked}")
        found.append(
            Benchmark(
                name=name,
                parameters=_parameters(titles, bare, cells, wanted),
                seconds=(seconds,),
                where=f"line {line}",
                spread=_spread(bare, cells, bare.index(asked), seconds, where),
            )
        )
    notes = [f"{skipped} rows without a time are left out"] if skipped else []
    if not time:
        notes.append(
            "times are NVBench's CPU Time, of a launch until it has ended; of the kernel alone: "
            + said("columns", time="GPU Time")
        )
    return found, notes


def _parameters(
    titles: Sequence[str], bare: Sequence[str], cells: Sequence[str], wanted: str | None
) -> dict[str, str]:
    """Axes, which stand before the samples, and any other column that is asked for as the size."""
    ends = min(bare.index(each) for each in ("Skipped", "Samples") if each in bare)
    axes = {
        title: _plain(cell)
        for title, cell in zip(titles[:ends], cells[:ends], strict=True)
        if title not in _OURS and not title.endswith("(pow2)")
    }
    # what a benchmark says that it read or wrote is no axis
    axes = {
        title: cell
        for title, cell in axes.items()
        if title == wanted or not re.search(r" [KMG]i?B$", str(cell))
    }
    if wanted is not None and wanted in titles:
        axes = {wanted: _plain(cells[titles.index(wanted)])} | axes
    return axes


def _plain(cell: str) -> str:
    """A value as it is in numbers: 2^10 = 1024 is 1024."""
    return cell.rpartition("=")[2].strip()


def _spread(
    bare: Sequence[str], cells: Sequence[str], place: int, seconds: float, where: str
) -> Spread | None:
    """Noise behind the time, and samples; None where it is not known, as for batches."""
    if bare[place] == _TIMES[2] or bare[place + 1 : place + 2] != ["Noise"]:
        return None
    noise, runs = cells[place + 1], cells[bare.index("Samples")]
    if not noise or "inf" in noise:
        return None
    share = number(noise.removesuffix("%"), f"{where}: Noise")
    share *= 0.01 if noise.endswith("%") else 1.0
    return spread_of(share, runs.removesuffix("x"), seconds, f"{where}: Noise", f"{where}: Samples")


def _rows(text: str) -> Iterator[_Row]:
    first = text.lstrip().partition("\n")[0]
    if first.startswith("Benchmark,"):
        table = [
            (number, row) for number, row in enumerate(csv.reader(io.StringIO(text)), 1) if row
        ]
        titles = table[0][1]
        for line, cells in table[1:]:
            row = dict(zip(titles, cells, strict=False))
            yield line, _named(row), titles, cells
        return
    benchmark = device = ""
    titles = []
    for line, each in enumerate(text.splitlines(), start=1):
        if each.startswith("## "):
            benchmark, titles = each.removeprefix("## ").strip(), []
        elif each.startswith("### "):
            device, titles = each.removeprefix("### ").strip(), []
        elif each.lstrip().startswith("|"):
            cells = [cell.strip() for cell in each.strip().strip("|").split("|")]
            if set("".join(cells)) <= {"-", ":"}:
                continue
            if not titles:
                titles = cells if "Samples" in cells else []
                continue
            yield line, f"{benchmark} {device}".strip(), titles, cells


def _named(row: Mapping[str, str]) -> str:
    benchmark, device, name = (row.get(each, "") for each in ("Benchmark", "Device", "Device Name"))
    return f"{benchmark} [{device}] {name}" if device else benchmark
