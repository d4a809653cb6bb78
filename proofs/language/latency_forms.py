"""Expressions of claims in one form of latency, with what they need to exist."""

from functools import lru_cache

import sympy as sp

from logca.derive.core.symbols import FORMS
from logca.proofs.terms.definedness import definedness

__all__ = ["in_form", "with_binomials_as_products", "without_poles"]


@lru_cache(maxsize=1024)
def in_form(expr: sp.Expr, domain: tuple[sp.Basic, ...], latency: str) -> tuple[sp.Expr, sp.Basic]:
    """An expression [its unit] and the condition for its existence under one form of latency."""
    exists = sp.And(*domain, *definedness(expr))
    inserted = (part.subs(FORMS[latency], simultaneous=True) for part in (expr, exists))
    return next(inserted), next(inserted)


def with_binomials_as_products(expr: sp.Expr) -> sp.Expr:
    """Binomials of integral order as polynomials in the other argument [unit of expr]."""
    orders = {b: b.args[1] for b in expr.atoms(sp.binomial)}
    return expr.xreplace({b: sp.expand_func(b) for b, order in orders.items() if order.is_Integer})


def without_poles(expr: sp.Expr) -> sp.Expr:
    """The expression with zero in branches that would divide by zero [unit of the expression].

    The divisor is known not to vanish, so they are not taken; SymPy divides in every branch.

    Examples
    --------
    >>> from logca.derive.core.symbols import A, beta
    >>> without_poles(1 / sp.Piecewise((A, beta > 1), (0, True)))
    Piecewise((1/A, beta > 1), (0, True))
    """
    poles = {
        part: sp.Piecewise(*((sp.S.Zero if b.has(sp.zoo) else b, c) for b, c in part.args))
        for part in expr.atoms(sp.Piecewise)
        if part.has(sp.zoo)
    }
    return expr.xreplace(poles)
