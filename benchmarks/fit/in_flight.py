"""Requests in flight, measured twice: does what is fitted to the first run hold in the second.

`aes-pipe` and `numpy-threads` are measured with 1, 2 and 4 requests in flight by `logca measure`,
and again by new processes after all first runs. What the fit to the first run says of each number
in flight is put beside the crossing of the second run's medians, in which no model takes part. A
run during which other programs used more than a tenth of a core is measured anew, up to three
times; quiet runs in build/in-flight are kept. Run as `python -m benchmarks.fit.in_flight`;
`--write` writes docs/in-flight-measured.md.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from math import exp, inf, isfinite, log
from pathlib import Path
from statistics import median
from time import perf_counter

from benchmarks.fit.measured import measured_crossing, samples
from logca.common.readable_numbers import probability
from logca.common.tables import Table, markdown
from logca.numeric.fit.fit import Fit, fit
from logca.numeric.in_flight.units import UNITS, read_in_flight
from logca.numeric.measure.resumable_file import read_samples
from logca.numeric.streams.decide import decide_in_flight
from logca.numeric.streams.thresholds import pays_in_flight, stream_value
from logca.numeric.timings.crossing import Compared, crossing_of
from logca.numeric.timings.machine import machine_line
from logca.numeric.timings.timings import compared_timings

ROOT = Path(__file__).parents[2]
TABLE = ROOT / "docs" / "in-flight-measured.md"
SAMPLES = ROOT / "build" / "in-flight"
EXPERIMENTS = {"aes-pipe": ("--set", "cores=2"), "numpy-threads": ()}
NUMBERS = (1, 2, 4)
RUNS = (1, 2)
OTHERS = "others.json"
QUIET = 0.1  # of a core that other programs may use during a run [1]
TRIES = 3
_BUSY = (
    " **Other programs were running**: these figures show what is compared, not how well the model"
    " predicts; `make in-flight` on a machine that is quiet does it again."
)


def measure(folder: Path, name: str, run: int, budget: float) -> float:
    """Cores that other programs used while it was measured, as a user does, anew."""
    output = samples(folder, name, run)
    output.unlink(missing_ok=True)
    command = [sys.executable, "-m", "logca", "measure", name, *EXPERIMENTS[name]]
    command += ["--in-flight", ",".join(map(str, NUMBERS)), "--budget", str(budget)]
    command += ["--points", "9", "-o", str(output)]
    began, before, own = perf_counter(), busy(), spent()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{name}: {done.stderr.strip()}")
    return (busy() - before - (spent() - own)) / (perf_counter() - began)


def busy() -> float:
    """Processor time of all programs since the machine started [s]."""
    _, *ticks = Path("/proc/stat").read_text(encoding="ascii").partition("\n")[0].split()
    idle = slice(3, 5)  # idle, and waiting for a disk
    return (sum(map(int, ticks[:8])) - sum(map(int, ticks[idle]))) / os.sysconf("SC_CLK_TCK")


def spent() -> float:
    """Processor time of the runs so far [s]."""
    found = resource.getrusage(resource.RUSAGE_CHILDREN)
    return found.ru_utime + found.ru_stime


def rows(folder: Path, name: str) -> Iterator[tuple[str, ...]]:
    """For each number in flight what the first run says, and what the second measured."""
    first, second = (samples(folder, name, run) for run in RUNS)
    found, before, again = fit(first), read_in_flight(first), read_in_flight(second)
    for number, reading in again.items():
        every = compared_timings(reading.timings)
        compared = [row for row in every if above_floor(found, row)]
        held = [(row, predicted(found, row, number)) for row in compared]
        errors = [log(row.speedup / likely) for row, (likely, _, _) in held]
        worst = max(errors, key=abs)
        at = compared[errors.index(worst)]
        once = {row.size: row.speedup for row in compared_timings(before[number].timings)}
        both = [log(row.speedup / once[row.size]) for row in compared if row.size in once]
        inside = sum(low <= row.speedup <= high for row, (_, low, high) in held)
        yield (
            name,
            str(number),
            pays_in_flight(found, number),
            measured_crossing(crossing_of(every)),
            percent(both),
            percent(errors),
            f"{100 * (exp(worst) - 1):+.0f} % at {at.size / 1024:.4g} KiB",
            f"{inside} of {len(compared)}",
        )


def percent(logarithms: list[float]) -> str:
    """Median of differences."""
    return f"{100 * (exp(median(map(abs, logarithms))) - 1):.0f} %"


def above_floor(found: Fit, row: Compared) -> bool:
    """True if the host's work takes longer than what each call costs."""
    return float(stream_value(found, "T0", {}, g=row.size)) > found.call_cost


