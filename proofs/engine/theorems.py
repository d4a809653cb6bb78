"""Theorems of the ledger as facts for a question, where the question's hypotheses imply theirs."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import sympy as sp

from logca.derive.core.symbols import FORMS
from logca.proofs.language.parser import ClaimSyntaxError, parse
from logca.proofs.language.syntax import split_list
from logca.proofs.provers import symbolic
from logca.proofs.provers.effort import Effort
from logca.proofs.provers.problem import ProofProblem
from logca.proofs.provers.proof_attempts import by_lemmas
from logca.proofs.terms.limits import PowerLimit

__all__ = ["LedgerTheorem", "with_theorems"]

_UNITS_OF_A_HYPOTHESIS = 2_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerTheorem:
    """A claim of the ledger that is proved, or the true statement in place of a false one."""

    id: str
    asserts: tuple[str, ...]
    given: tuple[str, ...]


def with_theorems(
    stated: ProofProblem, theorems: Iterable[LedgerTheorem], latency: str, effort: Effort
) -> Iterator[tuple[str, ProofProblem]]:
    """Ids of theorems that apply, each with the problem that has its assertions as hypotheses.

    At last, if they are several, all of them together. What a theorem of the ledger asserts exists
    wherever its hypotheses hold, as that is part of what was proved.
    """
    used: dict[str, list[tuple[str, sp.Basic]]] = {}
    # a fact about other symbols says nothing of these, and solvers get lost in it
    mine = {
        s
        for statement in (*stated.given(), *(goal for _, goal in stated.goals))
        for s in statement.free_symbols
    }
    for theorem in theorems:
        try:
            given, facts = (
                [_in_form(text, theorem.given, latency) for text in split_texts(texts)]
                for texts in (theorem.given, theorem.asserts)
            )
        except (ClaimSyntaxError, TypeError, ValueError):
            continue
        known = [
            (theorem.id, fact)
            for fact in facts
            if not _is_of_no_use(fact) and fact.free_symbols <= mine
        ]
        if known and all(_follows(stated, condition, effort) for condition in given):
            used[theorem.id] = known
            yield theorem.id, replace(stated, hypotheses=(*stated.hypotheses, *known))
    if len(used) > 1:
        together = [fact for facts in used.values() for fact in facts]
        yield ", ".join(used), replace(stated, hypotheses=(*stated.hypotheses, *together))


def split_texts(texts: Iterable[str]) -> list[str]:
    """The statements in texts, each of which may hold several, separated by commas."""
    return [part for text in texts for part in split_list(text)]


def _in_form(text: str, given: tuple[str, ...], latency: str) -> sp.Basic:
    """A statement of a theorem under a form of latency, of which the affine one is the general."""
    if not any("affine" in each for each in given):
        return parse(text, latency).formula
    return parse(text, "affine").formula.subs(FORMS[latency], simultaneous=True)


def _is_of_no_use(fact: sp.Basic) -> bool:
    return fact is sp.true or fact.has(PowerLimit, sp.nan, sp.zoo, sp.oo)


def _follows(stated: ProofProblem, condition: sp.Basic, effort: Effort) -> bool:
    if condition is sp.true or symbolic.proves(stated.given(), condition):
        return True
    if condition is sp.false or condition.has(sp.nan, sp.zoo):
        return False
    return by_lemmas(stated, condition, effort.part(_UNITS_OF_A_HYPOTHESIS)) is not None
