"""_Growth of terms in powers, logarithms and exponentials, as a symbol goes to infinity.

Each term behaves as ``c * exp(r) * v**a * log(v)**b`` with a sum r of growing terms: of two the one
grows faster whose r, then a, then b is larger. Where a logarithm or a power of a sum is replaced by
that of its largest term, what is lost may matter if the largest terms cancel: then nothing is said.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

import sympy as sp

from logca.derive.algebra.asymptotics import UnorderedExponents, sign_of

__all__ = ["limit_by_growth"]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Growth:
    """The behaviour of an expression: ``coefficient * exp(rate) * v**exponent * log(v)**logs``."""

    coefficient: sp.Expr = sp.S.One  # [any unit]
    rate: sp.Expr = sp.S.Zero  # [1]
    exponent: sp.Expr = sp.S.Zero  # [1]
    logs: sp.Expr = sp.S.Zero  # [1]
    exact: bool = True  # whether the expression is that, and does not only behave so

    def times(self, other: "_Growth") -> "_Growth":
        """The behaviour of a product."""
        return _Growth(
            coefficient=self.coefficient * other.coefficient,
            rate=sp.expand(self.rate + other.rate),
            exponent=self.exponent + other.exponent,
            logs=self.logs + other.logs,
            exact=self.exact and other.exact,
        )

    def power(self, by: sp.Expr) -> "_Growth":
        """The behaviour of a power."""
        return _Growth(
            coefficient=self.coefficient**by,
            rate=sp.expand(self.rate * by),
            exponent=self.exponent * by,
            logs=self.logs * by,
            exact=self.exact,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reading:
    """One reading of an expression: what tends to infinity, and what is taken for granted."""

    variable: sp.Symbol
    ordering: tuple[sp.Rel, ...]
    conditions: list[sp.Basic]  # coefficients that must not vanish

    def leading(self, expr: sp.Expr) -> _Growth:
        if not expr.has(self.variable):
            return _Growth(coefficient=expr)
        if expr == self.variable:
            return _Growth(exponent=sp.S.One)
        if isinstance(expr, sp.Mul):
            found = _Growth()
            for factor in expr.args:
                found = found.times(self.leading(factor))
            return found
        if isinstance(expr, sp.Add):
            return self._sum(expr)
        if isinstance(expr, sp.exp):
            return self._exponential(expr.args[0])
        if isinstance(expr, sp.log):
            return self._logarithm(expr.args[0])
        if isinstance(expr, sp.Pow):
            if expr.exp.has(self.variable):
                # a power of zero is zero, and no exponential
                self._must_be_positive(self.leading(expr.base).coefficient)
                return self._exponential(expr.exp * sp.log(expr.base))
            return self._power(self.leading(expr.base), expr.exp)
        raise UnorderedExponents(f"the growth of {expr}")

    def _power(self, base: _Growth, by: sp.Expr) -> _Growth:
        if not by.is_Integer:
            self._must_be_positive(base.coefficient)
        return base.power(by)

    def _must_be_positive(self, coefficient: sp.Expr) -> None:
        if coefficient.is_positive:
            return
        if coefficient.is_nonpositive:
            raise UnorderedExponents(f"{coefficient} is not positive")
        self.conditions.append(sp.Gt(coefficient, 0, evaluate=False))

    def _sum(self, expr: sp.Expr) -> _Growth:
        over, under = sp.fraction(sp.together(expr))
        if under.has(self.variable):
            return self.leading(over).times(self._power(self.leading(under), sp.S.NegativeOne))
        total = sp.expand(over)
        if not isinstance(total, sp.Add):
            return self.leading(total).times(_Growth(coefficient=1 / under))
        terms = [self.leading(term) for term in total.args]
        while terms:
            largest = terms[0]
            for term in terms[1:]:
                if self.compare(term, largest) > 0:
                    largest = term
            alike = [term for term in terms if self.compare(term, largest) == 0]
            smaller = [term for term in terms if term not in alike]
            coefficient = sp.factor(sum((term.coefficient for term in alike), sp.S.Zero))
            if coefficient != 0:
                if smaller:
                    self.must_not_vanish(coefficient)
                exact = not smaller and all(term.exact for term in alike)
                return replace(largest, coefficient=coefficient / under, exact=exact)
            if not all(term.exact for term in alike):
                raise UnorderedExponents(f"the largest terms of {expr} cancel")
            terms = smaller
        return _Growth(coefficient=sp.S.Zero)

    def must_not_vanish(self, coefficient: sp.Expr) -> None:
        if not coefficient.is_nonzero:
            self.conditions.append(sp.Ne(coefficient, 0, evaluate=False))

    def _exponential(self, exponent: sp.Expr) -> _Growth:
        found = _Growth()
        for term in sp.Add.make_args(sp.expand(exponent)):
            here = self.leading(term)
            grows = self.direction(here)
            if grows < 0:
                found = replace(found, exact=False)
            elif grows == 0:
                found = found.times(_Growth(coefficient=sp.exp(here.coefficient), exact=here.exact))
            elif not here.exact:
                raise UnorderedExponents(f"the growth of exp({term})")
            elif (here.rate, here.exponent, here.logs) == (0, 0, 1):
                found = found.times(_Growth(exponent=here.coefficient))
            else:
                found = found.times(_Growth(rate=term))
        return found

    def _logarithm(self, argument: sp.Expr) -> _Growth:
        inner = self.leading(argument)
        if inner.rate != 0:
            return replace(self.leading(inner.rate), exact=False)
        if self.sign(inner.exponent) != 0:
            exact = inner.exact and inner.coefficient == 1 and inner.logs == 0
            return _Growth(coefficient=inner.exponent, logs=sp.S.One, exact=exact)
        if inner.logs != 0:
            raise UnorderedExponents(f"the growth of log({argument})")
        if inner.coefficient != 1:
            self.must_not_vanish(inner.coefficient - 1)
            return _Growth(coefficient=sp.log(inner.coefficient), exact=inner.exact)
        # log(1 + x) behaves as x for a small x
        return replace(self.leading(sp.expand(argument - 1)), exact=False)

    def sign(self, expr: sp.Expr) -> int:
        """Sign of an expression without the variable; that of a logarithm is its argument's."""
        expr = sp.expand_log(sp.expand(expr))
        if expr == 0:
            return 0
        number, rest = expr.as_coeff_Mul()
        logs = [factor for factor in sp.Mul.make_args(rest) if isinstance(factor, sp.log)]
        if len(logs) == 1:
            others = sp.Mul(*(f for f in sp.Mul.make_args(rest) if f is not logs[0]))
            return self.sign(number * others) * sign_of(logs[0].args[0] - 1, self.ordering)
        return sign_of(expr, self.ordering)

    def compare(self, one: _Growth, other: _Growth) -> int:
        """1 if one grows faster than the other, -1 if slower, 0 if they grow alike [1]."""
        return self.direction(one.times(replace(other.power(sp.S.NegativeOne), coefficient=1)))

    def direction(self, growth: _Growth) -> int:
        """1 if a term goes to infinity, -1 if it goes to 0, 0 if it goes to its coefficient [1]."""
        rate = sp.expand(growth.rate)
        if rate != 0:
            fastest = self.leading(rate)
            return self.sign(fastest.coefficient)
        return self.sign(growth.exponent) or self.sign(growth.logs)


