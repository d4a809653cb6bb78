"""Advice as tables, as plain data, and as it shows itself in Python."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from logca.common.json_output import attributes
from logca.common.readable_numbers import duration, number_text
from logca.common.tables import Column, Table
from logca.gpu.advice.results import Advice, KernelAdvice, Remedy, access_words
from logca.plots.charts import Dots, Series, SeriesPanel
from logca.show.gpu.tables import kernel_title
from logca.show.results import View

__all__ = ["VIEWS", "advice_data", "advice_tables"]


def advice_tables(advice: Advice) -> tuple[Table, ...]:
    """For each kernel its bottleneck, a table of remedies, and what each of them means."""
    tables = []
    for each in advice.kernels:
        title = f"Advice  {kernel_title(each.kernel, advice.prediction)}"
        tables.append(Table.facts(_facts(each), title=title))
        if each.remedies:
            tables += [_table(each), _details(each)]
    return tuple(tables)


def advice_data(advice: Advice) -> list[dict[str, Any]]:
    """The advice under the names that it has in Python, one entry for each kernel."""
    return [
        {
            **attributes(each.kernel, "function file line"),
            "share": each.share,
            "bound": attributes(each.bound, "kind words"),
            "access": None
            if each.access is None
            else {**asdict(each.access), "cost": each.bound.share, "of": each.bound.of},
            **attributes(each, "remedies others"),
        }
        for each in advice.kernels
    ]


def _facts(each: KernelAdvice) -> Iterator[tuple[str, str]]:
    yield "bound by", each.bound.words
    if each.access is not None:
        yield "mostly", access_words(each)
    if not each.remedies and not each.others:
        yield "remedies", "none applies" if each.looked_at else "not looked for, it takes no time"
    elif not each.remedies:
        yield "remedies", "none that applies makes it faster"
    if each.others:
        yield "no gain", ", ".join(f"{_named(one)} ({one.gain:.3g})" for one in each.others)


def _named(remedy: Remedy) -> str:
    return f"{remedy.name} of {remedy.array}" if remedy.array else remedy.name


def _table(each: KernelAdvice) -> Table:
    rows = (
        (
            str(place),
            remedy.name,
            remedy.array,
            str(remedy.line or ""),
            f"{remedy.gain:.3g} x",
            duration(remedy.time_s),
            *(
                (number_text(remedy.mwp), number_text(remedy.cwp))
                if remedy.mwp is not None and remedy.cwp is not None
                else (remedy.bound,)
            ),
        )
        for place, remedy in enumerate(each.remedies, start=1)
    )
    columns = (
        *(
            Column.number(""),
            Column("remedy"),
            Column("array"),
            *map(Column.number, ("line", "gain", "time")),
        ),
        *(
            (Column("then bound by"),)
            if each.kernel.bounds is not None
            else (Column.number(name, spare=1) for name in ("MWP", "CWP"))
        ),
    )
    return Table.by_rows(columns, rows)


def _details(each: KernelAdvice) -> Table:
    rows: list[tuple[str, str]] = []
    for place, remedy in enumerate(each.remedies, start=1):
        rows.append((str(place), remedy.what))
        rows += [("", f"- {words}") for words in (*remedy.changes, *remedy.conditions)]
    return Table.facts(rows)


def _headline(remedies: Sequence[Remedy]) -> str:
    if not remedies:
        return "No remedy that applies makes it faster."
    best = remedies[0]
    at = f", line {best.line}" if best.line else ""
    return f"{best.gain:.3g} times as fast with {_named(best)}{at}: {duration(best.time_s)}"


def _rows(each: KernelAdvice) -> Iterator[dict[str, Any]]:
    for remedy in (*each.remedies, *each.others):
        yield {"function": each.kernel.function, **asdict(remedy)}


def _picture(advice: Advice) -> Dots:
    """Gain of every remedy that applies; a line at 1, where nothing is gained."""
    remedies = [one for each in advice.kernels for one in (*each.remedies, *each.others)]
    names = [f"{place}. {_named(each)}" for place, each in enumerate(remedies, start=1)]
    gains = tuple(each.gain for each in remedies)
    series = Series(name="gain" if gains else "none applies", values=gains or (1.0,))
    return Dots(
        title="Remedies",
        rows=tuple(names) or ("as it is",),
        panels=(SeriesPanel(title="", series=(series,)),),
        axis="time now over time with the remedy [1]",
        reference=1.0,
    )


def _kernel_tables(each: KernelAdvice, title: str = "") -> Iterator[Table]:
    yield Table.facts(_facts(each), title)
    if each.remedies:
        yield _table(each)


VIEWS = {
    "Advice": View(
        answer=lambda found: _headline(found.remedies),
        tables=lambda found: (
            table
            for each in found.kernels
            for table in _kernel_tables(each, kernel_title(each.kernel, found.prediction))
        ),
        rows={"remedies": lambda found: (row for each in found.kernels for row in _rows(each))},
        picture=_picture,
    ),
    "KernelAdvice": View(
        answer=lambda found: _headline(found.remedies),
        tables=_kernel_tables,
        rows={"remedies": _rows},
    ),
}
"""Views of advice in Python."""
