"""Equations among hypotheses, used to eliminate symbols."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import sympy as sp
from sympy.logic.boolalg import Boolean

from logca.derive.algebra.expansion import expand
from logca.derive.algebra.fractions import as_fraction
from logca.derive.core.symbols import beta
from logca.proofs.terms.definedness import too_long_to_expand

__all__ = ["Signs", "conjuncts", "eliminate", "substitute", "termwise_sign"]


def eliminate(
    hypotheses: Sequence[sp.Basic], *, everywhere: bool = True
) -> tuple[dict[sp.Symbol, sp.Expr], list[sp.Basic]]:
    """Solve the equations among the hypotheses for symbols in which they are linear.

    Returns the solved symbols, and the other hypotheses with the solutions inserted [any unit].

    Examples
    --------
    >>> from logca.derive.core.symbols import A, C, r, x, y
    >>> eliminate([sp.Eq(C * A, C * r)])[0]
    {A: r}
    >>> eliminate([sp.Eq((x - y) * A, (x - y) * r)])[0]
    {}
    """
    solved, rest = _eliminate(tuple(hypotheses), everywhere)
    return dict(solved), list(rest)


@lru_cache(maxsize=128)
def _eliminate(
    hypotheses: tuple[sp.Basic, ...], everywhere: bool
) -> tuple[dict[sp.Symbol, sp.Expr], list[sp.Basic]]:
    solved: dict[sp.Symbol, sp.Expr] = {}
    rest: list[sp.Basic] = []
    for hypothesis in conjuncts(hypotheses):
        if isinstance(hypothesis, sp.Eq):
            residual = substitute(hypothesis.lhs - hypothesis.rhs, solved)
            known = _nonvanishing(hypotheses, solved) if everywhere else None
            numerator = sp.fraction(sp.together(residual))[0]
            symbol = _linear_symbol(numerator, known)
            if symbol is not None:
                slope = sp.diff(numerator, symbol)
                value = sp.cancel(-numerator.xreplace({symbol: sp.S.Zero}) / slope)
                if value.is_negative or (value.is_zero and symbol.is_positive):
                    return {}, [sp.false]
                solved = {key: old.xreplace({symbol: value}) for key, old in solved.items()}
                solved[symbol] = value
                continue
        rest.append(hypothesis)
    return solved, [substitute(hypothesis, solved) for hypothesis in rest]


def _nonvanishing(
    hypotheses: Sequence[sp.Basic], solved: Mapping[sp.Symbol, sp.Expr]
) -> set[sp.Expr]:
    """Differences that hypotheses say are not zero, of either sign."""
    found: set[sp.Expr] = set()
    for statement in conjuncts(hypotheses):
        if isinstance(statement, sp.Gt | sp.Lt | sp.Ne):
            difference = substitute(statement.lhs - statement.rhs, solved)
            found |= {expand(difference), expand(-difference)}
    return found


def conjuncts(hypotheses: Sequence[sp.Basic]) -> Iterator[sp.Basic]:
    """The hypotheses with conjunctions taken apart [1]."""
    for hypothesis in hypotheses:
        if isinstance(hypothesis, sp.And):
            yield from conjuncts(hypothesis.args)
        else:
            yield hypothesis


def _linear_symbol(numerator: sp.Expr, known: set[sp.Expr] | None) -> sp.Symbol | None:
    for symbol in sorted(
        numerator.free_symbols,
        key=lambda s: (s == beta and len(numerator.free_symbols) > 1, str(s)),
    ):
        slope = sp.diff(numerator, symbol)
        if slope == 0 or expand(slope).has(symbol):
            continue
        if known is None or _vanishes_nowhere(slope, known):
            return symbol
    return None


def _vanishes_nowhere(slope: sp.Expr, known: set[sp.Expr]) -> bool:
    for factor in sp.Mul.make_args(sp.factor(slope)):
        base, _ = factor.as_base_exp()
        if not (base.is_nonzero or expand(base) in known or termwise_sign(base) in ("+", "-")):
            return False
    return True


def termwise_sign(factor: sp.Expr) -> str:
    """'+', '-', '0+', '0-', '0' or '?', from the symbols of a factor or from its terms.

    Examples
    --------
    >>> from logca.derive.core.symbols import A, C, L0, o
    >>> termwise_sign(A + o), termwise_sign(o + L0), termwise_sign(A - C)
    ('+', '0+', '?')
    """
    if factor == 0:
        return "0"
    if factor.is_positive:
        return "+"
    if factor.is_negative:
        return "-"
    for sign, name in ((1, "+"), (-1, "-")):
        terms = [sign * term for term in sp.Add.make_args(expand(factor))]
        if all(term.is_nonnegative for term in terms):
            strict = any(term.is_positive for term in terms)
            return name if strict else "0" + name
    return "?"


def substitute(expr: sp.Basic, solved: Mapping[sp.Symbol, sp.Expr]) -> sp.Basic:
    """The expression with solved symbols replaced, but for huge powers [unit of the expression].

    A statement about what has no value there does not hold there.
    """
    if not solved:
        return expr
    if isinstance(expr, sp.And | sp.Or | sp.Not):
        return expr.func(*[substitute(part, solved) for part in expr.args])
    try:
        kept = too_long_to_expand(expr, solved)
        values = {symbol: value for symbol, value in solved.items() if symbol not in kept}
        result = expr.xreplace(values)
    except (TypeError, ValueError):
        result = sp.nan
    absent = isinstance(expr, Boolean) and result.has(sp.zoo, sp.nan)
    return sp.false if absent else result


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
                self.positive.add(expand(part.gts - part.lts))

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
            known = expand(base if exponent.is_Integer else factor)
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
            cleared = expand(numerator * (denominator if sign == 0 else sign))
            self._cleared[left, right] = cleared
        return self._cleared[left, right]
