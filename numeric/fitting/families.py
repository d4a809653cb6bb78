"""Curves through free coordinates: all devices, or those that share one quantity.

A curve is given by ``log C, beta, log o, log L, log D`` with ``D = C/A``, in units of a reference
size, and by ``log h``, what a call costs on both paths even for no data: break-evens do not depend
on it; `with_call` adds it to a family. A family maps free coordinates, which are any real numbers,
to curves; so no bound is ever given to an optimiser.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from scipy.special import expit, logit

from logca.numeric.fitting.timings import Samples

__all__ = [
    "NEVER",
    "Curve",
    "Family",
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

_FAR = 200.0
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
    h : float
        Natural logarithm of what a call costs on both paths, besides the model [1].
    """

    C: float
    beta: float
    o: float
    L: float
    D: float
    h: float = NEVER

    @property
    def numbers(self) -> dict[str, float]:
        """Parameters of the model under linear latency, in units of reference."""
        o, L, C, D = np.exp(np.clip([self.o, self.L, self.C, self.D], -_FAR, _FAR))
        return {"o": o, "L": L, "C": C, "A": C / D, "beta": self.beta}


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
    return without(None, None, latency)


def with_call(family: Family) -> Family:
    """The same curves, with a cost of a call that is free too.

    Parameters
    ----------
    family : Family
        Curves without it.
    """

    def curve(at: Samples) -> Curve:
        return family.curve(at[:-1])._replace(h=float(at[-1]))

    def starts(near: Curve) -> list[Samples]:
        return [np.append(each, near.h) for each in family.starts(near)]

    return Family(curve, starts, family.size + 1)


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
    """All curves, or those in which one number follows from the others.

    Parameters
    ----------
    held : str or None
        Its name in a curve [text].
    value : callable or None
        From the others, by name, to its value.
    latency : str
        "constant" or "linear" [text].
    """
    names = [name for name in Curve._fields if name not in (held, "h")]
    if latency == "constant":
        names = [name for name in names if name != "L"]

    def curve(at: Samples) -> Curve:
        found = {"L": NEVER, **dict(zip(names, np.clip(at, -_FAR, _FAR).tolist(), strict=True))}
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
    """The exponent from a coordinate that may be any number [1].

    Parameters
    ----------
    coordinate : float
        The coordinate [1].
    sublinear : bool
        Whether the exponent is less than one.
    """
    if sublinear:
        return float(np.clip(expit(coordinate), _EDGE, 1 - _SHY))
    return float(np.exp(np.clip(coordinate, -6.0, 3.0)))


def coordinate_of(beta: float, sublinear: bool) -> float:
    """The coordinate of an exponent, or of one near it; see `beta_of` [1].

    Parameters
    ----------
    beta : float
        The exponent [1].
    sublinear : bool
        Whether the exponent shall be less than one.
    """
    return float(logit(np.clip(beta, _EDGE, 1 - 1e-2)) if sublinear else np.log(beta))


def less(whole: float, part: float) -> float:
    """Logarithm of the difference, or of a thousandth of the whole if it is smaller [1].

    Parameters
    ----------
    whole, part : float
        Logarithms of both [1].
    """
    return whole + float(np.log(max(-np.expm1(part - whole), 1e-3)))
