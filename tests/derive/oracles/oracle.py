"""The model written down a second time, in numbers, to hold the derived formulas against.

Nothing here uses the package's roots: crossings are bracketed and closed in upon.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache

import mpmath
import sympy as sp
from hypothesis import strategies as st
from mpmath import mpf
from zeros import zero

from logca.derive.core.formula import Formula

DIGITS = 40
TOLERANCE = mpf(10) ** -30


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """One accelerator, in exact numbers."""

    o: Fraction
    L0: Fraction
    L1: Fraction
    C: Fraction
    A: Fraction
    beta: Fraction

    def host(self, g: mpf) -> mpf:
        return exact(self.C) * mpf(g) ** exact(self.beta)

    def rest(self, g: mpf) -> mpf:
        return exact(self.o) + exact(self.L0) + exact(self.L1) * g

    def time(self, g: mpf) -> mpf:
        return self.rest(g) + self.host(g) / exact(self.A)

    def speedup(self, g: mpf) -> mpf:
        return self.host(g) / self.time(g)

    def but(self, **changes: Fraction) -> "Model":
        return replace(self, **{key: Fraction(value) for key, value in changes.items()})


def exact(number: Fraction | int | mpf) -> mpf:
    if isinstance(number, Fraction):
        return mpf(number.numerator) / number.denominator
    return mpf(number)


def fractions(low: int, high: int) -> st.SearchStrategy[Fraction]:
    """Fractions between 10**low and 10**high, evenly spread over the decades."""
    return st.builds(
        lambda digit, power: Fraction(digit, 10) * Fraction(10) ** power,
        st.integers(10, 99),
        st.integers(low, high - 1),
    )


EXPONENTS = st.sampled_from([Fraction(k, 20) for k in (3, 10, 15, 19, 20, 21, 25, 30, 34, 40, 60)])


def models(
    *,
    latency: str = "affine",
    beta: st.SearchStrategy[Fraction] = EXPONENTS,
) -> st.SearchStrategy[Model]:
    none = st.just(Fraction(0))
    return st.builds(
        Model,
        o=fractions(0, 5),
        L0=none if latency == "linear" else fractions(0, 5),
        L1=none if latency == "constant" else fractions(-2, 2),
        C=fractions(0, 4),
        A=st.builds(lambda k: Fraction(k, 4), st.integers(5, 400)),
        beta=beta,
    )


GRANULARITIES = fractions(-1, 7)


def value(formula: Formula, model: Model | None = None, **more: Fraction | int | mpf) -> mpf:
    """The formula in numbers, its roots bracketed."""
    known: dict[str, Fraction | int | mpf] = {}
    if model is not None:
        known = {name: getattr(model, name) for name in ("o", "L0", "L1", "C", "A", "beta")}
    known |= more
    names, function = _compiled(formula.expr)
    with mpmath.workdps(DIGITS):
        return mpf(function(*[exact(known[name]) for name in names]))


@cache
def _compiled(expr: sp.Expr) -> tuple[tuple[str, ...], Callable[..., mpf]]:
    symbols = sorted(expr.free_symbols, key=str)
    roots = {"LowerRoot": upward, "UpperRoot": downward, "Min": min, "Max": max}
    function = sp.lambdify(symbols, expr, modules=[roots, "mpmath"])
    return tuple(map(str, symbols)), function


def upward(k: mpf, c: mpf, l: mpf, b: mpf) -> mpf:
    """Where k*x**b rises above c + l*x; NaN if nowhere."""
    top = _widest(k, l, b)
    return _bisect(k, c, l, b, top, -1) if top is not None else _anywhere(k, c, l, b)


def downward(k: mpf, c: mpf, l: mpf, b: mpf) -> mpf:
    """Where k*x**b falls below c + l*x; NaN if nowhere."""
    top = _widest(k, l, b)
    return _bisect(k, c, l, b, top, 1) if top is not None else mpmath.nan


def _excess(k: mpf, c: mpf, l: mpf, b: mpf, t: mpf) -> mpf:
    return k * mpmath.exp(b * t) - c - l * mpmath.exp(t)


def _widest(k: mpf, l: mpf, b: mpf) -> mpf | None:
    """Where k*x**b exceeds l*x most, if b < 1 < infinity."""
    return mpmath.log(b * k / l) / (1 - b) if b < 1 and l > 0 else None


def _bisect(k: mpf, c: mpf, l: mpf, b: mpf, top: mpf, direction: int) -> mpf:
    if _excess(k, c, l, b, top) < 0:
        return mpmath.nan
    far, near = top + direction, top
    while _excess(k, c, l, b, far) > 0:
        if abs(far) > 10**6:
            return mpmath.nan
        far = top + 2 * (far - top)
    return mpmath.exp(zero(lambda t: _excess(k, c, l, b, t), far, near))


def _anywhere(k: mpf, c: mpf, l: mpf, b: mpf) -> mpf:
    low, high = mpf(-1), mpf(1)
    while _excess(k, c, l, b, high) < 0:
        high *= 2
        if high > 10**4:
            return mpmath.nan
    while _excess(k, c, l, b, low) > 0:
        low *= 2
        if low < -(10**4):
            return mpmath.nan
    return mpmath.exp(zero(lambda t: _excess(k, c, l, b, t), low, high))


def close(left: mpf, right: mpf, tolerance: mpf = TOLERANCE) -> bool:
    return bool(abs(left - right) <= tolerance * (abs(left) + abs(right)) + mpf(10) ** -200)
