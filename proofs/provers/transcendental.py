"""Logarithms, exponentials, Lambert W and parts of angles as variables with polynomial facts.

- log u and exp z are remembered in `Translation.logs`; `lemmas` says what orders them;
- w = W(z) is a number with ``w*exp(w) = z``, at least -1 on the principal branch, at most -1 on
  the other;
- the cosine (or sine) of the n-th part of an inverse cosine (or sine), shifted by a multiple of
  pi/n, solves Chebyshev's equation ``T_n(c) = +-z`` between two neighbouring extrema of T_n, where
  it is unique; likewise for the hyperbolic functions.

Each fact is guarded by the condition under which the expression exists.
"""

from collections.abc import Callable
from typing import Protocol

import sympy as sp
from sympy.core.relational import Relational

from logca.proofs.terms.definedness import conditions
from logca.proofs.terms.elimination import Signs

__all__ = ["Translation", "translate", "without_logarithms"]

_ANGLES = {sp.sin: sp.asin, sp.cos: sp.acos, sp.sinh: sp.asinh, sp.cosh: sp.acosh}


class Translation(Protocol):
    """The side of an abstraction that the rules below need and add to."""

    facts: list[sp.Basic]
    logs: dict[sp.Expr, sp.Expr]
    known: dict[sp.Basic, sp.Expr]
    signs: Signs

    def term(self, expr: sp.Expr) -> sp.Expr:
        """The expression as a rational function of abstract variables."""

    def fresh(self, stands_for: sp.Expr, *, positive: bool = True) -> sp.Symbol:
        """A new variable that stands for an expression."""

    def equal(self, left: sp.Expr, right: sp.Expr, *unless: sp.Basic) -> None:
        """Note that two terms are equal, unless one of the statements holds."""

    def fails(self, condition: sp.Basic) -> sp.Basic:
        """That a condition does not hold, or has no value."""


def translate(work: Translation, expr: sp.Expr) -> sp.Expr | None:
    """The variable that stands for a transcendental expression; None for others [its unit]."""
    rule = _RULES.get(sp.exp if expr is sp.E else expr.func)
    return None if rule is None else rule(work, expr)


def _unless(work: Translation, expr: sp.Expr) -> tuple[sp.Basic, ...]:
    """Where the expression does not exist."""
    return tuple(work.fails(condition) for condition in conditions(expr))


def _logarithm(work: Translation, expr: sp.log) -> sp.Expr:
    product = sp.powdenest(sp.factor(sp.together(expr.args[0])), force=True)
    parts = _positive_parts(work, product)
    argument = work.term(expr.args[0])
    if parts == [(expr.args[0], sp.S.One)]:
        value = work.fresh(expr, positive=False)
    else:
        value = sp.Add(*[work.term(e) * work.term(sp.log(base)) for base, e in parts])
    work.logs[argument] = value
    return value


def _positive_parts(work: Translation, product: sp.Expr) -> list[tuple[sp.Expr, sp.Expr]]:
    """Bases, positive as far as can be known, and exponents of a positive product."""
    parts: list[tuple[sp.Expr, sp.Expr]] = []
    for factor in sp.Mul.make_args(product):
        base, exponent = factor.as_base_exp()
        if base.is_Rational and base > 0:
            primes = sp.factorrat(base).items()
            parts += [(sp.Integer(prime), power * exponent) for prime, power in primes]
        elif base != -1:
            negative = exponent.is_Integer and work.signs.of(work.term(base)) < 0
            parts.append((sp.expand(-base) if negative else base, exponent))
    return parts


def _exponential(work: Translation, expr: sp.Expr) -> sp.Expr:
    return _power_of_e(work, sp.S.One if expr is sp.E else expr.args[0])


def _power_of_e(work: Translation, exponent: sp.Expr) -> sp.Expr:
    result: sp.Expr = sp.S.One
    for summand in sp.Add.make_args(sp.expand(exponent)):
        coefficient, rest = summand.as_coeff_Mul()
        factors = sp.Mul.make_args(rest)
        logarithm = next((part for part in factors if isinstance(part, sp.log)), None)
        if logarithm is not None:
            result *= work.term(logarithm.args[0] ** (summand / logarithm))
            continue
        key = sp.exp(rest / coefficient.q, evaluate=False)
        if key not in work.known:
            work.known[key] = work.fresh(key)
            work.logs[work.known[key]] = work.term(rest / coefficient.q)
        result *= work.known[key] ** coefficient.p
    work.logs[result] = work.term(exponent)
    return result


