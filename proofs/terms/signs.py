"""Signs evident factor by factor or from hypotheses; fractions over a common denominator."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import lcm, prod

import sympy as sp

from logca.proofs.terms.elimination import conjuncts

__all__ = [
    "Signs",
    "as_fraction",
]

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Signs:
    """Terms that hypotheses say to be positive, and the signs found from it so far."""

    # expanded differences that are positive by a hypothesis [any unit]
    positive: set[sp.Expr] = field(default_factory=set)
    _found: dict[sp.Expr, int] = field(default_factory=dict)
    _cleared: dict[tuple[sp.Expr, sp.Expr], sp.Expr] = field(default_factory=dict)

    def remember(self, hypotheses: Sequence[sp.Basic]) -> None:
        """Take note of what hypotheses say to be positive; to be called first [1]."""
        for part in conjuncts(hypotheses):
            if isinstance(part, sp.Gt | sp.Lt):
                self.positive.add(sp.expand(part.gts - part.lts))

    def of(self, expr: sp.Expr) -> int:
        """1 or -1 if the sign is evident factor by factor, or from a hypothesis; else 0."""
        if expr not in self._found:
            self._found[expr] = self._evident(expr)
        return self._found[expr]

    def _evident(self, expr: sp.Expr) -> int:
        if expr.is_positive:
            return 1
        sign = 1
        for factor in sp.Mul.make_args(sp.factor_terms(expr)):
            base, exponent = factor.as_base_exp()
            if exponent.is_Integer and exponent % 2 == 0 and base.is_nonzero:
                continue
            if factor.is_positive:
                continue
            if factor.is_negative:
                sign = -sign
                continue
            known = sp.expand(base if exponent.is_Integer else factor)
            if known in self.positive:
                continue
            if -known not in self.positive:
                return 0
            if exponent % 2:
                sign = -sign
        return sign

    def clear(self, left: sp.Expr, right: sp.Expr) -> sp.Expr:
        """A polynomial that has the sign of a difference [any unit]."""
        if (left, right) not in self._cleared:
            numerator, denominator = as_fraction(left - right)
            sign = self.of(denominator)
            cleared = sp.expand(numerator * (denominator if sign == 0 else sign))
            self._cleared[left, right] = cleared
        return self._cleared[left, right]
