"""Roots of ``k*g**beta = c + l*g`` for all that is special: few equations, every case.

Two terms, beta = 1, roots that nearly meet, parameters far outside the usual range, and those for
which the fast way says itself that it was not enough.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from logca.numeric.arrays.arrays import Array, Namespace
from logca.numeric.arrays.tape import Values
from logca.numeric.generated.iteration import (
    correction,
    latency_bracket,
    least_log_kappa,
    log_scaled_index,
    newton_step,
    overhead_bracket,
    start_lower,
    start_upper,
)
from logca.numeric.generated.peak_and_existence import g_peak
from logca.numeric.roots.general_case import EPSILON, LEAST
from logca.numeric.roots.status import RootStatus

__all__ = [
    "POLISHED",
    "TINY",
    "Codes",
    "Mask",
    "Trinomials",
    "is_polished",
    "lines",
    "polished_once",
    "solve_special_cases",
]

POLISHED = 3
"""Newton's steps at the end: each squares the relative error, of which a thousandth is trusted."""

TINY = float(np.finfo(np.float64).tiny)
"""The least normal floating-point number."""

Mask = np.ndarray[Any, np.dtype[np.bool_]]
Codes = np.ndarray[Any, np.dtype[np.int8]]
Bracket = Callable[[Values, Values], Values]

# A difference of logarithms this near to zero may have the wrong sign.
_UNSURE = 1e-6
# Nearer to a double root, in units of beta*(1 - beta), Newton's method from outside only halves its
# error; the expansion at the peak, which the two starts are, is closer.
_NEAR_THE_PEAK = 1e-6
_SAME = 4 * EPSILON  # what rounding of a power, a product, a sum and a quotient may come to
_MOST_STEPS = 200
_TRUSTED = 1e-3  # a larger relative step is no rounding, but a power that is out of range


class Trinomials(NamedTuple):
    """Equations ``k*g**beta = c + l*g``, one in each place of the arrays."""

    k: Values  # effective index [cycles/B**beta]; NaN where it is out of range
    log_k: Values  # its logarithm, which is not [1]
    c: Values  # what an offload pays once [cycles]
    l: Values  # latency per byte [cycles/B]
    beta: Values  # exponent [1]
    inside: Mask  # whether what k is made of is in its domain
    beyond: Mask  # whether the target is not below the acceleration

    def at(self, places: Any) -> "Trinomials":
        """Some of the equations."""
        every: tuple[Any, ...] = self
        return Trinomials(*(each[places] for each in every))

    def log_kappa(self) -> Values:
        """Logarithm of the scaled index [1]."""
        kappa: Values = log_scaled_index(np, self.log_k, self.c, self.l, self.beta)
        return kappa


def solve_special_cases(equations: Trinomials) -> tuple[Values, Values, Codes]:
    """Lower and upper root [B] and status of each equation."""
    c, l, beta = equations.c, equations.l, equations.beta
    inside = equations.inside & (c >= 0) & (l >= 0) & (beta > 0)
    inside &= np.isfinite(c) & np.isfinite(l) & np.isfinite(beta)
    lower, upper = np.full(c.shape, np.nan), np.full(c.shape, np.nan)
    status = np.full(c.shape, RootStatus.OUTSIDE_DOMAIN, dtype=np.int8)
    status[inside & equations.beyond] = RootStatus.BEYOND_ACCELERATION
    left = inside & ~equations.beyond
    free, fixed, linear = c == 0, l == 0, beta == 1
    cases: tuple[tuple[Mask, Callable[[Trinomials], Any]], ...] = (
        (free & fixed, _no_cost),
        (~free & fixed, _overhead_only),
        (~fixed & linear, _linear),
        (free & ~fixed & ~linear, _latency_only),
        (~free & ~fixed & (beta > 1), _superlinear),
        (~free & ~fixed & (beta < 1), _sublinear),
    )
    for case, solve in cases:
        here = left & case
        if here.any():
            lower[here], upper[here], status[here] = solve(equations.at(here))
    return _without_lost_roots(lower, upper, status)


