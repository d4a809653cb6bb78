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

__all__ = ["Power", "instances", "same_sign"]

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
    """The lemmas up to a level for two powers with the same exponent [1].

    Parameters
    ----------
    a, b : Power
        Two powers with positive bases.
    level : int
        1 monotone, 2 and slope, 3 and tangent [1].
    clear : callable
        Gives a polynomial with the sign of the difference of two expressions [any unit].
    """
    if level >= 1:
        yield from same_sign(a.v, clear(a.u, b.u), clear(a.power, b.power))
    if level >= 2:
        yield from same_sign(a.v - 1, clear(a.u, b.u), clear(a.power * b.u, b.power * a.u))
    if level >= 3:
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
    if switch.is_positive is not True:
        yield sp.Or(
            switch > 0, one <= 0, other < 0, sp.Eq(switch, 0, evaluate=False), evaluate=False
        )
        yield sp.Or(
            switch > 0, one >= 0, other > 0, sp.Eq(switch, 0, evaluate=False), evaluate=False
        )
        yield sp.Or(sp.Ne(switch, 0, evaluate=False), other_zero, evaluate=False)
    yield sp.Or(switch <= 0, one <= 0, other > 0, evaluate=False)
    yield sp.Or(switch <= 0, one >= 0, other < 0, evaluate=False)
    yield sp.Or(sp.Not(zero), other_zero, evaluate=False)
