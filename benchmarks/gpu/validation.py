"""Predicted times of kernels on current GPUs beside measured ones, from C through the compiler.

For each row of tables/*.csv: models bounds, logca and paper, and the roofline by the peaks of the
GPU. The fitted constants are refitted with each GPU, and each family of kernels, left out. Run as
`python -m benchmarks.gpu.validation`; `--write` writes docs/gpu-validation.md and the residuals
that intervals of times are made from, gpu/bounds/residuals.toml.
"""

import argparse
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log

import numpy as np
from scipy import stats

from benchmarks.gpu.counting import ROOT, Counts, counts_of
from benchmarks.gpu.errors import coverage
from benchmarks.gpu.measured import Row, rows
from benchmarks.gpu.refit import (
    OVERLAPPED,
    UNFITTED,
    Constants,
    Rows,
    as_arrays,
    predicted,
    refitted,
)
from benchmarks.gpu.report import page
from logca.cli.terminal.output import progress
from logca.gpu.bounds.interval import bounding_unit, is_estimated
from logca.gpu.bounds.kernel_times import times_of_counted
from logca.gpu.devices.parameters import unit_rates

__all__ = ["Left", "Validation", "roofline", "validated"]

PAGE = ROOT / "docs" / "gpu-validation.md"
RESIDUALS = ROOT / "gpu" / "bounds" / "residuals.toml"
BOTH = "GPU and one family of kernels"
FEWEST, FEWEST_GROUPS = 12, 4
"""Rows, and groups of them, that a unit needs for an interval of its own [1]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Validation:
    """All rows with what is predicted of them."""

    counts: Mapping[Row, Counts]
    times: Mapping[str, Mapping[Row, float]]  # predicted times by model [s]
    units: Mapping[Row, str]  # the unit that bounds most of a row's time
    estimated: Mapping[Row, bool]  # whether a rate of that unit is estimated
    left: Mapping[str, "Left"]  # what is left out, by its name
    refitted: Constants  # what is fitted to all rows above their floors

    @property
    def clear(self) -> tuple[Row, ...]:
        """Rows above the floor of their data set."""
        return tuple(row for row in self.counts if row.above_floor)


@dataclass(frozen=True, slots=True, kw_only=True)
class Left:
    """Predictions of rows that the constants were not fitted to."""

    times: Mapping[Row, float]  # predicted times [s]
    constants: Mapping[str, Constants]  # what was fitted to the rest, by what was left out
    groups: Mapping[Row, str]  # what each row was left out with
    covered: float  # share of the rows inside intervals from residuals of others [1]


def roofline(row: Row, counts: Counts) -> float:
    """The time by the peaks of the GPU: each byte moved once, arithmetic at the full rate [s]."""
    device = row.device
    rates = unit_rates(device)
    total = 0.0
    for kernel in counts.kernels:
        for each in kernel.launches:
            moved = sum(array.read + array.written for array in each.launch.footprint)
            found = each.counts
            operations = found.fp32 or found.integer
            cycles = operations * found.blocks * 32 / rates.fp32_lanes / device.multiprocessors
            total += each.launch.times * max(
                moved / rates.peak_bandwidth, cycles / device.frequency
            )
    return total


def _unit(row: Row, counts: Counts) -> tuple[str, bool]:
    """The unit that bounds most of a row's time, and whether a rate of it is estimated."""
    device = row.device
    times = times_of_counted(counts.kernels, device, warm=row.warm)
    longest = max(times, key=lambda each: each.time_s).longest.bounds
    assert longest is not None
    unit = bounding_unit(longest)
    return unit, is_estimated(unit, device)


def _left_out(
    rows: Sequence[Row],
    arrays: Rows,
    units: Mapping[Row, str],
    kinds: Callable[[Row], tuple[str, ...]],
) -> Left:
    """Rows predicted with constants that were fitted to those which have no kind in common."""
    of = [kinds(row) for row in rows]
    constants: dict[str, Constants] = {}
    times: dict[Row, float] = {}
    rest: dict[tuple[str, ...], list[int]] = {}
    for left in dict.fromkeys(of):
        rest[left] = [place for place, each in enumerate(of) if not {*each} & {*left}]
        own = [place for place, each in enumerate(of) if each == left]
        constants[", ".join(left)] = refitted(arrays.of(rest[left]))
        found = arrays.of(own).predicted(constants[", ".join(left)])
        times |= dict(zip((rows[place] for place in own), found.tolist(), strict=True))
    groups = {row: ", ".join(each) for row, each in zip(rows, of, strict=True)}
    residuals = {row: log(row.measured / times[row]) for row in rows}
    ends = []
    for row, each in zip(rows, of, strict=True):
        others = spreads([rows[place] for place in rest[each]], residuals, units, groups)
        wide = others.get(units[row], others["all"])
        ends.append((-wide, wide))
    return Left(
        times=times,
        constants=constants,
        groups=groups,
        covered=coverage(list(residuals.values()), ends),
    )