def predicted(found: Fit, row: Compared, number: int) -> tuple[float, float, float]:
    """Speedup that the fit predicts, and its interval, with what each call costs on both paths."""
    stream = decide_in_flight(found, row.size, number)
    units = {} if number == 1 else stream.units.units
    host = float(
        stream_value(found, "host_period_in_flight" if units else "T0", units, g=row.size, n=number)
    )
    cost = found.call_cost
    low, high = stream.speedup_interval
    likely, low, high = (
        (cost + host) / (cost + host / each) for each in (stream.speedup, low, high)
    )
    return likely, low, high


def units(found: Fit, name: str) -> Iterator[tuple[str, ...]]:
    """How many requests are served side by side, with intervals."""
    assert found.in_flight is not None
    for unit in UNITS:
        low, high = found.in_flight.intervals[unit]
        if isfinite(found.in_flight.units[unit]):
            yield name, unit, f"{found.in_flight.units[unit]:.3g}", f"{low:.3g} to {high:.3g}"


def text(folder: Path) -> str:
    """The page."""
    header = read_samples(samples(folder, next(iter(EXPERIMENTS)), 1)).header
    fits = {name: fit(samples(folder, name, 1)) for name in EXPERIMENTS}
    level = probability(next(iter(fits.values())).level)
    titles = ("experiment", "in flight", "the first run's fit", "crossing of the second run")
    errors = (
        "median change from run to run",
        "median error of the fit",
        "largest error",
        f"inside the {level} interval",
    )
    held = Table.by_rows(
        (*titles, *errors), [row for name in EXPERIMENTS for row in rows(folder, name)]
    )
    served = Table.by_rows(
        ("experiment", "side by side", "most likely", f"{level} interval"),
        [row for name, found in fits.items() for row in units(found, name)],
    )
    others = json.loads((folder / OTHERS).read_text(encoding="utf-8"))
    loads = ", ".join(f"{max(each, 0):.2f}" for each in others.values())
    busy = max(others.values()) > QUIET
    return "\n".join(
        (
            "# Requests in flight, measured\n",
            f"`python -m benchmarks.fit.in_flight --write`, {datetime.now(UTC).date()}, on "
            f"{machine_line(header.machine)}. Cores that other programs used during the runs: "
            f"{loads}.{_BUSY * busy}\n",
            "The fit is to the first run, with 1, 2 and 4 requests in flight. What the second run "
            "measured, by new processes, is a crossing of medians in which no model takes part. "
            "Errors are those of the predicted speedup at all sizes of the second run, but for "
            "those at which most of the host's time is what a call costs. By how much the measured "
            "speedups change from one run to the other, at sizes that both have, is what no model "
            "can undercut.\n",
            markdown([held]),
            "",
            "Requests that are served side by side, of the first run:\n",
            markdown([served]),
            "",
        )
    )


def main() -> None:
    """Measure, fit and compare."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--budget", type=float, default=60.0, help="of each run [s]")
    parser.add_argument("--write", action="store_true", help="write docs/in-flight-measured.md")
    given = parser.parse_args()
    SAMPLES.mkdir(parents=True, exist_ok=True)
    record = SAMPLES / OTHERS
    others = json.loads(record.read_text(encoding="utf-8")) if record.exists() else {}
    for run in RUNS:
        for name in EXPERIMENTS:
            for _ in range(TRIES):
                if others.get(key := f"{name} {run}", inf) <= QUIET:
                    break
                others[key] = measure(SAMPLES, name, run, given.budget)
                print(f"{key}: others used {others[key]:.2f} cores", file=sys.stderr)
                record.write_text(json.dumps(others), encoding="utf-8")
    page = text(SAMPLES)
    if given.write:
        TABLE.write_text(page, encoding="utf-8")
    else:
        print(page)


if __name__ == "__main__":
    main()
