"""Polynomials multiplied out, several times faster than by SymPy, term by term the same."""

from functools import lru_cache

import sympy as sp

__all__ = ["expand"]

_Monomial = tuple[tuple[sp.Symbol, int], ...]
_Polynomial = dict[_Monomial, int | sp.Rational]

_HIGHEST = 16
"""Exponent up to which a sum is multiplied by itself; beyond, SymPy's binomials are faster [1]."""


class _NoPolynomialError(Exception):
    pass


@lru_cache(maxsize=8192)
def expand(expr: sp.Expr) -> sp.Expr:
    """The expression multiplied out, as by `sp.expand` [unit of the expression].

    Examples
    --------
    >>> from logca.derive.core.symbols import A, C, o
    >>> expand(A * (C - 2 * o) ** 2)
    A*C**2 - 4*A*C*o + 4*A*o**2
    """
    if expr.is_Atom:
        return expr
    try:
        terms = _polynomial(expr)
    except _NoPolynomialError:
        return sp.expand(expr)
    return sp.Add(*[_term(number, monomial) for monomial, number in terms.items()])


def _polynomial(expr: sp.Expr) -> _Polynomial:
    if expr.is_Symbol:
        return {((expr, 1),): 1}
    if expr.is_Rational:
        return {(): expr.p if expr.is_Integer else expr} if expr else {}
    if expr.is_Add:
        total: _Polynomial = {}
        for part in expr.args:
            for monomial, number in _polynomial(part).items():
                total[monomial] = total.get(monomial, 0) + number
        return _without_zeros(total)
    if expr.is_Mul:
        result, *others = map(_polynomial, expr.args)
        for other in others:
            result = _product(result, other)
        return result
    if expr.is_Pow and expr.exp.is_Integer and 0 < expr.exp.p <= _HIGHEST:
        if expr.base.is_Symbol:
            return {((expr.base, expr.exp.p),): 1}
        result = base = _polynomial(expr.base)
        for _ in range(expr.exp.p - 1):
            result = _product(result, base)
        return result
    raise _NoPolynomialError


def _product(one: _Polynomial, other: _Polynomial) -> _Polynomial:
    found: _Polynomial = {}
    for left, number in one.items():
        for right, factor in other.items():
            monomial = _joined(left, right) if left and right else left or right
            found[monomial] = found.get(monomial, 0) + number * factor
    return _without_zeros(found)


def _without_zeros(terms: _Polynomial) -> _Polynomial:
    return {monomial: number for monomial, number in terms.items() if number}


@lru_cache(maxsize=16384)
def _joined(left: _Monomial, right: _Monomial) -> _Monomial:
    exponents = dict(left)
    for symbol, exponent in right:
        exponents[symbol] = exponents.get(symbol, 0) + exponent
    # any order will do, if equal products come in one and the same
    return tuple(sorted(exponents.items(), key=_place))


def _place(power: tuple[sp.Symbol, int]) -> tuple[str, int]:
    return power[0].name, hash(power[0])


@lru_cache(maxsize=16384)
def _term(number: int | sp.Rational, monomial: _Monomial) -> sp.Expr:
    product = sp.Mul(*[symbol**exponent for symbol, exponent in monomial])
    return product if number == 1 else sp.Mul(number, product)
