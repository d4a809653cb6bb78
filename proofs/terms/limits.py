"""Limits inside claims: kept until the order of exponents is known; a second opinion by Gruntz.

Gruntz is wrong with symbolic exponents, but right where the exponent is a number.
"""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import cache
from typing import Any

import sympy as sp
from sympy.core.relational import Relational

from logca.derive.algebra.asymptotics import (
    UnorderedExponents,
    dominant_term,
    leading_value,
    power_sums,
)
from logca.derive.algebra.identities import is_zero
from logca.derive.algebra.trinomial import TrinomialRoot
from logca.derive.core.symbols import TABLE, beta
from logca.proofs.terms.definedness import RootExists, definedness
from logca.proofs.terms.elimination import eliminate, substitute
from logca.proofs.terms.growth import limit_by_growth

__all__ = [
    "PowerLimit",
    "bound_variable",
    "free_variable",
    "gruntz_agrees_at",
    "resolve_limits",
]


class PowerLimit(sp.Function):
    """Limit of an expression [its unit] as a symbol tends to 0 from above, to oo or to a number.

    The last argument says when the expression exists. A root that values make a closed form no
    longer tells that itself, and a quantity has a domain beside its formula.
    """

    nargs = (4,)

    @property
    def free_symbols(self) -> set[sp.Basic]:
        """Symbols of the expression except the one that tends [any unit]."""
        expr, variable, _, exists = self.args
        return set(expr.free_symbols | exists.free_symbols) - {variable}

    def _sympystr(self, printer: Any) -> str:
        return f"limit({', '.join(map(printer.doprint, self.args[:3]))})"


@cache
def bound_variable(variable: sp.Symbol) -> sp.Symbol:
    """The symbol that tends to a limit, told from its namesake outside [its unit]."""
    return sp.Symbol(f"{variable}'", **variable.assumptions0)


def free_variable(condition: sp.Basic) -> sp.Basic:
    """A condition on what tends to a limit, as one on the symbol of that name [1].

    Shown under the hypotheses on the symbol, it holds on the way to the limit if these do.
    """
    bound = {bound_variable(entry.symbol): entry.symbol for entry in TABLE.values()}
    return condition.xreplace(bound)


def resolve_limits(
    statement: sp.Basic, ordering: Iterable[sp.Basic]
) -> tuple[sp.Basic, tuple[sp.Basic, ...]]:
    """The statement with its limits evaluated, and what that takes for granted [unit unchanged].

    A dominant term dominates only if its coefficient does not vanish, and there is a limit only of
    what exists on the way to it: these conditions are returned, to be proved.
    """
    relations = tuple(r for r in ordering if isinstance(r, Relational))
    known, _ = eliminate(relations)
    values: dict[sp.Basic, sp.Expr] = {}
    conditions: list[sp.Basic] = []
    for limit in statement.atoms(PowerLimit):
        expr, variable, to, exists = limit.args
        kept = {k: v for k, v in known.items() if not (k - v).has(variable)}
        expr, exists = substitute(expr, kept), substitute(exists, kept)
        if to not in (sp.oo, sp.S.Zero):
            values[limit], needed = _value(expr, variable, to, exists)
        else:
            values[limit], needed = _limit(expr, variable, to, relations)
            # what is still a root has conditions of its own
            roots = {RootExists(*each.args, each.upward) for each in expr.atoms(TrinomialRoot)}
            exists = exists.xreplace(dict.fromkeys(roots, sp.true))
            conditions += sp.And.make_args(_near(exists, variable, to, relations))
        conditions += needed
    if any(value.has(sp.I, sp.zoo, sp.nan) for value in values.values()):
        raise UnorderedExponents(f"whether there is a limit in {statement}")
    needed = tuple(each for each in dict.fromkeys(conditions) if each is not sp.true)
    return _without_infinities(statement.xreplace(values)), needed


