"""Roots of ``k*g**beta = c + l*g`` where all terms are there and beta is not one, many at once.

A few of Halley's steps from a first guess and one of Newton's in g are done for every equation, by
the same sequence of array operations. Two are enough for nearly all of them. For which they are not
is known from the size of the last step; what a few more do not help either is left to
`logca.numeric.careful_roots`.
"""

from functools import cache
from typing import Any

import numpy as np

from logca.numeric.arrays import Array, Namespace
from logca.numeric.execution import Program, execute, program
from logca.numeric.generated.iteration import (
    correction,
    halley_step,
    least_log_kappa,
    log_scaled_index,
    start_lower,
    start_superlinear,
    start_upper,
)
from logca.numeric.tape import record

__all__ = ["EPSILON", "STEPS", "excess_of", "refined", "softplus", "sublinear", "superlinear"]

Values = np.ndarray[Any, np.dtype[np.float64]]

EPSILON = float(np.finfo(np.float64).eps)
"""Distance of one to the next floating-point number [1]."""

STEPS = (2, 6)
"""Halley's steps at first, and for what needs more [1]."""


def superlinear(
    k: Values, c: Values, l: Values, beta: Values, memory: list[Values], steps: int
) -> tuple[Values, Values]:
    """Roots for beta > 1 [B], and a margin: where it is positive, the root is exact [1]."""
    return _run(_superlinear(steps), (k, c, l, beta), memory)  # type: ignore[return-value]


def excess_of(k: Values, c: Values, l: Values, beta: Values, memory: list[Values]) -> Values:
    """Logarithm of kappa over the least kappa with which there are roots, beta < 1 [1]."""
    return _run(_excess, (k, c, l, beta), memory)[0]


def sublinear(
    k: Values,
    c: Values,
    l: Values,
    beta: Values,
    excess: Values,
    memory: list[Values],
    steps: int,
) -> tuple[Values, Values, Values, Values]:
    """Lower and upper roots for beta < 1 [B], and a margin for each as in `superlinear` [1]."""
    return _run(_sublinear(steps), (k, c, l, beta, excess), memory)  # type: ignore[return-value]


def softplus(xp: Namespace, t: Array) -> tuple[Array, Array]:
    """``log(1 + exp(t))`` and its derivative, for every t [1]."""
    value = xp.maximum(t, 0.0) + xp.log1p(xp.exp(-abs(t)))
    return value, xp.exp(t - value)


def refined(
    xp: Namespace, k: Array, c: Array, l: Array, beta: Array, g: Array
) -> tuple[Array, Array]:
    """A relative Newton step in g [B], and by how much it is small enough to be the last one [1].

    The step squares the relative error and multiplies it by less than 1/(8*|share - beta|).
    """
    latency = l * g
    cost = c + latency
    share = latency / cost
    change = correction(xp, cost / (g**beta * k), share, beta)
    return g + g * change, EPSILON / 2 * abs(share - beta) - change * change


@cache
def _superlinear(steps: int) -> Any:
    def solve(xp: Namespace, k: Array, c: Array, l: Array, beta: Array) -> tuple[Array, Array]:
        log_kappa = log_scaled_index(xp, xp.log(k), c, l, beta)
        start = start_superlinear(xp, beta, log_kappa)
        return _from(xp, start, k, c, l, beta, log_kappa, steps)

    return solve


def _excess(xp: Namespace, k: Array, c: Array, l: Array, beta: Array) -> Array:
    return log_scaled_index(xp, xp.log(k), c, l, beta) - least_log_kappa(xp, beta)


@cache
def _sublinear(steps: int) -> Any:
    def solve(
        xp: Namespace, k: Array, c: Array, l: Array, beta: Array, excess: Array
    ) -> tuple[Array, Array, Array, Array]:
        log_kappa = excess + least_log_kappa(xp, beta)
        low, high = start_lower(xp, beta, excess), start_upper(xp, beta, excess)
        lower = _from(xp, low, k, c, l, beta, log_kappa, steps)
        upper = _from(xp, high, k, c, l, beta, log_kappa, steps)
        return lower[0], upper[0], lower[1], upper[1]

    return solve


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
    """The root next to a first guess of t = log(g*l/c), and the margin."""
    for _ in range(steps):
        t = t + halley_step(xp, t, *softplus(xp, t), beta, log_kappa)
    return refined(xp, k, c, l, beta, xp.exp(t) * (c / l))


@cache
def _program(function: Any) -> tuple[Program, int]:
    tape = record(function)
    assert tape is not None
    return program(tape), len(tape.results)


def _run(function: Any, arguments: tuple[Values, ...], memory: list[Values]) -> tuple[Values, ...]:
    steps, count = _program(function)
    results = tuple(np.empty(arguments[0].shape) for _ in range(count))
    execute(steps, arguments, memory, results)
    return results
