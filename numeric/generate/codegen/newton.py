"""Newton's method for `effective_index*g**beta = overhead + latency*g`, as functions.

It runs on the logarithms of both sides in t = ln g: their difference is convex, and from one of
the closed-form brackets the method converges monotonically (claim ext-log-newton). Its result is
as good as logarithms are; one more step in g itself, whose residual needs none, leaves an error of
a few roundings times the condition number of the root.
"""

import sympy as sp

from logca.derive.catalogue import formula
from logca.numeric.generate.codegen.coefficients import (
    BETA,
    INDEX,
    LATENCY,
    G,
    plain,
    sides,
    stated,
)
from logca.numeric.generate.codegen.helpers import call, coefficients, helper
from logca.numeric.generate.codegen.tree import (
    Function,
    Give,
    Leave,
    Let,
    Repeat,
    Set,
    Unless,
    When,
)

__all__ = ["corrected_root", "newton_root"]

_STEPS = 100
_SETTLED = sp.Float(2.0**-50)
"""A relative step in t that only rounding can tell from none."""
_CREDIBLE = sp.Float(2.0**-20)
"""A last step above this corrects nothing: it is rounding at a double root."""


def corrected_root() -> Function:
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


def newton_root() -> Function:
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
