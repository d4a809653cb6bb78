"""What the model says about the equation `effective_index*g**beta = overhead + latency*g`.

Formulas of the catalogue with the coefficients of that equation in place of the parameters. They
come without the assumptions of their symbols: programs test what the formulas take for granted.
"""

import sympy as sp

from logca.derive.catalogue import formula
from logca.derive.granularity import EFFECTIVE_INDEX, EQUATION
from logca.derive.symbols import FORMS, L0, L1, C, beta, g, o, s
from logca.numeric.generate.statements import statements

__all__ = [
    "BETA",
    "INDEX",
    "LATENCY",
    "OVERHEAD",
    "G",
    "at_target",
    "logarithm",
    "plain",
    "sides",
    "stated",
]

INDEX, OVERHEAD, LATENCY = sp.symbols("effective_index overhead latency", positive=True)
"""The coefficients [cycles/B**beta], [cycles], [cycles/B]."""

BETA, G = beta, g
"""Exponent [1] and granularity [B]."""


def plain(expr: sp.Basic) -> sp.Basic:
    """The same without assumptions on symbols, so that no relation is decided beforehand [same]."""
    return expr.xreplace({symbol: sp.Symbol(symbol.name) for symbol in expr.free_symbols})


def stated(name: str) -> sp.Expr:
    """A formula of the catalogue in terms of the coefficients [unit of the formula]."""
    return _inserted(formula(name).expr)


def sides() -> tuple[sp.Expr, sp.Expr]:
    """Both sides of the equation, the power and the cost [cycles]."""
    return _inserted(EQUATION.relation.lhs), _inserted(EQUATION.relation.rhs)


def _inserted(expr: sp.Expr) -> sp.Expr:
    index = C * INDEX / EFFECTIVE_INDEX.expr
    return expr.subs({C: index, o: OVERHEAD, L0: 0, L1: LATENCY}, simultaneous=True)


def logarithm(name: str) -> sp.Expr:
    """Logarithm of a power or the larger of two, without the power that may overflow [1]."""
    expr = stated(name)
    if isinstance(expr, sp.Max):
        return sp.Max(*map(_exponent_times_logarithm, expr.args))
    return _exponent_times_logarithm(expr)


def _exponent_times_logarithm(expr: sp.Expr) -> sp.Expr:
    base, exponent = sp.powsimp(expr, combine="base", force=True).as_base_exp()
    return exponent * sp.log(base)


def at_target(target: sp.Expr, latency: str) -> tuple[sp.Expr, sp.Expr, sp.Expr]:
    """The coefficients for a target speedup in terms of the parameters, under a form of latency.

    Parameters
    ----------
    target : sympy.Expr
        Target speedup [1].
    latency : str
        Form of latency, "constant" or "linear" [text].

    Returns
    -------
    tuple of sympy.Expr
        Effective index [cycles/B**beta], overhead [cycles] and latency [cycles/B].
    """
    index = dict(statements([EFFECTIVE_INDEX.expr], latency).assignments)["effective_index"]
    cost = sp.Poly(EQUATION.relation.rhs.subs(FORMS[latency], simultaneous=True), g)
    return index.subs(s, target), cost.coeff_monomial(1), cost.coeff_monomial(g)
