"""Counterexamples: candidates among simple rationals in floating point, then confirmed exactly.

Sampling finds, it never proves: a candidate counts only when `exact.holds` says, in rational or
interval arithmetic, that every hypothesis holds and the claim does not.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import sympy as sp
from sympy.core.relational import Relational

from logca.proofs.numbers.exact import Undefined, holds
from logca.proofs.numbers.sampled_points import COUNT, Point, SampledPoints, sample
from logca.proofs.terms.definedness import RootExists
from logca.proofs.terms.elimination import eliminate, substitute

__all__ = ["find_counterexample", "find_witness", "root_values", "scores"]

_STEPS = 60


def root_values(upward: bool) -> Callable[[Any, Any, Any, Any], Any]:
    """Function of arrays k, c, l, beta that gives the upward or downward crossing [B], or NaN."""

    def values(k: Any, c: Any, l: Any, b: Any) -> Any:
        k, c, l, b = np.broadcast_arrays(*(np.asarray(v, dtype=float) for v in (k, c, l, b)))
        with np.errstate(all="ignore"):
            overhead, moved = np.log(c / k) / b, np.log(l / k) / (b - 1)
            start = np.where(b > 1, np.maximum(overhead, moved), overhead if upward else moved)
            start = np.where(l == 0, overhead, start)
            t = start
            for _ in range(_STEPS):
                size = l * np.exp(t)
                slope = size / (c + size) - b
                step = (np.log(c + size) - b * t - np.log(k)) / slope
                t = t - np.where(np.isfinite(step), step, 0.0)
            line = np.where(b == 1, np.log(c / (k - l)), t)
            size = l * np.exp(line)
            residual = np.abs(np.log(c + size) - b * line - np.log(k))
            slope = b - size / (c + size)
            right_way = (slope >= -1e-7) if upward else (slope <= 1e-7)
            found = (k > 0) & (residual < 1e-9) & right_way
            rising = np.where(found, np.exp(line), np.nan)
            return np.where(l < 0, _against_loss(k, c, -l, b) if upward else np.nan, rising)

    return values


def _against_loss(k: Any, c: Any, loss: Any, b: Any) -> Any:
    """The positive x [B] with ``k*x**b + loss*x = c``, or NaN, by Newton's method in ln x."""
    t = np.minimum(np.log(c / k) / b, np.log(c / loss))
    for _ in range(_STEPS):
        power, line = k * np.exp(b * t), loss * np.exp(t)
        step = np.log((power + line) / c) * (power + line) / (b * power + line)
        t = t - np.where(np.isfinite(step), step, 0.0)
    return np.where((k > 0) & (c > 0), np.exp(t), np.nan)


_ROUNDS = 3
_SEED = 1
_CONFIRMATIONS = 24


def find_counterexample(
    hypotheses: Sequence[sp.Basic], goals: Sequence[sp.Basic], *, rounds: int = _ROUNDS
) -> Point | None:
    """A rational point where all hypotheses hold and some goal does not, or None [any unit]."""
    return _search(hypotheses, sp.Not(sp.And(*goals)), rounds)


def find_witness(hypotheses: Sequence[sp.Basic]) -> Point | None:
    """A rational point where all hypotheses hold, or None [any unit]."""
    return _witness(tuple(hypotheses))


@lru_cache(maxsize=1024)
def _witness(hypotheses: tuple[sp.Basic, ...]) -> Point | None:
    return _search(hypotheses, sp.true, _ROUNDS)


def _search(hypotheses: Sequence[sp.Basic], wanted: sp.Basic, rounds: int) -> Point | None:
    solved, rest = eliminate(hypotheses, everywhere=False)
    if any(value.has(sp.nan, sp.zoo) for value in solved.values()):
        return None
    target = sp.And(*rest, substitute(wanted, solved))
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
        for index in _likely(scores(target, columns), columns):
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


def _rounds(symbols: Sequence[sp.Symbol], rounds: int) -> Iterator[SampledPoints]:
    for number in range(rounds):
        yield sample(tuple(symbols), number, _SEED)


def _likely(score: Any, columns: SampledPoints) -> list[int]:
    """Indices where the statement may hold, certain and simple ones first."""
    possible = np.flatnonzero(score > 0)
    order = possible[np.lexsort((columns.cost[possible], -score[possible]))]
    return [int(index) for index in order[: _CONFIRMATIONS // 2]]


def scores(statement: sp.Basic, columns: SampledPoints) -> Any:
    """A statement evaluated on arrays: 2 holds clearly, 1 within rounding, 0 does not."""
    try:
        with np.errstate(all="ignore"):
            return _score(statement, columns)
    except OverflowError:
        return np.zeros(COUNT)


def _score(statement: sp.Basic, columns: SampledPoints) -> Any:
    if statement in (sp.true, sp.false):
        return np.full(COUNT, 2 if statement is sp.true else 0)
    if isinstance(statement, RootExists):
        return _score(statement.condition(), columns)
    if isinstance(statement, Relational):
        return _relation(statement, columns)
    if isinstance(statement, sp.Not):
        return 2 - _score(statement.args[0], columns)
    parts = [_score(part, columns) for part in statement.args]
    return np.min(parts, axis=0) if isinstance(statement, sp.And) else np.max(parts, axis=0)


def _relation(relation: Relational, columns: SampledPoints) -> Any:
    left, right = _value(relation.lhs, columns), _value(relation.rhs, columns)
    difference = left - right
    # generous: candidates only, `exact.holds` has the last word
    unclear = np.abs(difference) <= 1e-9 * (np.abs(left) + np.abs(right))
    holds_clearly = {
        sp.Eq: np.zeros(COUNT, bool),
        sp.Ne: ~unclear,
        sp.Lt: difference < 0,
        sp.Le: difference < 0,
        sp.Gt: difference > 0,
        sp.Ge: difference > 0,
    }[type(relation)]
    score = np.where(unclear, 1, np.where(holds_clearly, 2, 0))
    return np.where(np.isfinite(difference), score, 0)


def _value(expr: sp.Expr, columns: SampledPoints) -> Any:
    symbols, function = _compiled(expr)
    value = function(*[columns.values[symbol] for symbol in symbols])
    return np.broadcast_to(
        np.asarray(value, dtype=complex).real if np.iscomplexobj(value) else value, (COUNT,)
    ).astype(float)


@lru_cache(maxsize=1024)
def _compiled(expr: sp.Expr) -> tuple[list[sp.Symbol], Any]:
    symbols = sorted(expr.free_symbols, key=str)
    roots = {"LowerRoot": root_values(True), "UpperRoot": root_values(False)}
    return symbols, sp.lambdify(symbols, expr, modules=[roots, "scipy", "numpy"])
