"""Functions that nobody asks for, but that others call: their arguments and what these mean."""

import sympy as sp

from logca.derive.catalogue import formula
from logca.derive.symbols import TABLE
from logca.numeric.generate.codegen.coefficients import BETA, INDEX, LATENCY, OVERHEAD, plain
from logca.numeric.generate.codegen.tree import Function, Parameter, Statement
from logca.numeric.generate.modules import parameter_meaning, parameter_unit

__all__ = ["call", "coefficients", "helper"]


def call(name: str, *arguments: sp.Expr) -> sp.Expr:
    """A call of a generated function [unit of that function]."""
    return sp.Function(name)(*map(plain, arguments))


def coefficients() -> tuple[sp.Symbol, ...]:
    """The coefficients and the exponent, in the order in which functions take them."""
    return tuple(map(plain, (INDEX, OVERHEAD, LATENCY, BETA)))


def helper(
    name: str, meaning: str, parameters: str, body: tuple[Statement, ...], notes: str
) -> Function:
    """A function that others need."""
    return Function(
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
