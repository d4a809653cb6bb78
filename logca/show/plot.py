"""Text beside a picture: the paper's statements about its figures against its Table 5.

Also the granularities of any accelerators; as tables and as plain data.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from logca.common.json_output import attributes
from logca.common.tables import Column, Styled, Table
from logca.common.terminal import folding
from logca.numeric.accelerator.accelerator import Accelerator
from logca.numeric.fit.fit import Fit
from logca.numeric.fit.hysteresis_thresholds import pays_beside_curve
from logca.numeric.paper.figures import RULE, Comparison, FigureAgreement, comparisons
from logca.numeric.paper.granularities import newton_row
from logca.plots.drawing import Drawing
from logca.plots.terminal import terminal_curve
from logca.show.granularities import newton_data, newton_table
from logca.show.regions import cutoff_table, region_table, regions_data

__all__ = [
    "Page",
    "accelerator_page",
    "comparison_data",
    "comparison_drawn",
    "comparison_table",
    "curves",
    "paper_page",
]

_SIGNS = {
    FigureAgreement.AGREES: ("✓", "green"),
    FigureAgreement.IN_RANGE: ("≈", "yellow"),
    FigureAgreement.DIFFERS: ("✗", "bold red"),
    FigureAgreement.UNKNOWN: ("?", "magenta"),
}
_HEADINGS = ("", "the paper says", "printed", "Table 5 gives", "verdict", "remark", "where")


def comparison_drawn(rows: Sequence[Comparison], *, title: str, caption: str) -> RenderableType:
    """The comparison for the terminal: a sign for each verdict, remarks below what is said."""
    cells = []
    for row in rows:
        panel = f"({row.fact.panel}) " if row.fact.panel else ""
        said = [(f"{panel}{row.fact.says}", ""), (f"  {row.fact.where}", "dim")]
        if row.remark:
            said.append((f"\n{row.remark}", "italic"))
        sign = Styled(_SIGNS[row.agreement])
        cells.append((sign, Styled(*said), row.fact.printed, row.exact))
    wide = (
        Column("the paper says", fold=True),
        Column("printed", least=1),
        Column("Table 5 gives", fold=True),
    )
    signs = ", ".join(f"{sign} {verdict}" for verdict, (sign, _) in _SIGNS.items())
    notes = [Text(note, style="dim") for note in (signs, RULE, _ledger(rows)) if note]
    table = folding(Table.by_rows(("", *wide), cells))
    return Group(Text(title, style="bold"), Text(caption), Text(), table, Text(), *notes)


def comparison_table(rows: Sequence[Comparison], *, title: str, caption: str) -> Table:
    """The comparison for files, one column for each thing."""
    return Table.by_rows(
        _HEADINGS,
        (
            (
                f"({row.fact.panel})" if row.fact.panel else "",
                row.fact.says,
                row.fact.printed,
                row.exact,
                row.agreement.value,
                row.remark,
                row.fact.where,
            )
            for row in rows
        ),
        title=title,
        notes=(caption, RULE, _ledger(rows)),
    )


def comparison_data(row: Comparison) -> dict[str, Any]:
    """A comparison as JSON has it; what does not exist is null."""
    fact = row.fact
    return {
        **attributes(fact, "figure panel says"),
        "printed": fact.printed or None,
        "terms": fact.terms,
        **attributes(row, "exact values"),
        "verdict": row.agreement.value,
        "remark": row.remark,
        **attributes(fact, "where claims"),
    }


def _ledger(rows: Sequence[Comparison]) -> str:
    claims = dict.fromkeys(claim for row in rows for claim in row.fact.claims)
    return f"Proofs: logca check {' '.join(claims)}" if claims else ""


_WITH_REGIONS = ("regions", "sensitivity")


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A picture and its table."""

    drawing: Drawing  # the picture
    shown: tuple[RenderableType, ...]  # the table for the terminal
    tables: tuple[Table, ...]  # the table for files
    data: dict[str, Any]  # the table as JSON has it
    answers: tuple[str, ...] = ()  # where each accelerator pays
    # pairs: accelerators that are drawn, if they are not the paper's, and fits they follow from
    pairs: tuple[tuple[Accelerator, Fit | None], ...] = ()


def paper_page(drawing: Drawing) -> Page:
    """A figure of the paper: what is said of it beside what its Table 5 gives."""
    rows = comparisons(drawing.name)
    title = f"Fig. {drawing.name.removeprefix('fig')}: {drawing.title}"
    return Page(
        drawing=drawing,
        shown=(comparison_drawn(rows, title=title, caption=drawing.caption),),
        tables=(comparison_table(rows, title=title, caption=drawing.caption),),
        data={
            "answer": _agreement(title, rows),
            "figure": drawing.name,
            "title": drawing.title,
            "caption": drawing.caption,
            "rule": RULE,
            "rows": [comparison_data(row) for row in rows],
        },
    )


def _agreement(title: str, rows: Sequence[Comparison]) -> str:
    counts = Counter(row.agreement.value for row in rows)
    said = ", ".join(f"{verdict} {number}" for verdict, number in counts.items())
    return f"{title}: {len(rows)} statements of the paper held against its Table 5: {said}."


def accelerator_page(
    bases: Sequence[Fit | Accelerator], accelerators: Sequence[Accelerator], drawing: Drawing
) -> Page:
    """Any accelerators: where they pay, and where regions are drawn those of each.

    `bases` are what they follow from: fits, or the accelerators themselves.
    """
    answers = tuple(
        f"{each.name}: {pays_beside_curve(basis)}."
        for basis, each in zip(bases, accelerators, strict=True)
    )
    fits = tuple(basis if isinstance(basis, Fit) else None for basis in bases)
    newton = [newton_row(each) for each in accelerators]
    tables, asked = [newton_table(newton, title=drawing.title)], []
    rows = [newton_data(row) for row in newton]
    if drawing.name in _WITH_REGIONS:
        for each, row in zip(accelerators, rows, strict=True):
            found = each.regions(
                drawing.improvement, drawing.gain, low=drawing.low, high=drawing.high
            )
            asked += [region_table(found, title=each.name), cutoff_table(found)]
            row |= regions_data(found)
    return Page(
        drawing=drawing,
        shown=(
            *(Text(answer, style="bold") for answer in answers),
            *(part for table in asked for part in ("", folding(table))),
        ),
        tables=(*tables, *asked),
        data={
            "answer": " ".join(answers),
            "what": drawing.name,
            "title": drawing.title,
            "rows": rows,
        },
        answers=answers,
        pairs=tuple(zip(accelerators, fits, strict=True)),
    )


def curves(page: Page, width: int) -> Iterator[RenderableType]:
    """Speedup of each accelerator over granularity, drawn in letters [columns]."""
    for each, fit in page.pairs:
        title = f"Speedup of {each.name or 'the accelerator'} over granularity"
        low, high = page.drawing.low, page.drawing.high
        drawn = terminal_curve(each, fit, low=low, high=high, width=width)
        yield Text(f"\n{title}\n")
        yield Text(drawn, no_wrap=True, overflow="crop")
