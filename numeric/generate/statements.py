"""From an expression to short statements, common parts computed once."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

import sympy as sp

from logca.derive.core.catalogue import formula
from logca.derive.core.symbols import A, C, s

__all__ = ["Statements", "decided_by", "ordered_factors", "signed_terms", "statements"]

_NAMES = ("a", "b", "c", "d", "e", "h", "j", "k", "p", "u", "v", "w")


@dataclass(frozen=True, slots=True, kw_only=True)
class Statements:
    """A computation as assignments and results."""

    # names and what they stand for, in the order of computation [any]
    assignments: tuple[tuple[str, sp.Expr], ...]
    results: tuple[sp.Basic, ...]  # what is computed, in terms of arguments and names [any]


def statements(expressions: Sequence[sp.Basic], latency: str) -> Statements:
    """Split expressions into assignments; parts with a name in the model keep it.

    Host time and accelerated time are split off first, so that the power of the granularity is
    computed from granularity and exponent alone: on a grid once for each pair of these.
    """
    assignments: list[tuple[str, sp.Expr]] = []
    results = list(expressions)
    for name, pattern, replacement, value in _parts(latency):
        replaced = [result.subs(pattern, replacement) for result in results]
        if replaced != results:
            assignments.append((name, value))
            results = replaced
    common, results = sp.cse(results, symbols=map(sp.Symbol, _NAMES), order="none")
    found = {str(name): value for name, value in common}
    return Statements(
        assignments=tuple(_in_order(dict(assignments) | found, results)), results=tuple(results)
    )


def decided_by(found: Statements) -> list[str]:
    """The names of parts that a choice by cases compares: without their values it is none."""
    compared = {
        str(symbol)
        for result in found.results
        for cases in result.atoms(sp.Piecewise)
        for _, condition in cases.args
        for symbol in condition.free_symbols
    }
    return [name for name, _ in found.assignments if name in compared]


@cache
def _parts(latency: str) -> tuple[tuple[str, sp.Expr, sp.Expr, sp.Expr], ...]:
    """Name, what to look for, what to put there, and the value, of parts with a name [any].

    The effective index is computed from the difference of acceleration and target: it is exact
    where the two are close, the difference of their reciprocals is not.
    """
    host, offloaded, index, factor, rest = (
        sp.Symbol(name, positive=True)
        for name in ("T0", "T1", "effective_index", "factor", "difference")
    )
    left = 1 / s - 1 / A
    power = formula("T0").in_form(latency)
    time = formula("T1").in_form(latency).subs(power, host)
    others = formula("cutoff_factor").expr
    return (
        ("effective_index", C * left, index, C * (A - s) / (A * s)),
        ("difference", left, rest, (A - s) / (A * s)),
        ("T0", power, host, power),
        ("T1", time, offloaded, time),
        ("factor", others, factor, others),
    )


def _in_order(
    assigned: dict[str, sp.Expr], results: Iterable[sp.Basic]
) -> Iterable[tuple[str, sp.Expr]]:
    """The assignments that the results need, each after those that it needs."""
    done: set[str] = set()

    def visit(expr: sp.Basic) -> Iterable[tuple[str, sp.Expr]]:
        for name in sorted(str(symbol) for symbol in expr.free_symbols):
            if name in assigned and name not in done:
                done.add(name)
                yield from visit(assigned[name])
                yield name, assigned[name]

    for result in results:
        yield from visit(result)


def signed_terms(
    positive: Sequence[sp.Expr], negative: Sequence[sp.Expr]
) -> list[tuple[str, sp.Expr]]:
    """Terms of a sum with their signs, given without them: positive ones, then the others.

    A parameter that is taken from a number is so at first: 1 - f + f/A loses nothing where f is
    close to 1, and 1 + f/A - f does.
    """
    numbers = [term for term in positive if term.is_number]
    taken = [term for term in negative if term.is_Symbol] if numbers else []
    first = [*(("+", term) for term in numbers), *(("-", term) for term in taken)] if taken else []
    signed = [*(("+", term) for term in positive), *(("-", term) for term in negative)]
    return [*first, *(each for each in signed if each not in first)]


_ORDER = ("g", "g_low", "g_high", "beta", "C", "T0", "o", "L", "A", "s", "r", "q")
_BEFORE_ALL = -1


def ordered_factors(factors: Iterable[sp.Basic]) -> list[sp.Basic]:
    """Factors or terms, so that what varies together stands together: first numbers, then g."""

    def key(factor: sp.Basic) -> tuple[int, int, str]:
        names = {str(symbol) for symbol in factor.free_symbols}
        places = [_ORDER.index(name) if name in _ORDER else len(_ORDER) for name in names]
        return (max(places, default=_BEFORE_ALL), len(names), str(factor))

    return sorted(factors, key=key)
