"""The tables of wang2017 beside what models say, put together column by column."""

from collections.abc import Iterator, Sequence
from math import isfinite

from logca.common.columns import Column, Columns
from logca.gpu.paper.calibration import CONSTANT, Calibration
from logca.gpu.paper.comparisons import (
    Agreement,
    agreement,
    both_columns,
    choices,
    gpu_column,
    improvements,
)
from logca.gpu.paper.comparisons import printed_columns as printed_platforms
from logca.gpu.paper.jobs import Job, Outcomes
from logca.gpu.paper.reproduction import Entry, Outcome, entries

__all__ = [
    "agreement_columns",
    "calibration_table",
    "errors_column",
    "milliseconds",
    "model_columns",
    "printed_columns",
    "signed",
    "table_of",
    "unsigned",
]


def milliseconds(seconds: float) -> str:
    """A time as the paper prints times; a dash for none.

    Examples
    --------
    >>> milliseconds(0.24253), milliseconds(511.12264), milliseconds(float("nan"))
    ('242.53', '511,123', '-')
    """
    if not isfinite(seconds):
        return "-"
    return f"{1e3 * seconds:,.0f}" if seconds >= 100 else f"{1e3 * seconds:.2f}"


def signed(share: float) -> str:
    """A difference in percent; a dash for none.

    Examples
    --------
    >>> signed(-0.04761), signed(-1e-6), signed(29.0217), signed(7773.48), signed(float("nan"))
    ('-4.76', '0.00', '+2,902', '+7.8e5', '-')
    """
    if not isfinite(share):
        return "-"
    if abs(share) >= 100:
        return f"{100 * share:+.1e}".replace("e+0", "e")
    text = f"{100 * share:+,.0f}" if abs(share) >= 10 else f"{100 * share:+.2f}"
    return text[1:] if text.strip("+-0.") == "" else text


def unsigned(share: float) -> str:
    """An error in percent; a dash for none.

    Examples
    --------
    >>> unsigned(0.0898), unsigned(-778.2)
    ('8.98', '7.8e4')
    """
    return signed(abs(share)).lstrip("+")


def printed_columns(rows: Sequence[Entry]) -> tuple[Column, ...]:
    """Name and size of rows, with what the paper prints of the GPU."""
    errors = [f"{each.others['error']:.2f}" if "error" in each.others else "" for each in rows]
    return (
        Column(heading="benchmark", cells=tuple(each.name for each in rows), right=False),
        Column(heading="N", cells=tuple(str(each.work_size["N"]) for each in rows)),
        Column(
            group="measured",
            heading="ms",
            cells=tuple(milliseconds(each.actual_s) for each in rows),
        ),
        Column(
            group="wang2017",
            heading="ms",
            cells=tuple(milliseconds(each.estimate_s) for each in rows),
        ),
        Column(group="wang2017", heading="error %", cells=tuple(errors), spare=True),
    )


def model_columns(outcomes: Sequence[Outcome], model: str) -> tuple[Column, ...]:
    """What a model says of rows: time, error, difference from the paper's estimate, MWP, CWP."""
    group = f"model {model}"
    kernels = [each.longest for each in outcomes]
    return (
        Column(
            group=group,
            heading="ms",
            cells=tuple(milliseconds(each.time_s) for each in outcomes),
        ),
        errors_column(outcomes, model),
        Column(
            group=group,
            heading="to estimate %",
            cells=tuple(signed(each.difference) for each in outcomes),
            spare=True,
        ),
        Column(
            group=group,
            heading="MWP",
            cells=tuple(f"{kernel.mwp:.2f}" if kernel else "" for kernel in kernels),
            spare=True,
        ),
        Column(
            group=group,
            heading="CWP",
            cells=tuple(f"{kernel.cwp:.2f}" if kernel else "" for kernel in kernels),
            spare=True,
        ),
    )


def errors_column(outcomes: Sequence[Outcome], model: str) -> Column:
    """Errors of a model from the measured times."""
    return Column(
        group=f"model {model}",
        heading="error %",
        cells=tuple(signed(each.error) for each in outcomes),
    )


def agreement_columns(
    names: Sequence[str], found: Sequence[Agreement | None]
) -> tuple[Column, ...]:
    """Mean errors and rank correlations, one row for each name."""
    return (
        Column(heading="", cells=tuple(names), right=False),
        Column(heading="rows", cells=tuple(str(each.rows) if each else "" for each in found)),
        Column(
            heading="mean error %",
            cells=tuple(unsigned(each.mean_error) if each else "" for each in found),
        ),
        Column(
            heading="Kendall's tau",
            cells=tuple(f"{each.rank_correlation:.3f}" if each else "" for each in found),
        ),
    )


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
    """A table, and what there is to say of it."""
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
    """How the calibrated constant does on its rows, and without each of them."""
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
