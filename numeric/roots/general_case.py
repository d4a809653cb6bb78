"""Roots of ``k*g**beta = c + l*g`` where all terms are there and beta is not one, many at once.

A few of Halley's steps from a first guess and one of Newton's in g are done for every equation, by
the same sequence of array operations. Two are enough for nearly all of them. For which they are not
is known from the size of the last step; what a few more do not help either is left to
`logca.numeric.roots.special_cases`.
"""

from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np

from logca.numeric.arrays.arrays import Array, Namespace
from logca.numeric.arrays.tape import Program, Values, execute, program, record, straight
from logca.numeric.generated.iteration import (
    correction,
    halley_step,
    index,
    least_log_kappa,
    log_scaled_index,
    start_lower,
    start_superlinear,
    start_upper,
)

__all__ = [
    "CLEARLY",
    "EPSILON",
    "HIGH",
    "LEAST",
    "LOW",
    "STEPS",
    "Memory",
    "Targets",
    "excess",
    "for_numbers",
    "of_one",
    "solve",
    "sublinear",
    "superlinear",
]

Memory = list[Values]

LEAST = 1e-290
"""Products of numbers above this have all their digits [any]."""

LOW, HIGH = 1e-100, 1e100
"""Further out products of s, C and A may have lost digits [any]."""

CLEARLY = 1e-9
"""An excess nearer to zero than this may have the wrong sign [1].

It is a difference of logarithms, which are sums of terms that may be large: so near to zero its
sign may be rounding, and the equation at the peak has to decide (`special_cases._sublinear`).
"""

EPSILON = float(np.finfo(np.float64).eps)
"""Distance of one to the next floating-point number [1]."""

STEPS = (2, 6)
"""Halley's steps at first, and for what needs more [1]."""


class Targets(NamedTuple):
    """Target speedups and parameters, in one-dimensional arrays of one length."""

    # s, C, A: target [1], computational index [cycles/B**beta] and acceleration [1]
    s: Values
    C: Values
    A: Values
    # c, l: what an offload pays once [cycles], and latency per byte [cycles/B]
    c: Values
    l: Values
    beta: Values  # exponent [1]

    def at(self, places: Any) -> "Targets":
        """Some of them."""
        return Targets(*(each.take(places) for each in self))


def solve(
    function: Callable[..., Any],
    targets: Targets,
    results: Sequence[Values],
    memory: Memory,
    *steps: int,
) -> None:
    """Write into the results what `superlinear`, `excess` or `sublinear` gives for each target."""
    execute(_program(function, *steps), targets, memory, results)


def of_one(function: Callable[..., Any], steps: int) -> Callable[..., Any]:
    """In arrays, only those that take more than the first steps have exponents of their own."""
    return for_numbers(function, steps, by_element=steps > STEPS[0])


def _refined(
    xp: Namespace, k: Array, c: Array, l: Array, beta: Array, g: Array
) -> tuple[Array, Array]:
    """A relative Newton step in g [B], and by how much it is small enough to be the last one [1].

    The step squares the relative error and multiplies it by less than 1/(8*|share - beta|). Where a
    power has lost digits because it is hardly above zero, the margin is negative.
    """
    # In t = log(g), log(cost) - beta*t has the slope share - beta and the curvature
    # share*(1 - share) <= 1/4; Newton's step leaves curvature/(2*slope) times the error squared.
    latency, power = l * g, g**beta
    cost, allowed = c + latency, power * k
    share = latency / cost
    change = correction(xp, cost / allowed, share, beta)
    margin = EPSILON / 2 * abs(share - beta) - change * change
    in_range = xp.minimum(xp.minimum(power, allowed) - LEAST, margin)
    return g + g * change, in_range


def superlinear(
    steps: int, xp: Namespace, s: Array, C: Array, A: Array, c: Array, l: Array, beta: Array
) -> tuple[Array, Array]:
    """Roots for beta > 1 [B], and a margin: where it is positive, the root is exact [1]."""
    k = index(xp, s, C, A)
    log_kappa = log_scaled_index(xp, xp.log(k), c, l, beta)
    return _from(xp, start_superlinear(xp, beta, log_kappa), k, c, l, beta, log_kappa, steps)


def excess(
    xp: Namespace, s: Array, C: Array, A: Array, c: Array, l: Array, beta: Array
) -> tuple[Array]:
    """Logarithm of kappa over the least kappa with which there are roots, beta < 1 [1]."""
    log_k = xp.log(index(xp, s, C, A))
    return (log_scaled_index(xp, log_k, c, l, beta) - least_log_kappa(xp, beta),)


def sublinear(
    steps: int, xp: Namespace, s: Array, C: Array, A: Array, c: Array, l: Array, beta: Array
) -> tuple[Array, Array, Array, Array]:
    """Lower and upper roots for beta < 1 [B], and a margin for each as in `superlinear` [1]."""
    k = index(xp, s, C, A)
    log_kappa = log_scaled_index(xp, xp.log(k), c, l, beta)
    above = log_kappa - least_log_kappa(xp, beta)
    low, high = start_lower(xp, beta, above), start_upper(xp, beta, above)
    lower = _from(xp, low, k, c, l, beta, log_kappa, steps)
    upper = _from(xp, high, k, c, l, beta, log_kappa, steps)
    return lower[0], upper[0], lower[1], upper[1]


def _from(
    xp: Namespace,
    t: Array,
    k: Array,
    c: Array,
    l: Array,
    beta: Array,
    log_kappa: Array,
    steps: int,
) -> tuple[Array, Array]:
    """The root next to a first guess of t = log(g*l/c), and the margin.

    Where e**t overflows, neither is a number.
    """
    for _ in range(steps):
        grown = xp.exp(t)
        t = t + halley_step(xp, t, xp.log1p(grown), grown / (1 + grown), beta, log_kappa)
    return _refined(xp, k, c, l, beta, xp.exp(t) * (c / l))


@cache
def for_numbers(
    function: Callable[..., Any], *settings: int, by_element: bool = True
) -> Callable[..., Any]:
    """A function of a namespace, and of settings before it, written out for numbers."""
    tape = record(partial(function, *settings))
    assert tape is not None
    return straight(tape, [float] * tape.arguments, by_element=by_element)


@cache
def _program(function: Callable[..., Any], *settings: int) -> Program:
    tape = record(partial(function, *settings))
    assert tape is not None
    return program(tape)
