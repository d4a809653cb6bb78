"""Does it pay to offload? The question as a function.

A function here needs a granularity and gives a truth value; others, such as one whose thresholds
were fitted beforehand, can stand beside this one.
"""

import sympy as sp

from logca.derive.catalogue import formula
from logca.derive.granularity import EQUATION
from logca.derive.symbols import FORMS, beta, g, s
from logca.numeric.generate.codegen.coefficients import INDEX, at_target, plain
from logca.numeric.generate.codegen.functions import parameters_in, written
from logca.numeric.generate.codegen.tree import Function, Give, Let, Statement, Unless

__all__ = ["MEANING", "decision_function"]

MEANING = "whether offloading pays: whether the speedup is greater than 1"


def decision_function(latency: str, called: str) -> Function:
    """Accelerated against host time, less what both have in common.

    Both sides are divided by the square root of the power of g, which halves its logarithm: the
    comparison stays in range where the times do not, and is exact to a few roundings however
    close the speedup is to 1.
    """
    index, overhead, per_byte = at_target(sp.S.One, latency)
    root, share = sp.symbols("root_of_power g_over_root")
    cost = overhead / root + per_byte * share
    equation = EQUATION.relation.subs(s, 1).subs(FORMS[latency], simultaneous=True)
    lets = [
        Let(name=INDEX.name, value=index),
        Let(name=root.name, value=sp.sqrt(g**beta)),
        *([Let(name=share.name, value=g / root)] if per_byte != 0 else []),
    ]
    body: tuple[Statement, ...] = (
        Unless(condition=plain(g) > 0, body=(Give(value=sp.false),)),
        *lets,
        Give(value=plain(cost) < plain(INDEX) * root),
    )
    return Function(
        name=called,
        meaning=MEANING,
        unit="",
        parameters=parameters_in((index, cost, g, beta), latency),
        body=body,
        notes=(
            f"It does where {written(equation.lhs)} > {written(equation.rhs)}; both sides are"
            " divided by the square root of g^beta, so that they stay in range. False if any"
            " argument is NaN.",
            f"Source: {formula('speedup').source}, set equal to 1.",
        ),
    )
