"""Results of the stages of a prediction, as tables and as plain data."""

from collections.abc import Mapping, Sequence
from math import isfinite, isnan
from typing import Any

from logca.common.json_output import attributes
from logca.common.tables import Column, Table
from logca.gpu.nests.thread_dependences import Carried
from logca.gpu.prediction.result import KernelPrediction, Prediction
from logca.gpu.stages import Rows
from logca.show.gpu.devices import gpu_facts
from logca.show.gpu.tables import kernel_title

__all__ = ["stage_data", "stage_tables"]

_DEVICE = "device"
_UNITS = {
    "latency": "cycles",
    "departure delay": "cycles",
    "memory": "cycles",
    "computation": "cycles",
    "cycles of loads": "cycles",
    "time": "s",
    "stride": "B",
}
"""Units of columns whose numbers are not pure."""


def stage_tables(
    prediction: Prediction | None, device: Rows, stages: Sequence[str]
) -> tuple[Table, ...]:
    """A table for each stage and kernel."""
    tables = []
    for stage in stages:
        if stage == _DEVICE:
            tables.append(gpu_facts(device, _DEVICE))
        elif prediction is not None:
            tables += [
                _table(f"{stage}  {kernel_title(kernel, prediction)}", _rows(kernel, stage))
                for kernel in prediction.kernels
            ]
    return tuple(tables)


def stage_data(
    prediction: Prediction | None, device: Rows, stages: Sequence[str]
) -> dict[str, Any]:
    """Results of the stages as plain data."""
    data: dict[str, Any] = {}
    if _DEVICE in stages:
        data[_DEVICE] = device
    if prediction is not None:
        data["kernels"] = [
            {
                **attributes(kernel, "function file line"),
                "stages": {
                    str(stage): _rows(kernel, stage) for stage in stages if stage != _DEVICE
                },
            }
            for kernel in prediction.kernels
        ]
    return data


def _rows(kernel: KernelPrediction, stage: str) -> Rows:
    if stage == "dependences":
        return [_dependence(each) for each in kernel.dependences]
    return kernel.stages.get(stage, ())


def _dependence(found: Carried) -> dict[str, object]:
    return {
        "kind": found.kind,
        "array": found.sink.array or found.source.array,
        "from line": found.source.line,
        "to line": found.sink.line,
        "from iteration": found.iterations[0],
        "to iteration": found.iterations[1],
        "times": found.count,
    }


def _table(title: str, rows: Sequence[Mapping[str, object]]) -> Table:
    columns = {
        name: Column(
            "\n".join((*name.split(" "), *([f"[{_UNITS[name]}]"] if name in _UNITS else ()))),
            right=any(isinstance(row.get(name), int | float) for row in rows),
        )
        for name in dict.fromkeys(name for row in rows for name in row)
    }
    return Table.by_rows(
        columns.values(),
        ([_cell(row.get(name)) for name in columns] for row in rows),
        title=title,
        notes=() if rows else ("none",),
    )


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float) and not isfinite(value):
        return "" if isnan(value) else f"{value}"
    if isinstance(value, float):
        return f"{value:,.0f}" if value == round(value) and abs(value) < 1e15 else f"{value:.6g}"
    if isinstance(value, tuple):
        return f"({', '.join(map(str, value))})"
    return str(value)
