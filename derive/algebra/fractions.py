"""Fractions over a common denominator, without looking for common divisors of sums."""

from math import lcm, prod

import sympy as sp

__all__ = ["as_fraction"]

_Factors = dict[sp.Expr, int]
"""Bases with exponents; the number in front has the base 1 and the exponent its value."""


def as_fraction(expr: sp.Expr) -> tuple[sp.Expr, sp.Expr]:
    """An expression as numerator and denominator, the latter a product [any unit].

    Examples
    --------
    >>> from logca.derive.core.symbols import A, C, o
    >>> as_fraction(o / (2 * A) + 1 / (3 * A * C))
    (3*C*o + 2, 6*A*C)
    """
    over, number, under = _split(expr)
    return over, _product(number, under)


def _product(number: int, factors: _Factors) -> sp.Expr:
    return sp.Mul(number, *[base**exponent for base, exponent in factors.items()])


def _split(expr: sp.Expr) -> tuple[sp.Expr, int, _Factors]:
    if expr.is_Rational:
        return sp.Integer(expr.p), int(expr.q), {}
    if expr.is_Add:
        return _sum([_split(term) for term in expr.args])
    if expr.is_Mul:
        return _multiply([_split(factor) for factor in expr.args])
    if expr.is_Pow and expr.exp.is_Integer:
        over, number, factors = _split(expr.base)
        power = abs(int(expr.exp))
        if expr.exp > 0:
            return over**power, number**power, {b: e * power for b, e in factors.items()}
        return _product(number, factors) ** power, 1, _bases(over, power)
    return expr, 1, {}


def _bases(product: sp.Expr, power: int) -> _Factors:
    found: _Factors = {}
    for factor in sp.Mul.make_args(product):
        base, exponent = factor.as_base_exp()
        if not (exponent.is_Integer and exponent > 0):
            base, exponent = factor, sp.S.One
        found[base] = found.get(base, 0) + int(exponent) * power
    return found


def _multiply(parts: list[tuple[sp.Expr, int, _Factors]]) -> tuple[sp.Expr, int, _Factors]:
    number = prod(count for _, count, _ in parts)
    under: _Factors = {}
    for _, _, factors in parts:
        for base, exponent in factors.items():
            under[base] = under.get(base, 0) + exponent
    if not under:
        return sp.Mul(*[over for over, _, _ in parts]), number, under
    overs: _Factors = {}
    for over, _, _ in parts:
        for base, exponent in _bases(over, 1).items():
            overs[base] = overs.get(base, 0) + exponent
    for base in overs.keys() & under.keys():
        shared = min(overs[base], under[base])
        overs[base] -= shared
        under[base] -= shared
    return _product(1, overs), number, {base: e for base, e in under.items() if e}


def _sum(parts: list[tuple[sp.Expr, int, _Factors]]) -> tuple[sp.Expr, int, _Factors]:
    common = lcm(*(number for _, number, _ in parts))
    highest: _Factors = {}
    for _, _, factors in parts:
        for base, exponent in factors.items():
            highest[base] = max(highest.get(base, 0), exponent)
    if common == 1 and not highest:
        return sp.Add(*[over for over, _, _ in parts]), 1, {}
    terms = [
        over
        * (common // number)
        * _product(1, {b: e - factors.get(b, 0) for b, e in highest.items()})
        for over, number, factors in parts
    ]
    return sp.Add(*terms), common, highest
