"""Curves through free coordinates: all devices, or those that share a granularity or a peak.

A curve is given by ``log C, beta, log o, log L, log D`` with ``D = C/A``, in units of a reference
size, and by ``log h``, what a call costs on both paths even for no data: break-evens do not depend
on it; `with_call` adds it to a family. A family maps free coordinates, which are any real numbers,
to curves; so no bound is ever given to an optimiser.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import scipy  # whose parts load when they are first used: half a second

from logca.numeric.evaluation.by_name import form_of
from logca.numeric.timings.timings import Samples

__all__ = [
    "NEVER",
    "Curve",
    "Family",
    "at_break_even",
    "at_half_peak",
    "at_peak",
    "at_speedup",
    "at_tangency",
    "beta_of",
    "coordinate_of",
    "free",
    "less",
    "own",
    "with_call",
    "without",
]

NEVER = -60.0
"""Logarithm, relative to the data, of a parameter that has no influence [1]."""

_FAR = 200.0  # e-folds: products of such parameters and sizes are still in range
# How near to 0 and to 1 a share or a sublinear exponent may come: at 1 the peak is at infinity.
_EDGE, _SHY = 1e-4, 1e-9


def _within(least: float, value: float, most: float) -> float:
    """The value, or the end that it is beyond; of single numbers NumPy's clip takes longer."""
    return min(max(value, least), most)  # in this order NaN stays NaN


class Curve(NamedTuple):
    """A host and an accelerator, in units of a reference size and a reference time."""

    # C, o, L, D: natural logarithms of the parameters, and of C/A [1]
    C: float
    beta: float  # exponent of the kernel's complexity [1]
    o: float
    L: float
    D: float
    h: float = NEVER  # natural logarithm of what a call costs on both paths, besides the model [1]

    @property
    def numbers(self) -> dict[str, float]:
        """Parameters of the model under linear latency, in units of reference."""
        o, L, C, D = np.exp(
            [_within(-_FAR, each, _FAR) for each in (self.o, self.L, self.C, self.D)]
        )
        return {"o": o, "L": L, "C": C, "A": C / D, "beta": self.beta}


class Family(NamedTuple):
    """Curves that share something."""

    curve: Callable[[Samples], Curve]  # from free coordinates to a curve
    # from any curve to coordinates of some nearby that belong to the family
    starts: Callable[[Curve], list[Samples]]
    size: int  # number of coordinates [1]


def free(latency: str) -> Family:
    """All curves; under constant latency o is all that an offload pays once."""
    return without(None, None, latency)


def with_call(family: Family, least: float = NEVER) -> Family:
    """The family's curves, with a cost of a call that is free too.

    Searches begin where its logarithm is `least` or more: from nothing no search would find any.
    """

    def curve(at: Samples) -> Curve:
        return family.curve(at[:-1])._replace(h=float(at[-1]))

    def starts(near: Curve) -> list[Samples]:
        return [np.append(each, max(near.h, least)) for each in family.starts(near)]

    return Family(curve, starts, family.size + 1)


def own(name: str, value: float, reference: float, latency: str) -> Family:
    """Curves with a parameter of their own held."""
    linear = latency == "linear"
    if name == "A":
        family = without("D", lambda curve: curve["C"] - value, latency)
        return _traded(family, lambda near: near._replace(D=near.C - value)) if linear else family
    if name == "C":
        return without("C", lambda curve: value + curve["beta"] * reference, latency)
    if name == "L":
        family = without("L", lambda _: value + reference, latency)
        return _traded(family, lambda near: near._replace(L=value + reference))
    if name == "beta":
        return without("beta", lambda _: float(np.exp(value)), latency)
    return without(name, lambda _: value, latency)


def without(held: str | None, value: Callable[[Any], float] | None, latency: str) -> Family:
    """All curves, or those in which one number follows from the others."""
    names = [name for name in Curve._fields if name not in (held, "h")]
    if latency == "constant":
        names = [name for name in names if name != "L"]

    def curve(at: Samples) -> Curve:
        near = [_within(-_FAR, each, _FAR) for each in at.tolist()]
        found = {"L": NEVER, **dict(zip(names, near, strict=True))}
        if held != "beta":
            found["beta"] = beta_of(found["beta"], False)
        if held is not None and value is not None:
            found[held] = value(found)
        return Curve(**found)

    def starts(near: Curve) -> list[Samples]:
        given = {**near._asdict(), "beta": coordinate_of(near.beta, False)}
        return [np.array([given[name] for name in names])]

    return Family(curve, starts, len(names))


