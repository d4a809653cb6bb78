"""Limits of fractions of power sums with symbolic exponents.

``sympy.limit`` silently returns 0 for ``C*g**b/(o + L*g + C*g**b/A)`` as g grows, whatever b.
Here numerator and denominator are sums of monomials in the variable; the dominant exponents are
found from relations that order them, and only the dominant terms are kept.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache

import sympy as sp

__all__ = [
    "UnorderedExponents",
    "dominant_term",
    "generic_point",
    "leading_value",
    "power_sums",
    "sign_of",
]


class UnorderedExponents(ValueError):
    """The given relations do not tell which of two exponents is larger."""


def leading_value(
    expr: sp.Expr, variable: sp.Symbol, to: sp.Expr, ordering: Iterable[sp.Rel] = ()
) -> sp.Expr:
    """Limit [unit of it] of a fraction of power sums, the variable going to 0 from above or to oo.

    Examples
    --------
    >>> from logca.derive.core.symbols import A, C, L1, beta, g, o
    >>> leading_value(C*g**beta/(o + C*g**beta/A), g, sp.oo)
    A
    >>> leading_value(C*g**beta/(o + L1*g + C*g**beta/A), g, sp.oo, (beta < 1,))
    0
    """
    numerator, denominator = power_sums(expr)
    top_exponent, top = dominant_term(numerator, variable, to, ordering)
    bottom_exponent, bottom = dominant_term(denominator, variable, to, ordering)
    order = sign_of(sp.expand(top_exponent - bottom_exponent), ordering)
    if to != sp.oo:
        order = -order
    if order < 0:
        return sp.S.Zero
    ratio = sp.factor(sp.cancel(top / bottom))
    if order == 0:
        return ratio
    return sp.oo if ratio.is_nonnegative else sp.oo * sp.sign(ratio)


@lru_cache(maxsize=256)
def power_sums(expr: sp.Expr) -> tuple[sp.Expr, sp.Expr]:
    """Numerator and denominator of a fraction of power sums [any unit]."""
    over, under = sp.fraction(sp.together(sp.powsimp(sp.expand(expr))))
    return over, under


def dominant_term(
    total: sp.Expr, variable: sp.Symbol, to: sp.Expr, ordering: Iterable[sp.Rel]
) -> tuple[sp.Expr, sp.Expr]:
    """Exponent [1] and coefficient [any] of the term that dominates a sum of monomials."""
    return _dominant(total, variable, to, tuple(ordering))


# of a limit the value is asked for, and then what it takes for granted
@lru_cache(maxsize=256)
def _dominant(
    total: sp.Expr, variable: sp.Symbol, to: sp.Expr, ordering: tuple[sp.Rel, ...]
) -> tuple[sp.Expr, sp.Expr]:
    terms: dict[sp.Expr, sp.Expr] = {}
    # expand makes terms of products, powsimp one power of g**a*g**b, and factors out what the last
    # expand takes apart again
    for term in sp.Add.make_args(sp.expand(sp.powsimp(sp.expand(total)))):
        coefficient, rest = term.as_independent(variable, as_Add=False)
        exponent = sp.expand(sp.simplify(variable * sp.diff(rest, variable) / rest))
        if exponent.has(variable):
            raise UnorderedExponents(f"{term} is not a power of {variable}")
        key = _equal_exponent(exponent, terms, ordering)
        terms[key] = terms.get(key, sp.S.Zero) + coefficient
    best: sp.Expr | None = None
    for exponent, coefficient in terms.items():
        if sp.expand(coefficient) == 0:
            continue
        if best is None or (sign_of(exponent - best, ordering) > 0) == (to == sp.oo):
            best = exponent
    if best is None:
        return sp.S.Zero, sp.S.Zero
    return best, sp.factor(terms[best])


def _equal_exponent(
    exponent: sp.Expr, known: dict[sp.Expr, sp.Expr], ordering: Iterable[sp.Rel]
) -> sp.Expr:
    for other in known:
        if exponent == other or _fixed(exponent - other, ordering) == 0:
            return other
    return exponent


def _fixed(expr: sp.Expr, ordering: Iterable[sp.Rel]) -> sp.Expr:
    for relation in ordering:
        if isinstance(relation, sp.Eq):
            expr = expr.subs(relation.lhs, relation.rhs)
    return sp.expand(expr)


def sign_of(expr: sp.Expr, ordering: Iterable[sp.Rel]) -> int:
    """Sign of an expression that is affine in ordered symbols, by shifting to positive ones."""
    relations = tuple(ordering)
    expr = _fixed(expr, relations)
    shifted = [new for relation in relations for new in _shifted(expr, relation)]
    fractions = (sp.factor(sp.together(each)) for each in (expr, *shifted))
    for attempt in (*map(sp.expand, (expr, *shifted)), *fractions):
        if attempt.is_zero:
            return 0
        if attempt.is_positive or _all_of_sign(attempt, 1):
            return 1
        if attempt.is_negative or _all_of_sign(attempt, -1):
            return -1
    raise UnorderedExponents(f"the sign of {expr} does not follow from {relations}")


def _all_of_sign(total: sp.Expr, sign: int) -> bool:
    return all((sign * term).is_positive for term in sp.Add.make_args(total))


def _shifted(expr: sp.Expr, relation: sp.Rel) -> Iterator[sp.Expr]:
    """The expression with the relation built in, up to a positive factor.

    With x = y + excess for x > y only positive symbols are left: then SymPy sees the sign.
    """
    excess = sp.Dummy("excess", positive=True)
    if not relation.lhs.is_Symbol:
        return
    if isinstance(relation, sp.StrictGreaterThan):
        yield expr.subs(relation.lhs, relation.rhs + excess)
    if isinstance(relation, sp.StrictLessThan):
        yield expr.subs(relation.lhs, relation.rhs - excess)
        if relation.lhs.is_positive:
            yield sp.cancel(expr.subs(relation.lhs, relation.rhs / (1 + excess))) * (1 + excess)


def generic_point(
    symbols: Iterable[sp.Basic], ordering: Iterable[sp.Rel]
) -> dict[sp.Symbol, sp.Rational]:
    """Rational values, without accidental relations, that satisfy the ordering [any unit]."""
    point = {
        symbol: sp.Rational(13 + 7 * index, 11)
        for index, symbol in enumerate(sorted(symbols, key=str))
    }
    for relation in ordering:
        if not relation.lhs.is_Symbol:
            continue
        target = relation.rhs.subs(point)
        point[relation.lhs] = {
            sp.StrictLessThan: target * sp.Rational(3, 5),
            sp.StrictGreaterThan: target * sp.Rational(7, 4),
        }.get(type(relation), target)
    return point
