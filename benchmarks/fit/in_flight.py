"""Requests in flight, measured twice: does what is fitted to the first run hold in the second.

`aes-pipe` and `numpy-threads` are measured with 1, 2 and 4 requests in flight by `logca measure`,
and again by new processes after all first runs. What the fit to the first run says of each number
in flight is put beside the crossing of the second run's medians, in which no model takes part. Run
as `python -m benchmarks.fit.in_flight`; `--write` writes docs/in-flight-measured.md. Samples stay
in build/in-flight.
"""

import argparse
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from math import exp, log
from pathlib import Path
from statistics import median

from benchmarks.fit.measured import measured_crossing, samples
from logca.common.readable_numbers import probability
from logca.common.tables import Table, markdown
from logca.numeric.fit.fit import Fit, fit
from logca.numeric.fit.in_flight import UNITS, read_in_flight
from logca.numeric.fit.streams import decide_in_flight, pays_in_flight
from logca.numeric.measure.resumable_file import read_samples
from logca.numeric.timings.crossing import Compared, crossing_of
from logca.numeric.timings.machine import machine_line
from logca.numeric.timings.timings import compared_timings

ROOT = Path(__file__).parents[2]
TABLE = ROOT / "docs" / "in-flight-measured.md"
SAMPLES = ROOT / "build" / "in-flight"
EXPERIMENTS = {"aes-pipe": ("--set", "cores=2"), "numpy-threads": ()}
NUMBERS = (1, 2, 4)
RUNS = (1, 2)
_BUSY = (
    " **Other programs were running**: these figures show what is compared, not how well the model"
    " predicts; `make in-flight` on a machine that is quiet does it again."
)


def measure(folder: Path, name: str, run: int, budget: float) -> None:
    """Measure once, as a user does; goes on with a file that is there."""
    command = [sys.executable, "-m", "logca", "measure", name, *EXPERIMENTS[name]]
    command += ["--in-flight", ",".join(map(str, NUMBERS)), "--budget", str(budget)]
    command += ["--points", "9", "-o", str(samples(folder, name, run))]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{name}: {done.stderr.strip()}")


def rows(folder: Path, name: str) -> Iterator[tuple[str, ...]]:
    """For each number in flight what the first run says, and what the second measured."""
    first, second = (samples(folder, name, run) for run in RUNS)
    found, again = fit(first), read_in_flight(second)
    for number, reading in again.items():
        compared = compared_timings(reading.timings)
        errors = [log(row.speedup / predicted(found, row, number)) for row in compared]
        worst = max(errors, key=abs)
        at = compared[errors.index(worst)]
        yield (
            name,
            str(number),
            pays_in_flight(found, number),
            measured_crossing(crossing_of(compared)),
            f"{100 * (exp(median(map(abs, errors))) - 1):.0f} %",
            f"{100 * (exp(worst) - 1):+.0f} % at {at.size / 1024:.4g} KiB",
            f"{within(found, compared, number)} of {len(compared)}",
        )


def predicted(found: Fit, row: Compared, number: int) -> float:
    """Speedup that the fit predicts for a size and a number in flight."""
    return decide_in_flight(found, row.size, number).speedup


def within(found: Fit, compared: tuple[Compared, ...], number: int) -> int:
    """Sizes at which the measured speedup lies in the interval of the predicted one."""
    ends = [decide_in_flight(found, row.size, number).speedup_interval for row in compared]
    return sum(low <= row.speedup <= high for row, (low, high) in zip(compared, ends, strict=True))


def units(found: Fit, name: str) -> Iterator[tuple[str, ...]]:
    """How many requests are served side by side, with intervals."""
    assert found.in_flight is not None
    for unit in UNITS:
        low, high = found.in_flight.intervals[unit]
        yield name, unit, f"{found.in_flight.units[unit]:.3g}", f"{low:.3g} to {high:.3g}"


def text(folder: Path) -> str:
    """The page."""
    header = read_samples(samples(folder, next(iter(EXPERIMENTS)), 1)).header
    fits = {name: fit(samples(folder, name, 1)) for name in EXPERIMENTS}
    level = probability(next(iter(fits.values())).level)
    titles = ("experiment", "in flight", "the first run's fit", "crossing of the second run")
    errors = ("speedup: median error", "largest error", f"inside the {level} interval")
    held = Table.by_rows(
        (*titles, *errors), [row for name in EXPERIMENTS for row in rows(folder, name)]
    )
    served = Table.by_rows(
        ("experiment", "side by side", "most likely", f"{level} interval"),
        [row for name, found in fits.items() for row in units(found, name)],
    )
    machines = [
        read_samples(samples(folder, name, run)).header.machine
        for name in EXPERIMENTS
        for run in RUNS
    ]
    loads = ", ".join(f"{each.get('load', 0):.2f}" for each in machines)
    # the runs after the first find the load of the one before
    busy = machines[0].get("load", 0) > machines[0].get("cores", 1) / 2
    return "\n".join(
        (
            "# Requests in flight, measured\n",
            f"`python -m benchmarks.fit.in_flight --write`, {datetime.now(UTC).date()}, on "
            f"{machine_line(header.machine)}. Load of the machine at the beginning of the runs: "
            f"{loads}.{_BUSY * busy}\n",
            "The fit is to the first run, with 1, 2 and 4 requests in flight. What the second run "
            "measured, by new processes, is a crossing of medians in which no model takes part. "
            "Errors are those of the predicted speedup at all sizes of the second run.\n",
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
    for run in RUNS:
        for name in EXPERIMENTS:
            print(f"{name}, run {run}", file=sys.stderr)
            measure(SAMPLES, name, run, given.budget)
    page = text(SAMPLES)
    if given.write:
        TABLE.write_text(page, encoding="utf-8")
    else:
        print(page)


if __name__ == "__main__":
    main()
