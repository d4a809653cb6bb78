"""Examples for the documentation of generated functions, with values of the formulas themselves.

The value printed is that of the derived formula, evaluated by mpmath to 30 digits. So each example,
run as a test, holds the generated function to its formula.
"""

from collections.abc import Iterator
from fractions import Fraction

import sympy as sp

from logca.derive.symbols import TABLE
from logca.numeric.generate.quantities import quantity

__all__ = ["example"]

_ON_CHIP: dict[str, Fraction] = {
    "g": Fraction(4096),
    "s": Fraction(2),
    "g_low": Fraction(16),
    "g_high": Fraction(2**25),
    "o": Fraction(29_000),
    "L": Fraction(1500),
    "C": Fraction(90),
    "A": Fraction(19),
    "beta": Fraction(1),
    "r": Fraction(10),
    "q": Fraction(6, 5),
}
_ON_A_BUS = _ON_CHIP | {
    "g": Fraction(2**24),
    "s": Fraction(2),
    "o": Fraction(40_000),
    "L": Fraction(15),
    "C": Fraction(290),
    "A": Fraction(7),
    "beta": Fraction(3, 4),
}
_EXPONENTS = (1, 2, 3, Fraction(1, 2), Fraction(1, 3), Fraction(2, 3), Fraction(3, 2))
_CANDIDATES = (
    _ON_CHIP,
    _ON_CHIP | {"L": Fraction(150_000)},
    _ON_A_BUS,
    *(_ON_A_BUS | {"beta": Fraction(each)} for each in _EXPONENTS),
    *(_ON_A_BUS | {"beta": Fraction(each), "L": Fraction(1)} for each in _EXPONENTS),
    *(_ON_A_BUS | {"beta": Fraction(each), "o": Fraction(40)} for each in _EXPONENTS),
    *(_ON_CHIP | {"L": Fraction(1, 100), "beta": Fraction(each)} for each in _EXPONENTS),
)


def example(name: str, arguments: tuple[str, ...], latencies: tuple[str, ...]) -> Iterator[str]:
    """Lines of an example: the call, and the value of the formula to six digits."""
    latency, values = _fitting(name, latencies)
    exact = quantity(name).printed(latency).subs(_exact(values), simultaneous=True)
    first = [each for each in arguments if each in ("g", "s")][:1]
    given = [_number(values[each]) for each in first]
    given += [f"{each}={_number(values[each])}" for each in arguments if each not in first]
    if len(latencies) > 1 and latency != "constant":
        given.append(f'latency="{latency}"')
    yield f'>>> print(f"{{{name}({", ".join(given)}):.6g}}")'.replace('="linear"', "='linear'")
    yield f"{float(exact.evalf(30)):.6g}"


def _fitting(name: str, latencies: tuple[str, ...]) -> tuple[str, dict[str, Fraction]]:
    """A form of latency and parameters for which the quantity exists."""
    for values in _CANDIDATES:
        for latency in latencies:
            conditions = quantity(name).conditions(latency)
            if all(each.subs(_exact(values), simultaneous=True) == sp.true for each in conditions):
                return latency, values
    raise LookupError(f"no example fits {name}: add one to _CANDIDATES")


def _exact(values: dict[str, Fraction]) -> dict[str, sp.Rational]:
    return {
        TABLE[name].symbol: sp.Rational(value.numerator, value.denominator)
        for name, value in values.items()
    }


def _number(value: Fraction) -> str:
    return str(value).replace("/", " / ")
