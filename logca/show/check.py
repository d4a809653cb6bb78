"""The ledger: its claims paper by paper, how many have which verdict; formulas and answers."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from logca.api.claims import Claims, LedgerClaim, claim_data
from logca.api.display import ANSWERS, answer_rows, claim_rows, mark
from logca.api.formulas import Formulas, formula_rows
from logca.common.tables import Column, Section, Styled, Table
from logca.proofs.claims.claim import Claim, Verdict
from logca.proofs.engine.answer import Answer, Record, WeakestHypothesis
from logca.proofs.engine.certificate import SmtCertificate
from logca.proofs.ledger.cache import open_verdicts
from logca.proofs.ledger.check import by_paper, decided
from logca.show.results import View

__all__ = [
    "VIEWS",
    "condition_answer",
    "corrections",
    "ledger_answer",
    "ledger_summary",
    "ledger_tables",
    "origin",
    "question_answer",
]


_ROOMY = 120
"""Columns in which ids and statements stand side by side [1]."""


def ledger_answer(verdicts: Sequence[str]) -> str:
    """Sentence that counts claims by their verdicts."""
    counts = {each: verdicts.count(each.name) for each in Verdict}
    said = ", ".join(f"{n} {each.name.lower()}" for each, n in counts.items() if n)
    return f"{len(verdicts)} claim{'s' * (len(verdicts) != 1)}{said and f': {said}'}."


def _claims_answer(claims: Claims) -> str:
    verdicts = open_verdicts()
    known = [verdicts.get(each.claim) for each in claims]
    found = [each.verdict for each in known if each is not None]
    return ledger_answer(found) if len(found) == len(known) > 0 else f"{len(claims)} claims"


def ledger_tables(
    claims: Sequence[Claim], found: Mapping[str, Record], width: int = _ROOMY
) -> list[Table]:
    """One table a paper, one line a claim: verdict, id, statement; in little room one below them.

    `width` is that of the terminal [columns].
    """
    if width < _ROOMY:
        return [
            Table(
                title=title,
                columns=(Column(), Column(fold=True)),
                sections=tuple(
                    Section(
                        heading=f"{mark(found[claim.id].verdict)}  {claim.id}",
                        rows=(("", claim.statement),),
                    )
                    for claim in group
                ),
            )
            for title, group in by_paper(claims).items()
        ]
    widest = max(len(mark(verdict.name)) for verdict in Verdict)
    return [
        Table.by_rows(
            (Column(least=widest), Column(style="bold"), Column()),
            ((mark(found[claim.id].verdict), claim.id, claim.statement) for claim in group),
            title=title,
        )
        for title, group in by_paper(claims).items()
    ]


def corrections(claims: Sequence[Claim]) -> RenderableType:
    """Claims that are false as printed, three lines each: id, statement, and what is true."""
    lines = []
    for claim in claims:
        assert claim.corrected is not None, claim.id
        lines.append(Text(claim.id, style="bold"))
        for name, said in (("printed", claim.statement), ("true is", claim.corrected.statement)):
            line = f"  {name}  {' '.join(said.split())}"
            lines.append(Text(line, no_wrap=True, overflow="ellipsis"))
    return Group(*lines)


def ledger_summary(claims: Sequence[Claim], found: Mapping[str, Record]) -> Table:
    """Counts by paper and verdict."""
    present = [v for v in Verdict if any(found[claim.id].verdict == v.name for claim in claims)]

    def counts(group: Sequence[Claim]) -> list[str]:
        each = [sum(found[claim.id].verdict == v.name for claim in group) for v in present]
        return [*(str(count or "·") for count in each), str(len(group))]

    papers = tuple((title, *counts(group)) for title, group in by_paper(claims).items())
    total = tuple(Styled((cell, "bold")) for cell in ("all", *counts(claims)))
    return Table(
        columns=(
            Column(),
            *(Column.number(mark(verdict.name)) for verdict in present),
            Column.number("claims"),
        ),
        sections=(Section(rows=papers), Section(rows=(total,))),
    )


_DECIDERS = {"sympy": "SymPy", "z3-solver": "Z3", "cvc5": "cvc5", "python-flint": "Arb in FLINT"}


def origin(claims: Sequence[Claim]) -> str:
    """When and by what verdicts were decided: those that ship with logca, and those from here."""
    verdicts = open_verdicts()
    shipped = sum(verdicts.is_shipped(claim) for claim in claims)
    here = len(claims) - shipped
    parts = []
    if shipped:
        known = verdicts.shipped
        by = ", ".join(f"{name} {known.by.get(key, '')}" for key, name in _DECIDERS.items())
        subject = f"{shipped} decided" if here else "Decided"
        parts.append(f"{subject} on {known.decided} by {by}.")
    if here:
        parts.append(f"{here} decided on this machine." if shipped else "Decided on this machine.")
    return " ".join([*parts, "--anew decides again."])


def question_answer(answer: Answer) -> str:
    """Verdict and claim, of a refuted one with the values that refute it."""
    point = ", ".join(f"{name} = {value}" for name, value in (answer.counterexample or {}).items())
    fails = f" does not hold for {point} ({answer.latency} latency)" if point else ""
    return f"{answer.verdict}: {answer.claim}{fails}"


def condition_answer(claim: str, found: Sequence[WeakestHypothesis]) -> str:
    """The claim, and when it holds under each form of latency."""
    return f"{claim}: {'; '.join(map(str, found))}"


def _answer(answer: Answer) -> str:
    sign, _ = ANSWERS[answer.verdict]
    return f"{sign} {answer.verdict}: {answer.claim}"


def _certified(found: SmtCertificate) -> Table:
    return Table.by_rows(
        ("latency", "part", "script", "proof", "by"),
        (
            (
                part.latency,
                part.statement,
                "SMT-LIB 2" * bool(part.smtlib),
                "Alethe" * bool(part.alethe),
                ", ".join(part.methods),
            )
            for part in found.parts
        ),
    )


def _listed(claims: Claims) -> Table:
    """Claims with the verdicts that are known: to look at a list must not start a proof."""
    verdicts = open_verdicts()
    known = [verdicts.get(each.claim) for each in claims]
    return Table.by_rows(
        ("", "claim", "statement", "source"),
        (
            (mark(record.verdict) if record else "", claim.id, claim.statement, claim.source)
            for claim, record in zip(claims, known, strict=True)
        ),
        notes=() if all(known) else ("to_frame() has the verdicts, and decides what is not yet.",),
    )


def _decided(claims: Claims) -> Iterator[dict[str, Any]]:
    for claim, record in decided([each.claim for each in claims]):
        yield claim_data(claim, record)


def _known(formulas: Formulas) -> list[dict[str, str]]:
    names = {each.name for each in formulas}
    return [row for row in formula_rows() if row["name"] in names]


def _formula_table(formulas: Formulas) -> Table:
    columns = ("name", "unit", "meaning", "source")
    return Table.by_rows(columns, ([row[each] for each in columns] for row in _known(formulas)))


def _claim_answer(claim: LedgerClaim) -> str:
    return f"{mark(claim.verdict)}: {claim.id}"


VIEWS = {
    "Answer": View(answer=_answer, tables=lambda found: [Table.facts(answer_rows(found))]),
    "SmtCertificate": View(
        answer=repr,
        tables=lambda found: [_certified(found)],
        rows={"parts": lambda found: [part.to_json() for part in found.parts]},
    ),
    "WeakestHypothesis": View(answer=repr, tables=lambda found: []),
    "LedgerClaim": View(
        answer=_claim_answer,
        tables=lambda found: [Table.facts(claim_rows(found.claim, found.record))],
    ),
    "Claims": View(
        answer=_claims_answer,
        tables=lambda found: [_listed(found)],
        rows={"claims": _decided},
    ),
    "Formulas": View(
        answer=lambda found: f"{len(found)} formulas",
        tables=lambda found: [_formula_table(found)],
        rows={"formulas": _known},
    ),
}
"""Views of the ledger, of answers and of formulas in Python."""
