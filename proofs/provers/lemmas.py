"""Lemmas on the order of real powers and logarithms, as polynomial relations.

The ledger proves each lemma without using it: lemma-power-monotone, lemma-power-slope, lemma-
power-tangent, lemma-log-monotone, lemma-log-tangent.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import sympy as sp
from sympy.core.relational import Relational

__all__ = [
    "Clear",
    "Logarithm",
    "Power",
    "logarithm_instances",
    "power_instances",
    "same_sign",
]

Clear = Callable[[sp.Expr, sp.Expr], sp.Expr]


@dataclass(frozen=True, slots=True, kw_only=True)
class Power:
    """A number u [any unit] and u**v, as expressions over abstract variables."""

    # u, power, v: base [any unit], power [unit to the v], exponent [1]
    u: sp.Expr
    power: sp.Expr
    v: sp.Expr


def power_instances(a: Power, b: Power, level: int, clear: Clear) -> Iterator[sp.Basic]:
    """The lemmas of one level for two powers with the same exponent [1]."""
    if level == 1:
        yield from same_sign(a.v, clear(a.u, b.u), clear(a.power, b.power))
    if level == 2:
        yield from same_sign(a.v - 1, clear(a.u, b.u), clear(a.power * b.u, b.power * a.u))
    if level == 3:
        yield from _tangent(a, b, clear)
        yield from _tangent(b, a, clear)


def _tangent(a: Power, b: Power, clear: Clear) -> Iterator[sp.Basic]:
    gap = clear(a.power * b.u, b.power * (b.u + a.v * (a.u - b.u)))
    equal = sp.Eq(clear(a.u, b.u), 0, evaluate=False)
    above, below = _relation(sp.Gt, gap), _relation(sp.Lt, gap)
    yield sp.Or(a.v <= 1, equal, above, evaluate=False)
    yield sp.Or(a.v >= 1, a.v <= 0, equal, below, evaluate=False)
    yield sp.Or(sp.Not(equal), sp.Eq(gap, 0, evaluate=False), evaluate=False)


def same_sign(switch: sp.Expr, one: sp.Expr, other: sp.Expr) -> Iterator[sp.Basic]:
    """Equal signs if switch > 0, opposite signs if it is < 0; if it is 0 the other is 0 [1]."""
    if one == 0 or other == 0:
        return
    zero, other_zero = sp.Eq(one, 0, evaluate=False), sp.Eq(other, 0, evaluate=False)
    not_above, not_below = _relation(sp.Le, one), _relation(sp.Ge, one)
    above, below = _relation(sp.Gt, other), _relation(sp.Lt, other)
    if switch.is_positive is not True:
        rising, level = switch > 0, sp.Eq(switch, 0, evaluate=False)
        yield sp.Or(rising, level, not_above, below, evaluate=False)
        yield sp.Or(rising, level, not_below, above, evaluate=False)
        yield sp.Or(sp.Ne(switch, 0, evaluate=False), other_zero, evaluate=False)
    falling = switch <= 0
    yield sp.Or(falling, not_above, above, evaluate=False)
    yield sp.Or(falling, not_below, below, evaluate=False)
    yield sp.Or(sp.Not(zero), other_zero, evaluate=False)


def _relation(kind: type[Relational], polynomial: sp.Expr) -> sp.Basic:
    """The polynomial compared with zero; evaluated only where its terms show the sign."""
    if polynomial == 0:
        return kind(0, 0)
    signs = {term.as_coeff_Mul()[0] > 0 for term in sp.Add.make_args(polynomial)}
    if len(signs) == 1 and all(symbol.is_positive for symbol in polynomial.free_symbols):
        sign = 1 if sp.true in signs else -1
        return kind(sign, 0)
    return kind(polynomial, 0, evaluate=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Logarithm:
    """A positive number u [any unit] and log u [1], as expressions over abstract variables."""

    # u, log: argument [any unit] and logarithm [1]
    u: sp.Expr
    log: sp.Expr


def logarithm_instances(a: Logarithm, b: Logarithm, level: int, clear: Clear) -> Iterator[sp.Basic]:
    """The lemmas of one level for two logarithms [1]."""
    if level == 1:
        yield from same_sign(sp.S.One, clear(a.u, b.u), clear(a.log, b.log))
    if level == 3:
        yield _logarithm_tangent(a, b, clear)
        yield _logarithm_tangent(b, a, clear)


def _logarithm_tangent(a: Logarithm, b: Logarithm, clear: Clear) -> sp.Basic:
    gap = clear(b.u * (a.log - b.log), a.u - b.u)
    return sp.Or(sp.Eq(clear(a.u, b.u), 0, evaluate=False), gap < 0, evaluate=False)
