"""When an expression exists, and when its powers have too many digits to write out."""

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

import sympy as sp
from sympy.logic.boolalg import BooleanFunction

from logca.derive.algebra.trinomial import TrinomialRoot, crossing_cases

__all__ = [
    "Defined",
    "RootExists",
    "assumed",
    "conditions",
    "definedness",
    "power_condition",
    "too_long_to_expand",
    "too_many_digits",
    "why_not_expanded",
]

_BITS = 200_000
_DEGREE = 1000
_TYPED_BITS = 40_000
_TYPED_EXPONENT = 100


def why_not_expanded(base: sp.Expr, exponent: sp.Expr) -> str:
    """Why a power that somebody typed is not taken, such as too many digits; else "".

    Examples
    --------
    >>> why_not_expanded(sp.Integer(9), sp.Integer(99)), why_not_expanded(sp.E, sp.exp(50))
    ('', 'this number has too many digits')
    """
    if base is sp.E:
        long = bool(exponent.is_number and exponent > _TYPED_BITS)
        return "this number has too many digits" if long else ""
    if not exponent.is_Rational:
        return ""
    if abs(exponent) > _TYPED_EXPONENT:
        return f"numeric exponents are at most {_TYPED_EXPONENT} in size"
    if exponent.q > _TYPED_EXPONENT:
        return f"numeric exponents have denominators of at most {_TYPED_EXPONENT}"
    if base.is_Rational:
        bits = max(int(base.p).bit_length(), int(base.q).bit_length())
        if bits * abs(exponent) > _TYPED_BITS:
            return "this number has too many digits"
    return ""


def too_many_digits(base: sp.Expr, exponent: sp.Expr) -> bool:
    """True if a power of a number has too many digits, or one of a symbol too high a degree [1].

    Examples
    --------
    >>> [too_many_digits(sp.Integer(7), sp.Integer(exponent)) for exponent in (10**9, 10)]
    [True, False]
    """
    if not exponent.is_Rational or base in (0, 1, -1):
        return False
    if not base.is_Rational:
        return max(abs(int(exponent.p)), int(exponent.q)) > _DEGREE
    return bool(int(max(abs(base.p), base.q)).bit_length() * abs(exponent) > _BITS)


def too_long_to_expand(expr: sp.Basic, values: Mapping[sp.Symbol, sp.Expr]) -> set[sp.Symbol]:
    """Symbols with values that, inserted, make a huge power: of its exponent, else base [any].

    Examples
    --------
    >>> from logca.derive.core.symbols import beta, g
    >>> too_long_to_expand(g**beta, {g: sp.Integer(7), beta: sp.Integer(10) ** 9})
    {beta}
    """
    found: set[sp.Symbol] = set()
    touched = [p for p in expr.atoms(sp.Pow) if p.free_symbols & values.keys()]
    for power in sorted(touched, key=sp.count_ops):
        kept = {symbol: value for symbol, value in values.items() if symbol not in found}
        base, exponent = (part.xreplace(kept) for part in power.args)
        if too_many_digits(base, exponent):
            found |= (power.exp.free_symbols or power.base.free_symbols) & values.keys()
    return found


def definedness(expr: sp.Basic) -> tuple[sp.Basic, ...]:
    """Conditions under which every part of an expression exists [1].

    Examples
    --------
    >>> from logca.derive.core.symbols import A
    >>> definedness(1 / (A - 1))
    (Ne(A - 1, 0),)
    """
    return tuple(dict.fromkeys(c for c in _walk(expr) if c is not sp.true))


def _walk(expr: sp.Basic) -> Iterator[sp.Basic]:
    if isinstance(expr, sp.Piecewise):
        yield from _branches(expr)
        return
    yield from conditions(expr)
    for part in expr.args:
        yield from _walk(part)


def _branches(expr: sp.Piecewise) -> Iterator[sp.Basic]:
    """A branch must exist where it is taken."""
    earlier: list[sp.Basic] = []
    for branch, guard in expr.args:
        taken = sp.And(guard, *[sp.Not(other) for other in earlier])
        for condition in _walk(branch):
            yield sp.Or(sp.Not(taken), Defined(condition))
        earlier.append(guard)


def conditions(part: sp.Basic) -> tuple[sp.Basic, ...]:
    """Conditions under which one function exists where its arguments do [1]."""
    if isinstance(part, TrinomialRoot):
        return (RootExists(*part.args, sp.true if part.upward else sp.false),)
    if isinstance(part, sp.log) and not part.args[0].is_positive:
        return (part.args[0] > 0,)
    if isinstance(part, sp.Pow) and part.base != sp.E:
        return tuple(c for c in (power_condition(part.base, part.exp),) if c is not sp.true)
    if isinstance(part, sp.asin | sp.acos):
        return (part.args[0] >= -1, part.args[0] <= 1)
    if isinstance(part, sp.acosh):
        return (part.args[0] >= 1,)
    if isinstance(part, sp.LambertW):
        return _lambert(*part.args)
    return ()


