"""A prediction as plain data for JSON."""

from collections.abc import Sequence
from typing import Any

from logca.gpu.devices.ranking import RankedDevice
from logca.gpu.nests.thread_dependences import Carried
from logca.gpu.prediction.result import KernelPrediction, Prediction

__all__ = [
    "prediction_data",
]


def prediction_data(prediction: Prediction, ranking: Sequence[RankedDevice] = ()) -> dict[str, Any]:
    """All that is known, for JSON, under the names that it has in Python."""
    whole = ("device", "model", "time_s", "cycles", "mwp", "cwp", "batches")
    data: dict[str, Any] = {name: getattr(prediction, name) for name in whole}
    data["trace_size"] = prediction.trace_size
    data["work_size"] = prediction.work_size
    data["kernels"] = [_kernel(kernel) for kernel in prediction.kernels]
    data["notes"] = prediction.notes
    data["left_out"] = prediction.left_out
    if ranking:
        data["ranking"] = ranking
    return data


def _kernel(kernel: KernelPrediction) -> dict[str, Any]:
    names = ("function", "file", "line", "collapse", "reason", "launches")
    numbers = ("time_s", "cycles", "mwp", "cwp", "batches")
    grid = kernel.layout
    return {
        **{name: getattr(kernel, name) for name in (*names, *numbers)},
        "layout": {
            "extents": grid.extents,
            "threads": grid.threads,
            "block": grid.block,
            "grid": grid.grid,
            "blocks": grid.blocks,
        },
        "occupancy": kernel.occupancy,
        "timing": kernel.timing,
        "accesses": kernel.accesses,
        "dependences": [_dependence(each) for each in kernel.dependences],
        "notes": kernel.notes,
    }


def _dependence(found: Carried) -> dict[str, Any]:
    source, sink = (
        {
            "file": access.file,
            "line": access.line,
            "column": access.column,
            "array": access.array,
            "store": access.store,
            "iterations": iterations,
        }
        for access, iterations in zip((found.source, found.sink), found.iterations, strict=True)
    )
    return {"kind": found.kind, "count": found.count, "source": source, "sink": sink}
