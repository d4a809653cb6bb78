"""Formulas, claims and answers on the terminal, drawn with Rich."""

from collections.abc import Mapping, Sequence

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from logca.common.tables import Column, Styled, Table
from logca.common.terminal import facts, folding, styled
from logca.proofs.claims.claim import Claim, Verdict
from logca.proofs.engine.answer import Answer, Record
from logca.proofs.ledger.kernel.kernel_record import all_methods

__all__ = [
    "answer_details",
    "answer_rows",
    "claim_details",
    "claim_rows",
    "equation_panel",
    "formula_table",
    "quantity_panel",
]

VERDICTS = {
    Verdict.PROVED: ("✓", "green"),
    Verdict.CORRECTED: ("↻", "yellow"),
    Verdict.REFUTED: ("✗", "red"),
    Verdict.EVIDENCE: ("~", "cyan"),
    Verdict.UNDECIDED: ("?", "magenta"),
}
"""Mark and colour of each verdict of the ledger."""

ANSWERS = {"proved": ("✓", "green"), "refuted": ("✗", "red"), "undecided": ("?", "magenta")}
"""Mark and colour of each answer to a question."""


def mark(verdict: str) -> Styled:
    """A verdict with its mark and colour.

    Examples
    --------
    >>> mark("PROVED")
    '✓ PROVED'
    """
    sign, colour = VERDICTS[Verdict[verdict]]
    return Styled((f"{sign} {verdict}", colour))


_TRUE = "true is"
_INDENT = 4


def _drawn(pretty: str) -> Text:
    r"""A formula in two dimensions, which fits; or on one line, which goes on below if it does not.

    Examples
    --------
    >>> _drawn("a = b").no_wrap, _drawn(" x\n―\ny").no_wrap
    (False, True)
    """
    return Text(pretty, style="bold", no_wrap="\n" in pretty)


def quantity_panel(pretty: str, known: Sequence[tuple[str, str]]) -> RenderableType:
    """A formula in two dimensions over what is known of it."""
    rows = facts((heading, Text(fact)) for heading, fact in known)
    return Group("", Padding(_drawn(pretty), (0, 0, 0, 2)), "", Padding(rows, (0, 0, 0, 2)), "")


def equation_panel(
    name: str, verdict: str, drawn: Mapping[str, str], known: Mapping[str, str]
) -> RenderableType:
    """An equation as printed and the exact one, over what is known of it."""
    parts: list[RenderableType] = [Text.assemble((name, "bold"), "  ", styled(mark(verdict)))]
    for title, lines in drawn.items():
        parts += ["", Text(f"  {title}", style="dim"), Padding(_drawn(lines), (0, 0, 0, _INDENT))]
    rows = facts((heading, Text(fact)) for heading, fact in known.items())
    return Group(*parts, "", Padding(rows, (0, 0, 1, 2)))


def formula_table(rows: list[dict[str, str]]) -> RenderableType:
    """All formulas by topic: name, and meaning with unit."""
    columns = (
        Column(style="bold cyan", least=max(len(row["name"]) for row in rows)),
        Column(fold=True),
    )
    parts: list[RenderableType] = []
    for topic in dict.fromkeys(row["topic"] for row in rows):
        cells = [
            (row["name"], f"{row['meaning']} [{row['unit']}]")
            for row in rows
            if row["topic"] == topic
        ]
        parts += [Text(f"\n{topic}", style="bold"), folding(Table.by_rows(columns, cells))]
    return Group(*parts)


def _point(values: Mapping[str, object] | None) -> str:
    return ", ".join(f"{name} = {value}" for name, value in (values or {}).items())


def claim_rows(claim: Claim, record: Record) -> list[tuple[str, str]]:
    """A claim of the ledger in words, its proof, and the true statement in place of a false one."""
    rows = [
        ("statement", claim.statement),
        ("source", claim.source),
        ("given", "\n".join(claim.given)),
        ("asserts", "\n".join(claim.asserts)),
        ("argument", claim.argument),
    ]
    if record.counterexample is not None:
        point = dict(record.counterexample)
        latency = point.pop("latency", "")
        where = f" ({latency} latency)" if latency else ""
        rows.append(("counter-\nexample", f"{_point(point)}{where}"))
        rows.append(("violates", record.failing))
    elif record.failing:
        rows.append(("open", record.failing))
    true = claim.corrected
    if true is not None:
        rows += [
            (_TRUE, true.statement),
            ("given", "\n".join(true.given)),
            ("asserts", "\n".join(true.asserts)),
        ]
    by = "proved by" if record.verdict == "CORRECTED" else "by"
    rows.append((by, "\n".join(all_methods(claim, record))))
    return [(heading, text) for heading, text in rows if text]


def claim_details(claim: Claim, record: Record) -> RenderableType:
    """A claim of the ledger below its id and its verdict."""
    heading = Text.assemble((claim.id, "bold"), "  ", styled(mark(record.verdict)))
    rows = (
        (name, Text(text, style="green" if name == _TRUE else ""))
        for name, text in claim_rows(claim, record)
    )
    return Group(heading, Padding(facts(rows), (0, 0, 1, 2)))


def answer_rows(answer: Answer) -> list[tuple[str, str]]:
    """Hypotheses that the answer to a question needed, or the numbers that refute it."""
    needless = [text for text in answer.given if text not in answer.used]
    proved = answer.verdict == "proved"
    rows = [
        ("latency", answer.latency),
        ("at", _point(answer.counterexample)),
        (
            "used" if proved else "given",
            "\n".join(answer.used if proved else answer.given),
        ),
        ("not needed", "\n".join(needless) if proved else ""),
        ("assuming", "\n".join(answer.assuming)),
        ("because", _point(answer.values)),
        ("by", "\n".join(answer.methods)),
        ("note", answer.reason),
    ]
    return [(heading, text) for heading, text in rows if text]


def answer_details(answer: Answer) -> RenderableType:
    """The answer to a question below its verdict."""
    sign, colour = ANSWERS[answer.verdict]
    heading = Text.assemble((f"{sign} {answer.verdict}", f"bold {colour}"), "  ", answer.claim)
    rows = ((name, Text(text)) for name, text in answer_rows(answer))
    return Group(heading, Padding(facts(rows), (0, 0, 0, 2)))
