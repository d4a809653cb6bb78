"""Figs. 8 and 9 of wang2017 as tables and pictures."""

from logca.common.tables import Column, Table
from logca.gpu.paper.comparisons import (
    agreement,
    sensitivity,
)
from logca.gpu.paper.reproduction import SCALES, Outcomes
from logca.gpu.paper.table_rows import Entry, entries
from logca.plots.charts import Dots, Series, SeriesPanel
from logca.show.reproduce.cgpredict import agreement_columns, milliseconds, of_model, signed

__all__ = [
    "figure_table",
    "picture_of",
]

_TITLES = {
    8: "Fig. 8: half and quarter of the work size",
    9: "Fig. 9: against a simple model of the cache",
}
_PARTS = {1: "N", 2: "N/2", 4: "N/4"}
_FIG8 = (
    "The bars of the figure have no numbers, its ten benchmarks are not named in the text, and no "
    "times measured at the smaller sizes are printed: its errors cannot be checked. Shown is the "
    "time of a memory instruction of a thread over that at N: 1 where the predicted time follows "
    "the work exactly."
)
_FIG9 = (
    "The bars of the figure have no numbers; wang2017's errors are those of Table 4. The baseline "
    "has eqs 24 and 25 with one miss rate, that of the sequential program's own accesses, in the "
    "place of eqs 1 to 8."
)


def figure_table(figure: int, outcomes: Outcomes, models: tuple[str, ...]) -> tuple[Table, ...]:
    """The numbers of a figure."""
    return _sizes(outcomes, models) if figure == 8 else _baseline(outcomes, models)


def picture_of(figure: int, outcomes: Outcomes, models: tuple[str, ...]) -> Dots:
    """The picture of a figure."""
    rows = _rows()
    names = tuple(each.name for each in rows)
    if figure == 8:
        panels = []
        for model in models:
            costs = [sensitivity(outcomes, name, model).costs for name in names]
            smaller = tuple(
                Series(name=_PARTS[scale], values=values)
                for scale, values in zip(SCALES, zip(*costs, strict=True), strict=True)
                if scale > 1
            )
            panels.append(SeriesPanel(title=f"model {model}", series=smaller))
        return Dots(
            title="Predicted time of a memory instruction at smaller work sizes",
            rows=names,
            panels=tuple(panels),
            axis="time of a memory instruction, over that at N [1]",
            reference=1.0,
        )
    printed = tuple(each.others["error"] for each in rows)
    series = [Series(name="wang2017, printed", values=printed)]
    for model in _models9(models):
        found = of_model(outcomes, rows, model)
        name = model if model == "baseline" else f"model {model}"
        series.append(Series(name=name, values=tuple(100 * abs(each.error) for each in found)))
    return Dots(
        title="Errors from the measured times",
        rows=names,
        panels=(SeriesPanel(title="", series=tuple(series)),),
        axis="error from the measured time [%]",
    )


def _rows() -> tuple[Entry, ...]:
    return tuple(entry for entry in entries("table4") if not entry.undefined)


def _models9(models: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(("baseline", "paper", *models)))


def _sizes(outcomes: Outcomes, models: tuple[str, ...]) -> tuple[Table, ...]:
    rows = _rows()
    columns = [
        (Column("benchmark"), [each.name for each in rows]),
        (Column.number("N"), [str(each.work_size["N"]) for each in rows]),
    ]
    for model in models:
        found = [sensitivity(outcomes, each.name, model) for each in rows]
        for place, scale in enumerate(SCALES):
            columns.append(
                (
                    Column.number(f"{_PARTS[scale]} ms", f"model {model}", spare=1),
                    [milliseconds(each.times[place]) for each in found],
                )
            )
        for place, scale in enumerate(SCALES):
            if scale > 1:
                columns.append(
                    (
                        Column.number(f"{_PARTS[scale]} rel.", f"model {model}"),
                        [f"{each.costs[place]:.3f}" for each in found],
                    )
                )
    return (Table.by_columns(columns, title=_TITLES[8], notes=(_FIG8,)),)


def _baseline(outcomes: Outcomes, models: tuple[str, ...]) -> tuple[Table, ...]:
    rows = _rows()
    columns = [
        (Column("benchmark"), [each.name for each in rows]),
        (Column.number("ms", "measured"), [milliseconds(e.actual_s) for e in rows]),
        (Column.number("error %", "wang2017"), [f"{each.others['error']:.2f}" for each in rows]),
    ]
    results = [agreement([each.estimate_s for each in rows], [each.actual_s for each in rows])]
    for model in _models9(models):
        found = of_model(outcomes, rows, model)
        columns += [
            (
                Column.number("ms", f"model {model}", spare=1),
                [milliseconds(each.time_s) for each in found],
            ),
            (Column.number("error %", f"model {model}"), [signed(each.error) for each in found]),
        ]
        results.append(agreement([each.time_s for each in found], [each.actual_s for each in rows]))
    names = ["wang2017", *(f"model {model}" for model in _models9(models))]
    return (
        Table.by_columns(columns, title=_TITLES[9], notes=(_FIG9,)),
        Table.by_columns(agreement_columns(names, results)),
    )
