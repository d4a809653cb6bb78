"""The roots of one equation, in numbers: a program that decides on one offload asks for these.

The steps are those of `general_case` and `special_cases`, written out for numbers, and so are the
bits of what they give; what these would pass on to more careful ones is left to the arrays' way.
"""

from math import inf, nan

from logca.numeric.arrays.arrays import Array, Namespace
from logca.numeric.generated.iteration import index
from logca.numeric.roots.general_case import (
    CLEARLY,
    HIGH,
    LEAST,
    LOW,
    STEPS,
    excess,
    for_numbers,
    of_one,
    sublinear,
    superlinear,
)
from logca.numeric.roots.special_cases import (
    POLISHED,
    TINY,
    is_polished,
    lines,
    polished_once,
)
from logca.numeric.roots.status import RootStatus

__all__ = ["OneRoot", "one_equation"]

OneRoot = tuple[float, float, RootStatus]
"""Lower and upper root [B], NaN where there is none, and the status."""


def one_equation(
    latency: str, s: float, o: float, L: float, C: float, A: float, beta: float
) -> OneRoot | None:
    """Where the speedup is s; None where the usual way does not tell.

    Examples
    --------
    >>> lower, upper, status = one_equation("constant", 1.0, 29_000.0, 1500.0, 90.0, 19.0, 1.0)
    >>> print(f"{lower:.2f} {status.name}")
    357.72 ONE
    """
    if not (LOW < s < HIGH and LOW < C < HIGH and s < A < inf and o >= 0 and L >= 0 and beta > 0):
        return None
    c, l = (o + L, 0.0) if latency == "constant" else (o, L)
    if not (c < inf and l < inf and beta < inf):
        return None
    try:
        return _solved(s, C, A, c, l, beta)
    except ZeroDivisionError:  # of two numbers: NumPy has an infinity, and goes on
        return None


def _solved(s: float, C: float, A: float, c: float, l: float, beta: float) -> OneRoot | None:
    if l == 0:
        root = _two_terms(s, C, A, c, c, l, beta, beta) if c > 0 else None
        return None if root is None else (root, nan, RootStatus.ONE)
    if beta == 1:
        return _crossing(s, C, A, c, l) if c > 0 else None
    if c == 0:
        root = _two_terms(s, C, A, l, c, l, beta, beta - 1)
        if root is None:
            return None
        return (root, nan, RootStatus.ONE) if beta > 1 else (nan, root, RootStatus.UPPER_ONLY)
    return (_rising if beta > 1 else _falling)(s, C, A, c, l, beta)


def _rising(s: float, C: float, A: float, c: float, l: float, beta: float) -> OneRoot | None:
    for steps in STEPS:
        root, margin = of_one(superlinear, steps)(s, C, A, c, l, beta)
        if margin > 0 and root >= TINY:
            return root, nan, RootStatus.ONE
    return None


def _falling(s: float, C: float, A: float, c: float, l: float, beta: float) -> OneRoot | None:
    above = for_numbers(excess)(s, C, A, c, l, beta)
    if -inf < above < -CLEARLY:
        return nan, nan, RootStatus.NEVER
    for steps in STEPS if above > CLEARLY else ():
        lower, upper, margin, upper_margin = of_one(sublinear, steps)(s, C, A, c, l, beta)
        if margin > 0 and upper_margin > 0 and TINY <= lower < upper:
            return lower, upper, RootStatus.TWO
    return None


def _two_terms(
    s: float, C: float, A: float, cost: float, c: float, l: float, beta: float, exponent: float
) -> float | None:
    """The root [B] where overhead or latency is the only cost, and the other one is zero."""
    k, quotient, root, *steps = for_numbers(_power)(s, C, A, cost, c, l, beta, exponent)
    good = LEAST < k < inf and TINY <= quotient < inf and TINY <= root < inf
    good = good and all(is_polished(*steps[at : at + 4]) for at in range(0, len(steps), 4))
    return root if good else None


def _power(
    xp: Namespace,
    s: Array,
    C: Array,
    A: Array,
    cost: Array,
    c: Array,
    l: Array,
    beta: Array,
    exponent: Array,
) -> tuple[Array, ...]:
    k = index(xp, s, C, A)
    quotient = cost / k
    g = xp.exp(xp.log(quotient) / exponent)
    steps: list[Array] = []
    for _ in range(POLISHED):
        g, *step = polished_once(xp, k, c, l, beta, g)
        steps += step
    return (k, quotient, g, *steps)


def _crossing(s: float, C: float, A: float, c: float, l: float) -> OneRoot | None:
    """For beta = 1."""
    k, quotient, root = for_numbers(_lines)(s, C, A, c, l)
    if not LEAST < k < inf:
        return None
    if not quotient < 1:
        return nan, nan, RootStatus.NEVER
    return (root, nan, RootStatus.ONE) if TINY <= root < inf else None


def _lines(xp: Namespace, s: Array, C: Array, A: Array, c: Array, l: Array) -> tuple[Array, ...]:
    k = index(xp, s, C, A)
    return (k, *lines(xp, k, c, l))
