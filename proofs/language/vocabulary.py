"""Words of the claim language: comparisons, functions, formulas in one form of latency."""

import ast
from collections.abc import Callable, Mapping
from functools import lru_cache

import sympy as sp

from logca.common.near_misses import did_you_mean
from logca.derive.core.catalogue import names
from logca.derive.core.symbols import FORMS, TABLE
from logca.proofs.terms.definedness import definedness

__all__ = [
    "COMPARISONS",
    "FUNCTIONS",
    "KINKED",
    "RESERVED",
    "in_form",
    "unknown",
    "with_binomials_as_products",
    "without_poles",
]

COMPARISONS: Mapping[type[ast.cmpop], Callable[[sp.Expr, sp.Expr], sp.Basic]] = {
    ast.Eq: lambda a, b: sp.Eq(a, b, evaluate=False),
    ast.NotEq: lambda a, b: sp.Ne(a, b, evaluate=False),
    ast.Lt: lambda a, b: sp.Lt(a, b, evaluate=False),
    ast.LtE: lambda a, b: sp.Le(a, b, evaluate=False),
    ast.Gt: lambda a, b: sp.Gt(a, b, evaluate=False),
    ast.GtE: lambda a, b: sp.Ge(a, b, evaluate=False),
}

FUNCTIONS: Mapping[str, tuple[int, Callable[..., sp.Expr]]] = {
    "log": (1, sp.log),
    "exp": (1, sp.exp),
    "sqrt": (1, sp.sqrt),
    "abs": (1, sp.Abs),
    "min": (2, sp.Min),
    "max": (2, sp.Max),
}

KINKED = (sp.Abs, sp.Min, sp.Max, sp.Piecewise)
"""Functions without a derivative where their case changes."""

RESERVED = ("latency", "oo", "exists", "implies", "iff", "diff", "limit", *FUNCTIONS)


def unknown(name: str) -> str:
    """The message about a name that means nothing here.

    Examples
    --------
    >>> unknown("gZ9q")
    "unknown name 'gZ9q'; `logca formula` lists them"
    """
    known = (*TABLE, *names(), *RESERVED)
    hint = did_you_mean(name, known, most=3, cutoff=0.5, quote=str) or "`logca formula` lists them"
    shown = name if len(name) <= 40 else f"{name[:40]}..."
    return f"unknown name '{shown}'; {hint}"


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
