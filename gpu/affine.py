"""Affine loop nests: addresses and bounds of loops are linear in launch and iterations.

An affine function is the tuple of its whole-number coefficients: the constant, what each launch
adds, then what each iteration of each loop adds, the nest's outermost loop first. Such a nest is a
few numbers however often it runs, and is known at sizes at which nobody could trace it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from logca.trace.program import Access, Loop

__all__ = [
    "Affine",
    "AffineError",
    "AffineNest",
    "AffineSite",
    "extents_of",
    "extremes",
    "value_of",
]

Affine = tuple[int, ...]


class AffineError(ValueError):
    """A nest is not affine, or affine functions of several sizes do not fit together.

    Parameters
    ----------
    reason : str
        What is wrong [text].
    access : Access, optional
        The static access that shows it; its place in the source begins the message.
    record : int, optional
        The first access of the trace that contradicts [1].
    """

    def __init__(
        self, reason: str, *, access: Access | None = None, record: int | None = None
    ) -> None:
        super().__init__(f"{access.file}:{access.line}: {reason}" if access else reason)
        self.reason = reason
        self.file = access.file if access else ""
        self.line = access.line if access else 0
        self.record = record


@dataclass(frozen=True, slots=True, kw_only=True)
class AffineSite:
    """A static access: in which iterations it runs, and where it reaches.

    Parameters
    ----------
    access : int
        Number of the static access [1].
    size : int
        Bytes that it moves [B].
    loops : tuple of int
        Loops around it, the nest's outermost first; the collapsed ones even if it stands between
        them, because every thread makes it [1].
    address : tuple of int
        Affine function of launch and iterations [B].
    launches : tuple of int
        The first launch in which it runs, and the one after the last [1].
    lower, upper : tuple of tuple of int
        For each loop around it, outermost first, the first iteration in which it runs, and the
        one after the last: affine functions of launch and the iterations further out [1].
    """

    access: int
    size: int
    loops: tuple[int, ...]
    address: Affine
    launches: tuple[int, int]
    lower: tuple[Affine, ...]
    upper: tuple[Affine, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AffineNest:
    """A loop nest that is affine.

    Parameters
    ----------
    sites : tuple of AffineSite
        Static accesses that run, in program order.
    accesses, loops : tuple
        Static tables of the program, by number.
    nest, collapse : int
        Outermost loop, and how many loops from it on become threads [1].
    depth : int
        Iteration columns of the trace [1].
    launches : tuple of int
        The first launch, and the one after the last [1].
    extents : tuple of tuple of int
        Iterations of each collapsed loop: constant, and what each launch adds [1].
    """

    sites: tuple[AffineSite, ...]
    accesses: tuple[Access, ...]
    loops: tuple[Loop, ...]
    nest: int
    collapse: int
    depth: int
    launches: tuple[int, int]
    extents: tuple[Affine, ...]


def value_of(function: Affine, point: Sequence[int]) -> int:
    """Value of an affine function [unit of the function].

    Parameters
    ----------
    function : tuple of int
        Coefficients.
    point : sequence of int
        Launch and iterations; more than the function knows of are not looked at [1].

    Examples
    --------
    >>> value_of((100, 0, 8), (3, 2))
    116
    """
    constant, *steps = function
    return constant + sum(step * each for step, each in zip(steps, point, strict=False))


def extents_of(nest: AffineNest, launch: int) -> tuple[int, ...]:
    """Iterations of the collapsed loops in a launch, outermost first [1].

    Raises
    ------
    AffineError
        If there is no such launch.
    """
    first, end = nest.launches
    if not first <= launch < end:
        raise AffineError(f"launch {launch} is not one of those from {first} to {end - 1}")
    return tuple(max(0, value_of(extent, (launch,))) for extent in nest.extents)


def extremes(site: AffineSite) -> tuple[int, int]:
    """Lowest and highest address at which a static access begins [B].

    From the innermost loop outwards the iteration is replaced by the bound that makes the address
    least, or greatest; an affine function of affine bounds is affine again.
    """
    found = []
    for sign in (-1, 1):
        function = list(site.address)
        for lower, upper in zip(reversed(site.lower), reversed(site.upper), strict=True):
            step = function.pop()
            last = (upper[0] - 1, *upper[1:])
            for place, part in enumerate(last if sign * step > 0 else lower):
                function[place] += step * part
        constant, step = function
        first, end = site.launches
        found.append(constant + step * (end - 1 if sign * step > 0 else first))
    return found[0], found[1]
