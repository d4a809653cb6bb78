"""The equation `effective_index*g**beta = overhead + latency*g`: its coefficients in a program."""

import sympy as sp

from logca.derive.core.catalogue import formula
from logca.derive.core.symbols import FORMS, L0, L1, TABLE, C, beta, g, o, s
from logca.derive.logca.granularity import EFFECTIVE_INDEX, EQUATION
from logca.numeric.generate.array_functions import parameter_meaning, parameter_unit
from logca.numeric.generate.codegen.tree import Parameter, Statement, TargetFunction
from logca.numeric.generate.statements import statements

__all__ = [
    "BETA",
    "INDEX",
    "LATENCY",
    "OVERHEAD",
    "G",
    "at_target",
    "call",
    "coefficients",
    "helper",
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
    """Expression without assumptions on symbols, so that no relation is decided early [same]."""
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
    """The coefficients for a target speedup in terms of the parameters, under a form of latency."""
    index = dict(statements([EFFECTIVE_INDEX.expr], latency).assignments)["effective_index"]
    cost = sp.Poly(EQUATION.relation.rhs.subs(FORMS[latency], simultaneous=True), g)
    return index.subs(s, target), cost.coeff_monomial(1), cost.coeff_monomial(g)


def call(name: str, *arguments: sp.Expr) -> sp.Expr:
    """A call of a generated function [unit of that function]."""
    return sp.Function(name)(*map(plain, arguments))


def coefficients() -> tuple[sp.Symbol, ...]:
    """The coefficients and the exponent, in the order in which functions take them."""
    return tuple(map(plain, (INDEX, OVERHEAD, LATENCY, BETA)))


def helper(
    name: str, meaning: str, parameters: str, body: tuple[Statement, ...], notes: str
) -> TargetFunction:
    """A function that others need."""
    return TargetFunction(
        name=name,
        meaning=meaning,
        unit=str(TABLE["g"].unit),
        parameters=tuple(map(_parameter, parameters.split())),
        body=body,
        notes=(notes,),
        public=False,
    )


def _parameter(name: str) -> Parameter:
    match name:
        case "effective_index":
            meaning, unit = formula(name).meaning, str(formula(name).unit)
        case "overhead":
            meaning, unit = "overhead and latency per offload", parameter_unit("o", "linear")
        case "latency":
            meaning, unit = TABLE["L1"].meaning, parameter_unit("L", "linear")
        case "beta":
            meaning, unit = parameter_meaning(name), parameter_unit(name, "linear")
        case "g":
            meaning, unit = "an approximation of the root", parameter_unit(name, "linear")
        case "start":
            meaning, unit = "natural logarithm of the bound to begin at", "1"
        case "limit":
            meaning, unit = "natural logarithm of the bound on the other side", "1"
        case _:
            raise LookupError(f"no meaning of {name}")
    return Parameter(name=name, meaning=meaning, unit=unit)
