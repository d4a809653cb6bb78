"""Formulas, claims and answers on the terminal, drawn with Rich."""

from collections.abc import Mapping, Sequence

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from logca.api.verdict_marks import ANSWERS, mark
from logca.common.tables import Column, Table
from logca.common.terminal import facts, folding, styled
from logca.proofs.claims.claim import Claim
from logca.proofs.engine.answer import Answer, Record

__all__ = ["answer_details", "claim_details", "formula_table", "quantity_panel"]


def quantity_panel(pretty: str, known: Sequence[tuple[str, str]]) -> RenderableType:
    """A formula in two dimensions over what is known of it."""
    drawn = Text(pretty, style="bold", no_wrap=True)
    rows = facts((heading, Text(fact)) for heading, fact in known)
    return Group("", Padding(drawn, (0, 0, 0, 2)), "", Padding(rows, (0, 0, 0, 2)), "")


def formula_table(rows: list[dict[str, str]]) -> RenderableType:
    """All formulas by topic: name, unit, meaning."""
    columns = (
        Column(style="bold cyan", least=max(len(row["name"]) for row in rows)),
        Column(style="dim", least=14),
        Column(fold=True),
    )
    parts: list[RenderableType] = []
    for topic in dict.fromkeys(row["topic"] for row in rows):
        cells = [
            (row["name"], row["unit"], row["meaning"]) for row in rows if row["topic"] == topic
        ]
        parts += [Text(f"\n{topic}", style="bold"), folding(Table.by_rows(columns, cells))]
    return Group(*parts)


def _lines(texts: tuple[str, ...] | list[str]) -> Text:
    return Text("\n".join(texts))


def _point(values: Mapping[str, object] | None) -> Text:
    return Text(", ".join(f"{name} = {value}" for name, value in (values or {}).items()))


def claim_details(claim: Claim, record: Record) -> RenderableType:
    """A claim of the ledger: what it says, how it was decided, what is true instead."""
    heading = Text.assemble((claim.id, "bold"), "  ", styled(mark(record.verdict)))
    rows: list[tuple[str, RenderableType]] = [
        ("statement", Text(claim.statement)),
        ("source", Text(claim.source)),
        ("given", _lines(claim.given)),
        ("asserts", _lines(claim.asserts)),
        ("argument", Text(claim.argument)),
    ]
    if record.counterexample is not None:
        point = dict(record.counterexample)
        latency = point.pop("latency", "")
        where = f" ({latency} latency)" if latency else ""
        rows.append(("counter-\nexample", Text.assemble(_point(point), where)))
        rows.append(("violates", Text(record.failing)))
    elif record.failing:
        rows.append(("open", Text(record.failing)))
    true = claim.corrected
    if true is not None:
        rows += [
            ("true is", Text(true.statement, style="green")),
            ("given", _lines(true.given)),
            ("asserts", _lines(true.asserts)),
        ]
    rows.append(("proved by" if record.verdict == "CORRECTED" else "by", _lines(record.methods)))
    return Group(heading, Padding(facts(rows), (0, 0, 1, 2)))


def answer_details(answer: Answer) -> RenderableType:
    """The answer to a question: verdict, what was needed, or numbers that refute it."""
    sign, colour = ANSWERS[answer.verdict]
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