def _near(
    condition: sp.Basic, variable: sp.Symbol, to: sp.Expr, ordering: tuple[Relational, ...]
) -> sp.Basic:
    """A condition without the symbol, under which the given one holds near the limit [1]."""
    if not condition.has(variable):
        return condition
    if isinstance(condition, sp.And | sp.Or):
        return condition.func(*[_near(part, variable, to, ordering) for part in condition.args])
    if isinstance(condition, sp.Ne | sp.Gt | sp.Ge | sp.Lt | sp.Le):
        left, right = condition.args
        if isinstance(condition, sp.Lt | sp.Le):
            left, right = right, left
        try:
            parts = power_sums(left - right)
            sign = sp.Mul(*[dominant_term(part, variable, to, ordering)[1] for part in parts])
            needed: tuple[sp.Basic, ...] = ()
        except UnorderedExponents:
            value, needed = _limit(left - right, variable, to, ordering)
            sign = sp.Integer(1 if value == sp.oo else -1) if value in (sp.oo, -sp.oo) else value
        holds = sp.Ne(sign, 0) if isinstance(condition, sp.Ne) else sp.Gt(sign, 0)
        return sp.And(holds, *needed)
    raise UnorderedExponents(f"whether {condition} near the limit")


_Found = tuple[sp.Expr, tuple[sp.Basic, ...]]


def _limit(
    expr: sp.Expr, variable: sp.Symbol, to: sp.Expr, ordering: tuple[Relational, ...]
) -> _Found:
    """The limit for a symbol to 0 or oo, by the first method that knows the kind of expression."""
    if not expr.has(variable):
        return expr, ()
    if not expr.has(TrinomialRoot, sp.Abs, sp.Min, sp.Max, sp.Piecewise):
        for method in (_by_powers, limit_by_growth, _by_gruntz):
            with suppress(UnorderedExponents):
                return method(expr, variable, to, ordering)
    parts = [_limit(part, variable, to, ordering) for part in expr.args]
    values = [value for value, _ in parts]
    conditions = tuple(condition for _, each in parts for condition in each)
    if isinstance(expr, TrinomialRoot):
        root, needed = _root(expr, values)
        return root, (*conditions, *needed)
    continuous = isinstance(expr, sp.Add | sp.Mul | sp.Abs | sp.Min | sp.Max) or (
        isinstance(expr, sp.Pow) and values[0].is_positive and values[0].is_finite
    )
    if not continuous or any(value.has(sp.oo, -sp.oo) for value in values):
        raise UnorderedExponents(f"the limit of {expr}")
    return expr.func(*values), conditions


def _by_powers(
    expr: sp.Expr, variable: sp.Symbol, to: sp.Expr, ordering: tuple[Relational, ...]
) -> _Found:
    """Limit of a fraction of power sums."""
    value = leading_value(expr, variable, to, ordering)
    if value not in (sp.oo, -sp.oo) and value.has(sp.oo, sp.zoo, sp.nan):
        raise UnorderedExponents(f"the sign of {value}")
    conditions: list[sp.Basic] = []
    for part in power_sums(expr):
        _, coefficient = dominant_term(part, variable, to, ordering)
        if not coefficient.is_nonzero:
            conditions.append(sp.Ne(coefficient, 0, evaluate=False))
    return value, tuple(conditions)


def _by_gruntz(
    expr: sp.Expr, variable: sp.Symbol, to: sp.Expr, ordering: tuple[Relational, ...]
) -> _Found:
    """Limit of an expression without parameters: of others Gruntz does not know the signs."""
    if expr.free_symbols == {variable}:
        with suppress(NotImplementedError, ValueError, TypeError, RecursionError):
            value = sp.limit(expr, variable, to, "+")
            if not value.has(sp.zoo, sp.nan, sp.Limit, sp.AccumBounds):
                return value, ()
    raise UnorderedExponents(f"the limit of {expr}")


