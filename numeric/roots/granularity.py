"""All granularities with a given speedup, exactly, for arrays of parameters.

The speedup is s where ``k*g**beta = c + l*g``, with the effective index ``k``, what an offload pays
once ``c`` and the latency per byte ``l``. Where two terms are left, or beta is one, the root is in
closed form. Elsewhere it is found in ``t = log(g*l/c)``, in which the logarithm of the equation is
convex (claims ext-log-newton): Halley's step from a hyperbola that is close everywhere, then one
relative Newton step in g itself, which is accurate where the logarithm no longer is. The steps are
generated, see `logca.numeric.generate.equations`; Newton's step from g = 1 (altaf2017, Eqs. 11 to
13) is never taken.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from logca.common.errors import ArgumentError
from logca.numeric.arrays.arrays import Array, numbers, real
from logca.numeric.arrays.tape import Values
from logca.numeric.generated.iteration import index, log_index
from logca.numeric.roots.general_case import (
    CLEARLY,
    HIGH,
    LOW,
    STEPS,
    Memory,
    Targets,
    excess,
    solve,
    sublinear,
    superlinear,
)
from logca.numeric.roots.one_equation import one_equation
from logca.numeric.roots.special_cases import TINY, Codes, Mask, Trinomials, solve_special_cases
from logca.numeric.roots.status import RootStatus

__all__ = [
    "Roots",
    "granularity_for",
    "sum_root",
    "trinomial_roots",
]

_MOST_STEPS = 100


def sum_root(k: Array, l: Array, c: Array, beta: Array) -> Any:
    """The only positive g with ``k*g**beta + l*g = c`` [B].

    Newton's method in t = log(g), on the convex, rising log(k*e**(beta*t) + l*e**t) - log(c),
    starts where either term alone reaches the constant, above the root, and comes down to it.

    Examples
    --------
    >>> float(sum_root(1.0, 2.0, 3.0, 2.0))
    1.0
    """
    k, l, c, beta = np.broadcast_arrays(*map(real, (k, l, c, beta)))
    with np.errstate(all="ignore"):
        log_k, log_l, log_c = np.log(k), np.log(l), np.log(c)
        t = np.minimum((log_c - log_k) / beta, log_c - log_l)
        for _ in range(_MOST_STEPS):
            power, line = np.exp(log_k - log_c + beta * t), np.exp(log_l - log_c + t)
            total = power + line
            step = np.log(total) * total / (beta * power + line)
            moving = step > np.finfo(np.float64).eps * np.abs(t)
            if not moving.any():
                break
            t = np.where(moving, t - step, t)
        g = np.exp(t)
        power, line = k * g**beta, l * g
        change = (c - power - line) / (beta * power + line)
        g = np.where(np.abs(change) < 1e-3, g + g * change, g)
        return np.where(c > 0, g, np.nan)[()]


Places = np.ndarray[Any, np.dtype[np.intp]]

_BLOCK = 100_000  # equations at a time, so that scratch memory does not grow with the arrays


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
        A `logca.numeric.roots.status.RootStatus` for each place [1].
    """

    lower: Array
    upper: Array
    status: Array


