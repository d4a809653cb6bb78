"""The tables of wang2017 beside what models say."""

from collections.abc import Iterator, Sequence

from logca.columns import Column, Columns
from logca.gpu.agreement import Agreement, agreement
from logca.gpu.calibration import CONSTANT, Calibration
from logca.gpu.improvements import improvements
from logca.gpu.platforms import both_columns, choices, gpu_column
from logca.gpu.platforms import printed_columns as printed_platforms
from logca.gpu.reproducing import Job, Outcomes
from logca.gpu.reproduction import Entry, Outcome, entries
from logca.reproduction_columns import (
    agreement_columns,
    milliseconds,
    model_columns,
    printed_columns,
    signed,
)

__all__ = ["calibration_table", "table_of"]

_TITLES = {
    "table4": "Table 4: execution times of 15 kernels",
    "table5": "Table 5: with shared memory",
    "table6": "Table 6: after optimisations",
    "table7": "Table 7: GPU or FPGA",
}
_LARGE = 0.1
"""Errors above this are explained [1]."""


def table_of(
    table: str,
    outcomes: Outcomes,
    models: tuple[str, ...],
    calibration: Calibration | None = None,
) -> tuple[Columns, ...]:
    """A table, and what there is to say of it.

    Parameters
    ----------
    table : str
        One of `logca.gpu.reproduction.TABLES` [text].
    outcomes : mapping of Job to Outcome
        Has its rows by the models.
    models : tuple of str
        The models [text].
    calibration : Calibration, optional
        How the constant of model "logca" was found, if that model and Table 4 are among them.
    """
    rows = entries(table)
    found = {model: _of(outcomes, rows, model) for model in models}
    columns = [*printed_columns(rows)]
    columns += [column for model in models for column in model_columns(found[model], model)]
    shown = [Columns(title=_TITLES[table], columns=tuple(columns))]
    if table == "table6":
        shown.append(_gains(outcomes, models))
    elif table == "table7":
        shown += [_choices(outcomes, models), _platform_agreement(outcomes, models)]
    if table in ("table4", "table5"):
        shown.append(_agreement(rows, found, calibration if table == "table4" else None))
    notes = tuple(_notes(rows, found))
    if notes:
        shown.append(_texts(notes))
    return tuple(shown)


def calibration_table(calibration: Calibration, current: float) -> Columns:
    """How the calibrated constant does on its rows, and without each of them.

    Parameters
    ----------
    calibration : Calibration
        What was found.
    current : float
        The value that the device has [cycles].
    """
    rows = tuple(calibration.errors)
    notes = [
        f"{CONSTANT} = {calibration.value:g} cycles, which makes the mean absolute logarithm of "
        f"predicted over measured time least over {', '.join(rows)}"
    ]
    if current != calibration.value:
        notes.append(f"the device has {current:g} cycles")
    return Columns(
        title="Calibration of model logca",
        columns=(
            Column(heading="row", cells=rows, right=False),
            Column(
                heading="error %",
                cells=tuple(signed(calibration.errors[name]) for name in rows),
            ),
            Column(
                group="without the row",
                heading="cycles",
                cells=tuple(f"{calibration.values_without[name]:g}" for name in rows),
            ),
            Column(
                group="without the row",
                heading="its error %",
                cells=tuple(signed(calibration.errors_without[name]) for name in rows),
            ),
        ),
        notes=tuple(notes),
    )


def _of(outcomes: Outcomes, rows: Sequence[Entry], model: str) -> tuple[Outcome, ...]:
    return tuple(outcomes[Job(table=entry.table, name=entry.name, model=model)] for entry in rows)


def _agreement(
    rows: Sequence[Entry],
    found: dict[str, tuple[Outcome, ...]],
    calibration: Calibration | None,
) -> Columns:
    """Means and rank correlations, over all rows and over those with a defined workload."""
    parts = {f"all {len(rows)} rows": list(rows)}
    defined = [entry for entry in rows if not entry.undefined]
    if len(defined) < len(rows):
        parts[f"{len(defined)} rows with a defined workload"] = defined
    names, results = [], []
    for words, kept in parts.items():
        names.append(f"wang2017, {words}")
        results.append(
            agreement([each.estimate_s for each in kept], [each.actual_s for each in kept])
        )
        for model, outcomes in found.items():
            times = {each.entry.name: each.time_s for each in outcomes}
            names.append(f"model {model}, {words}")
            results.append(_against(kept, times))
    if calibration is not None and "logca" in found:
        times = {each.entry.name: each.time_s for each in found["logca"]}
        actual = {entry.name: entry.actual_s for entry in rows}
        for name, error in calibration.errors_without.items():
            times[name] = actual[name] * (1 + error)
        names.append(f"model logca, {len(defined)} rows, leave-one-out")
        results.append(_against(defined, times))
    return Columns(title="", columns=agreement_columns(names, results))