def spreads(
    which: Iterable[Row],
    residuals: Mapping[Row, float],
    units: Mapping[Row, str],
    groups: Mapping[Row, str],
) -> dict[str, float]:
    """How far 95 % of residuals of a group that is not there are expected, of all and by units.

    Residuals of a group are alike, so it is groups that count: the mean of the mean squares of
    each, and the quantiles of a normal distribution.
    """
    squares: dict[str, dict[str, list[float]]] = {"all": {}}
    for row in which:
        for unit in ("all", units[row]):
            own = squares.setdefault(unit, {}).setdefault(groups[row], [])
            own.append(residuals[row] ** 2)
    found = {}
    for unit, by_group in squares.items():
        rows_there = sum(map(len, by_group.values()))
        if unit == "all" or (rows_there >= FEWEST and len(by_group) >= FEWEST_GROUPS):
            mean = float(np.mean([np.mean(own) for own in by_group.values()]))
            found[unit] = float(stats.norm.ppf(0.975)) * mean**0.5
    return found


def validated(which: Sequence[Row], jobs: int, *, others: bool = True) -> Validation:
    """Predictions of rows by all models, and of each without those like it."""
    counts: dict[Row, Counts] = {}
    with progress(len(which), "tracing") as tell:
        for row, found in counts_of(which, jobs, others=others):
            counts[row] = found
            tell(f"{row.kernel} {row.size} {row.gpu}")
    counts = {row: counts[row] for row in which}
    every = as_arrays(counts)
    times = {
        "bounds": {row: predicted(row, found) for row, found in counts.items()},
        "logca": {row: row.first + (found.logca or 0.0) for row, found in counts.items()},
        "paper": {row: row.first + (found.paper or 0.0) for row, found in counts.items()},
        "roofline": {row: roofline(row, found) for row, found in counts.items()},
        "unfitted": dict(zip(counts, every.predicted(UNFITTED).tolist(), strict=True)),
        "overlapped": dict(zip(counts, every.predicted(OVERLAPPED).tolist(), strict=True)),
    }
    both = {row: _unit(row, found) for row, found in counts.items()}
    units = {row: unit for row, (unit, _) in both.items()}
    clear = [row for row in counts if row.above_floor]
    arrays = every.of([number for number, row in enumerate(counts) if row.above_floor])
    return Validation(
        counts=counts,
        times=times,
        units=units,
        estimated={row: guessed for row, (_, guessed) in both.items()},
        refitted=refitted(arrays),
        left={
            "GPU": _left_out(clear, arrays, units, lambda row: (row.gpu,)),
            "family of kernels": _left_out(clear, arrays, units, lambda row: (row.family,)),
            BOTH: _left_out(clear, arrays, units, lambda row: (row.gpu, row.family)),
        },
    )


def residuals_text(found: Validation) -> str:
    """The contents of residuals.toml, from rows that constants were not fitted to."""
    left = found.left[BOTH]
    residuals = {row: log(row.measured / time) for row, time in left.times.items()}
    for row, time in found.times["bounds"].items():
        residuals.setdefault(row, log(row.measured / time))
    which = [row for row in residuals if row.above_floor or found.units[row] == "launch"]
    groups = {row: f"{row.gpu}, {row.family}" for row in which}
    lines = [
        "# Residuals of model bounds in the validation (docs/gpu-validation.md): within what the",
        "# natural logarithm of measured over predicted time is expected for 95 % of the rows of a",
        "# GPU and a family of kernels that were not there, by the unit that bounds a kernel.",
        '# "all" stands for units with too few rows. Written by `make validate-gpu`.',
    ]
    for unit, wide in sorted(spreads(which, residuals, found.units, groups).items()):
        lines += ["", f"[spread.{unit}]", f"low = {-wide:.3f}", f"high = {wide:.3f}"]
    far = [
        np.quantile([abs(residuals[row]) for row in which if found.estimated[row] == guessed], 0.95)
        for guessed in (False, True)
    ]
    more = max(0.05, float(far[1] ** 2 - far[0] ** 2) ** 0.5 if far[1] > far[0] else 0.0)
    lines += ["", "# Further spread where a rate of that unit is estimated.", "[estimated]"]
    lines.append(f"rate = {more:.3f}")
    return "\n".join([*lines, ""])


def main() -> None:
    """Print the page, or write it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="write the page and the residuals")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--kernel", action="append", help="rows of this kernel alone")
    asked = parser.parse_args()
    which = [row for row in rows() if not asked.kernel or row.kernel in asked.kernel]
    found = validated(which, asked.jobs)
    text = page(found)
    if asked.write:
        PAGE.write_text(text)
        RESIDUALS.write_text(residuals_text(found))
    else:
        print(text)


if __name__ == "__main__":
    main()