def _root(root: TrinomialRoot, values: Sequence[sp.Expr]) -> _Found:
    """Limit of a root whose coefficients have limits: it is continuous where it is crossed.

    There the power has another slope than the line, and so it is for coefficients nearby.
    """
    k, c, l, b = values
    if c == sp.oo and root.upward and not any(each.has(sp.oo) for each in (k, l, b)):
        grows = sp.Or(sp.Gt(b, 1), sp.And(sp.Eq(b, 1), sp.Gt(k, l)), sp.Eq(l, 0))
        return sp.oo, tuple(each for each in (sp.Gt(k, 0), grows) if each is not sp.true)
    if any(each.has(sp.oo, -sp.oo) for each in values):
        raise UnorderedExponents(f"the limit of {root}")
    if l == 0 and not root.upward:  # the later the line overtakes the power, the less it rises
        return sp.oo, tuple(each for each in (sp.Gt(k, 0), sp.Lt(b, 1)) if each is not sp.true)
    if l == 0 or (b == 1 and root.upward):
        found = root.func(k, c, l, b)
        needed = [sp.Gt(k - l if b == 1 else k, 0), sp.Gt(c, 0)]
    else:
        found = root.func(k, c, l, b)
        slope = b * c + (b - 1) * l * found
        needed = [
            *definedness(found),
            sp.Gt(slope, 0, evaluate=False) if root.upward else sp.Lt(slope, 0, evaluate=False),
        ]
    return found, tuple(each for each in needed if each is not sp.true)


def _without_infinities(statement: sp.Basic) -> sp.Basic:
    """A statement in which real numbers are compared with no infinite limit any more [1]."""
    if isinstance(statement, Relational):
        sides = statement.args
        infinite = [side in (sp.oo, -sp.oo) for side in sides]
        if any(
            side.has(sp.oo, -sp.oo) and not known
            for side, known in zip(sides, infinite, strict=True)
        ):
            raise UnorderedExponents(f"whether {statement} holds")
        if not any(infinite):
            return statement
        # what is finite is less than oo and more than -oo, whichever it is
        left, right = (
            side if known else sp.S.Zero for side, known in zip(sides, infinite, strict=True)
        )
        return sp.true if statement.func(left, right) else sp.false
    if isinstance(statement, sp.And | sp.Or | sp.Not):
        return statement.func(*[_without_infinities(part) for part in statement.args])
    return statement


def _value(expr: sp.Expr, variable: sp.Symbol, to: sp.Expr, exists: sp.Basic) -> _Found:
    """The value at a number, and when that is the limit: if the expression exists around it.

    Roots of the trinomial and cases may jump or end there.
    """
    conditions = sp.And.make_args(exists)
    around = [_inside(condition, variable).subs(variable, to) for condition in conditions]
    if expr.has(TrinomialRoot, sp.Piecewise) or sp.false in around:
        raise UnorderedExponents(f"whether the limit for {variable} to {to} is the value there")
    try:
        value = expr.xreplace({variable: to})
    except ValueError:  # no Min or Max of what has no real value there
        value = sp.nan
    if value.has(sp.zoo, sp.oo, sp.nan):
        raise UnorderedExponents(f"the limit for {variable} to {to} is no number")
    return value, tuple(condition for condition in around if condition is not sp.true)


def _inside(condition: sp.Basic, variable: sp.Symbol) -> sp.Basic:
    """A condition on the variable, its border left out [1]."""
    if isinstance(condition, sp.And | sp.Or):
        return condition.func(*[_inside(part, variable) for part in condition.args])
    strict = {sp.Ge: sp.Gt, sp.Le: sp.Lt}.get(type(condition))
    return strict(*condition.args) if strict and condition.has(variable) else condition


def gruntz_agrees_at(
    goal: sp.Basic, given: Sequence[sp.Basic], exponents: Iterable[sp.Rational]
) -> list[sp.Rational]:
    """Exponents, admitted by the hypotheses, at which Gruntz finds the same limits [1]."""
    agreeing = []
    for exponent in exponents:
        here = [statement.subs(beta, exponent) for statement in given]
        if any(statement is sp.false for statement in here):
            continue
        fixed = goal.subs(beta, exponent)
        if all(_agrees(limit, here) for limit in fixed.atoms(PowerLimit)):
            agreeing.append(exponent)
    return agreeing


def _agrees(limit: PowerLimit, given: Sequence[sp.Basic]) -> bool:
    expr, variable, to, _ = limit.args
    try:
        ours, _ = resolve_limits(limit, given)
        theirs = sp.limit(expr, variable, to, "+")
    except (NotImplementedError, ValueError, TypeError, RecursionError):
        return False
    if ours in (sp.oo, -sp.oo) or theirs.has(sp.oo, sp.zoo, sp.nan, sp.Limit):
        return bool(ours == theirs)
    return is_zero(substitute(ours - theirs, eliminate(given)[0]))
