"""The fitted constants of model bounds, fitted anew to some of the measured rows.

They are what no micro-benchmark or document gives: how sharply units overlap, cycles of lines that
are stored in part, and of a load in the pipe of Turing's L1. A bound is a straight line in each of
the cycles, between the ends at which it is computed here.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace

import numpy as np
from numpy.typing import NDArray
from scipy import optimize

from benchmarks.gpu.counting import LOAD_CYCLES, Counts, with_rates
from benchmarks.gpu.measured import Row
from logca.gpu.bounds.kernel_times import CountedLaunch, histories, times_of_counted
from logca.gpu.bounds.times import SHARPNESS, launch_bounds, time_together
from logca.gpu.devices.parameters import GpuDevice, unit_rates
from logca.gpu.stages.unit_bounds import ArrayBytes

__all__ = [
    "FITTED",
    "OVERLAPPED",
    "UNFITTED",
    "Constants",
    "Rows",
    "as_arrays",
    "predicted",
    "refitted",
]

Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Constants:
    """The fitted constants; all but the sharpness as factors of what the device's file says."""

    sharpness: float = SHARPNESS  # exponent of the soft maximum over units [1]
    partial: float = 1.0  # further cycles of a line stored in part [1]
    turing_load: float = 1.0  # cycles of a load in the pipe of Turing's L1 [1]


FITTED = Constants()
UNFITTED = Constants(sharpness=2.0, partial=1 / 1.3, turing_load=2 / 3)
"""Without a fit: an exponent of 2, between the sum (1) and full overlap (infinite); a line stored
in part costs a read and a write of a slice of L2; Turing's L1 delivers 64 B a cycle."""

OVERLAPPED = replace(UNFITTED, sharpness=16.0)
"""The same where units overlap all but fully, as in a roofline."""

_BOUNDS = {
    "sharpness": (1.5, 8.0),
    "partial": (0.0, 2.0),
    "turing_load": (2 / 3, 4 / 3),
}


def predicted(row: Row, counts: Counts) -> float:
    """The time of a row by model bounds [s]."""
    times = times_of_counted(counts.kernels, row.device, warm=row.warm)
    return row.first + sum(each.time_s for each in times)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Rows:
    """Launches of rows as arrays, with the bounds at the ends of each constant."""

    row: NDArray[np.int64]  # number of the row that each launch is of [1]
    times: Numbers  # how often it is launched [1]
    overhead: Numbers  # [s]
    active: Numbers  # blocks at a time on a multiprocessor [1]
    exposed: Numbers  # exposed latency [s]
    slices: Numbers  # bound of slices if lines stored in part were like others, and as they are [s]
    l1: Numbers  # bound of L1 for each of LOAD_CYCLES; on GPUs but Turing's always the same [s]
    others: Mapping[str, Numbers]  # the bounds that no constant moves [s]
    first: Numbers  # of each row, time besides its launches [s]
    measured: Numbers  # of each row [s]

    def predicted(self, constants: Constants) -> Numbers:
        """The time of each row [s]."""
        cycles = 3.0 * constants.turing_load
        ends = [np.interp(cycles, LOAD_CYCLES, np.eye(3)[place]) for place in range(3)]
        units = {
            **self.others,
            "l2_slices": _between(self.slices, constants.partial),
            "l1": self.l1 @ np.array(ends),
        }
        found = time_together(
            units,
            exposed=self.exposed,
            overhead=self.overhead,
            active_blocks=self.active,
            sharpness=constants.sharpness,
        )
        return self.first + np.bincount(self.row, weights=self.times * found)

    def of(self, which: Sequence[int]) -> "Rows":
        """Some of the rows."""
        place = np.full(len(self.measured), -1)
        place[list(which)] = np.arange(len(which))
        kept = place[self.row] >= 0
        values = {
            each.name: getattr(self, each.name)[kept]
            for each in fields(self)
            if each.name not in ("row", "others", "first", "measured")
        }
        return Rows(
            row=place[self.row][kept],
            others={name: bound[kept] for name, bound in self.others.items()},
            first=self.first[list(which)],
            measured=self.measured[list(which)],
            **values,
        )


def _between(ends: Numbers, factor: float) -> Numbers:
    """What lies so far from the first of two ends to the second."""
    found: Numbers = ends[:, 0] + factor * (ends[:, 1] - ends[:, 0])
    return found


_MOVED = ("l2_slices", "l1")


def as_arrays(rows: Mapping[Row, Counts]) -> Rows:
    """The launches of rows, with their bounds."""
    found: dict[str, list[object]] = {}
    others: dict[str, list[float]] = {}
    for number, (row, counts) in enumerate(rows.items()):
        device = row.device
        whole_lines = with_rates(device, partial_store=1.0)
        loads = [list(histories(each, warm=row.warm)) for each in counts.loads]
        for place, (_, each, before, often) in enumerate(histories(counts.kernels, warm=row.warm)):
            own = _bounds(each, before, device)
            waiting = replace(each, counts=replace(each.counts, dependent_cycles=0.0))
            waits = 1.0 if each.launch.barriers else 0.0
            columns = {
                "row": number,
                "times": often,
                "overhead": device.launch_overhead,
                "active": float(each.launch.occupancy.active_blocks),
                "exposed": _bounds(waiting, before, device)["latency"] * waits,
                "slices": [_bounds(each, before, whole_lines)["l2_slices"], own["l2_slices"]],
                "l1": [_bounds(end[place][1], before, device)["l1"] for end in loads]
                or [own["l1"]] * len(LOAD_CYCLES),
            }
            for name, value in columns.items():
                found.setdefault(name, []).append(value)
            for name, bound in own.items():
                if name not in _MOVED:
                    others.setdefault(name, []).append(bound)
    return Rows(
        others={name: np.array(bound) for name, bound in others.items()},
        first=np.array([row.first for row in rows]),
        measured=np.array([row.measured for row in rows]),
        **{name: np.array(values) for name, values in found.items()},
    )


def _bounds(
    each: CountedLaunch, before: Sequence[Sequence[ArrayBytes]], device: GpuDevice
) -> Mapping[str, float]:
    """The bounds of a launch [s]."""
    rates = unit_rates(device)
    return launch_bounds(each.launch, each.counts, device, rates, before=before).bounds


_WEIGHT = 0.02
"""Mean |ln| that it takes to move a constant from one end of its range to the other [1]."""


def refitted(rows: Rows) -> Constants:
    """The constants with the least mean |ln(predicted / measured)| on these rows.

    A constant that these rows say little about stays near what it is without a fit.
    """
    names = list(_BOUNDS)

    def constants(values: Sequence[float]) -> Constants:
        return Constants(**dict(zip(names, map(float, values), strict=True)))

    def off(values: Sequence[float]) -> float:
        apart = np.abs(np.log(rows.predicted(constants(values)) / rows.measured)).mean()
        return float(apart + _WEIGHT * (((np.asarray(values) - prior) / scale) ** 2).sum())

    low, high = np.array(list(_BOUNDS.values())).T
    scale = high - low
    prior = np.clip([getattr(UNFITTED, name) for name in names], low, high)
    start = np.array([getattr(FITTED, name) for name in names])
    found = optimize.minimize(
        off, start, method="Powell", bounds=list(_BOUNDS.values()), options={"xtol": 1e-3}
    )
    return constants(found.x if found.fun < off(start) else start)
