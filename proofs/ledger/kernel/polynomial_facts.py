"""Polynomial facts of a proof: comparisons without denominators, cases, lemmas on powers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf

import sympy as sp
from sympy.core.relational import Relational

from logca.derive.algebra.expansion import expand
from logca.derive.algebra.fractions import as_fraction
from logca.proofs.ledger.kernel.certificates import Atom
from logca.proofs.ledger.kernel.expressions import as_term
from logca.proofs.provers.abstraction import Abstraction, Unsupported
from logca.proofs.provers.effort import Effort
from logca.proofs.provers.lemmas import Logarithm, Power
from logca.proofs.provers.smt import satisfiable

__all__ = [
    "UNITS",
    "Cleared",
    "Fact",
    "FactCases",
    "LemmaInstance",
    "cleared_of",
    "contradictory",
    "said",
    "text_of",
]

UNITS = 2_000_000
"""Work of Z3 on one contradiction [units of Z3]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cleared:
    """A comparison as a polynomial of known sign over a denominator."""

    kind: str  # as of an atom
    polynomial: sp.Expr
    denominator: sp.Expr
    lemma: str  # of the library
    proof: str  # of what the lemma asks for, from the name of the hypothesis


def cleared_of(work: Abstraction, relation: Relational) -> Cleared:
    """A comparison without its denominator."""
    kind, swapped, lemma, proof = {
        sp.Lt: ("gt", True, "clear_lt", "{}"),
        sp.Le: ("ge", True, "clear_le", "{}"),
        sp.Gt: ("gt", False, "clear_lt", "{}"),
        sp.Ge: ("ge", False, "clear_le", "(Rge_le _ _ {})"),
        sp.Eq: ("eq", False, "clear_eq", "{}"),
        sp.Ne: ("ne", False, "clear_ne", "{}"),
    }[type(relation)]
    left, right = work.term(relation.lhs), work.term(relation.rhs)
    numerator, denominator = as_fraction(right - left if swapped else left - right)
    if numerator.has(sp.zoo, sp.nan):
        raise Unsupported("no value")
    sign = work.signs.of(denominator)
    if sign < 0:
        numerator, denominator = -numerator, -denominator
    elif sign == 0 and kind in ("gt", "ge"):
        numerator, denominator = numerator * denominator, denominator**2
    return Cleared(
        kind=kind,
        polynomial=expand(numerator),
        denominator=sp.factor(denominator),  # whose sign is that of its factors
        lemma=lemma,
        proof=proof,
    )


_SAYS = {"gt": "0 < {}", "ge": "0 <= {}", "eq": "{} = 0", "ne": "{} <> 0"}
_STATEMENTS: Mapping[str, type[Relational]] = {"gt": sp.Gt, "ge": sp.Ge, "eq": sp.Eq, "ne": sp.Ne}


def statement_of(atom: Atom) -> sp.Basic:
    """An atom as a statement over the variables [1]."""
    return _STATEMENTS[atom.kind](atom.polynomial, 0, evaluate=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class FactCases:
    """A fact that is a disjunction: one of the cases holds, all of its atoms."""

    name: str
    cases: tuple[tuple[Atom, ...], ...]

    def statement(self) -> sp.Basic:
        """The fact over the variables [1]."""
        return sp.Or(
            *[sp.And(*map(statement_of, case), evaluate=False) for case in self.cases],
            evaluate=False,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class LemmaInstance:
    """A lemma on two powers, or on two logarithms: monotone (1), slope (2) or tangent (3)."""

    first: Power | Logarithm
    second: Power | Logarithm
    step: int


Fact = Atom | FactCases


def text_of(fact: Fact) -> str:
    """A fact in Coq."""
    if isinstance(fact, Atom):
        return _SAYS[fact.kind].format(as_term(fact.polynomial))
    return " \\/ ".join("(" + " /\\ ".join(map(text_of, case)) + ")" for case in fact.cases)


def contradictory(statements: Sequence[sp.Basic], units: int = UNITS) -> bool:
    """True if z3 finds with some work that polynomial statements contradict each other."""
    if any(statement is sp.false for statement in statements):
        return True
    try:
        return satisfiable(statements, Effort(until=inf), units).status == "unsat"
    except (ValueError, TypeError):
        return False


def said(facts: Sequence[Fact]) -> list[sp.Basic]:
    """Facts as statements over the variables [1]."""
    return [
        fact.statement() if isinstance(fact, FactCases) else statement_of(fact) for fact in facts
    ]
