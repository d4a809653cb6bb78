"""Interval arithmetic in support of a proof: certified points, and boxes around a point."""

from collections.abc import Iterator, Sequence

import sympy as sp

from logca.derive.symbols import beta
from logca.proofs.boxes import ARITHMETICS, covers
from logca.proofs.elimination import eliminate, insert
from logca.proofs.exact import Undefined, ball, holds
from logca.proofs.search import sample

__all__ = ["box_proof", "confirmed_points"]

_TRIED = 400
_WANTED = 12
_PRECISION = 256
_FREE = 2
_LESS, _MORE = sp.Rational(7, 8), sp.Rational(9, 8)

Point = dict[sp.Symbol, sp.Rational]


def confirmed_points(hypotheses: Sequence[sp.Basic], goal: sp.Basic) -> int:
    """At how many sampled points the goal holds in interval arithmetic [1].

    An equation counts where both sides agree in balls of relative radius 2**-200.
    """
    solved, rest = eliminate(hypotheses)
    goal = insert(goal, solved)
    confirmed = 0
    for point in _points(rest, goal):
        try:
            confirmed += _confirmed(goal, point)
        except (Undefined, ZeroDivisionError, OverflowError):
            continue
        if confirmed >= _WANTED:
            break
    return confirmed


def _points(hypotheses: Sequence[sp.Basic], goal: sp.Basic) -> Iterator[Point]:
    """Simple rational points where the hypotheses hold."""
    everything = goal.free_symbols.union(*(h.free_symbols for h in hypotheses))
    symbols = tuple(sorted(everything, key=str))
    if not symbols:
        yield {}
        return
    columns = sample(symbols, 0, 7)
    for index in range(_TRIED):
        point = {symbol: sp.Rational(str(columns.text[symbol][index])) for symbol in symbols}
        try:
            if all(holds(statement, point) for statement in hypotheses):
                yield point
        except (Undefined, ZeroDivisionError, OverflowError):
            continue


def _confirmed(goal: sp.Basic, point: Point) -> bool:
    if isinstance(goal, sp.And):
        return all(_confirmed(part, point) for part in goal.args)
    if isinstance(goal, sp.Eq):
        left, right = (ball(side, point, _PRECISION) for side in goal.args)
        difference = abs(left - right)
        return bool(difference < (abs(left) + abs(right) + 1) * 2**-200)
    return holds(goal, point) is True


def box_proof(hypotheses: Sequence[sp.Basic], goal: sp.Basic) -> str:
    """Prove a goal on a box by branch and prune; the box in words, or '' if it fails [text].

    Two symbols, the exponent first, range over an interval around the first simple point that
    satisfies the hypotheses; the others stay at the point.
    """
    solved, rest = eliminate(hypotheses)
    goal = insert(goal, solved)
    point = next(_points(rest, goal), None)
    order = sorted(goal.free_symbols, key=lambda symbol: (symbol != beta, str(symbol)))
    free = [symbol for symbol in order if point and point[symbol] != 0][:_FREE]
    if point is None or not free or isinstance(goal, sp.Eq):
        return ""
    box = {
        symbol: (point[symbol] * sp.Rational(7, 8), point[symbol] * sp.Rational(9, 8))
        for symbol in free
    }
    fixed = {symbol: value for symbol, value in point.items() if symbol not in box}
    within = [bound for s, (low, high) in box.items() for bound in (s >= low, s <= high)]
    here = [insert(statement, fixed) for statement in rest]
    if not covers([*here, *within], insert(goal, fixed), ARITHMETICS["interval"]):
        return ""
    ranges = [f"{symbol} in [{low}, {high}]" for symbol, (low, high) in box.items()]
    return "box " + ", ".join(
        [*ranges, *(f"{symbol} = {value}" for symbol, value in fixed.items())]
    )
