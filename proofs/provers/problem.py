"""A problem for the provers, and what they say of it."""

from dataclasses import dataclass

import sympy as sp

__all__ = ["ProofMethod", "ProofProblem", "ProverDecision"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProofMethod:
    """One way in which a statement was confirmed."""

    name: str  # "symbolic", "z3", "cvc5", "interval",
    scope: str = "whole domain"  # where it holds: "whole domain" or a part of it


@dataclass(frozen=True, slots=True, kw_only=True)
class ProofProblem:
    """Hypotheses and goals under one form of latency."""

    hypotheses: tuple[tuple[str, sp.Basic], ...]  # label and statement [1]
    goals: tuple[tuple[str, sp.Basic], ...]  # all of them are to follow [1]
    # granularities [B] at which the power lemmas are instantiated as well
    touch: tuple[sp.Expr, ...] = ()

    def given(self) -> list[sp.Basic]:
        """The hypotheses without labels [1]."""
        return [statement for _, statement in self.hypotheses]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProverDecision:
    """The outcome for one problem."""

    status: str  # "proved", "refuted" or "undecided"
    methods: tuple[ProofMethod, ...] = ()  # what confirmed it
    # values of the symbols by name, exact rationals [their units]
    counterexample: dict[str, sp.Rational] | None = None
    failing: str = ""  # the goal that it violates, or that no method could prove
    # how many methods confirm the goal that the fewest methods confirm [1]
    confirmations: int = 0
