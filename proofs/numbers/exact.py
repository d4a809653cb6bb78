"""Evaluation that can be trusted: exact rationals where possible, Arb balls otherwise."""

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any

import mpmath
import sympy as sp
from sympy.core.relational import Relational

from logca.derive.algebra.trinomial import TrinomialRoot, crossings
from logca.proofs.terms.definedness import Defined, RootExists

__all__ = ["Imprecise", "Undefined", "ball", "holds", "rational"]

_PRECISIONS = (128, 512)
_LONGEST_EQUATION = 200  # [operations] of one that algebra looks at
_LARGEST_FACTORED, _LARGEST_POWER = 10**12, 12
_LONGEST = 1 << 16  # [bit] of an exact power; a longer one is left to the balls


class Undefined(ValueError):
    """An expression without a real value at a point."""


class Imprecise(Undefined):
    """An expression that may have a value, but the balls are too wide to tell."""


def holds(statement: sp.Basic, point: Mapping[sp.Symbol, sp.Rational]) -> bool | None:
    """True if a statement holds at a rational point, False if not, None if not certain [1]."""
    if statement in (sp.true, sp.false):
        return bool(statement)
    if isinstance(statement, RootExists):
        return holds(statement.condition(), point)
    if isinstance(statement, Relational):
        try:
            return _compare(statement, point)
        except Imprecise:
            return None
    if isinstance(statement, sp.Not):
        inner = holds(statement.args[0], point)
        return None if inner is None else not inner
    if isinstance(statement, Defined):
        try:
            return holds(statement.args[0], point)
        except Undefined:
            return False
    decisive = isinstance(statement, sp.Or)
    unsure, absent = False, None
    for part in statement.args:
        try:
            value = holds(part, point)
        except Undefined as error:
            absent = error
            continue
        if value is decisive:
            return decisive
        unsure |= value is None
    if absent is not None:
        raise absent
    return None if unsure else not decisive


def _compare(relation: Relational, point: Mapping[sp.Symbol, sp.Rational]) -> bool | None:
    left, right = rational(relation.lhs, point), rational(relation.rhs, point)
    if left is not None and right is not None:
        sign: int | None = (left > right) - (left < right)
    else:
        sign = None
        for precision in _PRECISIONS:
            try:
                sides = [ball(side, point, precision) for side in relation.args]
            except Imprecise:
                continue
            difference = sides[0] - sides[1]
            if difference > 0 or difference < 0:
                sign = 1 if difference > 0 else -1
                break
        else:
            if _equal(relation, point):
                sign = 0
    if sign is None:
        return None
    return {
        sp.Eq: sign == 0,
        sp.Ne: sign != 0,
        sp.Lt: sign < 0,
        sp.Le: sign <= 0,
        sp.Gt: sign > 0,
        sp.Ge: sign >= 0,
    }[type(relation)]


def _equal(relation: Relational, point: Mapping[sp.Symbol, sp.Rational]) -> bool:
    """True if algebra shows both sides to be equal at a point, powers and logarithms of primes.

    Those of different primes are taken to be independent, so that it may miss that they are equal.
    """
    difference = relation.lhs - relation.rhs
    if relation.has(TrinomialRoot, sp.Piecewise) or difference.count_ops() > _LONGEST_EQUATION:
        return False
    for part in difference.atoms(sp.Pow):
        exponent = rational(part.exp, point)
        if exponent is None or max(abs(exponent.numerator), exponent.denominator) > _LARGEST_POWER:
            return False
    try:
        difference = difference.xreplace(dict(point))
    except ValueError:  # no Min or Max of what has no real value there
        return False
    logarithms = {
        part: sp.Add(*(times * sp.log(prime) for prime, times in primes.items()))
        for part in difference.atoms(sp.log)
        if part.args[0].is_Rational
        and max(abs(part.args[0].p), part.args[0].q) < _LARGEST_FACTORED
        and (primes := sp.factorrat(part.args[0]))
    }
    difference = difference.xreplace(logarithms)
    return bool(sp.expand(sp.powsimp(difference)) == 0 or sp.cancel(sp.together(difference)) == 0)


def rational(expr: sp.Expr, point: Mapping[sp.Symbol, sp.Rational]) -> Fraction | None:
    """The exact value at a rational point where it is rational, else None [unit of expr]."""
    if expr.is_Rational:
        return Fraction(int(expr.p), int(expr.q))
    if expr.is_Symbol:
        value = point[expr]
        return Fraction(int(value.p), int(value.q)) if isinstance(value, sp.Rational) else None
    if isinstance(expr, sp.Add | sp.Mul | sp.Min | sp.Max | sp.Abs):
        parts = [rational(arg, point) for arg in expr.args]
        if any(part is None for part in parts):
            return None
        return _combine(expr, [part for part in parts if part is not None])
    if isinstance(expr, sp.Pow):
        base, exponent = rational(expr.base, point), rational(expr.exp, point)
        return None if base is None or exponent is None else _rational_power(base, exponent)
    if isinstance(expr, sp.Piecewise):
        return rational(_branch(expr, point), point)
    return None


def _combine(expr: sp.Expr, parts: list[Fraction]) -> Fraction:
    if isinstance(expr, sp.Add):
        return sum(parts, Fraction(0))
    if isinstance(expr, sp.Mul):
        product = Fraction(1)
        for part in parts:
            product *= part
        return product
    if isinstance(expr, sp.Abs):
        return abs(parts[0])
    return min(parts) if isinstance(expr, sp.Min) else max(parts)


