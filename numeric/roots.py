"""All granularities with a given speedup, exactly, for arrays of parameters.

The speedup is s where ``k*g**beta = c + l*g``, with the effective index ``k``, what an offload pays
once ``c`` and the latency per byte ``l``. Where two terms are left, or beta is one, the root is in
closed form. Elsewhere it is found in ``t = log(g*l/c)``, in which the logarithm of the equation is
convex (claims ext-log-newton): Halley's step from a hyperbola that is close everywhere, then one
relative Newton step in g itself, which is accurate where the logarithm no longer is. The steps are
generated, see `logca.numeric.generate.iteration`; Newton's step from g = 1 (altaf2017, Eqs. 11 to
13) is never taken.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from logca.numeric.arrays import Array, real
from logca.numeric.careful_roots import Trinomials, solve_carefully
from logca.numeric.general_roots import STEPS, excess_of, sublinear, superlinear
from logca.numeric.generated.granularity import _effective_index_constant as effective_index
from logca.numeric.generated.iteration import log_index
from logca.numeric.status import RootStatus

__all__ = ["Roots", "granularity_for", "trinomial_roots"]

Values = np.ndarray[Any, np.dtype[np.float64]]
Mask = np.ndarray[Any, np.dtype[np.bool_]]
Codes = np.ndarray[Any, np.dtype[np.int8]]
Places = np.ndarray[Any, np.dtype[np.intp]]

_BLOCK = 64_000
_CLEARLY = 1e-9
_LEAST = float(np.finfo(np.float64).tiny)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Roots:
    """Granularities at which the speedup is s.

    Parameters
    ----------
    lower : array
        Where the speedup rises to s; NaN where it does not [B].
    upper : array
        Where it falls to s again; NaN where it does not [B].
    status : array of int
        A `logca.numeric.status.RootStatus` for each place [1].
    """

    lower: Array
    upper: Array
    status: Array


def granularity_for(
    s: Array, *, o: Array, L: Array, C: Array, A: Array, beta: Array, latency: str = "constant"
) -> Roots:
    """All granularities with speedup s, for numbers or NumPy arrays that are broadcast together.

    Parameters
    ----------
    s : array
        Target speedup [1].
    o : array
        Overhead, not negative [cycles].
    L : array
        Latency, not negative, per offload [cycles] or per byte [cycles/B].
    C : array
        Computational index, positive [cycles/B**beta].
    A : array
        Acceleration, positive [1].
    beta : array
        Exponent of the kernel's complexity, positive [1].
    latency : str
        Form of latency, "constant" or "linear" [text].

    Raises
    ------
    ValueError
        If the form of latency is unknown. Parameters outside their domains are no error: the
        status is OUTSIDE_DOMAIN there.

    Notes
    -----
    Source: altaf2017, Eqs. 5 and 6, and exactly what Eqs. 11 to 13 approximate.

    Examples
    --------
    >>> found = granularity_for(1, o=29_000, L=1500, C=90, A=19, beta=1)
    >>> print(f"{found.lower:.2f} {found.status.name}")
    357.72 ONE
    >>> found = granularity_for(1, o=4e8, L=15, C=290, A=7, beta=0.94, latency="linear")
    >>> print(f"{found.lower:.0f} {found.upper:.3e} {found.status.name}")
    4773754 2.102e+20 TWO
    """
    if latency not in ("constant", "linear"):
        raise ValueError(f"unknown latency {latency!r}; it is 'constant' or 'linear'")
    s, o, L, C, A, beta = map(real, (s, o, L, C, A, beta))
    with np.errstate(all="ignore"):
        once, per_byte = (o + L, np.zeros(())) if latency == "constant" else (o, L)
    arguments = (s, C, A, once, per_byte, beta)
    shape = np.broadcast_shapes(*(each.shape for each in arguments))
    flat = [_flat(each, shape) for each in arguments]
    size = int(np.prod(shape, dtype=np.int64))
    lower, upper = np.empty(size), np.empty(size)
    status = np.empty(size, dtype=np.int8)
    memory: list[Values] = []
    with np.errstate(all="ignore"):
        for start in range(0, size, _BLOCK):
            block = slice(start, min(start + _BLOCK, size))
            parts = [
                np.broadcast_to(each, block.stop - start) if each.size == 1 else each[block]
                for each in flat
            ]
            lower[block], upper[block], status[block], _ = _solve(_Block(*parts), memory)
    if not shape:
        return Roots(lower=lower[0], upper=upper[0], status=RootStatus(status[0]))
    return Roots(
        lower=lower.reshape(shape), upper=upper.reshape(shape), status=status.reshape(shape)
    )


def trinomial_roots(k: Array, c: Array, l: Array, beta: Array) -> Roots:
    """All g with ``k*g**beta = c + l*g``: the left side is larger between lower and upper root.

    Parameters
    ----------
    k : array
        Index, positive [cycles/B**beta].
    c : array
        Not negative [cycles].
    l : array
        Not negative [cycles/B].
    beta : array
        Exponent, positive [1].

    Examples
    --------
    >>> found = trinomial_roots(3.0, 2.0, 1.0, 0.5)
    >>> print(f"{found.lower:.3f} {found.upper:.3f}")
    1.000 4.000
    """
    return granularity_for(1.0, o=c, L=l, C=2 * real(k), A=2.0, beta=beta, latency="linear")


def _flat(array: Values, shape: tuple[int, ...]) -> Values:
    array = np.asarray(array, dtype=np.float64)
    return array.reshape(1) if array.size == 1 else np.broadcast_to(array, shape).reshape(-1)


class _Block(NamedTuple):
    """Targets and parameters of some equations, in one-dimensional arrays of one length."""

    s: Values
    C: Values
    A: Values
    c: Values
    l: Values
    beta: Values

    def at(self, places: Places) -> "_Block":
        return _Block(*(each.take(places) for each in self))


class _Found(NamedTuple):
    """Roots and status of some equations, and which of them need no second look."""

    lower: Values
    upper: Values
    status: Codes
    good: Mask

    def put(self, places: Places, part: "_Found") -> None:
        self.lower[places] = part.lower
        self.upper[places] = part.upper
        self.status[places] = part.status
        self.good[places] = part.good


def _solve(block: _Block, memory: list[Values]) -> _Found:
    """Roots and status: nearly all at once, of the rest most with more steps, the rest carefully.

    Wherever a parameter is outside its domain, a logarithm is not a number, and with it the margin;
    but for the signs of s and C, which may cancel, and of s - A, which then decides.
    """
    if not block.l.any():
        return _Found(*solve_carefully(_trinomials(block)), good=np.ones(block.l.shape, dtype=bool))
    found = _attempt(block, memory, STEPS[0])
    for steps in STEPS[1:]:
        if found.good.all():
            return found
        rest = np.flatnonzero(~found.good)
        found.put(rest, _attempt(block.at(rest), memory, steps))
    rest = np.flatnonzero(~found.good)
    if rest.size:
        careful = solve_carefully(_trinomials(block.at(rest)))
        found.put(rest, _Found(*careful, good=np.ones(rest.shape, dtype=bool)))
    return found


def _attempt(block: _Block, memory: list[Values], steps: int) -> _Found:
    rising = block.beta > 1
    if rising.all():
        found = _rising(block, memory, steps)
    elif not rising.any():
        found = _falling(block, memory, steps)
    else:
        found = _nothing(rising.shape)
        for places, solve in ((rising, _rising), (~rising, _falling)):
            some = np.flatnonzero(places)
            found.put(some, solve(block.at(some), memory, steps))
    return found._replace(good=found.good & (block.s > 0) & (block.C > 0))


def _nothing(shape: tuple[int, ...]) -> _Found:
    return _Found(
        lower=np.full(shape, np.nan),
        upper=np.full(shape, np.nan),
        status=np.full(shape, RootStatus.ONE, dtype=np.int8),
        good=np.zeros(shape, dtype=bool),
    )


def _rising(block: _Block, memory: list[Values], steps: int) -> _Found:
    """For beta > 1."""
    k = effective_index(np, block.s, block.C, block.A)
    root, margin = superlinear(k, block.c, block.l, block.beta, memory, steps)
    found = _nothing(root.shape)
    return found._replace(lower=root, good=(margin > 0) & (root >= _LEAST))


def _falling(block: _Block, memory: list[Values], steps: int) -> _Found:
    """For beta < 1."""
    k = effective_index(np, block.s, block.C, block.A)
    given = (k, block.c, block.l, block.beta)
    excess = excess_of(*given, memory)
    found = _nothing(k.shape)
    found.status[:] = RootStatus.NEVER
    found.good[:] = (excess < -_CLEARLY) & (excess > -np.inf)
    exist = np.flatnonzero(excess > _CLEARLY)
    if exist.size == k.size:
        found.put(exist, _two(sublinear(*given, excess, memory, steps)))
    elif exist.size:
        k, c, l, beta, some = (each.take(exist) for each in (*given, excess))
        found.put(exist, _two(sublinear(k, c, l, beta, some, memory, steps)))
    return found


def _two(solved: tuple[Values, Values, Values, Values]) -> _Found:
    lower, upper, margin, upper_margin = solved
    return _Found(
        lower=lower,
        upper=upper,
        status=np.full(lower.shape, RootStatus.TWO, dtype=np.int8),
        good=(margin > 0) & (upper_margin > 0) & (lower >= _LEAST) & (lower < upper),
    )


def _trinomials(block: _Block) -> Trinomials:
    s, C, A = block.s, block.C, block.A
    return Trinomials(
        k=effective_index(np, s, C, A),
        log_k=log_index(np, s, C, A),
        c=block.c,
        l=block.l,
        beta=block.beta,
        inside=(s > 0) & (C > 0) & (A > 0) & np.isfinite(s) & np.isfinite(C) & np.isfinite(A),
        beyond=~(s < A),
    )
