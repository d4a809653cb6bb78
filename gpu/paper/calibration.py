"""The one constant of model "logca" that no documentation gives, from rows of wang2017's Table 4.

What the cache does depends on no latency, so a row is traced once and its times for other values of
the constant follow from the transactions that were found.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import isclose, log

from logca.common.errors import LogcaError
from logca.gpu.devices.parameters import GpuDevice
from logca.gpu.paper.reproduction import Outcome
from logca.gpu.prediction.result import KernelPrediction
from logca.gpu.stages.models import MODELS
from logca.gpu.stages.timing import latency, timing
from logca.gpu.stages.transactions import PATTERNS, Behaviour, Memory

__all__ = ["CONSTANT", "ROWS", "Calibration", "CalibrationError", "calibrated", "retimed"]

CONSTANT = "delay_dram_uncoalesced"
"""The key of the device that is calibrated, in cycles."""

ROWS = ("ATAX", "BICG", "GESUMMV", "MVT")
"""Rows of Table 4 that it is calibrated on: a matrix times a vector, one thread for each row. The
one-dimensional rows whose time is spent in uncoalesced accesses that miss the cache."""

_RANGE = 4.0
_DIGITS = 3


class CalibrationError(LogcaError, ValueError):
    """Rows that cannot be calibrated on; the message says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """The constant, and how well it does on rows that it was not calibrated on."""

    value: float  # the constant from all rows, to three digits [cycles]
    exact: float  # the same, not rounded [cycles]
    errors: Mapping[str, float]  # errors of the rows from their measured times with `value` [1]
    # for each row the constant from the others, to three digits [cycles]
    values_without: Mapping[str, float]
    errors_without: Mapping[str, float]  # the row's error with that [1]


def calibrated(outcomes: Sequence[Outcome], device: GpuDevice) -> Calibration:
    """The constant that makes the mean absolute logarithm of predicted over measured time least."""
    if len(outcomes) < 2:
        raise CalibrationError(f"a calibration needs at least two rows, not {len(outcomes)}")
    exact = _fitted(outcomes, device)
    value = _rounded(exact)
    without = {
        left_out.entry.name: _rounded(
            _fitted([each for each in outcomes if each is not left_out], device)
        )
        for left_out in outcomes
    }
    return Calibration(
        value=value,
        exact=exact,
        errors={each.entry.name: _error(each, device, value) for each in outcomes},
        values_without=without,
        errors_without={
            each.entry.name: _error(each, device, without[each.entry.name]) for each in outcomes
        },
    )


def retimed(outcome: Outcome, device: GpuDevice, value: float) -> float:
    """The time of a row with another value of the constant [s]."""
    if outcome.prediction is None or outcome.model != "logca":
        raise CalibrationError(
            f'{outcome.entry.name}: calibrating takes predictions of model "logca"'
        )
    kernels = outcome.prediction.kernels[: outcome.entry.kernels or None]
    return sum(_kernel_time(kernel, device, value) for kernel in kernels)


def _kernel_time(kernel: KernelPrediction, device: GpuDevice, value: float) -> float:
    rows = [row for row in kernel.stages.get("latency", ()) if row["pattern"] in PATTERNS]
    if all(row["pattern"] != "uncoalesced" for row in rows):
        return kernel.time_s
    own = _time(kernel, rows, device)
    if not isclose(own, kernel.time_s, rel_tol=1e-9):
        raise CalibrationError(
            f"the time of {kernel.function}, line {kernel.line}, is not that of equal launches of "
            "eqs 1 to 18, so it cannot be found from one of them"
        )
    return _time(kernel, rows, replace(device, delay_dram_uncoalesced=value))


def _time(
    kernel: KernelPrediction, rows: Sequence[Mapping[str, object]], device: GpuDevice
) -> float:
    numbers = {str(row["pattern"]): row for row in rows}
    classes = tuple(_behaviour(name, row) for name, row in numbers.items())
    counts = {
        name: _number(numbers[name], "instructions") if name in numbers else 0.0
        for name in PATTERNS
    }
    found = Memory(classes=classes, accesses=())
    cost = latency(found, counts, device, transactions=MODELS["logca"].transactions)
    result = timing(
        latency=cost,
        cycles_computation=kernel.of_warps.cycles_computation,
        occupancy=kernel.occupancy,
        device=device,
    )
    return kernel.launches * result.time


def _behaviour(name: str, row: Mapping[str, object]) -> Behaviour:
    transactions = _number(row, "transactions")
    return Behaviour(
        pattern=name,
        access=None,
        executions=0,
        lanes=0.0,
        transactions=transactions,
        ruled_transactions=transactions,
        delivered=transactions,
        dram=_number(row, "DRAM transactions"),
        missing=_number(row, "share with DRAM"),
        hit=_number(row, "transactions without DRAM"),
        stride=0,
        stride_share=0.0,
        shares=(),
    )


def _number(row: Mapping[str, object], column: str) -> float:
    value = row[column]
    assert isinstance(value, float | int)
    return float(value)


def _fitted(outcomes: Sequence[Outcome], device: GpuDevice) -> float:
    """Where the mean is least; searched on a grid, then refined, as it may have several minima."""
    import numpy as np
    from scipy.optimize import minimize_scalar

    mean = partial(_mean, outcomes, device)
    low, high = device.delay_dram / _RANGE, device.delay_dram * _RANGE
    grid = np.geomspace(low, high, 33)
    best = int(np.argmin([mean(float(value)) for value in grid]))
    ends = grid[max(0, best - 1)], grid[min(len(grid) - 1, best + 1)]
    found = minimize_scalar(mean, bounds=ends, method="bounded", options={"xatol": 1e-7})
    return float(found.x)


def _mean(outcomes: Sequence[Outcome], device: GpuDevice, value: float) -> float:
    logs = [abs(log(retimed(each, device, value) / each.entry.actual_s)) for each in outcomes]
    return sum(logs) / len(logs)


def _error(outcome: Outcome, device: GpuDevice, value: float) -> float:
    return retimed(outcome, device, value) / outcome.entry.actual_s - 1


def _rounded(value: float) -> float:
    return float(f"{value:.{_DIGITS}g}")
