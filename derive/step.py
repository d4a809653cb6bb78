"""One step of a derivation: an equation, what it follows from, and how to verify it again."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import mpmath
import sympy as sp

from logca.derive.algebra import is_zero
from logca.derive.asymptotics import generic_point

__all__ = ["DerivationError", "Leaves", "Step", "tends", "vanishing"]

Leaves = Callable[[sp.Eq, sp.Eq], Iterable[sp.Expr]]
Follows = Callable[[sp.Eq, sp.Eq], bool]


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
    follows : callable or None
        Verifies that the equation reached follows from the one before; None for a definition [1].
    """

    name: str
    relation: sp.Eq
    before: sp.Eq | None = None
    follows: Follows | None = field(default=None, compare=False, repr=False)

    @property
    def posed(self) -> bool:
        """Whether the equation is a definition or a question, with nothing to verify [1]."""
        return self.follows is None

    def check(self) -> bool:
        """Verify the step anew: identities by algebra, limits by evaluation far out [1]."""
        return self.follows is None or self.follows(self.before, self.relation)


def vanishing(leaves: Leaves) -> Follows:
    """Verifies that expressions, from the equations before and after, vanish identically [any]."""
    return lambda old, new: all(is_zero(expr) for expr in leaves(old, new))


def tends(variable: sp.Symbol, to: sp.Expr, ordering: tuple[sp.Rel, ...]) -> Follows:
    """Verifies a limit of the right-hand side before, by evaluation far out [its unit]."""
    return lambda old, new: _approaches(old.rhs, variable, to, ordering, new.rhs)


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
