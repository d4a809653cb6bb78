"""Tactics for roots of which all is a number: the numbers they lie between, or that none is there.

The lemmas ask for values at a number, which interval arithmetic compares.
"""

import sympy as sp

from logca.proofs.ledger.kernel.expressions import as_term
from logca.proofs.ledger.kernel.inserted_equations import solved
from logca.proofs.ledger.kernel.skeletons import Goal

__all__ = ["bounding"]


def bounding(goal: Goal) -> list[str]:
    """Tactics that compare a root with a number, or show that there is no such root."""
    known = solved(goal)
    start, values = known.opening, dict(known.values)
    found = []
    for symbol, root in goal.known.roots:
        arguments = [part.xreplace(values) for part in root.args[:4]]
        if any(part.free_symbols for part in arguments):
            continue
        b, upward = arguments[3], root.upward
        hypothesis = f"R_{symbol.name}"
        if goal.relation is None:
            lemma = f"no_lower_root _ _ _ _ _ {hypothesis}"
            found.append(f"{start}apply ({lemma}); numbers")
            found.append(f"{start}apply (Rlt_not_le _ _ A_{symbol.name}); numbers")
            continue
        relation = known.relation
        if not isinstance(relation, sp.Lt | sp.Gt) or symbol not in relation.args:
            continue
        [other] = (side for side in relation.args if side != symbol)
        if other.free_symbols:
            continue
        is_below = symbol == relation.lts
        if upward:
            above = "lower_root_above_linear" if b >= 1 else "lower_root_above_rising"
            lemma = "lower_root_below" if is_below else above
        else:
            lemma = "upper_root_below_falling" if is_below else "upper_root_above"
        turned = "apply Rlt_gt; " if isinstance(relation, sp.Gt) else ""
        found.append(
            f"{start}{turned}apply ({lemma} _ _ _ _ {as_term(other)} _ {hypothesis}); numbers"
        )
    return found
