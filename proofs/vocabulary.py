"""The words of the language of claims beside symbols and formulas: comparisons and functions."""

import ast
import difflib
from collections.abc import Callable, Mapping

import sympy as sp

from logca.derive.catalogue import names
from logca.derive.symbols import TABLE

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
"""What has no derivative where its case changes."""

RESERVED = ("latency", "oo", "exists", "implies", "iff", "diff", "limit", *FUNCTIONS)


def unknown(name: str) -> str:
    """What to say of a name that means nothing here [text].

    Parameters
    ----------
    name : str
        The name [text].

    Examples
    --------
    >>> unknown("gZ9q")
    "unknown name 'gZ9q'; `logca formula` lists them"
    """
    near = difflib.get_close_matches(name, [*TABLE, *names(), *RESERVED], n=3, cutoff=0.5)
    hint = f"; did you mean {', '.join(near)}?" if near else "; `logca formula` lists them"
    shown = name if len(name) <= 40 else f"{name[:40]}..."
    return f"unknown name '{shown}'{hint}"
