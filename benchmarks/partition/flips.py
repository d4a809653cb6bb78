"""Are two conclusions of kenter2010 the fault of its greedy? Over all that the paper leaves open.

Run as `python -m benchmarks.partition.flips --write`: it writes flips.csv beside this file, and the
tables of docs/kenter-flips.md from it; `--tables` writes only the tables, from the file as it is.
"""

import argparse
import csv
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from logca.cli.reproduce import PROGRAMS
from logca.common.tables import markdown
from logca.numeric.partition.exploration.explorer import Explorer, Point
from logca.numeric.partition.exploration.kenter_flips import (
    AXES,
    DESIGNS_COMPARED,
    FLIPS,
    AssumptionResult,
    assumptions,
    rows_of,
)
from logca.show.reproduce.kenter import flip_tables

HERE = Path(__file__).parent
DATA = HERE / "flips.csv"
TABLES = HERE.parents[1] / "docs" / "kenter-flips.md"
SOURCES = HERE.parents[1] / "examples" / "partition"

SHARES = (*DESIGNS_COMPARED, "fft", "fft at 64", "fft at 1/16")
HEADINGS = (*AXES, "method", *SHARES, "no better", *FLIPS, "unproven")


def written(rows: Sequence[AssumptionResult], path: Path) -> None:
    """Write what was found as CSV."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(HEADINGS)
        for row in rows:
            values, means = dict(row.values), dict(row.means)
            shares = [means[name] for name in DESIGNS_COMPARED]
            shares += [row.fft, row.fft_far, row.fft_near]
            writer.writerow(
                [
                    *(values[axis] for axis in AXES),
                    row.method,
                    *(f"{share:.6f}" for share in shares),
                    row.no_better,
                    *(int(holds) for holds in row.holds),
                    row.unproven,
                ]
            )


def read(path: Path) -> tuple[AssumptionResult, ...]:
    """What `written` wrote."""
    with path.open(newline="", encoding="utf-8") as file:
        return tuple(
            AssumptionResult(
                values=tuple((axis, row[axis]) for axis in AXES),
                method=row["method"],
                means=tuple((name, float(row[name])) for name in DESIGNS_COMPARED),
                no_better=int(row["no better"]),
                fft=float(row["fft"]),
                fft_far=float(row["fft at 64"]),
                fft_near=float(row["fft at 1/16"]),
                holds=tuple(bool(int(row[name])) for name in FLIPS),
                unproven=int(row["unproven"]),
            )
            for row in csv.DictReader(file)
        )


def main() -> None:
    """Compute, or only write the tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--write", action="store_true", help="write data and tables")
    parser.add_argument("--tables", action="store_true", help="write tables from the data")
    parser.add_argument("--jobs", type=int, default=1, help="programs at a time")
    parser.add_argument("--solve-within", type=float, default=20.0, help="for one optimum [s]")
    given = parser.parse_args()
    if given.tables:
        rows = read(DATA)
    else:
        explorer = Explorer(
            {name: str(SOURCES / f"{name}.c") for name in PROGRAMS},
            time_limit=given.solve_within,
        )
        begun, number = time.monotonic(), 0

        def done(_point: Point) -> None:
            nonlocal number
            number += 1
            if number % 500 == 0:
                print(f"{number} partitions, {time.monotonic() - begun:.0f} s", file=sys.stderr)

        rows = rows_of(explorer, assumptions(), processes=given.jobs, done=done)
        print(f"{number} partitions in {time.monotonic() - begun:.0f} s", file=sys.stderr)
    if given.write:
        written(rows, DATA)
    text = markdown(flip_tables(rows))
    if given.write or given.tables:
        TABLES.write_text(text, encoding="utf-8")
    else:
        print(text)


if __name__ == "__main__":
    main()
