"""What a real power u -> u**v does to the order of positive numbers, as polynomial relations.

1. monotone: for v > 0, u < w iff u**v < w**v;
2. slope: for v > 1, u < w iff u**v/u < w**v/w; reversed for v < 1;
3. tangent: for v > 1, u**v > w**v (1 + v(u/w - 1)) unless u = w; reversed for 0 < v < 1.
   This is the weighted inequality of arithmetic and geometric means (hardy1934).

The ledger proves each without using it: lemma-power-monotone, lemma-power-slope,
lemma-power-tangent.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import sympy as sp
from sympy.core.relational import Relational

__all__ = ["Clear", "Power", "instances", "same_sign"]

Clear = Callable[[sp.Expr, sp.Expr], sp.Expr]


@dataclass(frozen=True, slots=True, kw_only=True)
class Power:
    """A number u [any unit] and u**v, as expressions over abstract variables.

    Parameters
    ----------
    u, power, v : sympy.Expr
        Base [any unit], power [unit to the v], exponent [1].
    """

    u: sp.Expr
    power: sp.Expr
    v: sp.Expr


def instances(a: Power, b: Power, level: int, clear: Clear) -> Iterator[sp.Basic]:
    """The lemmas of one level for two powers with the same exponent [1].

    Parameters
    ----------
    a, b : Power
        Two powers with positive bases.
    level : int
        1 monotone, 2 slope, 3 tangent [1].
    clear : callable
        Gives a polynomial with the sign of the difference of two expressions [any unit].
    """
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
    yield sp.Or(a.v <= 1, equal, gap > 0, evaluate=False)
    yield sp.Or(a.v >= 1, a.v <= 0, equal, gap < 0, evaluate=False)
    yield sp.Or(sp.Not(equal), sp.Eq(gap, 0, evaluate=False), evaluate=False)


def same_sign(switch: sp.Expr, one: sp.Expr, other: sp.Expr) -> Iterator[sp.Basic]:
    """The same sign if switch > 0, opposite signs if it is < 0; if it is 0 the other is 0 [1]."""
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
    signs = {term.as_coeff_Mul()[0] > 0 for term in sp.Add.make_args(polynomial)}
    if len(signs) == 1 and all(symbol.is_positive for symbol in polynomial.free_symbols):
        sign = 1 if sp.true in signs else -1
        return kind(sign, 0)
    return kind(polynomial, 0, evaluate=False)
