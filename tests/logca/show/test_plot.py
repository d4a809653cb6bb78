"""docs/figures.md says what the commands print."""

from collections import Counter
from pathlib import Path

import pytest

from logca.common.tables import Table, markdown
from logca.numeric.paper.figures import Comparison, FigureAgreement, comparisons
from logca.plots.paper import FIGURES

PAGE = (Path(__file__).parents[3] / "docs" / "figures.md").read_text(encoding="utf-8")


def line(row: Comparison) -> str:
    """The row of the page's tables."""
    fact = row.fact
    number = fact.figure.removeprefix("fig") + (f" ({fact.panel})" if fact.panel else "")
    cells = (number, fact.says, fact.printed, row.exact, row.remark)
    return markdown([Table.by_rows("xxxxx", [cells, "xxxxx"])]).splitlines()[2]


@pytest.mark.parametrize(
    "row",
    [
        row
        for row in comparisons()
        if row.agreement in (FigureAgreement.DIFFERS, FigureAgreement.IN_RANGE)
        or (row.fact.printed and row.agreement is FigureAgreement.AGREES)
    ],
    ids=lambda row: row.fact.says,
)
def test_what_is_told_is_what_is_found(row: Comparison) -> None:
    assert line(row) in PAGE


@pytest.mark.parametrize("name", FIGURES)
def test_the_gallery_is_whole(name: str) -> None:
    found = Counter(row.agreement for row in comparisons(name))
    agree = found[FigureAgreement.AGREES] + found[FigureAgreement.IN_RANGE]
    numbers = f"{agree} | {found[FigureAgreement.DIFFERS]} | {found[FigureAgreement.UNKNOWN]}"
    assert f"| `logca plot {name}` | {FIGURES[name]().title} | {numbers} |" in PAGE
