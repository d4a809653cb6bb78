"""The positive roots of `effective_index*g**beta = overhead + latency*g`, by Newton's method."""

from collections.abc import Callable

import sympy as sp

from logca.derive.algebra.trinomial import LowerRoot, UpperRoot
from logca.derive.core.catalogue import formula
from logca.numeric.generate.codegen.coefficients import (
    BETA,
    INDEX,
    LATENCY,
    OVERHEAD,
    G,
    call,
    coefficients,
    helper,
    logarithm,
    plain,
    sides,
    stated,
)
from logca.numeric.generate.codegen.tree import (
    Give,
    Leave,
    Let,
    Repeat,
    Set,
    Statement,
    TargetFunction,
    Unless,
    When,
)

__all__ = [
    "FORMULAS",
    "SOLVER",
    "corrected_root",
    "newton_root",
]

_STEPS = 100
_SETTLED = sp.Float(2.0**-50)
"""A relative step in t that only rounding can tell from none."""
_CREDIBLE = sp.Float(2.0**-20)
"""A last step above this corrects nothing: it is rounding at a double root."""


def corrected_root() -> TargetFunction:
    """One Newton step in the granularity itself, as a fraction of it."""
    residual = stated("trinomial")
    slope = sp.expand(G * residual.diff(G))
    parts = {INDEX * G**BETA: sp.Symbol("power"), LATENCY * G: sp.Symbol("moved")}
    found, steepness, correction = plain(G), sp.Symbol("slope"), sp.Symbol("correction")
    return helper(
        "corrected_root",
        "a root of the trinomial, with an approximation improved by one Newton step",
        "g effective_index overhead latency beta",
        (
            *(Let(name=str(name), value=plain(part)) for part, name in parts.items()),
            Let(name="slope", value=plain(slope.subs(parts))),
            When(condition=sp.Eq(steepness, 0), body=(Give(value=found),)),
            Let(name="correction", value=plain(residual.subs(parts)) / steepness),
            Unless(condition=sp.Abs(correction) < _CREDIBLE, body=(Give(value=found),)),
            Give(value=found - found * correction),
        ),
        f"The trinomial is {str(residual).replace('**', '^')}; the slope is g times its derivative."
        f" Source: {formula('trinomial').source}.",
    )


def newton_root() -> TargetFunction:
    """Newton's method on the logarithm of the equation, and the last step."""
    t, scale = sp.symbols("t scale", real=True)
    moved, cost, slope, step, residual = sp.symbols("moved cost slope step residual", real=True)
    power, total = (side.subs(G, sp.exp(t)) for side in sides())
    log_power = sp.expand_log(sp.log(power))
    latency_scaled = sp.powsimp(sp.expand(total.diff(t) * sp.exp(-scale)))
    total_scaled = sum(map(sp.powsimp, sp.expand(total * sp.exp(-scale)).args))
    start, limit, tolerance = sp.symbols("start limit tolerance", real=True)
    log_index = {sp.log(INDEX): sp.Symbol("log_index")}
    step_and_test = (
        Let(name="scale", value=sp.Max(0, t)),
        Let(name="moved", value=latency_scaled),
        Let(name="cost", value=total_scaled.subs(latency_scaled, moved)),
        Let(name="residual", value=sp.log(cost) + scale - log_power.subs(log_index)),
        Let(name="slope", value=moved / cost - log_power.diff(t)),
        When(condition=sp.Or(residual <= 0, slope * (limit - start) >= 0), body=(Leave(),)),
        Let(name="step", value=residual / slope, changes=True),
        When(condition=sp.Abs(step) > sp.Abs(t - limit), body=(Set(name="step", value=t - limit),)),
        Set(name="t", value=t - step),
        When(condition=sp.Abs(step) <= tolerance * (1 + sp.Abs(t)), body=(Leave(),)),
    )
    return helper(
        "newton_root",
        "the root of the trinomial between two bounds, by Newton's method in t = ln(g)",
        "start limit effective_index overhead latency beta",
        (
            Let(name="log_index", value=sp.log(plain(INDEX))),
            Let(name="tolerance", value=_SETTLED),
            Let(name="t", value=start, changes=True),
            Repeat(times=_STEPS, body=step_and_test),
            Give(value=call("corrected_root", sp.exp(t), *coefficients())),
        ),
        "The residual ln(overhead + latency*e^t) - beta*t - ln(effective_index) is convex, and not"
        " negative at the start: that it is not positive, or does not fall towards the limit, can"
        " only be rounding. To stay in range, e^scale with scale = max(t, 0) is taken out of the"
        " first logarithm.",
    )


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
"""Formulas of the catalogue that the solver rests on."""

_NONE = (Give(value=sp.nan),)


def _power_root() -> TargetFunction:
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


def _lower_root() -> TargetFunction:
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


def _upper_root() -> TargetFunction:
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


def _sum_root() -> TargetFunction:
    index, overhead, latency, beta = coefficients()
    allowed, cost = sides()
    t, power, moved, total = sp.symbols("t power moved total", real=True)
    residual, step, tolerance = sp.symbols("residual step tolerance", real=True)
    shares = {power: allowed / OVERHEAD, moved: (cost - OVERHEAD) / OVERHEAD}
    logs = {part: sp.expand_log(sp.log(share.subs(G, sp.exp(t)))) for part, share in shares.items()}
    slope = sum(log.diff(t) * part for part, log in logs.items()) / total
    step_and_test: tuple[Statement, ...] = (
        *(Let(name=str(part), value=sp.exp(plain(log))) for part, log in logs.items()),
        Let(name="total", value=power + moved),
        Let(name="residual", value=sp.log(total)),
        When(condition=residual <= 0, body=(Leave(),)),
        Let(name="step", value=residual / plain(slope)),
        Set(name="t", value=t - step),
        When(condition=step <= tolerance * (1 + sp.Abs(t)), body=(Leave(),)),
    )
    alone = (sp.solve(log, t)[0] for log in logs.values())
    return helper(
        "sum_root",
        "the root of the trinomial with the latency on the side of the power, NaN if there is none",
        "effective_index overhead latency beta",
        (
            Unless(condition=sp.And(index > 0, overhead > 0, latency >= 0, beta > 0), body=_NONE),
            When(
                condition=sp.Eq(latency, 0),
                body=(Give(value=call("power_root", index, overhead, beta)),),
            ),
            Let(name="tolerance", value=_SETTLED),
            Let(name="t", value=sp.Min(*map(plain, map(sp.expand_log, alone))), changes=True),
            Repeat(times=_STEPS, body=step_and_test),
            Give(value=call("corrected_root", sp.exp(t), INDEX, OVERHEAD, -LATENCY, BETA)),
        ),
        "The equation is effective_index*g^beta + latency*g = overhead. Newton's method in t ="
        " ln(g) on the convex, rising logarithm of left over right side starts where one term is"
        " enough alone, above the root, and comes down to it."
        f" Source: {formula('cutoff_o_general').source}.",
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


SOLVER: dict[str, Callable[[], TargetFunction]] = {
    "corrected_root": corrected_root,
    "newton_root": newton_root,
    "power_root": _power_root,
    "sum_root": _sum_root,
    "lower_root": _lower_root,
    "upper_root": _upper_root,
}
"""Functions by name, each after those that it calls."""
