"""The tables of wang2017 beside what models say, put together column by column."""

from collections.abc import Iterator, Sequence
from math import isfinite

from logca.common.tables import Column, FilledColumn, Table
from logca.gpu.paper.arithmetic import checks
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
from logca.gpu.paper.reproduction import Job, Outcome, Outcomes
from logca.gpu.paper.table_rows import Entry, entries

__all__ = [
    "agreement_columns",
    "calibration_table",
    "checks_table",
    "errors_column",
    "milliseconds",
    "model_columns",
    "of_model",
    "printed_columns",
    "reproduction_answer",
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


def reproduction_answer(
    outcomes: Outcomes,
    tables: Sequence[str],
    models: tuple[str, ...],
    calibration: Calibration | None = None,
) -> str:
    """Sentence: how far models and the paper are from the measured times of the first table."""
    if not tables:
        if calibration is None:
            return ""
        return f"{CONSTANT} = {calibration.value:g} cycles fits the measured times best."
    rows = [each for each in entries(tables[0]) if not each.undefined]
    said = []
    for model in models:
        times = {each.entry.name: each.time_s for each in of_model(outcomes, rows, model)}
        said.append(f"model {model} {unsigned(_against(rows, times).mean_error)} % off on average")
    printed = _against(rows, {each.name: each.estimate_s for each in rows})
    title = _TITLES[tables[0]].partition(":")[0]
    return (
        f"{title}: {', '.join(said)}, the paper's estimates {unsigned(printed.mean_error)} %, over "
        f"{len(rows)} rows with measured times."
    )


def printed_columns(rows: Sequence[Entry]) -> tuple[FilledColumn, ...]:
    """Name and size of rows, with what the paper prints of the GPU."""
    errors = [f"{each.others['error']:.2f}" if "error" in each.others else "" for each in rows]
    return (
        (Column("benchmark"), [each.name for each in rows]),
        (Column.number("N"), [str(each.work_size["N"]) for each in rows]),
        (Column.number("ms", "measured"), [milliseconds(each.actual_s) for each in rows]),
        (Column.number("ms", "wang2017"), [milliseconds(each.estimate_s) for each in rows]),
        (Column.number("error %", "wang2017", spare=1), errors),
    )


def model_columns(outcomes: Sequence[Outcome], model: str) -> tuple[FilledColumn, ...]:
    """Columns of a model: time, error, difference from the paper's estimate, MWP, CWP."""
    group = f"model {model}"
    kernels = [each.longest for each in outcomes]
    return (
        (Column.number("ms", group), [milliseconds(each.time_s) for each in outcomes]),
        errors_column(outcomes, model),
        (
            Column.number("to estimate %", group, spare=1),
            [signed(each.difference) for each in outcomes],
        ),
        (
            Column.number("MWP", group, spare=1),
            [f"{kernel.mwp:.2f}" if kernel else "" for kernel in kernels],
        ),
        (
            Column.number("CWP", group, spare=1),
            [f"{kernel.cwp:.2f}" if kernel else "" for kernel in kernels],
        ),
    )


def errors_column(outcomes: Sequence[Outcome], model: str) -> FilledColumn:
    """Errors of a model from the measured times."""
    return (Column.number("error %", f"model {model}"), [signed(each.error) for each in outcomes])


def agreement_columns(
    names: Sequence[str], found: Sequence[Agreement | None]
) -> tuple[FilledColumn, ...]:
    """Mean errors and rank correlations, one row for each name."""
    return (
        (Column(""), names),
        (Column.number("rows"), [str(each.rows) if each else "" for each in found]),
        (
            Column.number("mean error %"),
            [unsigned(each.mean_error) if each else "" for each in found],
        ),
        (
            Column.number("Kendall's tau"),
            [f"{each.rank_correlation:.3f}" if each else "" for each in found],
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
) -> tuple[Table, ...]:
    """A table, and what there is to say of it."""
    rows = entries(table)
    found = {model: of_model(outcomes, rows, model) for model in models}
    columns = [*printed_columns(rows)]
    columns += [column for model in models for column in model_columns(found[model], model)]
    shown = [Table.by_columns(columns, title=_TITLES[table])]
    if table == "table6":
        shown.append(_gains(outcomes, models))
    elif table == "table7":
        shown += [_choices(outcomes, models), _platform_agreement(outcomes, models)]
    if table in ("table4", "table5"):
        shown.append(_agreement(rows, found, calibration if table == "table4" else None))
    notes = tuple(_notes(rows, found))
    if notes:
        shown.append(Table.facts(notes))
    return tuple(shown)


def calibration_table(calibration: Calibration, current: float) -> Table:
    """Errors with the calibrated constant on its rows, and without each of them."""
    rows = tuple(calibration.errors)
    notes = [
        f"{CONSTANT} = {calibration.value:g} cycles, which makes the mean absolute logarithm of "
        f"predicted over measured time least over {', '.join(rows)}"
    ]
    if current != calibration.value:
        notes.append(f"the device has {current:g} cycles")
    return Table.by_columns(
        (
            (Column("row"), rows),
            (Column.number("error %"), [signed(calibration.errors[name]) for name in rows]),
            (
                Column.number("cycles", "without the row"),
                [f"{calibration.values_without[name]:g}" for name in rows],
            ),
            (
                Column.number("its error %", "without the row"),
                [signed(calibration.errors_without[name]) for name in rows],
            ),
        ),
        title="Calibration of model logca",
        notes=tuple(notes),
    )


def of_model(outcomes: Outcomes, rows: Sequence[Entry], model: str) -> tuple[Outcome, ...]:
    """Outcomes of rows by a model."""
    return tuple(outcomes[Job(table=entry.table, name=entry.name, model=model)] for entry in rows)


def _agreement(
    rows: Sequence[Entry],
    found: dict[str, tuple[Outcome, ...]],
    calibration: Calibration | None,
) -> Table:
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
    return Table.by_columns(agreement_columns(names, results))


def _against(rows: Sequence[Entry], times: dict[str, float]) -> Agreement:
    return agreement([times[each.name] for each in rows], [each.actual_s for each in rows])


def _gains(outcomes: Outcomes, models: tuple[str, ...]) -> Table:
    found = {model: improvements(outcomes, model) for model in models}
    first = found[models[0]]
    columns = [
        (Column("gain of"), [each.entry.name for each in first]),
        (Column("by", spare=1), [each.entry.words["optimization"] for each in first]),
        (
            Column.number("printed", "wang2017"),
            [f"{each.entry.others['improvement']:g}" for each in first],
        ),
        (Column.number("measured", "wang2017"), [f"{each.measured:.2f}" for each in first]),
        (Column.number("estimated", "wang2017"), [f"{each.estimated:.2f}" for each in first]),
    ]
    for model, rows in found.items():
        columns += [
            (
                Column.number("before ms", f"model {model}"),
                [milliseconds(each.before.time_s) for each in rows],
            ),
            (
                Column.number("gain", f"model {model}"),
                [f"{each.ours:.2f}" if each.ours == each.ours else "-" for each in rows],
            ),
        ]
    return Table.by_columns(columns, notes=("gain: time before over time after",))


def _choices(outcomes: Outcomes, models: tuple[str, ...]) -> Table:
    rows, found = entries("table7"), choices(outcomes, models)
    fpga = {
        name: tuple(milliseconds(each.others[f"fpga_{name}"] / 1e3) for each in rows)
        for name in ("actual", "estimate")
    }
    columns = [
        (Column("choice for"), [each.name for each in found]),
        (Column.number("measured", "FPGA"), fpga["actual"]),
        (Column.number("estimate", "FPGA"), fpga["estimate"]),
        (Column("printed", "choice"), [each.printed for each in found]),
        (Column("measured", "choice"), [each.measured for each in found]),
        (Column("estimated", "choice"), [each.estimated for each in found]),
    ]
    columns += [
        (Column(model, "by model"), [each.ours[model] or "-" for each in found]) for model in models
    ]
    return Table.by_columns(
        columns,
        notes=(
            "FPGA times in ms; the models' times of the GPU are compared with the paper's "
            "estimates of the FPGA",
        ),
    )


def _platform_agreement(outcomes: Outcomes, models: tuple[str, ...]) -> Table:
    names = ["wang2017, GPU", "wang2017, FPGA", "wang2017, both columns together"]
    results = [*printed_platforms()]
    for model in models:
        names += [f"model {model}, GPU", f"model {model} and wang2017's FPGA together"]
        results += [gpu_column(outcomes, model), both_columns(outcomes, model)]
    return Table.by_columns(agreement_columns(names, results))


def _notes(
    rows: Sequence[Entry], found: dict[str, tuple[Outcome, ...]]
) -> Iterator[tuple[str, str]]:
    """Notes on rows: what was left open, how it was read, why it is not predicted or far off."""
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


def checks_table() -> Table:
    """The paper's arithmetic, done again."""
    rows = []
    for check in checks():
        if check.agrees:
            said = f"{check.what}: {check.printed or 'as printed'}; {check.found}"
        else:
            said = f"{check.what}: {check.printed}; should be {check.found}"
        rows.append((f"{'✓' if check.agrees else '✗'} {check.where}", said))
    return Table.facts(rows, title="The paper's own numbers, checked")
