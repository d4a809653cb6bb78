"""Granularities with a given speedup for kernels of complexity log(g) and g*log(g).

By Lambert's W (claims ext-lambert): with ``k*log(g) = c + l*g`` the share ``w = l*g/k`` solves
``w - log(w) = m``, and with ``k*g*log(g) = c + l*g`` the quotient ``v = c/(k*g)`` solves
``v + log(v) = m``. The logarithm m is used throughout, because what W is taken of overflows.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from logca.common.errors import ArgumentError
from logca.numeric.arrays.arrays import Array, real
from logca.numeric.arrays.tape import Values
from logca.numeric.generated.granularity import effective_index
from logca.numeric.generated.iteration import (
    correction_glog,
    correction_log,
    log_argument_glog,
    log_argument_log,
)
from logca.numeric.roots.granularity import Roots
from logca.numeric.roots.status import RootStatus

__all__ = ["KERNELS", "logarithmic_granularity_for"]

KERNELS = ("log", "glog")
"""Complexities log(g) and g*log(g)."""


_IN_RANGE = 700.0
_NEAR_BRANCH = 0.02
_EPSILON = float(np.finfo(np.float64).eps)
_LEAST, _GREATEST = float(np.finfo(np.float64).tiny), float(np.finfo(np.float64).max)


def logarithmic_granularity_for(
    s: Array, *, o: Array, L: Array, C: Array, A: Array, latency: str = "constant", kernel: str
) -> Roots:
    """All granularities with speedup s, for kernels of logarithmic complexity.

    Parameters
    ----------
    s : array
        Target speedup [1].
    o : array
        Overhead [cycles].
    L : array
        Latency, per offload [cycles] or per byte [cycles/B].
    C : array
        Host time per natural logarithm of bytes, or per byte times that [cycles], [cycles/B].
    A : array
        Acceleration [1].
    latency : str
        Form of latency, "constant" or "linear".
    kernel : str
        "log" or "glog".

    Raises
    ------
    ValueError
        If latency or kernel are unknown.

    Notes
    -----
    Source: the limitation stated in altaf2017, §2, removed; corless1996.

    Examples
    --------
    >>> found = logarithmic_granularity_for(
    ...     1, o=435, L=2, C=900, A=12, latency="linear", kernel="log"
    ... )
    >>> print(f"{found.lower:.4f} {found.upper:.4f}")
    1.7013 3098.4455
    """
    if latency not in ("constant", "linear"):
        raise ArgumentError(f"unknown latency {latency!r}; it is 'constant' or 'linear'")
    if kernel not in KERNELS:
        raise ArgumentError(f"unknown kernel {kernel!r}; it is 'log' or 'glog'")
    s, o, L, C, A = np.broadcast_arrays(*map(real, (s, o, L, C, A)))
    with np.errstate(all="ignore"):
        c, l = (o + L, np.zeros_like(L)) if latency == "constant" else (o, L)
        inside = (s > 0) & (C > 0) & (A > 0) & (o >= 0) & (L >= 0)
        inside &= np.isfinite(c) & np.isfinite(l)
        inside &= np.isfinite(C) & np.isfinite(A) & np.isfinite(s)
        k = np.where(inside, effective_index(s, C=C, A=A), np.nan)
        lower, upper, status = _log(k, c, l) if kernel == "log" else _glog(k, c, l)
        status = np.where((c == 0) & (l == 0), RootStatus.EVERYWHERE, status)
        lower = np.where((c == 0) & (l == 0), np.nan, lower)
        for roots, reason in (
            (upper, RootStatus.UPPER_OUT_OF_RANGE),
            (lower, RootStatus.OUT_OF_RANGE),
        ):
            lost = ~np.isnan(roots) & ~((roots >= _LEAST) & (roots <= _GREATEST))
            status = np.where(lost, reason, status)
            roots[lost] = np.nan
        status = np.where(~(s < A), RootStatus.BEYOND_ACCELERATION, status)
        status = np.where(inside, status, RootStatus.OUTSIDE_DOMAIN).astype(np.int8)
    if not s.shape:
        return Roots(lower=lower[()], upper=upper[()], status=RootStatus(int(status)))
    return Roots(lower=lower, upper=upper, status=status)


def _log(k: Values, c: Values, l: Values) -> tuple[Values, Values, Values]:
    """``k*log(g) = c + l*g``: two roots, or none; without latency per byte one."""
    m = -log_argument_log(np, k, c, l)
    meet = np.abs(m - 1) <= 4 * _EPSILON * (1 + c / k + np.abs(np.log(l / k)))
    m = np.where(meet, 1.0, m)
    low, high = _lambert_pair(m)
    lower = _refined(np.exp(c / k + np.where(l > 0, low, 0.0)), k, c, l, correction_log)
    upper = _refined(np.exp(c / k + high), k, c, l, correction_log)
    upper = np.where(l > 0, upper, np.nan)
    exist = m >= 1
    lower = np.where(meet & (l > 0), upper, lower)
    status = np.where(meet, RootStatus.DOUBLE, RootStatus.TWO)
    status = np.where(l > 0, np.where(exist, status, RootStatus.NEVER), RootStatus.ONE)
    absent = (l > 0) & ~exist
    return np.where(absent, np.nan, lower), np.where(absent, np.nan, upper), status


def _lambert_pair(m: Values) -> tuple[Values, Values]:
    """Both solutions of ``w - log(w) = m``: -W0(-exp(-m)) < 1 and -W-1(-exp(-m)) > 1 [1]."""
    from scipy.special import lambertw

    argument = -np.exp(-np.minimum(np.maximum(m, 1.0), _IN_RANGE))
    low, high = (-np.real(lambertw(argument, branch)) for branch in (0, -1))
    root = np.sqrt(-2 * np.expm1(1 - np.maximum(m, 1.0)))
    near = root < _NEAR_BRANCH
    low, high = np.where(near, _series(root), low), np.where(near, _series(-root), high)
    low = np.where(m > _IN_RANGE, np.exp(-m), low)
    high = np.where(m > _IN_RANGE, m + np.log(m), high)
    return _polished(low, m, -1.0), _polished(high, m, -1.0)


def _series(p: Values) -> Values:
    """-W near the branch point, by powers of p = sqrt(2*(1 + e*z)) (corless1996, Eq. 4.22) [1]."""
    return 1 - p * (1 - p * (1 / 3 - p * (11 / 72 - p * (43 / 540 - p * 769 / 17280))))


def _glog(k: Values, c: Values, l: Values) -> tuple[Values, Values, Values]:
    """``k*g*log(g) = c + l*g``: always one root."""
    from scipy.special import lambertw

    m = log_argument_glog(np, k, c, l)
    v = np.real(lambertw(np.exp(np.minimum(m, _IN_RANGE))))
    v = np.where(m > _IN_RANGE, m - np.log(m), v)
    lower = np.exp(l / k + np.where(c > 0, _polished(v, m, 1.0), 0.0))
    lower = _refined(lower, k, c, l, correction_glog)
    return lower, np.full_like(k, np.nan), np.full(k.shape, RootStatus.ONE)


def _polished(w: Values, m: Values, sign: float) -> Values:
    """Newton's steps on ``w + sign*log(w) = m``, far enough from the branch point [1]."""
    for _ in range(2):
        slope = 1 + sign / w
        step = (w + sign * np.log(w) - m) / slope
        w = np.where(np.abs(step) < 1e-6 * w, w - step, w)
    return w


def _refined(g: Values, k: Values, c: Values, l: Values, correction: Callable[..., Any]) -> Values:
    """One Newton step in g itself, where it is small [B]."""
    change = correction(np, g, k, c, l)
    return np.where(np.abs(change) < 1e-6, g + g * change, g)
