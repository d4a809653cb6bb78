"""Advice as tables and as plain data."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from logca.common.tables import Part, Sheet
from logca.gpu.advice.results import Advice, KernelAdvice, Remedy, access_words
from logca.show.gpu.tables import titled
from logca.show.gpu.words import duration, number

__all__ = ["advice_data", "advice_sheets"]


def advice_sheets(advice: Advice) -> tuple[Sheet, ...]:
    """For each kernel what binds it, a table of remedies, and what each of them means."""
    sheets = []
    for each in advice.kernels:
        title = f"Advice  {titled(each.kernel, advice.prediction)}"
        rows = tuple(_facts(each))
        sheets.append(Sheet(title=title, headings=("", ""), parts=(Part(rows=rows),)))
        if each.remedies:
            sheets += [_table(each), _details(each)]
    return tuple(sheets)


def advice_data(advice: Advice) -> list[dict[str, Any]]:
    """The same under the names that it has in Python, one for each kernel."""
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


def _table(each: KernelAdvice) -> Sheet:
    rows = tuple(
        (
            str(place),
            remedy.name,
            remedy.array,
            str(remedy.line or ""),
            f"{remedy.gain:.3g} x",
            duration(remedy.time_s),
            number(remedy.mwp),
            number(remedy.cwp),
        )
        for place, remedy in enumerate(each.remedies, start=1)
    )
    return Sheet(
        headings=("", "remedy", "array", "line", "gain", "time", "MWP", "CWP"),
        parts=(Part(rows=rows),),
        right=frozenset({0, 3, 4, 5, 6, 7}),
        spare=(7, 6),
    )


def _details(each: KernelAdvice) -> Sheet:
    rows: list[tuple[str, str]] = []
    for place, remedy in enumerate(each.remedies, start=1):
        rows.append((str(place), remedy.what))
        rows += [("", f"- {words}") for words in (*remedy.changes, *remedy.conditions)]
    return Sheet(headings=("", ""), parts=(Part(rows=tuple(rows)),))