def _lambert(work: Translation, expr: sp.LambertW) -> sp.Expr:
    w = work.fresh(expr, positive=False)
    unless = _unless(work, expr)
    work.equal(w * _power_of_e(work, w), work.term(expr.args[0]), *unless)
    side = w <= -1 if expr.args[1:] == (sp.S.NegativeOne,) else w >= -1
    work.facts.append(sp.Or(*unless, side, evaluate=False))
    return w


def _angle(work: Translation, expr: sp.Expr) -> sp.Expr:
    function = expr.func
    inner = next(iter(expr.args[0].atoms(*_ANGLES.values())), None)
    if inner is None:
        raise ValueError(f"{expr} is not a part of an inverse sine or cosine")
    angle = sp.Dummy("angle", real=True)
    argument = sp.expand(expr.args[0].xreplace({inner: angle}))
    shift, part = (argument.coeff(angle, power) for power in (0, 1))
    if part == 0:
        raise ValueError(f"{expr} is not a part of an inverse sine or cosine")
    circular = function in (sp.sin, sp.cos)
    turn = shift / sp.pi
    if circular and isinstance(inner, sp.asin):
        part, turn = -part, turn + part / 2
    if function is sp.sin:
        part, turn = -part, sp.Rational(1, 2) - turn
    if part < 0:
        part, turn = -part, -turn
    degree = 1 / part
    matching = circular or (isinstance(inner, _ANGLES[function]) and turn == 0)
    odd_enough = function is not sp.sinh or degree % 2 == 1
    if not (degree.is_Integer and turn.is_Rational and matching and odd_enough):
        raise ValueError(f"{expr} is not an integral part of an angle")
    if circular and not (degree * turn).is_Integer:
        raise ValueError(f"{expr} is not shifted by a multiple of pi/{degree}")
    return _chebyshev(work, expr, inner, degree, turn)


def _chebyshev(
    work: Translation, expr: sp.Expr, inner: sp.Expr, degree: sp.Integer, turn: sp.Rational
) -> sp.Expr:
    """The solution c of ``T_n(c) = +-z`` that the function means; for sinh ``T_n(i*c)/i**n``."""
    value = work.fresh(expr, positive=False)
    unless = _unless(work, inner)
    if isinstance(expr, sp.sinh):
        # cosh(n*t) = T_n(cosh t) at t + i*pi/2: i**n takes the unit out, for odd n
        left = sp.expand(sp.chebyshevt(degree, sp.I * value) / sp.I**degree)
        bounds: tuple[sp.Basic, ...] = ()
    else:
        left = sp.chebyshevt(degree, value)
        bounds = (sp.Ge(value, 1, evaluate=False),)
    sign = sp.S.One
    if isinstance(expr, sp.cos | sp.sin):
        sign = sp.S.NegativeOne ** (degree * turn)
        ends = [sp.cos(sp.pi * edge) for edge in (turn, turn + 1 / degree)]
        low, high = (work.term(end) for end in (ends if ends[0] < ends[1] else reversed(ends)))
        bounds = (sp.Ge(value, low, evaluate=False), sp.Le(value, high, evaluate=False))
    work.equal(left, sign * work.term(inner.args[0]), *unless)
    for bound in bounds:
        work.facts.append(sp.Or(*unless, bound, evaluate=False))
    return value


_RULES: dict[type, Callable[[Translation, sp.Expr], sp.Expr]] = {
    sp.log: _logarithm,
    sp.exp: _exponential,
    sp.LambertW: _lambert,
    **dict.fromkeys(_ANGLES, _angle),
}


def without_logarithms(goal: sp.Basic) -> sp.Basic | None:
    """A comparison of sums of logarithms as one of products of powers; None for another one.

    Examples
    --------
    >>> from logca.derive.core.symbols import A, beta
    >>> without_logarithms(beta * sp.log(A) < sp.log(2))
    A**beta < 2
    """
    if not isinstance(goal, Relational) or not goal.has(sp.log):
        return None
    raised = [
        sp.Mul(*(_raised(term) for term in sp.Add.make_args(side))) for side in (goal.lhs, goal.rhs)
    ]
    return None if any(side.has(sp.log, sp.exp) for side in raised) else goal.func(*raised)


def _raised(term: sp.Expr) -> sp.Expr:
    """The exponential of a term, a power where the term is a multiple of a logarithm."""
    factors = sp.Mul.make_args(term)
    logs = [factor for factor in factors if isinstance(factor, sp.log)]
    if len(logs) != 1:
        return sp.exp(term)
    return logs[0].args[0] ** sp.Mul(*(factor for factor in factors if factor is not logs[0]))