def _against(rows: Sequence[Entry], times: dict[str, float]) -> Agreement:
    return agreement([times[each.name] for each in rows], [each.actual_s for each in rows])


def _gains(outcomes: Outcomes, models: tuple[str, ...]) -> Columns:
    found = {model: improvements(outcomes, model) for model in models}
    first = found[models[0]]
    columns = [
        Column(heading="gain of", cells=tuple(each.entry.name for each in first), right=False),
        Column(
            heading="by",
            cells=tuple(each.entry.words["optimization"] for each in first),
            right=False,
            spare=True,
        ),
        Column(
            group="wang2017",
            heading="printed",
            cells=tuple(f"{each.entry.others['improvement']:g}" for each in first),
        ),
        Column(
            group="wang2017",
            heading="measured",
            cells=tuple(f"{each.measured:.2f}" for each in first),
        ),
        Column(
            group="wang2017",
            heading="estimated",
            cells=tuple(f"{each.estimated:.2f}" for each in first),
        ),
    ]
    for model, rows in found.items():
        columns += [
            Column(
                group=f"model {model}",
                heading="before ms",
                cells=tuple(milliseconds(each.before.time_s) for each in rows),
            ),
            Column(
                group=f"model {model}",
                heading="gain",
                cells=tuple(f"{each.ours:.2f}" if each.ours == each.ours else "-" for each in rows),
            ),
        ]
    return Columns(title="", columns=tuple(columns), notes=("gain: time before over time after",))


def _choices(outcomes: Outcomes, models: tuple[str, ...]) -> Columns:
    rows, found = entries("table7"), choices(outcomes, models)
    fpga = {
        name: tuple(milliseconds(each.others[f"fpga_{name}"] / 1e3) for each in rows)
        for name in ("actual", "estimate")
    }
    columns = [
        Column(heading="choice for", cells=tuple(each.name for each in found), right=False),
        Column(group="FPGA", heading="measured", cells=fpga["actual"]),
        Column(group="FPGA", heading="estimate", cells=fpga["estimate"]),
        Column(
            group="choice",
            heading="printed",
            cells=tuple(each.printed for each in found),
            right=False,
        ),
        Column(
            group="choice",
            heading="measured",
            cells=tuple(each.measured for each in found),
            right=False,
        ),
        Column(
            group="choice",
            heading="estimated",
            cells=tuple(each.estimated for each in found),
            right=False,
        ),
    ]
    columns += [
        Column(
            group="by model",
            heading=model,
            cells=tuple(each.ours[model] or "-" for each in found),
            right=False,
        )
        for model in models
    ]
    return Columns(
        title="",
        columns=tuple(columns),
        notes=(
            "FPGA times in ms; the models' times of the GPU are compared with the paper's "
            "estimates of the FPGA",
        ),
    )


def _platform_agreement(outcomes: Outcomes, models: tuple[str, ...]) -> Columns:
    names = ["wang2017, GPU", "wang2017, FPGA", "wang2017, both columns together"]
    results = [*printed_platforms()]
    for model in models:
        names += [f"model {model}, GPU", f"model {model} and wang2017's FPGA together"]
        results += [gpu_column(outcomes, model), both_columns(outcomes, model)]
    return Columns(title="", columns=agreement_columns(names, results))


def _notes(
    rows: Sequence[Entry], found: dict[str, tuple[Outcome, ...]]
) -> Iterator[tuple[str, str]]:
    """What was left open, how it was read, why it could not be predicted, why it is far off."""
    for place, entry in enumerate(rows):
        outcomes = [each[place] for each in found.values()]
        if entry.undefined:
            with_macros = ", ".join(f"{name} = {size}" for name, size in entry.work_size.items())
            yield entry.name, f"{entry.undefined}; predicted for {with_macros}"
        if entry.reading:
            yield entry.name, entry.reading
        for failure in dict.fromkeys(each.failure for each in outcomes if each.failure):
            yield entry.name, f"not predicted: {failure}"
        if entry.miss and any(abs(each.error) > _LARGE for each in outcomes):
            yield entry.name, entry.miss


def _texts(rows: Sequence[tuple[str, str]]) -> Columns:
    """Names and what is said of each, without headings."""
    return Columns(
        title="",
        columns=(
            Column(heading="", cells=tuple(name for name, _ in rows), right=False),
            Column(heading="", cells=tuple(text for _, text in rows), right=False),
        ),
    )
