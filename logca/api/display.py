"""What the terminal shows: formulas, claims and answers, drawn with Rich."""

from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from logca.proofs.engine.answer import Answer
from logca.proofs.ledger.check import mark

if TYPE_CHECKING:
    from logca.api.claims import LedgerClaim
    from logca.api.formulas import Quantity

__all__ = ["answer_details", "claim_details", "facts", "formula_table", "quantity_panel"]

_ANSWERS = {"proved": ("✓", "green"), "refuted": ("✗", "red"), "undecided": ("?", "magenta")}


def facts(rows: list[tuple[str, RenderableType]]) -> Table:
    """Headings on the left, what they head on the right; empty ones are left out."""
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column(overflow="fold")
    for heading, content in rows:
        if content:
            grid.add_row(heading, content)
    return grid


def quantity_panel(quantity: "Quantity") -> RenderableType:
    """A formula in two dimensions over what is known of it."""
    drawn = Text(quantity.pretty(), style="bold", no_wrap=True)
    rows: list[tuple[str, RenderableType]] = [(head, Text(fact)) for head, fact in quantity.facts()]
    return Group("", Padding(drawn, (0, 0, 0, 2)), "", Padding(facts(rows), (0, 0, 0, 2)), "")


def formula_table(rows: list[dict[str, str]]) -> RenderableType:
    """All formulas by topic: name, unit, meaning."""
    parts: list[RenderableType] = []
    for topic in dict.fromkeys(row["topic"] for row in rows):
        table = Table.grid(padding=(0, 2, 0, 0))
        width = max(len(row["name"]) for row in rows)
        table.add_column(style="bold cyan", no_wrap=True, min_width=width)
        table.add_column(style="dim", no_wrap=True, min_width=14)
        table.add_column()
        for row in rows:
            if row["topic"] == topic:
                table.add_row(Text(row["name"]), Text(row["unit"]), Text(row["meaning"]))
        parts += [Text(f"\n{topic}", style="bold"), table]
    return Group(*parts)


def _lines(texts: tuple[str, ...] | list[str]) -> Text:
    return Text("\n".join(texts))


def _point(values: dict[str, object] | None) -> Text:
    return Text(", ".join(f"{name} = {value}" for name, value in (values or {}).items()))


def claim_details(claim: "LedgerClaim") -> RenderableType:
    """A claim of the ledger: what it says, how it was decided, what is true instead."""
    heading = Text.assemble((claim.id, "bold"), "  ", mark(claim.verdict))
    rows: list[tuple[str, RenderableType]] = [
        ("statement", Text(claim.statement)),
        ("source", Text(claim.source)),
        ("given", _lines(claim.given)),
        ("asserts", _lines(claim.asserts)),
        ("argument", Text(claim.argument)),
    ]
    if claim.counterexample is not None:
        where = f" ({claim.latency} latency)" if claim.latency else ""
        rows.append(("counter-\nexample", Text.assemble(_point({**claim.counterexample}), where)))
        rows.append(("violates", Text(claim.failing)))
    elif claim.failing:
        rows.append(("open", Text(claim.failing)))
    true = claim.corrected
    if true is not None:
        rows += [
            ("true is", Text(true.statement, style="green")),
            ("given", _lines(true.given)),
            ("asserts", _lines(true.asserts)),
        ]
    rows.append(("proved by" if claim.verdict == "CORRECTED" else "by", _lines(claim.methods)))
    return Group(heading, Padding(facts(rows), (0, 0, 1, 2)))


def answer_details(answer: Answer) -> RenderableType:
    """The answer to a question: verdict, what was needed, or numbers that refute it."""
    sign, colour = _ANSWERS[answer.verdict]
    heading = Text.assemble((f"{sign} {answer.verdict}", f"bold {colour}"), "  ", answer.claim)
    needless = [text for text in answer.given if text not in answer.used]
    proved = answer.verdict == "proved"
    rows: list[tuple[str, RenderableType]] = []
    if answer.latency:
        rows.append(("latency", Text(answer.latency)))
    rows += [
        ("used" if proved else "given", _lines(answer.used if proved else answer.given)),
        ("not needed", _lines(needless) if proved else ""),
        ("assuming", _lines(answer.assuming)),
        ("because", _point({**answer.values})),
        ("by", _lines(answer.methods)),
        ("note", Text(answer.reason)),
    ]
    if answer.counterexample is not None:
        rows.insert(1, ("at", _point({**answer.counterexample})))
    return Group(heading, Padding(facts(rows), (0, 0, 0, 2)))
