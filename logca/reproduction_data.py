"""Tables and figures of wang2017 beside what models say, for JSON."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from logca.gpu.agreement import agreement
from logca.gpu.calibration import Calibration
from logca.gpu.improvements import improvements
from logca.gpu.paper_checks import checks
from logca.gpu.platforms import both_columns, choices, gpu_column
from logca.gpu.reproducing import SCALES, Job, Outcomes
from logca.gpu.reproduction import Entry, Outcome, entries
from logca.gpu.sensitivity import sensitivity
from logca.gpu_data import plain

__all__ = ["reproduction_data"]


def reproduction_data(
    outcomes: Outcomes,
    *,
    tables: Sequence[str],
    figures: Sequence[int],
    models: tuple[str, ...],
    calibration: Calibration | None,
) -> dict[str, Any]:
    """All that is shown; times in seconds, errors relative to the measured times.

    Parameters
    ----------
    outcomes : mapping of Job to Outcome
        What was predicted.
    tables, figures : sequence
        What is shown.
    models : tuple of str
        The models [text].
    calibration : Calibration, optional
        How the constant of model "logca" was found.
    """
    data: dict[str, Any] = {
        "source": "wang2017",
        "models": models,
        "tables": {table: _table(table, outcomes, models) for table in tables},
        "figures": {f"fig{figure}": _figure(figure, outcomes, models) for figure in figures},
        "calibration": asdict(calibration) if calibration else None,
        "checks": [asdict(check) for check in checks()],
    }
    found: dict[str, Any] = plain(data)
    return found


def _table(table: str, outcomes: Outcomes, models: tuple[str, ...]) -> dict[str, Any]:
    rows = entries(table)
    found: dict[str, Any] = {"rows": [_row(entry, outcomes, models) for entry in rows]}
    found["agreement"] = {
        model: {
            "all": asdict(_agreement(outcomes, rows, model)),
            "defined": asdict(
                _agreement(outcomes, [row for row in rows if not row.undefined], model)
            ),
        }
        for model in models
    }
    if table == "table6":
        found["improvements"] = {
            model: [
                {
                    "name": each.entry.name,
                    "before_s": each.before.time_s,
                    "after_s": each.after.time_s,
                    "measured": each.measured,
                    "estimated": each.estimated,
                    "ours": each.ours,
                }
                for each in improvements(outcomes, model)
            ]
            for model in models
        }
    if table == "table7":
        found["choices"] = [asdict(each) for each in choices(outcomes, models)]
        found["agreement"] = {
            model: {
                "gpu": asdict(gpu_column(outcomes, model)),
                "gpu_and_fpga": asdict(both_columns(outcomes, model)),
            }
            for model in models
        }
    return found


def _row(entry: Entry, outcomes: Outcomes, models: tuple[str, ...]) -> dict[str, Any]:
    return {
        "name": entry.name,
        "file": entry.file,
        "trace_size": entry.trace_size,
        "work_size": entry.work_size,
        "actual_s": entry.actual_s,
        "estimate_s": entry.estimate_s,
        "printed": {**entry.others, **entry.words},
        "undefined": entry.undefined,
        "reading": entry.reading,
        "miss": entry.miss,
        "models": {
            model: _outcome(outcomes[Job(table=entry.table, name=entry.name, model=model)])
            for model in models
        },
    }


def _outcome(outcome: Outcome) -> dict[str, Any]:
    longest = outcome.longest
    return {
        "time_s": outcome.time_s,
        "error": outcome.error,
        "difference": outcome.difference,
        "mwp": longest.mwp if longest else None,
        "cwp": longest.cwp if longest else None,
        "failure": outcome.failure,
    }


def _agreement(outcomes: Outcomes, rows: Sequence[Entry], model: str) -> Any:
    found = [outcomes[Job(table=each.table, name=each.name, model=model)] for each in rows]
    return agreement([each.time_s for each in found], [each.actual_s for each in rows])


def _figure(figure: int, outcomes: Outcomes, models: tuple[str, ...]) -> dict[str, Any]:
    rows = [entry for entry in entries("table4") if not entry.undefined]
    if figure == 8:
        return {
            "scales": SCALES,
            "rows": [
                asdict(sensitivity(outcomes, each.name, model)) for each in rows for model in models
            ],
        }
    shown = dict.fromkeys(("baseline", "paper", *models))
    return {
        "rows": [_row(each, outcomes, tuple(shown)) for each in rows],
        "agreement": {model: asdict(_agreement(outcomes, rows, model)) for model in shown},
    }
