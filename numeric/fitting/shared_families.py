"""Families of curves that share a granularity or a peak.

In a family that holds a granularity g with speedup s, what an offload pays, ``P = o + L g``, equals
``k g**beta`` with ``k = C/s - D``, and ``L g`` is a share of P: less than beta where the speedup
rises (claim ext-gs-elasticities), more where it falls.
"""

import numpy as np
from scipy.special import expit, log_expit, logit

from logca.numeric.evaluation import form_of
from logca.numeric.fitting.families import (
    NEVER,
    Curve,
    Family,
    beta_of,
    coordinate_of,
    less,
    without,
)
from logca.numeric.fitting.timings import Samples

__all__ = ["at_break_even", "at_half_peak", "at_peak", "at_tangency"]

_WINDOW = form_of("speedup_window", "linear")
_EDGE = 1e-4
_FLAT = 4.0


def at_break_even(t: float, latency: str, *, upper: bool = False) -> Family:
    """Curves whose speedup rises, or falls, to one at a granularity.

    Parameters
    ----------
    t : float
        Logarithm of the granularity over the reference size [1].
    latency : str
        "constant" or "linear" [text].
    upper : bool
        Whether it falls there.
    """

    def curve(at: Samples) -> Curve:
        k, D = at[0], at[2]
        beta = beta_of(at[1], upper)
        o, L = _paid(k + beta * t, t, beta, at[3] if latency == "linear" else None, upper)
        return Curve(float(np.logaddexp(k, D)), beta, o, L, D)

    def starts(near: Curve) -> list[Samples]:
        beta = coordinate_of(near.beta, upper)
        shares = [[each] for each in _shares(near, t, upper)] if latency == "linear" else [[]]
        return [np.array([k, beta, D, *share]) for share in shares for k, D in _divided(near, t)]

    return Family(curve, starts, 4 if latency == "linear" else 3)


def at_half_peak(t: float, latency: str) -> Family:
    """Curves whose speedup rises to half the acceleration at a granularity.

    Parameters
    ----------
    t : float
        Logarithm of the granularity over the reference size [1].
    latency : str
        "constant" or "linear" [text].
    """

    def curve(at: Samples) -> Curve:
        beta = beta_of(at[1], False)
        o, L = _paid(at[2] + beta * t, t, beta, at[3] if latency == "linear" else None, False)
        return Curve(at[0], beta, o, L, at[2])

    def starts(near: Curve) -> list[Samples]:
        beta = coordinate_of(near.beta, False)
        shares = [[each] for each in _shares(near, t, False)] if latency == "linear" else [[]]
        paid = float(np.logaddexp(near.o, near.L + t)) - near.beta * t
        return [np.array([near.C, beta, D, *share]) for share in shares for D in (near.D, paid)]

    return Family(curve, starts, 4 if latency == "linear" else 3)


def at_tangency(below: float, *, half: bool = False) -> Family:
    """Curves whose speedup is at most one, or half the acceleration, and reaches it once.

    Parameters
    ----------
    below : float
        Logarithm of the largest such granularity over the reference size [1].
    half : bool
        Whether half the acceleration is meant.
    """

    def curve(at: Samples) -> Curve:
        k, D, beta = at[0], at[2], beta_of(at[1], True)
        t = below - np.exp(min(at[3], 6.0))
        paid = (D if half else k) + beta * t
        C = k if half else float(np.logaddexp(k, D))
        return Curve(C, beta, float(paid + np.log1p(-beta)), float(paid + np.log(beta) - t), D)

    def starts(near: Curve) -> list[Samples]:
        beta = coordinate_of(near.beta, True)
        t = float(np.clip(near.o - near.L + beta, -20.0, below - 1.0))
        paid = float(np.logaddexp(near.o, near.L + t)) - near.beta * t
        pairs = [(near.C, near.D), (near.C, paid)] if half else _divided(near, t)
        return [np.array([k, beta, D, np.log(below - t)]) for k, D in pairs]

    return Family(curve, starts, 4)


def at_peak(s: float, least: float, most: float, latency: str) -> Family:
    """Curves with a greatest speedup between two sizes.

    Whatever is paid, some C makes up for it: so the rest is free.

    Parameters
    ----------
    s : float
        Logarithm of the speedup [1].
    least, most : float
        The sizes over the reference size [1].
    latency : str
        "constant" or "linear" [text].
    """

    def paid(given: dict[str, float]) -> float:
        """Logarithm of o + L g over g**beta, where it is least."""
        numbers = Curve(**{**given, "C": 0.0}).numbers
        numbers["A"] = np.inf
        gained = _WINDOW(np, g_low=least, g_high=most, **numbers)
        return -float(np.log(gained))

    family = without("C", lambda given: s + float(np.logaddexp(given["D"], paid(given))), latency)

    def starts(near: Curve) -> list[Samples]:
        once, rest = paid(near._asdict()), near.C - s
        more = less(rest, near.D) - once
        return [
            each
            for curve in (
                near._replace(D=less(rest, once)),
                near._replace(o=near.o + more, L=near.L + more),
            )
            for each in family.starts(curve)
        ]

    return family._replace(starts=starts)


def _divided(near: Curve, t: float) -> list[tuple[float, float]]:
    """Logarithms of k and D with which host, or what an offload pays at t, remains as it is."""
    paid = float(np.logaddexp(near.o, near.L + t)) - near.beta * t
    return [(less(near.C, near.D), min(near.D, near.C)), (paid, less(near.C, paid))]


def _paid(
    paid: float, t: float, beta: float, share: float | None, upper: bool
) -> tuple[float, float]:
    """Logarithms of o and L, of what is paid at t and the coordinate of the share of L."""
    if share is None:
        return paid, NEVER
    part, logs = float(expit(share)), log_expit([share, -share])
    if upper:
        logs = np.array([np.log(beta + (1 - beta) * part), np.log1p(-beta) + logs[1]])
    elif beta < 1:
        logs = np.array([np.log(beta) + logs[0], np.log1p(-beta * part)])
    return float(paid + logs[1]), float(paid + logs[0] - t)


def _shares(near: Curve, t: float, upper: bool) -> list[float]:
    """Coordinates of the share of L: as it is, and where something depends on it if that is not."""
    part, top = float(expit(near.L + t - near.o)), min(near.beta, 1.0)
    inner = (part - top) / max(1 - top, _EDGE) if upper else part / top
    found = [float(logit(np.clip(inner, 1e-12, 1 - _EDGE)))]
    if near.beta >= 1 and not upper:
        found = [near.L + t - near.o]
    return found if abs(found[0]) < _FLAT else [*found, float(np.sign(found[0])) * _FLAT]
