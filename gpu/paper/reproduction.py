"""The tables of wang2017 against the models: its measured times, its estimates, and ours."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from importlib.resources import as_file, files
from math import nan
from pathlib import Path
from typing import Any, TypeVar

from logca.common.errors import LogcaError
from logca.common.extras import MissingLibraryError
from logca.common.toml import packaged
from logca.gpu.loops.detection import detected
from logca.gpu.prediction.report import kernel_prediction, prediction_of
from logca.gpu.prediction.request import Request
from logca.gpu.prediction.result import KernelPrediction, Prediction
from logca.gpu.prediction.samples import TracedNests, sampled_nests, traced_nests
from logca.gpu.program.running import counted
from logca.gpu.program.work_counts import workload
from logca.gpu.stages.launch import kernel_time
from logca.gpu.stages.models import model_named

__all__ = [
    "TABLES",
    "Entry",
    "Outcome",
    "entries",
    "mean_error",
    "printed_mean_error",
    "reproduced",
    "reproduced_by_models",
]

TABLES = ("table4", "table5", "table6", "table7")
"""The tables that have rows of kernels."""

_MILLI = 1e-3

_Found = TypeVar("_Found")


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A row of a table."""

    # table, name: where it stands
    table: str
    name: str
    # file, function: the program of `examples/polybench` that stands for it, and the function
    # that is meant; empty: all of it
    file: str
    function: str
    kernels: int  # how many of its first kernels belong to the row; 0: all [1]
    # trace_size, work_size: macros at the traced and at the work size [1]
    trace_size: Mapping[str, int]
    work_size: Mapping[str, int]
    # actual_s, estimate_s: measured and estimated time in the paper [s]
    actual_s: float
    estimate_s: float
    undefined: str  # what the paper leaves open of the workload; empty if nothing
    # reading, miss: how it was read, and why models miss the measured time
    reading: str
    miss: str
    # further numbers of the row, in the table's own units [unit of the column]
    others: Mapping[str, float]
    words: Mapping[str, str]  # further texts of the row


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """A row with what a model says."""

    entry: Entry  # the row
    model: str  # the model
    scale: int  # what the work size was divided by [1]
    time_s: float  # its time; NaN if there is none [s]
    prediction: Prediction | None  # all of it, if there is one
    failure: str  # why there is none

    @property
    def kernels(self) -> tuple[KernelPrediction, ...]:
        """The kernels that belong to the row."""
        if self.prediction is None:
            return ()
        return self.prediction.kernels[: self.entry.kernels or None]

    @property
    def longest(self) -> KernelPrediction | None:
        """That of them which takes most of the time."""
        return max(self.kernels, key=lambda kernel: kernel.time_s, default=None)

    @property
    def error(self) -> float:
        """Difference from the measured time, relative to it [1]."""
        return self.time_s / self.entry.actual_s - 1

    @property
    def difference(self) -> float:
        """Difference from the paper's estimate, relative to it [1]."""
        return self.time_s / self.entry.estimate_s - 1


@cache
def entries(table: str) -> tuple[Entry, ...]:
    """The rows of a table, in its order.

    Examples
    --------
    >>> row = entries("table4")[9]
    >>> row.name, row.actual_s, row.estimate_s
    ('GEMM', 0.24916, 0.24253)
    """
    rows: list[dict[str, Any]] = _tables()[table]["rows"]
    named = {"name", "file", "function", "kernels", "trace_size", "work_size"}
    named |= {"actual", "estimate", "undefined", "reading", "miss"}
    return tuple(
        Entry(
            table=table,
            name=row["name"],
            file=row["file"],
            function=row.get("function", ""),
            kernels=row.get("kernels", 0),
            trace_size=row["trace_size"],
            work_size=row["work_size"],
            actual_s=round(float(row["actual"]) * _MILLI, 12),
            estimate_s=round(float(row["estimate"]) * _MILLI, 12),
            undefined=row.get("undefined", ""),
            reading=row.get("reading", ""),
            miss=row.get("miss", ""),
            others={
                key: float(value)
                for key, value in row.items()
                if key not in named and not isinstance(value, str)
            },
            words={
                key: value
                for key, value in row.items()
                if key not in named and isinstance(value, str)
            },
        )
        for row in rows
    )


def printed_mean_error() -> float:
    """The mean error that Table 4 prints, in percent [1].

    Examples
    --------
    >>> printed_mean_error()
    9.0
    """
    return float(_tables()["table4"]["mean_error"])


def _tables() -> dict[str, Any]:
    return packaged(__package__, "wang2017.toml")


def reproduced(
    entry: Entry, model: str = "paper", *, device: str = "jetson-tk1", scale: int = 1
) -> Outcome:
    """Predict a row from the C program that stands for it; what cannot be predicted says why."""
    return reproduced_by_models(entry, (model,), device=device, scale=scale)[0]


def reproduced_by_models(
    entry: Entry, models: Sequence[str], *, device: str = "jetson-tk1", scale: int = 1
) -> tuple[Outcome, ...]:
    """Predict a row by several models from one program, compiled, counted and traced once."""
    size = {
        name: value // scale if name == "N" else value for name, value in entry.work_size.items()
    }
    with as_file(files("logca.examples.polybench")) as folder:
        traced = _or_why_not(
            partial(
                _traced,
                folder / entry.file,
                entry.function or None,
                device=device,
                defines=entry.trace_size,
                work=size,
            )
        )
        found = [
            traced if isinstance(traced, str) else _or_why_not(partial(_predicted, *traced, model))
            for model in models
        ]
    return tuple(
        _outcome(entry, model, scale, each) for model, each in zip(models, found, strict=True)
    )


def _traced(source: Path, function: str | None, **how: Any) -> tuple[Request, TracedNests]:
    request = Request.checked(source, function, **how)
    first = counted(request.sources.executable(request.trace_size))
    counts = workload(first, request.sources.executable, request.trace_size, request.work_size)
    return request, traced_nests(detected(counts, request.function), request)


def _predicted(request: Request, traced: TracedNests, model: str) -> Prediction:
    by_model = replace(request, model=model_named(model))
    samples = sampled_nests(traced, by_model)
    times = [kernel_time(sample.launches(), by_model.model) for sample in samples]
    return prediction_of(by_model, traced.loops, tuple(map(kernel_prediction, samples, times)))


def _outcome(entry: Entry, model: str, scale: int, found: Prediction | str) -> Outcome:
    """What a model says of a row, or why it says nothing."""
    if isinstance(found, str):
        return Outcome(
            entry=entry, model=model, scale=scale, time_s=nan, prediction=None, failure=found
        )
    return Outcome(
        entry=entry,
        model=model,
        scale=scale,
        time_s=sum(kernel.time_s for kernel in found.kernels[: entry.kernels or None]),
        prediction=found,
        failure="",
    )


def _or_why_not(action: Callable[[], _Found]) -> _Found | str:
    """What is found, or what our own error says."""
    try:
        return action()
    except MissingLibraryError:  # that is true of no row in particular
        raise
    except LogcaError as error:
        return str(error)


def mean_error(outcomes: Iterable[Outcome], *, defined_only: bool = False) -> float:
    """Mean of the absolute errors of rows that were predicted [1]; NaN if there are none."""
    errors = [
        abs(outcome.error)
        for outcome in outcomes
        if outcome.prediction is not None and not (defined_only and outcome.entry.undefined)
    ]
    return sum(errors) / len(errors) if errors else nan