def _rational_power(base: Fraction, exponent: Fraction) -> Fraction | None:
    if base == 0 and exponent <= 0:
        raise Undefined("division by zero")
    if base < 0 and exponent.denominator != 1:
        raise Undefined("a fractional power of a negative number")
    if exponent.denominator == 1:
        length = max(base.numerator.bit_length(), base.denominator.bit_length())
        if abs(exponent.numerator) * length > _LONGEST:
            return None
        return base**exponent.numerator
    roots = []
    for part in (base.numerator, base.denominator):
        root, is_exact = sp.integer_nthroot(part, exponent.denominator)
        if not is_exact:
            return None
        roots.append(int(root))
    return _rational_power(Fraction(*roots), Fraction(exponent.numerator))


def _branch(expr: sp.Piecewise, point: Mapping[sp.Symbol, sp.Rational]) -> sp.Expr:
    for branch, condition in expr.args:
        applies = holds(condition, point)
        if applies is None:
            raise Imprecise(f"whether {condition} holds")
        if applies:
            return branch
    raise Undefined(f"no case of {expr} applies")


def ball(expr: sp.Expr, point: Mapping[sp.Symbol, Any], precision: int) -> Any:
    """An Arb ball that contains the value [unit of expr]."""
    import flint

    with flint.ctx.workprec(precision):
        value = _ball(expr, point, flint)
        if not value.is_finite() and value.is_nan():
            raise Undefined(f"{expr} has no value")
        return value


def _ball(expr: sp.Expr, point: Mapping[sp.Symbol, Any], flint: Any) -> Any:
    if expr.is_Rational:
        return flint.arb(flint.fmpq(int(expr.p), int(expr.q)))
    if expr.is_Symbol:
        value = point[expr]
        return value if isinstance(value, flint.arb) else _ball(sp.Rational(value), point, flint)
    if isinstance(expr, TrinomialRoot):
        return _root_ball(expr, point, flint)
    if isinstance(expr, sp.Piecewise):
        return _ball(_branch(expr, point), point, flint)
    if expr is sp.E:
        return flint.arb(1).exp()
    if expr is sp.pi:
        return flint.arb.pi()
    parts = [_ball(arg, point, flint) for arg in expr.args]
    if isinstance(expr, sp.Add):
        return sum(parts, flint.arb(0))
    if isinstance(expr, sp.Mul):
        product = flint.arb(1)
        for part in parts:
            product *= part
        return product
    if isinstance(expr, sp.Pow):
        return _ball_power(expr, parts, flint)
    return _ball_function(expr, parts)


def _kind(certain: bool) -> type[Undefined]:
    return Undefined if certain else Imprecise


def _ball_power(expr: sp.Pow, parts: list[Any], flint: Any) -> Any:
    base, exponent = parts
    if expr.exp.is_Integer:
        if expr.exp < 0 and base.contains(0):
            raise _kind(base == 0)(f"{expr.base} may vanish")
        return base ** int(expr.exp)
    if base == 0 and exponent > 0:
        return flint.arb(0)
    if not base > 0:
        raise _kind(base <= 0)(f"the base {expr.base} may not be positive")
    return (base.log() * exponent).exp()


def _ball_function(expr: sp.Expr, parts: list[Any]) -> Any:
    if isinstance(expr, sp.log):
        if not parts[0] > 0:
            raise _kind(parts[0] <= 0)(f"the logarithm of {expr.args[0]}")
        return parts[0].log()
    if isinstance(expr, sp.Abs):
        return abs(parts[0])
    if isinstance(expr, sp.Min | sp.Max):
        value = parts[0]
        for part in parts[1:]:
            value = value.min(part) if isinstance(expr, sp.Min) else value.max(part)
        return value
    if isinstance(expr, sp.LambertW):
        branch = int(expr.args[1]) if len(expr.args) == 2 else 0
        return parts[0].lambertw(branch)
    name = expr.func.__name__
    if hasattr(parts[0], name) and len(parts) == 1:
        return getattr(parts[0], name)()
    raise Undefined(f"{name} cannot be evaluated")


def _root_ball(expr: TrinomialRoot, point: Mapping[sp.Symbol, Any], flint: Any) -> Any:
    """Enclose a root of the trinomial: an approximation, certified by a change of sign."""
    k, c, l, b = (_ball(arg, point, flint) for arg in expr.args)
    middle = (x.mid().str(flint.ctx.dps + 10, radius=False) for x in (k, c, l, b))
    guess = _crossing(*middle, expr.upward, flint.ctx.prec)
    if guess is None:
        raise Imprecise(f"{expr} may not exist")
    near = flint.arb(guess)
    for width in range(flint.ctx.prec - 8, 8, -16):
        radius = flint.arb(2) ** (-width)
        below, above = near * (1 - radius), near * (1 + radius)
        ends = [k * (x.log() * b).exp() - l * x - c for x in (below, above)]
        if expr.upward and ends[0] < 0 and ends[1] > 0:
            return below.union(above)
        if not expr.upward and ends[0] > 0 and ends[1] < 0:
            return below.union(above)
    raise Imprecise(f"{expr} could not be enclosed")


@lru_cache(maxsize=4096)
def _crossing(k: str, c: str, l: str, b: str, upward: bool, precision: int) -> str | None:
    """An approximation of a root [B] in decimal digits, or None."""
    with mpmath.workprec(precision):
        guess = crossings(*(mpmath.mpf(text) for text in (k, c, l, b)))[upward]
        if mpmath.isnan(guess) or guess <= 0:
            return None
        return str(mpmath.nstr(guess, mpmath.mp.dps + 5))
