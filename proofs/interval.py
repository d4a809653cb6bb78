"""Rigorous interval arithmetic: certified points, and proofs over boxes by branch and prune."""

from collections.abc import Sequence

import sympy as sp

from logca.proofs.elimination import eliminate, insert
from logca.proofs.exact import Undefined, ball, holds
from logca.proofs.search import sample

__all__ = ["confirmed_points"]

_TRIED = 400
_WANTED = 12
_PRECISION = 256


def confirmed_points(hypotheses: Sequence[sp.Basic], goal: sp.Basic) -> int:
    """At how many sampled points the goal holds in interval arithmetic [1].

    An equation counts where both sides agree in balls of relative radius 2**-200.
    """
    solved, rest = eliminate(hypotheses)
    goal = insert(goal, solved)
    symbols = tuple(sorted(set().union(goal.free_symbols, *(h.free_symbols for h in rest)), key=str))
    columns = sample(symbols, 0, 7) if symbols else None
    confirmed = 0
    for index in range(_TRIED if symbols else 1):
        point = {s: sp.Rational(str(columns.text[s][index])) for s in symbols} if columns else {}
        try:
            if not all(holds(statement, point) for statement in rest):
                continue
            if _confirmed(goal, point):
                confirmed += 1
        except (Undefined, ZeroDivisionError, OverflowError):
            continue
        if confirmed >= _WANTED:
            break
    return confirmed


def _confirmed(goal: sp.Basic, point: dict[sp.Symbol, sp.Rational]) -> bool:
    if isinstance(goal, sp.And):
        return all(_confirmed(part, point) for part in goal.args)
    if isinstance(goal, sp.Eq):
        left, right = (ball(side, point, _PRECISION) for side in goal.args)
        difference = abs(left - right)
        return bool(difference < (abs(left) + abs(right) + 1) * 2**-200)
    return holds(goal, point) is True
