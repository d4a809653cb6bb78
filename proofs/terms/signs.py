"""Signs evident factor by factor or from hypotheses."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import sympy as sp

from logca.derive.algebra.expansion import expand
from logca.derive.algebra.fractions import as_fraction
from logca.proofs.terms.elimination import conjuncts

__all__ = ["Signs"]


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
