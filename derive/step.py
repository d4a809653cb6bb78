"""One step of a derivation: an equation, what it follows from, and how to verify it again."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import mpmath
import sympy as sp

from logca.derive.algebra import is_zero
from logca.derive.asymptotics import generic_point

__all__ = ["DerivationError", "Leaves", "Step"]

Leaves = Callable[[sp.Eq, sp.Eq], Iterable[sp.Expr]]


class DerivationError(ValueError):
    """A step that does not follow from the one before it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One equation of a derivation and why it holds.

    Parameters
    ----------
    name : str
        What was done [text].
    relation : sympy.Eq
        The equation reached; both sides have the same unit [any].
    before : sympy.Eq or None
        The equation it follows from; None where the derivation starts [any].
    leaves : callable or None
        Finds, from the equation before and the one reached, expressions that vanish identically
        if, and only if, the step is right; None for a definition [any].
    approaches : tuple or None
        For a limit (expression, variable, destination, ordering); else None [any].
    """

    name: str
    relation: sp.Eq
    before: sp.Eq | None = None
    leaves: Leaves | None = field(default=None, compare=False, repr=False)
    approaches: tuple[sp.Expr, sp.Symbol, sp.Expr, tuple[sp.Rel, ...]] | None = None

    @property
    def posed(self) -> bool:
        """Whether the equation is a definition or a question, with nothing to verify [1]."""
        return self.leaves is None and self.approaches is None

    def check(self) -> bool:
        """Verify the step anew: identities by algebra, limits by evaluation far out [1]."""
        if self.approaches is not None:
            return _approaches(*self.approaches, self.relation.rhs)
        if self.leaves is None:
            return True
        return all(is_zero(expr) for expr in self.leaves(self.before, self.relation))


def _approaches(
    expr: sp.Expr, variable: sp.Symbol, to: sp.Expr, ordering: tuple[sp.Rel, ...], value: sp.Expr
) -> bool:
    """Evaluate at 10**+-400 with generic parameters and compare with the claimed limit."""
    point = generic_point(expr.free_symbols | value.free_symbols, ordering)
    far = sp.Integer(10) ** (400 if to is sp.oo else -400)
    with mpmath.workdps(60):
        there = sp.N(expr.subs({**point, variable: far}), 60)
        claimed = value if value in (sp.oo, sp.S.Zero) else sp.N(value.subs(point), 60)
    if claimed is sp.oo:
        return bool(there > sp.Integer(10) ** 20)
    return bool(abs(there - claimed) <= sp.Rational(1, 10**20) * (1 + abs(claimed)))
