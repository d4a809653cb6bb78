"""Does what is fitted to one run hold in another? The built-in experiments, measured twice.

Every experiment is measured by `logca measure` and fitted; then, after all first runs, each is
measured again by new processes, and the break-even of those times, without any model, is put beside
what the first fit predicted. Run as `python -m benchmarks.fit.measured`; `--write` writes
docs/measured.md and its pictures. Samples stay in build/measured.
"""

import argparse
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from math import isfinite
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchmarks.fit.remarks import GPU, REMARKS
from logca.common.readable_numbers import probability
from logca.common.sizes import format_size
from logca.common.tables import Table, markdown
from logca.numeric.fit.fit import Fit, fit
from logca.numeric.measure.resumable_file import read_samples
from logca.numeric.timings.crossing import Compared, Crossing, compared, crossing_of
from logca.numeric.timings.machine import machine_line
from logca.numeric.timings.sample_file import Recorded
from logca.plots.fit import FitPicture
from logca.plots.render import picture
from logca.show.fit.tables import parameter_table, sizes_of
from logca.show.fit.words import ends_text

ROOT = Path(__file__).parents[2]
TABLE = ROOT / "docs" / "measured.md"
PICTURES = ROOT / "docs" / "measured"
SAMPLES = ROOT / "build" / "measured"
RUNS = (1, 2)
PATHS = ("host", "accelerated")
EXPERIMENTS = ("aes", "sha256", "aes-pipe", "sha256-pipe", "numpy-loop", "numpy-threads")
Row = tuple[str, ...]


class Twice(NamedTuple):
    """An experiment that was measured twice."""

    name: str
    first: Recorded
    second: Recorded
    fit: Fit
    again: Fit
    rows: tuple[Compared, ...]
    crossing: Crossing


def samples(folder: Path, name: str, run: int) -> Path:
    """File of the samples of a run."""
    return folder / f"{name}-{run}.jsonl"


