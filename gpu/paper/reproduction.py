"""The tables of wang2017 against the models: its measured times, its estimates, and ours."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from importlib.resources import as_file, files
from math import nan
from pathlib import Path
from typing import Any, TypeVar

from logca.common.errors import LogcaError
from logca.common.extras import MissingLibraryError
from logca.common.kept_results import KeptResults
from logca.common.processes import unless_stopped, workers
from logca.gpu.devices.parameters import GpuDevice
from logca.gpu.devices.parameters import device as device_named
from logca.gpu.paper.table_rows import Entry, entries, entry_of
from logca.gpu.prediction.nest_sampling import TracedNests
from logca.gpu.prediction.predict import Request, predicted, traced_program
from logca.gpu.prediction.result import KernelPrediction, Prediction
from logca.gpu.stages.models import model_named

__all__ = [
    "SCALES",
    "Job",
    "Outcome",
    "Outcomes",
    "jobs_for",
    "mean_error",
    "outcomes_of",
    "reproduced",
    "reproduced_by_models",
]

SCALES = (1, 2, 4)
"""Divisors of the work size in Fig. 8 [1]."""

_Found = TypeVar("_Found")


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
                device=_kernels_only(device),
                defines=entry.trace_size,
                work=size,
            )
        )
        found = [
            traced if isinstance(traced, str) else _or_why_not(partial(_predicted, traced, model))
            for model in models
        ]
    return tuple(
        _outcome(entry, model, scale, each) for model, each in zip(models, found, strict=True)
    )


def _kernels_only(name: str) -> GpuDevice:
    """The device without a time for launches: the paper's times are of kernels."""
    return replace(device_named(name), launch_overhead=0.0)


def _traced(source: Path, function: str | None, **how: Any) -> TracedNests:
    return traced_program(Request.checked(source, function, **how))


def _predicted(traced: TracedNests, name: str) -> Prediction:
    return predicted(traced, model_named(name))[0]


def _outcome(entry: Entry, model: str, scale: int, found: Prediction | str) -> Outcome:
    """Outcome of a row: the time that a model predicts, or the reason why it predicts none."""
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
    """Result of an action, or the message of our own error."""
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """A row to be predicted."""

    # table, name: the row
    table: str
    name: str
    model: str  # the model
    scale: int = 1  # what the work size is divided by [1]


Outcomes = Mapping[Job, Outcome]
"""Outcome of each job."""


def jobs_for(
    tables: Iterable[str], figures: Iterable[int], models: Sequence[str]
) -> tuple[Job, ...]:
    """All that tables and figures need, each once.

    Table 6 compares with rows of Table 4; Fig. 8 has the rows with a defined workload at three
    sizes; Fig. 9 has them by models "paper" and "baseline".

    Examples
    --------
    >>> [(job.table, job.name) for job in jobs_for(["table6"], [], ["paper"])]
    [('table6', 'SYRK'), ('table4', 'SYRK'), ('table6', 'GEMM'), ('table4', 'GEMM')]
    >>> len(jobs_for([], [8], ["paper"])), len(jobs_for([], [9], ["logca"]))
    (39, 39)
    """
    defined = [entry.name for entry in entries("table4") if not entry.undefined]
    found: dict[Job, None] = {}
    for model in models:
        for table in tables:
            for entry in entries(table):
                found[Job(table=table, name=entry.name, model=model)] = None
                if table == "table6":
                    found[Job(table="table4", name=entry.name, model=model)] = None
        if 8 in figures:
            for name in defined:
                for scale in SCALES:
                    found[Job(table="table4", name=name, model=model, scale=scale)] = None
    if 9 in figures:
        for model in dict.fromkeys(("paper", "baseline", *models)):
            for name in defined:
                found[Job(table="table4", name=name, model=model)] = None
    return tuple(found)


def outcomes_of(
    jobs: Sequence[Job],
    *,
    processes: int = 1,
    done: Callable[[Job], None] = lambda job: None,
    kept: KeptResults | None = None,
) -> dict[Job, Outcome]:
    """Predict rows, each compiled and counted once for all models that are asked for.

    What an interrupted command has kept is not predicted again.
    """
    rows: dict[Job, list[Job]] = {}
    found: dict[Job, Outcome] = {}
    for job in jobs:
        if kept is not None and (known := kept.get(job)) is not None:
            found[job] = known
            done(job)
        else:
            rows.setdefault(replace(job, model=""), []).append(job)

    def take(same: Sequence[Job], outcomes: Sequence[Outcome]) -> None:
        for job, outcome in zip(same, outcomes, strict=True):
            found[job] = outcome
            if kept is not None:
                kept.put(job, outcome)
            done(job)

    if min(processes, len(rows)) <= 1:
        for same in rows.values():
            take(same, _outcomes(same))
    else:
        _side_by_side(list(rows.values()), min(processes, len(rows)), take)
    return {job: found[job] for job in jobs}


def _outcomes(same: Sequence[Job]) -> tuple[Outcome, ...]:
    """Of jobs that differ in their models alone."""
    entry = entry_of(same[0].table, same[0].name)
    return reproduced_by_models(entry, [job.model for job in same], scale=same[0].scale)


def _side_by_side(
    rows: Sequence[Sequence[Job]],
    processes: int,
    take: Callable[[Sequence[Job], Sequence[Outcome]], None],
) -> None:
    from concurrent.futures import as_completed

    with workers(processes) as pool:
        asked = {pool.submit(unless_stopped, _outcomes, same): same for same in rows}
        for future in as_completed(asked):
            take(asked[future], future.result())
