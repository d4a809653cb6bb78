"""Enclosures by rational numbers and integer roots alone: a second opinion beside Arb's balls.

No floating point and no foreign library takes part: a fractional power is bounded by the integer
root of a large integer, a logarithm by its power series with the remainder.
"""

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import prod

import mpmath
import sympy as sp

from logca.derive.algebra.trinomial import TrinomialRoot, crossings

__all__ = ["Box", "Interval", "Unknown", "enclosure", "logarithm", "power"]

Interval = tuple[Fraction, Fraction]
Box = Mapping[sp.Symbol, Interval]

_DIGITS = 40
_FINE, _COARSE = 160, 56


class Unknown(ValueError):
    """An expression that this arithmetic cannot enclose."""


def enclosure(expr: sp.Expr, box: Box) -> Interval:
    """Two rationals between which the expression lies on the whole box [unit of expr].

    Examples
    --------
    >>> low, high = enclosure(sp.sqrt(2), {})
    >>> low < high and low**2 < 2 < high**2
    True
    """
    if expr.is_Rational:
        value = Fraction(int(expr.p), int(expr.q))
        return value, value
    if expr.is_Symbol and expr in box:
        return box[expr]
    if isinstance(expr, TrinomialRoot):
        return _root(expr, box)
    parts = [enclosure(arg, box) for arg in expr.args]
    bits = _COARSE if box else _FINE
    if isinstance(expr, sp.Add):
        return sum((p[0] for p in parts), Fraction(0)), sum((p[1] for p in parts), Fraction(0))
    if isinstance(expr, sp.Mul):
        corners = [prod(choice, start=Fraction(1)) for choice in product(*map(set, parts))]
        return min(corners), max(corners)
    if isinstance(expr, sp.Pow):
        return _interval_power(parts[0], parts[1], bits)
    if isinstance(expr, sp.log):
        return logarithm(parts[0][0], bits)[0], logarithm(parts[0][1], bits)[1]
    if isinstance(expr, sp.Min | sp.Max):
        choose = min if isinstance(expr, sp.Min) else max
        return choose(p[0] for p in parts), choose(p[1] for p in parts)
    if isinstance(expr, sp.Abs):
        (low, high), ends = parts[0], sorted(map(abs, parts[0]))
        return (ends[0] if low * high > 0 else Fraction(0)), ends[1]
    raise Unknown(f"{expr.func.__name__}")


def _interval_power(base: Interval, exponent: Interval, bits: int) -> Interval:
    low, high = base
    if exponent[0] != exponent[1]:
        raise Unknown("an exponent that is not one rational")
    degree = exponent[0]
    if degree < 0 and low <= 0 <= high:
        raise Unknown("the base may vanish")
    if degree.denominator == 1 and low < 0:
        ends = sorted((low ** int(degree), high ** int(degree)))
        crosses = high > 0 and degree.numerator % 2 == 0
        return (Fraction(0) if crosses else ends[0]), ends[1]
    if low < 0:
        raise Unknown("the base may be negative")
    near, far = power(low, degree, bits), power(high, degree, bits)
    return (near[0], far[1]) if degree > 0 else (far[0], near[1])


def power(base: Fraction, exponent: Fraction, bits: int = _FINE) -> Interval:
    """Bounds of a rational power of a number that is not negative [unit to the exponent].

    Examples
    --------
    >>> power(Fraction(4, 9), Fraction(-3, 2))
    (Fraction(27, 8), Fraction(27, 8))
    """
    degree = exponent.denominator
    whole = base**exponent.numerator
    if degree == 1 or whole == 0:
        return whole, whole
    size = whole.numerator.bit_length() - whole.denominator.bit_length()
    shift = max(0, bits - size // degree)
    scaled, rest = divmod(whole.numerator << (degree * shift), whole.denominator)
    root, exact = sp.integer_nthroot(scaled, degree)
    unit = Fraction(1, 1 << shift)
    return int(root) * unit, (int(root) + (0 if exact and rest == 0 else 1)) * unit


def logarithm(value: Fraction, bits: int = _FINE) -> Interval:
    """Bounds of the natural logarithm of a positive number [1].

    With value = m 2**e and m between 2/3 and 4/3: ln value = 2 artanh((m-1)/(m+1)) + e ln 2.

    Examples
    --------
    >>> low, high = logarithm(Fraction(10))
    >>> float(low) == float(high) == 2.302585092994046
    True
    """
    if value <= 0:
        raise Unknown("the logarithm of a number that may not be positive")
    exponent = value.numerator.bit_length() - value.denominator.bit_length()
    mantissa = value / Fraction(2) ** exponent
    while mantissa > Fraction(4, 3):
        mantissa, exponent = mantissa / 2, exponent + 1
    while mantissa < Fraction(2, 3):
        mantissa, exponent = mantissa * 2, exponent - 1
    near = _artanh((mantissa - 1) / (mantissa + 1), bits)
    two = _artanh(Fraction(1, 3), bits)
    ends = [2 * near[i] + 2 * exponent * two[i if exponent >= 0 else 1 - i] for i in (0, 1)]
    return ends[0], ends[1]


@lru_cache(maxsize=256)
def _artanh(t: Fraction, bits: int) -> Interval:
    """Bounds of artanh for abs(t) <= 1/3, the argument rounded outwards first."""
    if t < 0:
        low, high = _artanh(-t, bits)
        return -high, -low
    scale = 1 << bits
    bounds = []
    for rounded in (t * scale // 1, -(-t * scale // 1)):
        square, odd, total = rounded * rounded, rounded, rounded
        for n in range(3, bits, 2):
            odd = odd * square >> 2 * bits
            total += odd // n
        bounds.append(total)
    return Fraction(bounds[0], scale), Fraction(bounds[1] + bits, scale)


def _root(expr: TrinomialRoot, box: Box) -> Interval:
    """Bounds of a root of the trinomial, certified by a change of sign."""
    k, c, l, b = (enclosure(arg, box) for arg in expr.args)
    if b[0] != b[1]:
        raise Unknown("an exponent that is not one rational")
    with mpmath.workdps(_DIGITS):
        middle = [mpmath.mpf(x.numerator) / x.denominator for x in (k[0], c[0], l[0], b[0])]
        guess = crossings(*middle)[expr.upward]
        if mpmath.isnan(guess) or guess <= 0:
            raise Unknown(f"{expr} may not exist")
        near = Fraction(mpmath.nstr(guess, _DIGITS))
    for digits in range(_DIGITS - 8, 1, -4):
        step = near / 10**digits
        low, high = near - step, near + step
        below, above = (_residual(k, c, l, b[0], x) for x in (low, high))
        if below[1] < 0 < above[0] if expr.upward else above[1] < 0 < below[0]:
            return low, high
    raise Unknown(f"{expr} could not be enclosed")


def _residual(k: Interval, c: Interval, l: Interval, b: Fraction, x: Fraction) -> Interval:
    """Bounds of ``k*x**b - l*x - c`` for x > 0."""
    low, high = power(x, b)
    products = [factor * value for factor in k for value in (low, high)]
    return min(products) - l[1] * x - c[1], max(products) - l[0] * x - c[0]
