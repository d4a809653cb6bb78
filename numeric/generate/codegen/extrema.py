"""Larger and smaller of two numbers, for languages whose own functions lose NaN."""

from collections.abc import Callable

import sympy as sp

from logca.numeric.generate.codegen.tree import Function, Give, Parameter, When

__all__ = ["EXTREMA"]


def _larger() -> Function:
    x, y = sp.symbols("x y")
    return _extreme("larger", x > y)


def _smaller() -> Function:
    x, y = sp.symbols("x y")
    return _extreme("smaller", x < y)


def _extreme(name: str, first: sp.Basic) -> Function:
    x, y = sp.symbols("x y")
    return Function(
        name=name,
        meaning=f"the {name} of two numbers",
        unit="as they have",
        parameters=(
            Parameter(name="x", meaning="a number", unit="any"),
            Parameter(name="y", meaning="another", unit="that of x"),
        ),
        body=(
            When(condition=sp.Function("isnan")(x), body=(Give(value=x),)),
            When(condition=first, body=(Give(value=x),)),
            Give(value=y),
        ),
        notes=("NaN if either of them is.",),
        public=False,
    )


EXTREMA: dict[str, Callable[[], Function]] = {"larger": _larger, "smaller": _smaller}
"""Functions by name."""
