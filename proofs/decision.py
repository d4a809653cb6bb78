"""What is asked of the deciding methods, and what they answer."""

from dataclasses import dataclass

import sympy as sp

__all__ = ["Decision", "Disagreement", "Method", "Problem"]


class Disagreement(AssertionError):
    """Two methods gave contradictory answers: a defect of this package, never to be hidden."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Method:
    """One way in which a statement was confirmed.

    Parameters
    ----------
    name : str
        "symbolic", "z3", "cvc5", "interval", ... [text].
    scope : str
        Where it holds: "whole domain" or a part of it [text].
    """

    name: str
    scope: str = "whole domain"


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """Hypotheses and goals under one form of latency.

    Parameters
    ----------
    hypotheses : tuple of (str, sympy Boolean)
        Label and statement [1].
    goals : tuple of (str, sympy Boolean)
        All of them are to follow [1].
    touch : tuple of sympy.Expr
        Granularities [B] at which the power lemmas are instantiated as well.
    """

    hypotheses: tuple[tuple[str, sp.Basic], ...]
    goals: tuple[tuple[str, sp.Basic], ...]
    touch: tuple[sp.Expr, ...] = ()

    def given(self) -> list[sp.Basic]:
        """The hypotheses without labels [1]."""
        return [statement for _, statement in self.hypotheses]


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """The outcome for one problem.

    Parameters
    ----------
    status : str
        "proved", "refuted" or "undecided" [text].
    methods : tuple of Method
        What confirmed it [text].
    counterexample : dict or None
        Values of the symbols by name, exact rationals [their units].
    failing : str
        The goal that the counterexample violates, or that no method could prove [text].
    confirmations : int
        How many methods confirm the goal that the fewest methods confirm [1].
    """

    status: str
    methods: tuple[Method, ...] = ()
    counterexample: dict[str, sp.Rational] | None = None
    failing: str = ""
    confirmations: int = 0
