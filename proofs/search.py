"""Counterexamples: candidates among simple rationals in floating point, then confirmed exactly.

Sampling finds, it never proves: a candidate counts only when `exact.holds` says, in rational or
interval arithmetic, that every hypothesis holds and the claim does not.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import sympy as sp
from sympy.core.relational import Relational

from logca.derive.symbols import beta
from logca.proofs.definedness import RootExists
from logca.proofs.elimination import eliminate, insert
from logca.proofs.exact import Undefined, holds
from logca.proofs.numpy_roots import root_values

__all__ = ["find_counterexample", "find_witness", "sample"]

Point = dict[sp.Symbol, sp.Rational]

_EXPONENTS = (
    "1",
    "1/2",
    "2",
    "3/2",
    "1/3",
    "2/3",
    "3",
    "1/4",
    "3/4",
    "5/4",
    "1/8",
    "9/10",
    "11/10",
)
_SIMPLE = (
    "1",
    "2",
    "1/2",
    "3",
    "4",
    "1/4",
    "10",
    "5",
    "1/3",
    "1/10",
    "9",
    "16",
    "3/2",
    "5/4",
    "100",
)
_WIDE = ("1/100", "1000", "10000", "1/1000", "1000000", "21/20", "19/20", "101/100", "99/100", "64")
_ROUNDS = 3
_SEED = 1
_COUNT = 6000
_CONFIRMATIONS = 24


def find_counterexample(
    hypotheses: Sequence[sp.Basic], goals: Sequence[sp.Basic], *, rounds: int = _ROUNDS
) -> Point | None:
    """A rational point where all hypotheses hold and some goal does not, or None [any unit].

    Parameters
    ----------
    hypotheses, goals : sequence of sympy Boolean
        Statements [1].
    rounds : int
        How far the search goes: simple numbers first, then wider ranges [1].
    """
    return _search(hypotheses, sp.Not(sp.And(*goals)), rounds)


def find_witness(hypotheses: Sequence[sp.Basic]) -> Point | None:
    """A rational point where all hypotheses hold, or None [any unit]."""
    return _search(hypotheses, sp.true, _ROUNDS)


def _search(hypotheses: Sequence[sp.Basic], wanted: sp.Basic, rounds: int) -> Point | None:
    solved, rest = eliminate(hypotheses, everywhere=False)
    target = sp.And(*rest, insert(wanted, solved))
    for symbol, value in solved.items():
        if symbol.is_positive and not value.is_positive:
            target = sp.And(target, value > 0)
        elif symbol.is_nonnegative and not value.is_nonnegative:
            target = sp.And(target, value >= 0)
    if target is sp.false:
        return None
    inserted = set().union(*(value.free_symbols for value in solved.values()))
    symbols = sorted(target.free_symbols | inserted, key=str)
    if not symbols:
        return _complete({}, solved, hypotheses, wanted)
    tried = 0
    for columns in _rounds(symbols, rounds):
        for index in _likely(_scores(target, columns), columns):
            point = {symbol: sp.Rational(columns.text[symbol][index]) for symbol in symbols}
            found = _complete(point, solved, hypotheses, wanted)
            if found is not None:
                return found
            tried += 1
            if tried >= _CONFIRMATIONS:
                return None
    return None


def _complete(
    point: Point,
    solved: Mapping[sp.Symbol, sp.Expr],
    hypotheses: Sequence[sp.Basic],
    wanted: sp.Basic,
) -> Point | None:
    full = dict(point)
    for symbol, value in solved.items():
        inserted = value.xreplace(full)
        if not inserted.is_Rational or not _in_domain(symbol, inserted):
            return None
        full[symbol] = inserted
    for symbol in wanted.free_symbols.union(*(h.free_symbols for h in hypotheses)):
        full.setdefault(symbol, sp.S.One)
    try:
        if holds(wanted, full) and all(holds(statement, full) for statement in hypotheses):
            return full
    except (Undefined, ZeroDivisionError, OverflowError):
        return None
    return None


def _in_domain(symbol: sp.Symbol, value: sp.Rational) -> bool:
    return bool(value > 0 if symbol.is_positive else value >= 0 or not symbol.is_nonnegative)


class _Columns:
    """Sampled values of every symbol, as text of exact rationals and as floats."""

    def __init__(self, text: dict[sp.Symbol, Any], cost: Any) -> None:
        self.text = text
        self.cost = cost
        self.values = {symbol: _floats(column) for symbol, column in text.items()}


def _floats(column: Any) -> Any:
    distinct, inverse = np.unique(column, return_inverse=True)
    return np.array([float(sp.Rational(str(value))) for value in distinct])[inverse]


@lru_cache(maxsize=64)
def sample(symbols: tuple[sp.Symbol, ...], round_number: int, seed: int) -> _Columns:
    """Values for the symbols, simple ones more often, wider from round to round [their units]."""
    generator = np.random.default_rng((seed, round_number))
    text: dict[sp.Symbol, Any] = {}
    cost: Any = np.zeros(_COUNT)
    for symbol in symbols:
        pool = list(_EXPONENTS) if symbol == beta else list(_SIMPLE)
        if round_number > 0:
            pool += list(_WIDE)
        if symbol.is_nonnegative and not symbol.is_positive:
            pool.insert(3, "0")
        weights = 1.0 / np.arange(2, len(pool) + 2) ** (1.0 if round_number == 0 else 0.3)
        picks = generator.choice(len(pool), size=_COUNT, p=weights / weights.sum())
        text[symbol] = np.array(pool)[picks]
        cost = cost + picks
    return _Columns(text, cost)


def _rounds(symbols: Sequence[sp.Symbol], rounds: int) -> Iterator[_Columns]:
    for number in range(rounds):
        yield sample(tuple(symbols), number, _SEED)


def _likely(score: Any, columns: _Columns) -> list[int]:
    """Indices where the statement may hold, certain and simple ones first."""
    order = np.lexsort((columns.cost, -score))
    return [int(index) for index in order[: _CONFIRMATIONS // 2] if score[index] > 0]


def _scores(statement: sp.Basic, columns: _Columns) -> Any:
    """A statement evaluated on arrays: 2 holds clearly, 1 within rounding, 0 does not."""
    try:
        with np.errstate(all="ignore"):
            return _score(statement, columns)
    except OverflowError:
        return np.zeros(_COUNT)


def _score(statement: sp.Basic, columns: _Columns) -> Any:
    if statement in (sp.true, sp.false):
        return np.full(_COUNT, 2 if statement is sp.true else 0)
    if isinstance(statement, RootExists):
        return _score(statement.condition(), columns)
    if isinstance(statement, Relational):
        return _relation(statement, columns)
    if isinstance(statement, sp.Not):
        return 2 - _score(statement.args[0], columns)
    parts = [_score(part, columns) for part in statement.args]
    return np.min(parts, axis=0) if isinstance(statement, sp.And) else np.max(parts, axis=0)


def _relation(relation: Relational, columns: _Columns) -> Any:
    left, right = _value(relation.lhs, columns), _value(relation.rhs, columns)
    difference = left - right
    unclear = np.abs(difference) <= 1e-9 * (np.abs(left) + np.abs(right))
    holds_clearly = {
        sp.Eq: np.zeros(_COUNT, bool),
        sp.Ne: ~unclear,
        sp.Lt: difference < 0,
        sp.Le: difference < 0,
        sp.Gt: difference > 0,
        sp.Ge: difference > 0,
    }[type(relation)]
    score = np.where(unclear, 1, np.where(holds_clearly, 2, 0))
    return np.where(np.isfinite(difference), score, 0)


def _value(expr: sp.Expr, columns: _Columns) -> Any:
    symbols, function = _compiled(expr)
    value = function(*[columns.values[symbol] for symbol in symbols])
    return np.broadcast_to(
        np.asarray(value, dtype=complex).real if np.iscomplexobj(value) else value, (_COUNT,)
    ).astype(float)


@lru_cache(maxsize=1024)
def _compiled(expr: sp.Expr) -> tuple[list[sp.Symbol], Any]:
    symbols = sorted(expr.free_symbols, key=str)
    roots = {"LowerRoot": root_values(True), "UpperRoot": root_values(False)}
    return symbols, sp.lambdify(symbols, expr, modules=[roots, "scipy", "numpy"])
