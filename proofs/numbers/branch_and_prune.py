"""Branch and prune: a statement on a bounded box, or at a point, decided by enclosures.

Two arithmetics that share no code enclose the two sides of a relation: Arb's balls, and rationals
with integer roots. A statement without free symbols is a box of one point.
"""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import Any

import sympy as sp
from sympy.core.relational import Relational

from logca.derive.core.symbols import beta
from logca.proofs.numbers.enclosure import Box, Interval, Unknown, enclosure
from logca.proofs.numbers.exact import Undefined, ball
from logca.proofs.numbers.sampled_points import points
from logca.proofs.terms.definedness import RootExists
from logca.proofs.terms.elimination import conjuncts, eliminate, substitute

__all__ = ["ARITHMETICS", "Sign", "bounds", "box_proof", "covers", "truth"]

_PRECISION = 256
_MOST_DIMENSIONS = 2
_MOST_BOXES = 400

Sign = Callable[[sp.Expr, sp.Expr, Box], int | None]


def covers(hypotheses: Sequence[sp.Basic], goal: sp.Basic, sign: Sign) -> bool | None:
    """True if the goal follows on the bounded box that the hypotheses describe [1].

    True if it does, False if it certainly fails at some point, None if that is not known or there
    is no such box.
    """
    box, dependent, rest = _box(tuple(hypotheses))
    goal = substitute(goal, dependent)
    symbols = goal.free_symbols.union(*(statement.free_symbols for statement in rest))
    wide = [symbol for symbol in symbols if symbol in box and box[symbol][0] < box[symbol][1]]
    if goal in (sp.true, sp.false) or len(wide) > _MOST_DIMENSIONS or not symbols <= box.keys():
        return None
    waiting: deque[Box] = deque([{symbol: box[symbol] for symbol in symbols}])
    for _ in range(_MOST_BOXES):
        if not waiting:
            return True
        here = waiting.popleft()
        known = [truth(statement, here, sign) for statement in rest]
        if False in known:
            continue
        if truth(goal, here, sign):
            continue
        halves = _halves(here)
        if any(
            _fails(rest, goal, point, sign) for point in _corners(halves[0] if halves else here)
        ):
            return False
        if not halves:
            return None
        waiting += halves
    return None


def _fails(rest: Sequence[sp.Basic], goal: sp.Basic, point: Box, sign: Sign) -> bool:
    return truth(goal, point, sign) is False and all(truth(h, point, sign) for h in rest)


def _corners(box: Box) -> Iterator[Box]:
    for choice in product(*({side[0], side[1]} for side in box.values())):
        yield {symbol: (end, end) for symbol, end in zip(box, choice, strict=True)}


@lru_cache(maxsize=256)
def _box(
    hypotheses: tuple[sp.Basic, ...],
) -> tuple[Box, dict[sp.Symbol, sp.Expr], list[sp.Basic]]:
    """Bounds of each symbol, symbols solved for, and the hypotheses that are not in the box yet.

    Numbers are not inserted into the goal: SymPy would evaluate it on the way.
    """
    solved, others = eliminate(hypotheses)
    rest = [statement for statement in conjuncts(others) if statement is not sp.true]
    points = {symbol: _fraction(value) for symbol, value in solved.items() if value.is_Rational}
    dependent = {symbol: value for symbol, value in solved.items() if symbol not in points}
    box = bounds(rest) | {symbol: (value, value) for symbol, value in points.items()}
    signed = dependent | {symbol: symbol for symbol, (low, _) in box.items() if low <= 0}
    rest += [_in_domain(symbol, value) for symbol, value in signed.items()]
    return box, dependent, rest


def _in_domain(symbol: sp.Symbol, value: sp.Expr) -> sp.Basic:
    """The sign of a symbol as a statement about its value [1]."""
    if symbol.is_positive:
        return sp.Gt(value, 0, evaluate=False)
    return sp.Ge(value, 0, evaluate=False) if symbol.is_nonnegative else sp.true


def _fraction(value: sp.Rational) -> Fraction:
    return Fraction(int(value.p), int(value.q))


def bounds(hypotheses: Sequence[sp.Basic]) -> dict[sp.Symbol, Interval]:
    """Closed intervals of the symbols that hypotheses bound by numbers on both sides [any unit].

    Examples
    --------
    >>> from logca.derive.core.symbols import A
    >>> bounds([A > 1, A <= 3])
    {A: (Fraction(1, 1), Fraction(3, 1))}
    """
    lower: dict[sp.Symbol, Fraction] = {}
    upper: dict[sp.Symbol, Fraction] = {}
    for statement in hypotheses:
        if not isinstance(statement, sp.Gt | sp.Ge | sp.Lt | sp.Le):
            continue
        large, small = statement.gts, statement.lts
        if large.is_Symbol and small.is_Rational:
            value = _fraction(small)
            lower[large] = max(value, lower.get(large, value))
        if small.is_Symbol and large.is_Rational:
            value = _fraction(large)
            upper[small] = min(value, upper.get(small, value))
    return {s: (lower[s], upper[s]) for s in lower if s in upper and lower[s] <= upper[s]}


