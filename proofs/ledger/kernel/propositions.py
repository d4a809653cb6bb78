"""Propositions as trees: what is printed for Coq, and what proof scripts are made from."""

from dataclasses import dataclass

import sympy as sp

__all__ = [
    "Conjunction",
    "Disjunction",
    "Equivalence",
    "ForAllRoots",
    "Implication",
    "LimitRelation",
    "Negation",
    "Proposition",
    "Relation",
    "RootExistence",
    "Truth",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Truth:
    """True or False."""

    value: bool

    def text(self) -> str:
        """The proposition in Coq."""
        return "True" if self.value else "False"


@dataclass(frozen=True, slots=True, kw_only=True)
class Relation:
    """A comparison of two terms."""

    sign: str  # "=", "<>", "<", "<=", ">" or ">="
    left: str  # terms of Coq
    right: str
    formula: sp.Basic  # the relation over the symbols, derivatives and quantities written out

    def text(self) -> str:
        """The proposition in Coq."""
        return f"({self.left} {self.sign} {self.right})"


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitRelation:
    """A comparison with a limit: there is one, and it compares so."""

    proposition: str  # as it is printed
    formula: sp.Basic  # the relation with its PowerLimit

    def text(self) -> str:
        """The proposition in Coq."""
        return f"({self.proposition})"


@dataclass(frozen=True, slots=True, kw_only=True)
class RootExistence:
    """That the trinomial equation has the lower, or the upper, root."""

    arguments: tuple[str, ...]  # k, c, l, beta as terms
    upward: bool
    formula: sp.Basic  # the `RootExists`

    def text(self) -> str:
        """The proposition in Coq."""
        kind = "lower_root" if self.upward else "upper_root"
        return f"(exists root : R, {kind} {' '.join(self.arguments)} root)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Negation:
    """Not."""

    part: "Proposition"

    def text(self) -> str:
        """The proposition in Coq."""
        return f"(~ {self.part.text()})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Conjunction:
    """All parts."""

    parts: "tuple[Proposition, ...]"

    def text(self) -> str:
        """The proposition in Coq."""
        return "(" + " /\\ ".join(part.text() for part in self.parts) + ")"


@dataclass(frozen=True, slots=True, kw_only=True)
class Disjunction:
    """One of the parts."""

    parts: "tuple[Proposition, ...]"

    def text(self) -> str:
        """The proposition in Coq."""
        return "(" + " \\/ ".join(part.text() for part in self.parts) + ")"


@dataclass(frozen=True, slots=True, kw_only=True)
class Implication:
    """If one, then the other."""

    premise: "Proposition"
    conclusion: "Proposition"

    def text(self) -> str:
        """The proposition in Coq."""
        return f"({self.premise.text()} -> {self.conclusion.text()})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Equivalence:
    """One if, and only if, the other."""

    left: "Proposition"
    right: "Proposition"

    def text(self) -> str:
        """The proposition in Coq."""
        return f"({self.left.text()} <-> {self.right.text()})"


@dataclass(frozen=True, slots=True, kw_only=True)
class ForAllRoots:
    """For whatever numbers are these roots."""

    names: tuple[str, ...]
    conditions: tuple[str, ...]  # that each is the root that it stands for
    part: "Proposition"

    def text(self) -> str:
        """The proposition in Coq."""
        premises = " -> ".join(self.conditions)
        return f"(forall {' '.join(self.names)} : R, {premises} -> {self.part.text()})"


Proposition = (
    Truth
    | Relation
    | LimitRelation
    | RootExistence
    | Negation
    | Conjunction
    | Disjunction
    | Implication
    | Equivalence
    | ForAllRoots
)