def _traded(family: Family, held: Callable[[Curve], Curve]) -> Family:
    """Starts where L and D make up for each other too: near beta = 1 only their sum is told."""

    def starts(near: Curve) -> list[Samples]:
        slope, wanted = float(np.logaddexp(near.L, near.D)), held(near)
        other = (
            wanted._replace(L=less(slope, wanted.D))
            if wanted.L == near.L
            else wanted._replace(D=less(slope, wanted.L))
        )
        return [*family.starts(near), *family.starts(other)]

    return family._replace(starts=starts)


def beta_of(coordinate: float, sublinear: bool) -> float:
    """The exponent from a coordinate that may be any number [1]."""
    if sublinear:
        return float(_within(_EDGE, scipy.special.expit(coordinate), 1 - _SHY))
    return float(np.exp(_within(-6.0, coordinate, 3.0)))


def coordinate_of(beta: float, sublinear: bool) -> float:
    """The coordinate of an exponent, or of one near it; see `beta_of` [1]."""
    return float(scipy.special.logit(np.clip(beta, _EDGE, 1 - 1e-2)) if sublinear else np.log(beta))


def less(whole: float, part: float) -> float:
    """Logarithm of the difference, or of a thousandth of the whole if it is smaller [1]."""
    return whole + float(np.log(max(-np.expm1(part - whole), 1e-3)))


_WINDOW = form_of("speedup_window", "linear")
_FLAT = 4.0
_UNLIKE, _ALIKE = 20.0, 3.0  # e-folds between the parts of a time, at most, where a search begins


def at_break_even(t: float, latency: str, *, upper: bool = False) -> Family:
    """Curves whose speedup rises, or falls, to one at a granularity."""

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
    """Curves whose speedup rises to half the acceleration at a granularity."""

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
    """Curves whose speedup is at most one, or half the acceleration, and reaches it once."""

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


def at_speedup(log_speedup: float, t: float, latency: str) -> Family:
    """Curves that have a speedup at a granularity."""
    relative = own("o", 0.0, 0.0, latency)

    def curve(at: Samples) -> Curve:
        given = relative.curve(at)
        accelerated = given.C + given.beta * t - log_speedup
        parts = np.array([0.0, given.L, given.D])
        o, L, D = accelerated + parts - np.logaddexp.reduce(parts)
        return given._replace(
            o=float(o),
            L=float(L) - t if latency == "linear" else NEVER,
            D=float(D) - given.beta * t,
        )

    def starts(near: Curve) -> list[Samples]:
        computation = near.D + near.beta * t
        paid = float(np.logaddexp.reduce([near.o, near.L + t, computation]))
        parts = [near.L + t - near.o, computation - near.o]
        found = []
        for most in (_UNLIKE, _ALIKE):
            L, D = np.clip(parts, -most, most)
            found.append(near._replace(L=float(L), D=float(D)))
        dearer = found[0]._replace(C=paid + log_speedup - near.beta * t)
        return [relative.starts(each)[0] for each in (*found, dearer)]

    return Family(curve, starts, relative.size)


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
    part, logs = float(scipy.special.expit(share)), scipy.special.log_expit([share, -share])
    if upper:
        logs = np.array([np.log(beta + (1 - beta) * part), np.log1p(-beta) + logs[1]])
    elif beta < 1:
        logs = np.array([np.log(beta) + logs[0], np.log1p(-beta * part)])
    return float(paid + logs[1]), float(paid + logs[0] - t)


def _shares(near: Curve, t: float, upper: bool) -> list[float]:
    """Coordinates of the share of L: as it is, and where something depends on it if that is not."""
    part, top = float(scipy.special.expit(near.L + t - near.o)), min(near.beta, 1.0)
    inner = (part - top) / max(1 - top, _EDGE) if upper else part / top
    found = [float(scipy.special.logit(np.clip(inner, 1e-12, 1 - _EDGE)))]
    if near.beta >= 1 and not upper:
        found = [near.L + t - near.o]
    return found if abs(found[0]) < _FLAT else [*found, float(np.sign(found[0])) * _FLAT]