def power_condition(base: sp.Expr, exponent: sp.Expr) -> sp.Basic:
    """When a real power exists: a positive base, or zero to a positive exponent [1].

    Integer exponents also take negative bases.

    Examples
    --------
    >>> from logca.derive.core.symbols import A, beta, o
    >>> power_condition(A - 1, 1 / beta), power_condition(o, beta - 1)
    (A - 1 >= 0, (o > 0) | (beta - 1 > 0))
    """
    if base.is_positive:
        return sp.true
    if exponent.is_Integer:
        return sp.Ne(base, 0, evaluate=False) if exponent < 0 else sp.true
    vanishing = sp.true if base.is_nonnegative else sp.Ge(base, 0, evaluate=False)
    if exponent.is_positive:
        return vanishing
    above = sp.Gt(base, 0, evaluate=False)
    if exponent.is_nonpositive or exponent == base:
        return above
    return sp.Or(above, sp.And(vanishing, sp.Gt(exponent, 0, evaluate=False)))


def _lambert(z: sp.Expr, branch: sp.Expr = sp.S.Zero) -> tuple[sp.Basic, ...]:
    if branch == 0 and z.is_nonnegative:
        return ()
    inside = sp.Ge(sp.E * z, -1, evaluate=False)
    return (inside,) if branch == 0 else (inside, sp.Lt(z, 0, evaluate=False))


class Defined(BooleanFunction):
    """That something exists, by conditions parts of which may not exist either [1].

    Where one of the others fails such a part has no value. Facts about its value hold if the whole
    is known to hold, but not in a proof that asks whether it does.
    """

    nargs = (1,)

    @classmethod
    def eval(cls, condition: sp.Basic) -> sp.Basic | None:
        """The condition itself where all its parts exist [1]."""
        whole = _whole(condition)
        return None if definedness(whole) else whole


def assumed(hypotheses: Iterable[sp.Basic]) -> list[sp.Basic]:
    """Hypotheses whose parts all exist; those of which that is not known are left out [1].

    Examples
    --------
    >>> from logca.derive.core.symbols import A, beta
    >>> case = sp.Or(beta < 1, Defined(sp.log(A - 1) > 2, evaluate=False))
    >>> assumed([case]), assumed([case, beta >= 1])
    ([], [log(A - 1) > 2, beta >= 1])
    """
    known = [*hypotheses]
    found = []
    for hypothesis in known:
        if not hypothesis.has(Defined):
            found.append(hypothesis)
            continue
        cases = [case for case in sp.Or.make_args(hypothesis) if sp.Not(case) not in known]
        if len(cases) == 1 and isinstance(cases[0], Defined):
            found.append(cases[0].args[0])
    return found


def _whole(condition: sp.Basic) -> sp.Basic:
    """The condition with its fractions multiplied out."""
    if isinstance(condition, sp.And | sp.Or | sp.Not):
        return condition.func(*map(_whole, condition.args))
    if isinstance(condition, sp.Rel):
        over, under = sp.fraction(sp.together(condition.lhs - condition.rhs))
        if not under.is_positive:
            return condition.func(over * under, 0, evaluate=False)
    return condition


class RootExists(BooleanFunction):
    """That ``k*x**b = c + l*x`` has the upward (or downward) crossing; see `condition` [1]."""

    nargs = (5,)

    @classmethod
    def eval(
        cls, k: sp.Expr, c: sp.Expr, l: sp.Expr, b: sp.Expr, upward: sp.Basic
    ) -> sp.Basic | None:
        """The condition itself where it is simple [1]."""
        if l == 0:
            return sp.And(k > 0, c > 0) if upward else sp.false
        if b == 1:
            return sp.And(k > l, c > 0) if upward else sp.false
        if c == 0 and not upward:
            return sp.And(k > 0, l > 0, b < 1)
        return None

    def condition(self) -> sp.Basic:
        """The exact condition [1].

        Its cases are those of `logca.derive.algebra.trinomial.crossing_cases`.
        """
        return _crossing_exists(*self.args)


@lru_cache(maxsize=1024)
def _crossing_exists(k: sp.Expr, c: sp.Expr, l: sp.Expr, b: sp.Expr, upward: sp.Basic) -> sp.Basic:
    if l.is_nonpositive:
        return sp.And(k > 0, c > 0) if upward else sp.false
    cases = crossing_cases(k, c, l, b, upward=bool(upward))
    rising = [sp.And(l > 0, case, condition) for case, condition in cases]
    return sp.And(k > 0, sp.Or(*rising, sp.And(l <= 0, c > 0) if upward else sp.false))
