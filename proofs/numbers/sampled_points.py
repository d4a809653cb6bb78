"""Points drawn at random from simple rationals, and how many of them support a statement."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
import sympy as sp

from logca.derive.core.symbols import beta
from logca.proofs.numbers.exact import Undefined, ball, holds
from logca.proofs.terms.elimination import eliminate, substitute

__all__ = ["COUNT", "Point", "SampledPoints", "confirmed_points", "points", "sample"]

Point = dict[sp.Symbol, sp.Rational]

_EXPONENTS = (
    *("1", "1/2", "2", "3/2", "1/3", "2/3", "3", "1/4", "3/4", "5/4"),
    *("1/8", "9/10", "11/10"),
)
_SIMPLE = (
    *("1", "2", "1/2", "3", "4", "1/4", "10", "5", "1/3", "1/10"),
    *("9", "16", "3/2", "5/4", "100"),
)
_WIDE = ("1/100", "1000", "10000", "1/1000", "1000000", "21/20", "19/20", "101/100", "99/100", "64")
COUNT = 6000  # points of a sample [1]
_PRECISION = 256  # [bit]
_TRIED = 400
_WANTED = 12


class SampledPoints:
    """Sampled values of every symbol, as text of exact rationals and as floats."""

    def __init__(self, text: dict[sp.Symbol, Any], values: dict[sp.Symbol, Any], cost: Any) -> None:
        self.text = text
        self.values = values
        self.cost = cost


@lru_cache(maxsize=64)
def sample(symbols: tuple[sp.Symbol, ...], round_number: int, seed: int) -> SampledPoints:
    """Values for the symbols, simple ones more often, wider from round to round [their units]."""
    generator = np.random.default_rng((seed, round_number))
    text: dict[sp.Symbol, Any] = {}
    values: dict[sp.Symbol, Any] = {}
    cost: Any = np.zeros(COUNT)
    for symbol in symbols:
        pool = list(_EXPONENTS) if symbol == beta else list(_SIMPLE)
        if round_number > 0:
            pool += list(_WIDE)
        if symbol.is_nonnegative and not symbol.is_positive:
            pool.insert(3, "0")
        weights = 1.0 / np.arange(2, len(pool) + 2) ** (1.0 if round_number == 0 else 0.3)
        picks = generator.choice(len(pool), size=COUNT, p=weights / weights.sum())
        text[symbol] = np.array(pool)[picks]
        values[symbol] = np.array([float(Fraction(number)) for number in pool])[picks]
        cost = cost + picks
    return SampledPoints(text, values, cost)


def confirmed_points(hypotheses: Sequence[sp.Basic], goal: sp.Basic) -> int:
    """At how many sampled points the goal holds in interval arithmetic [1].

    An equation counts where both sides agree in balls of relative radius 2**-200.
    """
    solved, rest = eliminate(hypotheses)
    goal = substitute(goal, solved)
    confirmed = 0
    for point in points(rest, goal):
        try:
            confirmed += _confirmed(goal, point)
        except (Undefined, ZeroDivisionError, OverflowError):
            continue
        if confirmed >= _WANTED:
            break
    return confirmed


def points(hypotheses: Sequence[sp.Basic], goal: sp.Basic) -> Iterator[Point]:
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
        # balls of _PRECISION bits lose some tens of them on the way: 200 are left for sure
        return bool(difference < (abs(left) + abs(right) + 1) * 2**-200)
    return holds(goal, point) is True
