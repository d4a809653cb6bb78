"""Words of the claim language: comparisons, functions, and what a name can be."""

import ast
from collections.abc import Callable, Mapping

import sympy as sp

from logca.common.near_misses import did_you_mean
from logca.derive.core.catalogue import names
from logca.derive.core.symbols import TABLE

__all__ = ["COMPARISONS", "FUNCTIONS", "KINKED", "RESERVED", "unknown"]

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
