"""Tactics for each kind of goal that a skeleton leaves, and for a whole script."""

from collections.abc import Callable

from logca.proofs.ledger.kernel.claim_text import Derivative
from logca.proofs.ledger.kernel.comparisons import by_lemmas, by_signs, simple
from logca.proofs.ledger.kernel.derivatives import differentiated
from logca.proofs.ledger.kernel.existences import existing
from logca.proofs.ledger.kernel.inserted_equations import solved
from logca.proofs.ledger.kernel.limits import limit_value, tending
from logca.proofs.ledger.kernel.numeric_roots import bounding
from logca.proofs.ledger.kernel.propositions import RootExistence
from logca.proofs.ledger.kernel.skeletons import Goal, Skeleton, Tending, skeleton
from logca.proofs.ledger.kernel.statements import TheoremStatement

__all__ = ["candidates", "filled", "kind_of", "outline"]


def outline(statement: TheoremStatement) -> Skeleton:
    """The skeleton of a statement."""
    return skeleton(statement, limit_value)


def candidates(statement: TheoremStatement, goal: Goal, *, searched: bool = True) -> list[str]:
    """Tactics that may show a goal, the simplest first; of a comparison by search if asked."""
    if isinstance(goal.proposition, Derivative):
        return [differentiated(goal.proposition, goal.index, statement.definitions)[1]]
    if isinstance(goal.proposition, Tending):
        return tending(goal, goal.proposition)
    if isinstance(goal.proposition, RootExistence):
        return existing(goal, goal.proposition, searched=searched)
    if goal.proposition is not None:
        return []
    found = [*simple(goal), *bounding(goal)]
    if not searched or _is_numeric(goal):
        return found
    for touch in (False, True):
        heavy = by_lemmas(goal, touch=touch) if not touch or goal.known.touch else None
        if heavy is not None and "finish" not in heavy:
            return [*found, heavy]
        found += [] if heavy is None else [heavy]
    by_cases = by_signs(goal)
    return [*found, *([] if by_cases is None else [by_cases])]


def _is_numeric(goal: Goal) -> bool:
    """True for a comparison of numbers: lemmas on powers of large numbers only take time."""
    relation = solved(goal).relation
    return relation is not None and not relation.free_symbols


def kind_of(goal: Goal) -> str:
    """The kind of a goal, in words."""
    if goal.proposition is None:
        return "a comparison"
    return {
        Derivative: "a derivative",
        Tending: "a limit",
        RootExistence: "the existence of a root",
    }.get(type(goal.proposition), "a limit whose value is not found")


def filled(statement: TheoremStatement, shape: Skeleton, show: Callable[[Goal], str]) -> str:
    """The script, each goal shown by one tactic."""

    def step(goal: Goal) -> str:
        tactic = show(goal)
        if isinstance(goal.proposition, Derivative):
            told, _, use = differentiated(goal.proposition, goal.index, statement.definitions)
            return f"assert ({told}).\n{{ {tactic}. }}\n{use}."
        return f"{tactic}."

    return shape.script(step)
