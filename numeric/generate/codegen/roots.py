"""The positive roots of `effective_index*g**beta = overhead + latency*g`, as functions.

Every granularity of the model is one of them. Where two terms are left or beta is one the root is
in closed form; elsewhere Newton's method finds it between closed-form brackets.
"""

from collections.abc import Callable

import sympy as sp

from logca.derive.catalogue import formula
from logca.derive.trinomial import LowerRoot, UpperRoot
from logca.numeric.generate.codegen.coefficients import (
    BETA,
    INDEX,
    LATENCY,
    OVERHEAD,
    logarithm,
    plain,
    stated,
)
from logca.numeric.generate.codegen.helpers import call, coefficients, helper
from logca.numeric.generate.codegen.newton import corrected_root, newton_root
from logca.numeric.generate.codegen.tree import Function, Give, Let, Statement, Unless, When

__all__ = ["FORMULAS", "SOLVER"]

FORMULAS = (
    "trinomial",
    "latency_root",
    "index_threshold",
    "root_floor",
    "root_ceiling",
    "lower_root_floor",
    "lower_root_ceiling",
    "upper_root_floor",
    "upper_root_ceiling",
)
"""What the solver rests on, in the catalogue [text]."""

_NONE = (Give(value=sp.nan),)


def _power_root() -> Function:
    index, overhead, _, beta = coefficients()
    return helper(
        "power_root",
        "the root of the trinomial without latency per byte, NaN if there is none",
        "effective_index overhead beta",
        (
            Unless(condition=sp.And(index > 0, overhead > 0, beta > 0), body=_NONE),
            _corrected(LowerRoot(INDEX, OVERHEAD, 0, BETA), latency=sp.S.Zero),
        ),
        f"Source: {formula('overhead_root').source}.",
    )


def _lower_root() -> Function:
    index, overhead, latency, beta = coefficients()
    return helper(
        "lower_root",
        "the root of the trinomial from which on a target is reached, NaN if there is none",
        "effective_index overhead latency beta",
        (
            Unless(condition=sp.And(index > 0, overhead >= 0, latency >= 0, beta > 0), body=_NONE),
            When(
                condition=sp.Eq(latency, 0),
                body=(Give(value=call("power_root", index, overhead, beta)),),
            ),
            When(
                condition=sp.Eq(beta, 1),
                body=(
                    Unless(condition=sp.And(index > latency, overhead > 0), body=_NONE),
                    Give(value=plain(LowerRoot(INDEX, OVERHEAD, LATENCY, 1))),
                ),
            ),
            When(
                condition=sp.Eq(overhead, 0),
                body=(
                    Unless(condition=beta > 1, body=_NONE),
                    _corrected(stated("latency_root"), overhead=sp.S.Zero),
                ),
            ),
            When(condition=beta > 1, body=_between("root_floor", "root_ceiling")),
            _unless_reached(),
            *_between("lower_root_floor", "lower_root_ceiling"),
        ),
        f"Source: {formula('g_s').source}.",
    )


def _upper_root() -> Function:
    index, overhead, latency, beta = coefficients()
    exists = sp.And(index > 0, overhead >= 0, latency > 0, beta > 0, beta < 1)
    only_latency = UpperRoot(INDEX, sp.S.Zero, LATENCY, BETA)
    return helper(
        "upper_root",
        "the root of the trinomial up to which a target is held, NaN if there is none",
        "effective_index overhead latency beta",
        (
            Unless(condition=exists, body=_NONE),
            When(
                condition=sp.Eq(overhead, 0),
                body=(_corrected(only_latency, overhead=sp.S.Zero),),
            ),
            _unless_reached(),
            *_between("upper_root_ceiling", "upper_root_floor"),
        ),
        f"Source: {formula('g_s_upper').source}.",
    )


def _corrected(
    closed: sp.Expr, *, overhead: sp.Expr = OVERHEAD, latency: sp.Expr = LATENCY
) -> Give:
    """A closed form, whose power magnifies the rounding of its exponent, and the last step."""
    return Give(value=call("corrected_root", closed, INDEX, overhead, latency, BETA))


def _between(start: str, limit: str) -> tuple[Statement, ...]:
    """The root between two bounds of the catalogue, from the one where the method is monotone."""
    begin, other = sp.symbols("start limit")
    return (
        Let(name="start", value=plain(logarithm(start))),
        Let(name="limit", value=plain(logarithm(limit))),
        Give(value=call("newton_root", begin, other, *coefficients())),
    )


def _unless_reached() -> Statement:
    """Nothing below the least effective index with which the target is reached."""
    return Unless(condition=plain(INDEX) >= plain(stated("index_threshold")), body=_NONE)


SOLVER: dict[str, Callable[[], Function]] = {
    "corrected_root": corrected_root,
    "newton_root": newton_root,
    "power_root": _power_root,
    "lower_root": _lower_root,
    "upper_root": _upper_root,
}
"""Functions by name, each after those that it calls."""
