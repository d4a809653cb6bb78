"""Granularities at which the speedup has a given value."""

import sympy as sp

from logca.derive.catalogue import formula
from logca.derive.granularity import EQUATION
from logca.derive.symbols import FORMS, A, beta, s
from logca.numeric.generate.codegen.coefficients import INDEX, at_target, plain
from logca.numeric.generate.codegen.functions import parameters_in, written
from logca.numeric.generate.codegen.helpers import call
from logca.numeric.generate.codegen.tree import Function, Give, Let

__all__ = ["TARGETS", "target_function"]

TARGETS: dict[str, sp.Expr] = {
    "g1": sp.S.One,
    "gA2": A / 2,
    "g_s": s,
    "g1_upper": sp.S.One,
    "gA2_upper": A / 2,
    "g_s_upper": s,
}
"""Name of each granularity, and its speedup [1]."""


def target_function(name: str, latency: str, called: str) -> Function:
    """A granularity of `TARGETS` under a form of latency, by the name of `called`."""
    target, stated = TARGETS[name], formula(name)
    index, overhead, per_byte = at_target(target, latency)
    if name.endswith("_upper"):
        root = call("upper_root", INDEX, overhead, per_byte, beta)
    elif latency == "constant":
        root = call("power_root", INDEX, overhead, beta)
    else:
        root = call("lower_root", INDEX, overhead, per_byte, beta)
    equation = EQUATION.relation.subs(s, target).subs(FORMS[latency], simultaneous=True)
    reaches = "falls to" if name.endswith("_upper") else "rises to"
    return Function(
        name=called,
        meaning=stated.meaning,
        unit=str(stated.unit),
        parameters=parameters_in((index, root), latency),
        body=(Let(name=INDEX.name, value=index), Give(value=plain(root))),
        notes=(
            f"It is the g at which {written(equation.lhs)} {reaches} {written(equation.rhs)};"
            " NaN if it never does.",
            f"Source: {stated.source}.",
        ),
    )
