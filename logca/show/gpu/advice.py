"""Advice as tables and as plain data."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from logca.common.readable_numbers import duration, number_text
from logca.common.tables import Column, Table
from logca.gpu.advice.results import Advice, KernelAdvice, Remedy, access_words
from logca.show.gpu.tables import kernel_title

__all__ = ["advice_data", "advice_tables"]


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
            "function": each.kernel.function,
            "file": each.kernel.file,
            "line": each.kernel.line,
            "share": each.share,
            "bound": {"kind": each.bound.kind, "words": each.bound.words},
            "access": None
            if each.access is None
            else {**asdict(each.access), "cost": each.bound.share, "of": each.bound.of},
            "remedies": each.remedies,
            "others": each.others,
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
            number_text(remedy.mwp),
            number_text(remedy.cwp),
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
        *(Column.number(name, spare=1) for name in ("MWP", "CWP")),
    )
    return Table.by_rows(columns, rows)


def _details(each: KernelAdvice) -> Table:
    rows: list[tuple[str, str]] = []
    for place, remedy in enumerate(each.remedies, start=1):
        rows.append((str(place), remedy.what))
        rows += [("", f"- {words}") for words in (*remedy.changes, *remedy.conditions)]
    return Table.facts(rows)
