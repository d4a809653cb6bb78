"""Predictions as plain data, for JSON."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from math import isfinite
from typing import Any

from logca.gpu.carried import Carried
from logca.gpu.choice import Candidate
from logca.gpu.result import KernelPrediction, Prediction

__all__ = ["plain", "prediction_data"]


def prediction_data(prediction: Prediction, ranking: Sequence[Candidate] = ()) -> dict[str, Any]:
    """All that is known, under the names that it has in Python.

    Parameters
    ----------
    prediction : Prediction
        The prediction.
    ranking : sequence of Candidate
        The devices that were compared, fastest first.
    """
    whole = ("device", "model", "time_s", "cycles", "mwp", "cwp", "batches")
    data: dict[str, Any] = {name: getattr(prediction, name) for name in whole}
    data["trace_size"] = dict(prediction.trace_size)
    data["work_size"] = dict(prediction.work_size)
    data["kernels"] = [_kernel(kernel) for kernel in prediction.kernels]
    data["notes"] = list(prediction.notes)
    left = prediction.left_out
    data["left_out"] = None if left is None else asdict(left)
    if ranking:
        data["ranking"] = [asdict(each) for each in ranking]
    return {name: plain(value) for name, value in data.items()}


def plain(value: Any) -> Any:
    """What JSON can hold: no infinity, no NaN, no tuples.

    Parameters
    ----------
    value : object
        Numbers, texts, mappings and sequences of them.

    Examples
    --------
    >>> plain({"a": (1, float("inf"))})
    {'a': [1, None]}
    """
    if isinstance(value, Mapping):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    return None if isinstance(value, float) and not isfinite(value) else value


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
        "occupancy": asdict(kernel.occupancy),
        "timing": asdict(kernel.timing),
        "accesses": [asdict(access) for access in kernel.accesses],
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