def _without_lost_roots(
    lower: Values, upper: Values, status: Codes
) -> tuple[Values, Values, Codes]:
    """Roots that exist but are no normal floating-point numbers become NaN; the status says so."""
    lost = ~((lower >= TINY) & (lower < np.inf)) & ~np.isnan(lower)
    lost_upper = ~((upper >= TINY) & (upper < np.inf)) & ~np.isnan(upper)
    status[lost | lost_upper] = RootStatus.OUT_OF_RANGE
    status[lost_upper & (lower > 0) & ~lost] = RootStatus.UPPER_OUT_OF_RANGE
    status[lost & (upper > 0) & ~lost_upper] = RootStatus.UPPER_ONLY
    lower[lost] = np.nan
    upper[lost_upper] = np.nan
    return lower, upper, status


def _no_cost(_: Trinomials) -> tuple[float, float, RootStatus]:
    return np.nan, np.nan, RootStatus.EVERYWHERE


def _overhead_only(equations: Trinomials) -> tuple[Values, float, RootStatus]:
    log_g = _log_quotient(equations.c, equations) / equations.beta
    return _polished(equations, np.exp(log_g)), np.nan, RootStatus.ONE


def _latency_only(equations: Trinomials) -> tuple[Values, Values, Codes]:
    beta = equations.beta
    log_g = _log_quotient(equations.l, equations) / (beta - 1)
    root = _polished(equations, np.exp(log_g))
    status = np.where(beta > 1, RootStatus.ONE, RootStatus.UPPER_ONLY).astype(np.int8)
    return np.where(beta > 1, root, np.nan), np.where(beta < 1, root, np.nan), status


def _log_quotient(cost: Values, equations: Trinomials) -> Values:
    """Logarithm of a cost over the effective index [1]."""
    quotient = cost / equations.k
    in_range = (quotient >= TINY) & (quotient < np.inf)
    return np.where(in_range, np.log(quotient), np.log(cost) - equations.log_k)


def _linear(equations: Trinomials) -> tuple[Values, float, Codes]:
    """For beta = 1 cost and what is allowed are lines."""
    k, c, l = equations.k, equations.c, equations.l
    slopes, crossing = lines(np, k, c, l)
    quotient = np.where(np.isnan(k), np.exp(np.log(l) - equations.log_k), slopes)
    crosses = (c > 0) & (quotient < 1)
    status = np.full(k.shape, RootStatus.NEVER, dtype=np.int8)
    status[crosses] = RootStatus.ONE
    status[(c == 0) & (quotient <= 1)] = RootStatus.EVERYWHERE
    by_logarithms = np.exp(np.log(c) - equations.log_k) / (1 - quotient)
    root = np.where(np.isnan(k), by_logarithms, crossing)
    return np.where(crosses, root, np.nan), np.nan, status


def lines(xp: Namespace, k: Array, c: Array, l: Array) -> tuple[Array, Array]:
    """For beta = 1 the quotient of the slopes [1], and where the lines cross [B]."""
    return l / k, c / (k - l)


def _superlinear(equations: Trinomials) -> tuple[Values, float, RootStatus]:
    beta, log_kappa = equations.beta, equations.log_kappa()
    bracket = np.maximum(
        overhead_bracket(np, beta, log_kappa), latency_bracket(np, beta, log_kappa)
    )
    return _from_bracket(equations, log_kappa, bracket), np.nan, RootStatus.ONE