def measure(folder: Path, name: str, run: int, budget: float) -> None:
    """Measure once, as a user does; goes on with a file that is there."""
    command = [sys.executable, "-m", "logca", "measure", name, "--budget", str(budget)]
    output = samples(folder, name, run)
    done = subprocess.run(
        [*command, "-o", str(output)], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(f"{name}: {done.stderr.strip()}")


def by_size(recorded: Recorded) -> dict[float, dict[str, list[float]]]:
    """All times by size and path."""
    times: dict[float, dict[str, list[float]]] = {}
    for each in recorded.samples:
        times.setdefault(float(each.size), {}).setdefault(each.path, []).append(each.seconds)
    return times


def twice(folder: Path, name: str) -> Twice:
    """Both runs of an experiment, the first one fitted."""
    first, second = (samples(folder, name, run) for run in RUNS)
    rows = compared(by_size(read_samples(second)))
    return Twice(
        name=name,
        first=read_samples(first),
        second=read_samples(second),
        fit=fit(first),
        again=fit(second),
        rows=rows,
        crossing=crossing_of(rows),
    )


def break_even(found: Fit) -> str:
    """The break-even of a fit with its interval."""
    size, interval = sizes_of(found)["g1"], found.intervals["g1"]
    ends = ends_text(interval, format_size)
    if not isfinite(size):
        return f"none (confidence {probability(interval.none)})"
    doubt = f"; none: {probability(interval.none)}" if interval.none >= 1e-3 else ""
    return f"{format_size(size)} [{ends}]{doubt}" if ends else format_size(size)


def measured_crossing(found: Crossing) -> str:
    """The break-even of measured times alone."""
    least, most = map(format_size, found.sizes)
    if found.outcome == "always":
        return f"none: accelerated wins at every size from {least} to {most}"
    if found.outcome == "never":
        return f"none: host wins at every size from {least} to {most}"
    if found.outcome == "unclear" or not isfinite(found.size):
        return str(found)
    lower, upper = map(format_size, found.bracket)
    return f"{format_size(found.size)} (between {lower} and {upper})"


def verdict(each: Twice) -> str:
    """Whether the later run bears the prediction out."""
    g1, found = each.fit.intervals["g1"], each.crossing
    least = found.sizes[0]
    if found.outcome == "always":
        if g1.upper <= least:
            return "agree"
        return "not contradicted" if not g1.lower > least else "differ: see below"
    doubt = (1 - each.fit.level) / 2
    if doubt < g1.none < 1 - doubt:
        return "the first run could not tell"
    if found.outcome == "never":
        return "agree" if g1.none > 0.5 or g1.lower >= found.sizes[1] else "differ"
    if not isfinite(found.size):
        return "cannot be said"
    if g1.lower <= found.size <= g1.upper:
        return "agree: inside the interval"
    lower, upper = found.bracket
    if lower <= g1.upper and g1.lower <= upper:
        return "agree: interval and bracket overlap"
    return f"differ by {found.size / sizes_of(each.fit)['g1'] - 1:+.1%}"


def speedup_errors(each: Twice) -> Iterator[tuple[float, float]]:
    """For each size of the later run what was measured over what was predicted, less one."""
    for row in each.rows:
        own, offloaded = each.fit.times(row.size)
        yield row.size, row.speedup / float(own / offloaded) - 1


def overview(found: Sequence[Twice]) -> Table:
    """Predicted and measured break-evens, side by side."""
    rows: list[Row] = []
    for each in found:
        errors = list(speedup_errors(each))
        worst = max(errors, key=lambda pair: abs(pair[1]), default=None)
        rows.append(
            (
                each.name,
                break_even(each.fit),
                measured_crossing(each.crossing),
                verdict(each),
                break_even(each.again),
                f"{float(np.median([abs(error) for _, error in errors])):.1%}" if errors else "",
                f"{worst[1]:+.0%} at {format_size(worst[0])}" if worst else "",
            )
        )
    return Table.by_rows(
        (
            "experiment",
            "g1 predicted by the first run [95 %]",
            "crossing measured in the second",
            "verdict",
            "g1 fitted to the second",
            "speedup: median error",
            "largest error",
        ),
        rows,
    )


def one(each: Twice, pictures: bool) -> str:
    """What is told of an experiment."""
    header = each.first.header
    parameters = replace(parameter_table(each.fit), title="")
    counts = [sum(len(times) for times in getattr(each.fit.timings, path)) for path in PATHS]
    sizes = each.fit.timings.granularity
    loads = [recorded.header.machine.get("load") for recorded in (each.first, each.second)]
    lines = [f"## {each.name}", "", f"{header.title}.", ""]
    lines += [f"- {note}" for note in header.notes if not note.startswith("load ")]
    lines += [f"- {what}: {seconds:.3g} s, once" for what, seconds in header.once.items()]
    lines += [
        f"- fitted: {len(each.fit.timings)} sizes from {format_size(sizes[0])} to "
        f"{format_size(sizes[-1])}; {counts[0]} times on the host, {counts[1]} "
        f"accelerated; load of the machine at the beginning of the runs: "
        + " and ".join("unknown" if load is None else f"{load:g}" for load in loads),
        "",
        markdown([parameters]),
        f"Latency: {each.fit.latency}. g1 {break_even(each.fit)}; measured in the second run: "
        f"{measured_crossing(each.crossing)}.",
        "",
    ]
    lines += [f"- The fit says: {warning}." for warning in each.fit.warnings]
    lines += [f"- {remark}" for remark in REMARKS.get(each.name, ())]
    if pictures:
        lines += ["", f"![Fit of {each.name}](measured/{each.name}.svg)"]
    return "\n".join(lines) + "\n"


def page(found: Sequence[Twice], taken: str, pictures: bool) -> str:
    """All of docs/measured.md."""
    machine = machine_line(found[0].first.header.machine)
    head = (
        "# Measured\n\n"
        f"`python -m benchmarks.fit.measured --write`, {taken}, on {machine}.\n\n"
        "Every experiment was measured twice, by new processes, all second runs after all first "
        "ones. The fit is to the first run. What the second run measured is a crossing of medians "
        "in which no model takes part, with the sizes between which it lies for sure. Errors of "
        "the speedup are those of the first fit at all sizes of the second run.\n"
    )
    return "\n".join(
        [head, markdown([overview(found)]), *(one(each, pictures) for each in found), GPU]
    )


def draw(each: Twice) -> None:
    """The picture of a fit, beside the page."""
    PICTURES.mkdir(exist_ok=True)
    drawn = FitPicture(title=f"Fit of {each.name}", fit=each.fit)
    (PICTURES / f"{each.name}.svg").write_bytes(picture(drawn, ".svg", width="page"))


def main() -> None:
    """Measure, compare, print; write with --write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help=f"write {TABLE.relative_to(ROOT)}")
    parser.add_argument("--budget", type=float, default=45.0, help="seconds for each of the runs")
    parser.add_argument("--only", nargs="+", choices=EXPERIMENTS, default=EXPERIMENTS)
    parser.add_argument("--samples", type=Path, help="go on with, or show, the runs in this folder")
    given = parser.parse_args()
    start = time.perf_counter()
    now = datetime.now(UTC)
    folder: Path = given.samples or SAMPLES / now.strftime("%Y-%m-%dT%H-%M-%S")
    folder.mkdir(parents=True, exist_ok=True)
    for run in RUNS:
        for name in given.only:
            print(f"run {run}: {name}", file=sys.stderr, flush=True)
            measure(folder, name, run, given.budget)
    found = [twice(folder, name) for name in given.only]
    text = page(found, found[0].first.header.begun, given.write)
    if given.write:
        for each in found:
            draw(each)
        TABLE.write_text(text, encoding="utf-8")
    print(text)
    print(f"{time.perf_counter() - start:.0f} s; samples in {folder}", file=sys.stderr)


if __name__ == "__main__":
    main()
