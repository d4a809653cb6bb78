"""Curves through free coordinates: all devices, or those that share one quantity.

A curve is given by ``log C, beta, log o, log L, log D`` with ``D = C/A``, in units of a reference
size. A family maps free coordinates, which are any real numbers, to curves; so no bound is ever
given to an optimiser. In a family that holds a granularity g with speedup s, what an offload pays,
``P = o + L g``, equals ``k g**beta`` with ``k = C/s - D``, and ``L g`` is a share of P: less than
beta where the speedup rises (claim ext-gs-elasticities), more where it falls.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from scipy.special import expit, log_expit, logit

from logca.numeric.fitting.timings import Samples

__all__ = [
    "NEVER",
    "Curve",
    "Family",
    "at_break_even",
    "at_half_peak",
    "at_tangency",
    "free",
    "own",
]

NEVER = -60.0
"""Logarithm, relative to the data, of a parameter that has no influence [1]."""

_EDGE = 1e-4
_SHY = 1e-9


class Curve(NamedTuple):
    """A host and an accelerator, in units of a reference size and a reference time.

    Parameters
    ----------
    C, o, L, D : float
        Natural logarithms of the parameters, and of C/A [1].
    beta : float
        Exponent of the kernel's complexity [1].
    """

    C: float
    beta: float
    o: float
    L: float
    D: float


class Family(NamedTuple):
    """Curves that share something.

    Parameters
    ----------
    curve : callable
        From free coordinates to a curve.
    starts : callable
        From any curve to coordinates of some nearby that belong to the family.
    size : int
        Number of coordinates [1].
    """

    curve: Callable[[Samples], Curve]
    starts: Callable[[Curve], list[Samples]]
    size: int


def free(latency: str) -> Family:
    """All curves; under constant latency o is all that an offload pays once.

    Parameters
    ----------
    latency : str
        "constant" or "linear" [text].
    """
    return _without(None, None, latency)


def own(name: str, value: float, reference: float, latency: str) -> Family:
    """Curves with a parameter of their own held.

    Parameters
    ----------
    name : str
        C, beta, o, L or A [text].
    value : float
        Its logarithm; C and L per byte, not per reference size [1].
    reference : float
        Logarithm of the reference size in bytes [1].
    latency : str
        "constant" or "linear" [text].
    """
    if name == "A":
        return _without("D", lambda curve: curve["C"] - value, latency)
    if name == "C":
        return _without("C", lambda curve: value + curve["beta"] * reference, latency)
    if name == "L":
        return _without("L", lambda _: value + reference, latency)
    if name == "beta":
        return _without("beta", lambda _: float(np.exp(value)), latency)
    return _without(name, lambda _: value, latency)


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
        beta = _beta(at[1], upper)
        o, L = _paid(k + beta * t, t, beta, at[3] if latency == "linear" else None, upper)
        return Curve(float(np.logaddexp(k, D)), beta, o, L, D)

    def starts(near: Curve) -> list[Samples]:
        beta = _from_beta(near.beta, upper)
        share = [_share(near, t, upper)] if latency == "linear" else []
        return [np.array([k, beta, D, *share]) for k, D in _divided(near, t)]

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
        beta = _beta(at[1], False)
        o, L = _paid(at[2] + beta * t, t, beta, at[3] if latency == "linear" else None, False)
        return Curve(at[0], beta, o, L, at[2])

    def starts(near: Curve) -> list[Samples]:
        beta = _from_beta(near.beta, False)
        share = [_share(near, t, False)] if latency == "linear" else []
        paid = float(np.logaddexp(near.o, near.L + t)) - near.beta * t
        return [np.array([near.C, beta, D, *share]) for D in (near.D, paid)]

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
        k, D, beta = at[0], at[2], _beta(at[1], True)
        t = below - np.exp(min(at[3], 6.0))
        paid = (D if half else k) + beta * t
        C = k if half else float(np.logaddexp(k, D))
        return Curve(C, beta, float(paid + np.log1p(-beta)), float(paid + np.log(beta) - t), D)

    def starts(near: Curve) -> list[Samples]:
        t = float(np.clip(near.o - near.L, -20.0, below - 1.0))
        beta = _from_beta(near.beta, True)
        paid = float(np.logaddexp(near.o, near.L + t)) - near.beta * t
        pairs = [(near.C, near.D), (near.C, paid)] if half else _divided(near, t)
        return [np.array([k, beta, D, np.log(below - t)]) for k, D in pairs]

    return Family(curve, starts, 4)


def _without(held: str | None, value: Callable[[Any], float] | None, latency: str) -> Family:
    names = [name for name in Curve._fields if name != held]
    if latency == "constant":
        names = [name for name in names if name != "L"]

    def curve(at: Samples) -> Curve:
        found = {"L": NEVER, **dict(zip(names, at, strict=True))}
        if held != "beta":
            found["beta"] = _beta(found["beta"], False)
        if held is not None and value is not None:
            found[held] = value(found)
        return Curve(**found)

    def starts(near: Curve) -> list[Samples]:
        given = {**near._asdict(), "beta": _from_beta(near.beta, False)}
        return [np.array([given[name] for name in names])]

    return Family(curve, starts, len(names))


def _beta(coordinate: float, sublinear: bool) -> float:
    if sublinear:
        return float(np.clip(expit(coordinate), _EDGE, 1 - _SHY))
    return float(np.exp(np.clip(coordinate, -6.0, 3.0)))


def _from_beta(beta: float, sublinear: bool) -> float:
    return float(logit(np.clip(beta, _EDGE, 1 - 1e-2)) if sublinear else np.log(beta))


def _divided(near: Curve, t: float) -> list[tuple[float, float]]:
    """Logarithms of k and D with which host, or what an offload pays at t, remains as it is."""
    gained = near.C + float(np.log(max(-np.expm1(near.D - near.C), 1e-3)))
    paid = float(np.logaddexp(near.o, near.L + t)) - near.beta * t
    rest = near.C + float(np.log(max(-np.expm1(paid - near.C), 1e-3)))
    return [(gained, min(near.D, near.C)), (paid, rest)]


def _paid(
    paid: float, t: float, beta: float, share: float | None, upper: bool
) -> tuple[float, float]:
    """Logarithms of o and L, of what is paid at t and the coordinate of the share of L."""
    if share is None:
        return paid, NEVER
    part, rest = expit(share), expit(-share)
    if upper:
        logs = np.log([beta + (1 - beta) * part, (1 - beta) * rest])
    elif beta >= 1:
        logs = log_expit([share, -share])
    else:
        logs = np.array([np.log(beta) + log_expit(share), np.log1p(beta * (rest - 1))])
    return float(paid + logs[1]), float(paid + logs[0] - t)


def _share(near: Curve, t: float, upper: bool) -> float:
    if near.beta >= 1 and not upper:
        return near.L + t - near.o
    part, top = float(expit(near.L + t - near.o)), min(near.beta, 1.0)
    inner = (part - top) / max(1 - top, _EDGE) if upper else part / top
    return float(logit(np.clip(inner, 1e-12, 1 - _EDGE)))