def limit_by_growth(
    expr: sp.Expr, variable: sp.Symbol, to: sp.Expr, ordering: Iterable[sp.Rel] = ()
) -> tuple[sp.Expr, tuple[sp.Basic, ...]]:
    """Limit of an expression [its unit] for a symbol to oo or to 0, and what it takes for granted.

    Examples
    --------
    >>> from logca.derive.core.symbols import beta, g
    >>> limit_by_growth(sp.log(g)/g**beta, g, sp.oo)
    (0, ())
    >>> limit_by_growth((1 + 1/g)**g, g, sp.oo)
    (E, ())
    """
    if to == 0:
        expr = expr.xreplace({variable: 1 / variable})
    reading = _Reading(variable=variable, ordering=tuple(ordering), conditions=[])
    found = reading.leading(expr)
    direction = reading.direction(found)
    if direction < 0 or found.coefficient == 0:
        return sp.S.Zero, tuple(reading.conditions)
    if direction == 0:
        return found.coefficient, tuple(reading.conditions)
    reading.must_not_vanish(found.coefficient)
    if found.coefficient.is_nonnegative or found.coefficient.is_nonpositive:
        return (sp.oo if found.coefficient.is_nonnegative else -sp.oo), tuple(reading.conditions)
    return sp.oo * reading.sign(found.coefficient), tuple(reading.conditions)
