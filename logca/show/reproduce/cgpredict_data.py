"""Results of `logca reproduce cgpredict`, as plain data for JSON."""

from collections.abc import Sequence
from typing import Any

from logca.common.json_output import attributes
from logca.gpu.paper.arithmetic import checks
from logca.gpu.paper.calibration import Calibration
from logca.gpu.paper.comparisons import (
    agreement,
    both_columns,
    choices,
    gpu_column,
    improvements,
    sensitivity,
)
from logca.gpu.paper.reproduction import SCALES, Job, Outcome, Outcomes
from logca.gpu.paper.table_rows import Entry, entries
from logca.show.reproduce.cgpredict import of_model, reproduction_answer

__all__ = [
    "reproduction_data",
]


def reproduction_data(
    outcomes: Outcomes,
    *,
    tables: Sequence[str],
    figures: Sequence[int],
    models: tuple[str, ...],
    calibration: Calibration | None,
) -> dict[str, Any]:
    """All that is shown; times in seconds, errors relative to the measured times."""
    return {
        "answer": reproduction_answer(outcomes, tables, models, calibration),
        "source": "wang2017",
        "models": models,
        "tables": {table: _table(table, outcomes, models) for table in tables},
        "figures": {f"fig{figure}": _figure(figure, outcomes, models) for figure in figures},
        "calibration": calibration,
        "checks": checks(),
    }


def _table(table: str, outcomes: Outcomes, models: tuple[str, ...]) -> dict[str, Any]:
    rows = entries(table)
    found: dict[str, Any] = {"rows": [_row(entry, outcomes, models) for entry in rows]}
    found["agreement"] = {
        model: {
            "all": _agreement(outcomes, rows, model),
            "defined": _agreement(outcomes, [row for row in rows if not row.undefined], model),
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
                    **attributes(each, "measured estimated ours"),
                }
                for each in improvements(outcomes, model)
            ]
            for model in models
        }
    if table == "table7":
        found["choices"] = choices(outcomes, models)
        found["agreement"] = {
            model: {
                "gpu": gpu_column(outcomes, model),
                "gpu_and_fpga": both_columns(outcomes, model),
            }
            for model in models
        }
    return found


def _row(entry: Entry, outcomes: Outcomes, models: tuple[str, ...]) -> dict[str, Any]:
    return {
        **attributes(entry, "name file trace_size work_size actual_s estimate_s"),
        "printed": {**entry.others, **entry.words},
        **attributes(entry, "undefined reading miss"),
        "models": {
            model: _outcome(outcomes[Job(table=entry.table, name=entry.name, model=model)])
            for model in models
        },
    }


def _outcome(outcome: Outcome) -> dict[str, Any]:
    longest = outcome.longest
    return {
        **attributes(outcome, "time_s error difference"),
        "mwp": longest.mwp if longest else None,
        "cwp": longest.cwp if longest else None,
        "failure": outcome.failure,
    }


def _agreement(outcomes: Outcomes, rows: Sequence[Entry], model: str) -> Any:
    found = of_model(outcomes, rows, model)
    return agreement([each.time_s for each in found], [each.actual_s for each in rows])


def _figure(figure: int, outcomes: Outcomes, models: tuple[str, ...]) -> dict[str, Any]:
    rows = [entry for entry in entries("table4") if not entry.undefined]
    if figure == 8:
        return {
            "scales": SCALES,
            "rows": [sensitivity(outcomes, each.name, model) for each in rows for model in models],
        }
    shown = dict.fromkeys(("baseline", "paper", *models))
    return {
        "rows": [_row(each, outcomes, tuple(shown)) for each in rows],
        "agreement": {model: _agreement(outcomes, rows, model) for model in shown},
    }