def granularity_for(
    s: Array,
    *,
    o: Array,
    L: Array,
    C: Array,
    A: Array,
    beta: Array = 1.0,
    latency: str = "constant",
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
        Form of latency, "constant" or "linear".

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
        raise ArgumentError(f"unknown latency {latency!r}; it is 'constant' or 'linear'")
    one = numbers(s, o, L, C, A, beta)
    solved = one_equation(latency, *one) if one is not None else None
    if solved is not None:
        lower, upper, known = solved
        return Roots(lower=np.float64(lower), upper=np.float64(upper), status=known)
    s, o, L, C, A, beta = map(real, (s, o, L, C, A, beta))
    with np.errstate(all="ignore"):
        if latency == "constant":
            once, per_byte = np.where((o >= 0) & (L >= 0), o + L, np.nan), np.zeros(())
            # Only here two parameters are added: in twice the unit of time the sum of any two
            # finite ones is finite, and with C in that unit too the roots stay the same.
            if np.isinf(once).any():
                large = np.isinf(once) & np.isfinite(o) & np.isfinite(L)
                once, C = np.where(large, o / 2 + L / 2, once), np.where(large, C / 2, C)
        else:
            once, per_byte = o, L
    arguments = (s, C, A, once, per_byte, beta)
    shape = np.broadcast_shapes(*(each.shape for each in arguments))
    flat = [_flat(each, shape) for each in arguments]
    size = int(np.prod(shape, dtype=np.int64))
    found, spare = _empty(size), [np.empty(min(size, _BLOCK)) for _ in range(2)]
    memory: Memory = []
    with np.errstate(all="ignore"):
        for start in range(0, size, _BLOCK):
            block = slice(start, min(start + _BLOCK, size))
            length = block.stop - start
            targets = Targets(
                *(np.broadcast_to(each, length) if each.size == 1 else each[block] for each in flat)
            )
            part = found.at(block)
            _solve(targets, part, [each[:length] for each in spare], memory)
    if not shape:
        return Roots(lower=found.lower[0], upper=found.upper[0], status=RootStatus(found.status[0]))
    return Roots(
        lower=found.lower.reshape(shape),
        upper=found.upper.reshape(shape),
        status=found.status.reshape(shape),
    )


def trinomial_roots(k: Array, c: Array, l: Array, beta: Array) -> Roots:
    """All g with ``k*g**beta = c + l*g``: the left side is larger between lower and upper root.

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


class _Found(NamedTuple):
    """Roots and status of some equations, and which of them need no second look."""

    lower: Values
    upper: Values
    status: Codes
    good: Mask

    def at(self, block: slice) -> "_Found":
        """Roots and status of a block, in the same memory."""
        every: tuple[Any, ...] = self
        return _Found(*(each[block] for each in every))

    def put(self, places: Places, part: "_Found") -> None:
        every: tuple[Any, ...] = self
        for whole, some in zip(every, part, strict=True):
            whole[places] = some


def _empty(size: int) -> _Found:
    """No roots yet: what is found is written into this."""
    return _Found(
        lower=np.empty(size),
        upper=np.full(size, np.nan),
        status=np.full(size, RootStatus.ONE, dtype=np.int8),
        good=np.empty(size, dtype=bool),
    )


def _solve(targets: Targets, found: _Found, spare: Sequence[Values], memory: Memory) -> None:
    """Nearly all at once, of the rest most with more steps, the rest carefully."""
    if targets.l.any():
        _attempt(targets, STEPS[0], found, spare, memory)
        for steps in STEPS[1:]:
            if found.good.all():
                return
            rest = np.flatnonzero(~found.good)
            again = _empty(rest.size)
            _attempt(targets.at(rest), steps, again, _spare(rest.size), memory)
            found.put(rest, again)
    else:
        found.good[:] = False
    rest = np.flatnonzero(~found.good)
    if rest.size:
        careful = solve_special_cases(_trinomials(targets.at(rest)))
        found.put(rest, _Found(*careful, good=np.ones(rest.shape, dtype=bool)))


def _spare(size: int) -> list[Values]:
    return [np.empty(size), np.empty(size)]


def _attempt(
    targets: Targets, steps: int, found: _Found, spare: Sequence[Values], memory: Memory
) -> None:
    """Solve where the general way does, and say where that is.

    Wherever a parameter is outside its domain, a logarithm is not a number, and with it the margin;
    but for signs of s, C and A, which may cancel. Where these are extreme the index may have lost
    digits.
    """
    rising = targets.beta > 1
    if rising.all():
        _rising(targets, steps, found, spare, memory)
    elif not rising.any():
        _falling(targets, steps, found, spare, memory)
    else:
        for chosen, solve_some in ((rising, _rising), (~rising, _falling)):
            some = np.flatnonzero(chosen)
            part = _empty(some.size)
            solve_some(targets.at(some), steps, part, _spare(some.size), memory)
            found.put(some, part)
    good = found.good
    good &= (targets.s > LOW) & (targets.s < HIGH)
    good &= targets.C > LOW
    good &= targets.A > LOW


def _rising(
    targets: Targets, steps: int, found: _Found, spare: Sequence[Values], memory: Memory
) -> None:
    """For beta > 1."""
    margin = spare[0]
    solve(superlinear, targets, (found.lower, margin), memory, steps)
    np.greater(margin, 0, out=found.good)
    good = found.good
    good &= found.lower >= TINY


def _falling(
    targets: Targets, steps: int, found: _Found, spare: Sequence[Values], memory: Memory
) -> None:
    """For beta < 1."""
    above = spare[0]
    solve(excess, targets, (above,), memory)
    exist = np.flatnonzero(above > CLEARLY)
    if exist.size == above.size:
        _two(targets, steps, found, spare, memory)
        return
    found.status[:] = RootStatus.NEVER
    found.lower[:] = np.nan
    np.less(above, -CLEARLY, out=found.good)
    good = found.good
    good &= above > -np.inf
    if exist.size:
        part = _empty(exist.size)
        _two(targets.at(exist), steps, part, _spare(exist.size), memory)
        found.put(exist, part)


def _two(
    targets: Targets, steps: int, found: _Found, spare: Sequence[Values], memory: Memory
) -> None:
    """Both roots, where there are two."""
    margin, upper_margin = spare
    results = (found.lower, found.upper, margin, upper_margin)
    solve(sublinear, targets, results, memory, steps)
    found.status[:] = RootStatus.TWO
    np.greater(np.minimum(margin, upper_margin), 0, out=found.good)
    good = found.good
    good &= found.lower >= TINY
    good &= found.lower < found.upper


def _trinomials(targets: Targets) -> Trinomials:
    s, C, A, c, l, _ = targets
    if not ((C > LOW) & (C < HIGH)).all():
        C, c, l = _in_another_unit(C, c, l)
    k = index(np, s, C, A)
    return Trinomials(
        k=np.where((k > TINY) & (k < np.inf), k, np.nan),
        log_k=log_index(np, s, C, A),
        c=c,
        l=l,
        beta=targets.beta,
        inside=(s > 0) & (C > 0) & (A > 0) & np.isfinite(s) & np.isfinite(C) & np.isfinite(A),
        beyond=~(s < A),
    )


def _in_another_unit(C: Values, c: Values, l: Values) -> tuple[Values, Values, Values]:
    """Costs in a unit of time in which C is about one, where no cost is lost by that."""
    _, exponent = np.frexp(C)
    scaled = [np.ldexp(each, -exponent) for each in (C, c, l)]
    kept = np.isfinite(C)
    for new, old in zip(scaled[1:], (c, l), strict=True):
        kept &= ((new >= TINY) & (new < np.inf)) | (old == 0)
    C, c, l = (np.where(kept, new, old) for new, old in zip(scaled, (C, c, l), strict=True))
    return C, c, l
