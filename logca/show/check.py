"""The ledger in the terminal: its claims paper by paper, and how many have which verdict."""

from collections.abc import Mapping, Sequence

from logca.api.verdict_marks import mark
from logca.common.tables import Column, Section, Styled, Table
from logca.proofs.claims.claim import Claim, Verdict
from logca.proofs.engine.answer import Record
from logca.proofs.ledger.cache import open_verdicts
from logca.proofs.ledger.check import by_paper

__all__ = ["ledger_summary", "ledger_tables", "origin"]


def ledger_tables(claims: Sequence[Claim], found: Mapping[str, Record]) -> list[Table]:
    """One table a paper, one line a claim: verdict, id, statement."""
    widest = max(len(mark(verdict.name)) for verdict in Verdict)
    return [
        Table.by_rows(
            (Column(least=widest), Column(style="bold"), Column()),
            ((mark(found[claim.id].verdict), claim.id, claim.statement) for claim in group),
            title=title,
        )
        for title, group in by_paper(claims).items()
    ]


def ledger_summary(claims: Sequence[Claim], found: Mapping[str, Record]) -> Table:
    """Counts by paper and verdict."""
    present = [v for v in Verdict if any(record.verdict == v.name for record in found.values())]

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
