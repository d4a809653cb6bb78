"""A second opinion on limits: SymPy's Gruntz algorithm at numeric exponents.

It is wrong with symbolic exponents, but right where the exponent is a number.
"""

from collections.abc import Iterable, Sequence

import sympy as sp

from logca.derive.algebra import is_zero
from logca.derive.symbols import beta
from logca.proofs.elimination import eliminate, insert
from logca.proofs.limit import PowerLimit, resolve_limits

__all__ = ["agreeing_exponents"]


def agreeing_exponents(
    goal: sp.Basic, given: Sequence[sp.Basic], exponents: Iterable[sp.Rational]
) -> list[sp.Rational]:
    """Exponents, admitted by the hypotheses, at which Gruntz finds the same limits [1]."""
    agreeing = []
    for exponent in exponents:
        here = [statement.subs(beta, exponent) for statement in given]
        if any(statement is sp.false for statement in here):
            continue
        fixed = goal.subs(beta, exponent)
        if all(_agrees(limit, here) for limit in fixed.atoms(PowerLimit)):
            agreeing.append(exponent)
    return agreeing


def _agrees(limit: PowerLimit, given: Sequence[sp.Basic]) -> bool:
    expr, variable, to = limit.args
    try:
        ours, _ = resolve_limits(limit, given)
        theirs = sp.limit(expr, variable, to, "+")
    except (NotImplementedError, ValueError, TypeError, RecursionError):
        return False
    if ours in (sp.oo, -sp.oo) or theirs.has(sp.oo, sp.zoo, sp.nan, sp.Limit):
        return bool(ours == theirs)
    return is_zero(insert(ours - theirs, eliminate(given)[0]))