def _sublinear(equations: Trinomials) -> tuple[Values, Values, Codes]:
    """Both roots for beta < 1.

    Close to where the two meet, whether they exist is decided by the equation at the peak itself,
    which is accurate to rounding. Roots that rounding cannot tell apart are both the peak.
    """
    beta, log_kappa = equations.beta, equations.log_kappa()
    excess = log_kappa - least_log_kappa(np, beta)
    peak = g_peak(o=equations.c, L=equations.l, beta=beta)
    ratio = equations.k * peak**beta / (equations.c + equations.l * peak)
    at_peak = np.where(np.abs(ratio - 1) <= _SAME, 0.0, np.log(ratio))
    excess = np.where((np.abs(excess) < _UNSURE) & np.isfinite(at_peak), at_peak, excess)
    lower = _from_bracket(equations, log_kappa, overhead_bracket(np, beta, log_kappa))
    upper = _from_bracket(equations, log_kappa, latency_bracket(np, beta, log_kappa))
    near = (excess > 0) & (excess < _NEAR_THE_PEAK * beta * (1 - beta))
    if near.any():
        close = equations.at(near)
        for roots, start, side in (
            (lower, start_lower, np.minimum),
            (upper, start_upper, np.maximum),
        ):
            guess = np.exp(start(np, close.beta, excess[near])) * (close.c / close.l)
            roots[near] = side(_polished(close, guess), peak[near])
    held = np.isfinite(peak)
    lower = np.where(held, np.minimum(lower, peak), lower)
    upper = np.where(held, np.maximum(upper, peak), upper)
    together, never = excess == 0, ~(excess >= 0)
    lower, upper = np.where(together, peak, lower), np.where(together, peak, upper)
    status = np.full(beta.shape, RootStatus.TWO, dtype=np.int8)
    status[together], status[never] = RootStatus.DOUBLE, RootStatus.NEVER
    return np.where(never, np.nan, lower), np.where(never, np.nan, upper), status


def _from_bracket(equations: Trinomials, log_kappa: Values, t: Values) -> Values:
    """The root next to a bracket t = log(g*l/c) [B], where g or a power may be out of range.

    From a bracket Newton's steps all have the same sign (claims ext-log-newton-starts); another one
    is rounding, and ends the iteration.
    """
    step_at = partial(_newton, equations.beta, log_kappa)
    first = step = step_at(t)
    for _ in range(_MOST_STEPS):
        going = (step * first > 0) & (np.abs(step) > EPSILON * np.abs(t))
        if not going.any():
            break
        t = np.where(going, t + step, t)
        step = np.where(going, step_at(t), 0.0)
    return _polished(equations, np.exp(t + np.log(equations.c) - np.log(equations.l)))


def _polished(equations: Trinomials, g: Values) -> Values:
    """Newton's steps in g [B], where they are small; where a power is out of range they are not.

    The power is taken in two halves, between which the index brings it back into range.
    """
    k, c, l, beta = equations.k, equations.c, equations.l, equations.beta
    for _ in range(POLISHED):
        polished, half, part, allowed, change = polished_once(np, k, c, l, beta, g)
        g = np.where(is_polished(half, part, allowed, change), polished, g)
    return g


def polished_once(
    xp: Namespace, k: Array, c: Array, l: Array, beta: Array, g: Array
) -> tuple[Array, Array, Array, Array, Array]:
    """A granularity after Newton's step [B]; and by what `is_polished` tells if it may be taken."""
    half, latency = g ** (beta / 2), l * g
    part = half * k
    allowed = part * half
    change = correction(xp, (c + latency) / allowed, latency / (c + latency), beta)
    return g + g * change, half, part, allowed, change


def is_polished(half: Array, part: Array, allowed: Array, change: Array) -> Any:
    """True where no power is out of range, and the step no larger than rounding may be."""
    in_range = (half > LEAST) & (part > LEAST) & (allowed > LEAST) & (allowed < np.inf)
    return in_range & (abs(change) <= _TRUSTED)


def _softplus(t: Values) -> tuple[Values, Values]:
    """``log(1 + exp(t))`` and its derivative, for every t [1]."""
    value = np.maximum(t, 0.0) + np.log1p(np.exp(-np.abs(t)))
    return value, np.exp(t - value)


def _newton(beta: Values, log_kappa: Values, t: Values) -> Values:
    step: Values = newton_step(np, t, *_softplus(t), beta, log_kappa)
    return step