def _halves(box: Box) -> list[Box]:
    """Two boxes that cover a box, its relatively widest side cut in two; none for a point."""

    def width(symbol: sp.Symbol) -> Fraction:
        low, high = box[symbol]
        return (high - low) / (abs(low) + abs(high) or 1)

    widest = max(box, key=width, default=None)
    if widest is None or width(widest) == 0:
        return []
    low, high = box[widest]
    middle = _between(low, high)
    return [{**box, widest: (low, middle)}, {**box, widest: (middle, high)}]


def _between(low: Fraction, high: Fraction) -> Fraction:
    """A rational with few digits inside an interval, near the geometric mean if that is far off.

    Digits would double with every cut otherwise, and exact powers with them.
    """
    middle = (low + high) / 2
    if low > 0 and high > 4 * low:
        middle = low * 2 ** ((high / low).__floor__().bit_length() // 2)
    step = (high - low) / 16
    simple = middle.limit_denominator(1 + (1 / step).__ceil__())
    return simple if low < simple < high else middle


def truth(statement: sp.Basic, box: Box, sign: Sign) -> bool | None:
    """True if a statement holds on the whole box, False if it holds nowhere [1].

    None where that is not certain, such as where a part has no value somewhere on the box.
    """
    if statement in (sp.true, sp.false):
        return bool(statement)
    if isinstance(statement, RootExists):
        return truth(statement.condition(), box, sign)
    if isinstance(statement, Relational):
        try:
            found = sign(statement.lhs, statement.rhs, box)
        except (Unknown, Undefined, ZeroDivisionError, OverflowError):
            found = None
        return None if found is None else _meaning(statement, found)
    if isinstance(statement, sp.Not):
        inner = truth(statement.args[0], box, sign)
        return None if inner is None else not inner
    parts = [truth(part, box, sign) for part in statement.args]
    decisive = isinstance(statement, sp.Or)
    if decisive in parts:
        return decisive
    return None if None in parts else not decisive


def _meaning(relation: Relational, sign: int) -> bool:
    return {
        sp.Eq: sign == 0,
        sp.Ne: sign != 0,
        sp.Lt: sign < 0,
        sp.Le: sign <= 0,
        sp.Gt: sign > 0,
        sp.Ge: sign >= 0,
    }[type(relation)]


def _by_integers(left: sp.Expr, right: sp.Expr, box: Box) -> int | None:
    """Sign of the difference on the box by rationals and integer roots, None if not certain."""
    (a, b), (c, d) = enclosure(left, box), enclosure(right, box)
    if a > d or b < c:
        return 1 if a > d else -1
    return 0 if a == b == c == d else None


def _by_arb(left: sp.Expr, right: sp.Expr, box: Box) -> int | None:
    """Sign of the difference on the box in Arb's balls, None if not certain."""
    import flint

    def side(value: Fraction) -> Any:
        return flint.arb(flint.fmpq(value.numerator, value.denominator))

    with flint.ctx.workprec(_PRECISION):
        values = {symbol: side(low).union(side(high)) for symbol, (low, high) in box.items()}
        difference = ball(left, values, _PRECISION) - ball(right, values, _PRECISION)
    if difference > 0 or difference < 0:
        return 1 if difference > 0 else -1
    return 0 if difference == 0 else None


ARITHMETICS: dict[str, Sign] = {"interval": _by_arb, "integer roots": _by_integers}
"""Name of the method and the arithmetic it uses."""


_FREE = 2
"""Symbols that range over the box: the boxes to try double with each."""
_LESS, _MORE = sp.Rational(7, 8), sp.Rational(9, 8)


def box_proof(hypotheses: Sequence[sp.Basic], goal: sp.Basic) -> str:
    """Prove a goal on a box by branch and prune; the box in words, or '' if it fails.

    Two symbols, the exponent first, range over an interval around the first simple point that
    satisfies the hypotheses; the others stay at the point.
    """
    solved, rest = eliminate(hypotheses)
    goal = substitute(goal, solved)
    point = next(points(rest, goal), None)
    order = sorted(goal.free_symbols, key=lambda symbol: (symbol != beta, str(symbol)))
    free = [symbol for symbol in order if point and point[symbol] != 0][:_FREE]
    if point is None or not free or isinstance(goal, sp.Eq):
        return ""
    box = {symbol: (point[symbol] * _LESS, point[symbol] * _MORE) for symbol in free}
    fixed = {symbol: value for symbol, value in point.items() if symbol not in box}
    within = [bound for s, (low, high) in box.items() for bound in (s >= low, s <= high)]
    here = [substitute(statement, fixed) for statement in rest]
    if not covers([*here, *within], substitute(goal, fixed), ARITHMETICS["interval"]):
        return ""
    ranges = [f"{symbol} in [{low}, {high}]" for symbol, (low, high) in box.items()]
    return "box " + ", ".join(
        [*ranges, *(f"{symbol} = {value}" for symbol, value in fixed.items())]
    )
