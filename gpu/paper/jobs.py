"""Rows of wang2017's tables by models and sizes, predicted one after the other or side by side."""

import signal
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from threading import Event
from typing import Any

from logca.common.processes import apart
from logca.gpu.paper.reproduction import Entry, Outcome, entries, reproduced_by_models

__all__ = ["SCALES", "Job", "Outcomes", "entry_of", "jobs_for", "outcomes_of"]

SCALES = (1, 2, 4)
"""What Fig. 8 divides the work size by [1]."""

_INTERRUPTED = 130
_STOPPED = Event()
"""Set in a process of a pool that was interrupted: what it was still given is not begun."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """A row to be predicted."""

    # table, name: the row
    table: str
    name: str
    model: str  # the model
    scale: int = 1  # what the work size is divided by [1]


Outcomes = Mapping[Job, Outcome]
"""What was found, by what was asked."""


def entry_of(table: str, name: str) -> Entry:
    """The row of a table with that name.

    Examples
    --------
    >>> entry_of("table7", "DCT1D").words["choice"]
    'FPGA'
    """
    return next(entry for entry in entries(table) if entry.name == name)


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
) -> dict[Job, Outcome]:
    """Predict rows, each compiled and counted once for all models that are asked for."""
    rows: dict[Job, list[Job]] = {}
    for job in jobs:
        rows.setdefault(replace(job, model=""), []).append(job)
    found: dict[Job, Outcome] = {}

    def take(same: Sequence[Job], outcomes: Sequence[Outcome]) -> None:
        for job, outcome in zip(same, outcomes, strict=True):
            found[job] = outcome
            done(job)

    if processes == 1:
        for same in rows.values():
            take(same, _outcomes(same))
    else:
        _side_by_side(list(rows.values()), processes, take)
    return {job: found[job] for job in jobs}


def _outcomes(same: Sequence[Job]) -> tuple[Outcome, ...]:
    """Of jobs that differ in their models alone."""
    if _STOPPED.is_set():
        raise SystemExit(_INTERRUPTED)
    entry = entry_of(same[0].table, same[0].name)
    return reproduced_by_models(entry, [job.model for job in same], scale=same[0].scale)


def _side_by_side(
    rows: Sequence[Sequence[Job]],
    processes: int,
    take: Callable[[Sequence[Job], Sequence[Outcome]], None],
) -> None:
    from concurrent.futures import ProcessPoolExecutor, as_completed
    from multiprocessing import get_context

    with (
        apart(),
        ProcessPoolExecutor(processes, get_context("spawn"), initializer=_stop_quietly) as pool,
    ):
        asked = {pool.submit(_outcomes, same): same for same in rows}
        try:
            for future in as_completed(asked):
                take(asked[future], future.result())
        except BaseException:
            pool.shutdown(wait=True, cancel_futures=True)
            raise


def _stop_quietly() -> None:
    """An interrupt ends a process that only waits without a word, and one that works cleanly."""

    def leave(number: int, frame: Any) -> None:
        _STOPPED.set()
        raise SystemExit(_INTERRUPTED)

    signal.signal(signal.SIGINT, leave)
