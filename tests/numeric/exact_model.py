"""The model written down again in 90 digits, to hold floating-point answers against.

Nothing of the package is used here. Roots are those of ``k*g**b = c + l*g``, found by Newton's
method in ``t = log(g*l/c)``, in which the equation's logarithm is convex, from outside of the root.
"""

from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import count
from random import Random
from typing import Any

import mpmath
from hypothesis import strategies as st

mp = mpmath.mp.clone()
mp.dps = 90

EPS = 2.0**-52
TINY, HUGE = 2.0**-1022, 2.0**1023 * (2 - EPS)
Number = Any
"""A number of mpmath with 90 digits."""


def real(number: object) -> Number:
    """The very number that a float, an integer or a fraction is."""
    if isinstance(number, Fraction):
        return mp.mpf(number.numerator) / number.denominator
    if isinstance(number, int | mp.mpf):
        return mp.mpf(number)
    return mp.mpf(float(number))  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True, kw_only=True)
class Exact:
    """An accelerator, with latency per byte if it is `linear`."""

    o: Number
    L: Number
    C: Number
    A: Number
    beta: Number
    linear: bool

    @classmethod
    def of(cls, *, latency: str = "constant", **parameters: object) -> "Exact":
        known = {name: real(value) for name, value in parameters.items()}
        return cls(**known, linear=latency == "linear")

    @property
    def once(self) -> Number:
        """What an offload pays once."""
        return self.o if self.linear else self.o + self.L

    @property
    def per_byte(self) -> Number:
        return self.L if self.linear else mp.mpf(0)

    def host(self, g: object) -> Number:
        return self.C * real(g) ** self.beta

    def parts(self, g: object) -> tuple[Number, Number, Number]:
        """Overhead, latency and accelerated computation."""
        return self.o, self.L * real(g) if self.linear else self.L, self.host(g) / self.A

    def speedup(self, g: object) -> Number:
        return self.host(g) / mp.fsum(self.parts(g))

    def improved(self, parameter: str, r: object) -> "Exact":
        factor = 1 / real(r) if parameter in ("o", "L") else real(r)
        return replace(self, **{parameter: getattr(self, parameter) * factor})

    def gain(self, parameter: str, r: object, g: object) -> Number:
        """By which factor the speedup grows if a parameter is improved r-fold."""
        return self.improved(parameter, r).speedup(g) / self.speedup(g)

    def elasticity(self, parameter: str, g: object) -> Number:
        """Central difference of log(speedup) over log(parameter)."""
        step = mp.mpf(10) ** -20

        def log_speedup(factor: Number) -> Number:
            if parameter == "g":
                return mp.log(self.speedup(real(g) * factor))
            changed = replace(self, **{parameter: getattr(self, parameter) * factor})
            return mp.log(changed.speedup(g))

        return (log_speedup(mp.exp(step)) - log_speedup(mp.exp(-step))) / (2 * step)

    def index(self, s: object) -> Number:
        return self.C * (1 / real(s) - 1 / self.A)

    def roots(self, s: object) -> list[Number]:
        """All granularities with a speedup s < A, in ascending order."""
        return roots(self.index(s), self.once, self.per_byte, self.beta)

    def excess(self, s: object) -> Number:
        """For beta < 1 how far log(kappa) is above the least with which there are roots."""
        return excess(self.index(s), self.once, self.per_byte, self.beta)

    def peak(self) -> Number:
        return self.beta * self.once / ((1 - self.beta) * self.per_byte)

    def condition(self, s: object, g: object) -> Number:
        """Relative changes of a root g per relative change of o, L, C, A, s and beta, added up."""
        latency = self.per_byte * real(g)
        share = latency / (self.once + latency)
        moves = 2 + (self.A + real(s)) / (self.A - real(s)) + self.beta * abs(mp.log(real(g)))
        return moves / abs(self.beta - share) if self.beta != share else mp.inf


def roots(k: object, c: object, l: object, b: object) -> list[Number]:
    """All positive g with ``k*g**b = c + l*g``, in ascending order; k and b positive."""
    k, c, l, b = map(real, (k, c, l, b))
    if c == 0 and l == 0:
        return []
    if l == 0:
        return [(c / k) ** (1 / b)]
    if b == 1:
        return [c / (k - l)] if c > 0 and k > l else []
    if c == 0:
        return [(l / k) ** (1 / (b - 1))]
    lam = _log_kappa(k, c, l, b)
    if b > 1:
        return [c / l * mp.exp(_newton(b, lam, max(-lam / b, -lam / (b - 1))))]
    above = excess(k, c, l, b)
    if above <= 0:
        return [] if above < 0 else [c / l * b / (1 - b)]
    return [c / l * mp.exp(_newton(b, lam, start)) for start in (-lam / b, -lam / (b - 1))]


def excess(k: Number, c: Number, l: Number, b: Number) -> Number:
    return _log_kappa(k, c, l, b) + b * mp.log(b) + (1 - b) * mp.log(1 - b)


def _log_kappa(k: Number, c: Number, l: Number, b: Number) -> Number:
    return mp.log(k) + (b - 1) * mp.log(c) - b * mp.log(l)


def _newton(b: Number, lam: Number, t: Number) -> Number:
    for _ in range(2000):
        small = mp.exp(-abs(t))
        value = max(t, 0) + mp.log1p(small) - b * t - lam
        slope = (1 if t > 0 else small) / (1 + small) - b
        t -= value / slope
        if abs(value / slope) <= mp.mpf(10) ** -32 * max(1, abs(t)):
            return t
    raise ArithmeticError(f"no root near {t}")


def off(found: object, exact: Number) -> float:
    """Relative error, in units of EPS."""
    return float(abs(real(found) / exact - 1) / EPS)


SEEDS = st.integers(0, 10**9)
"""Numbers are drawn from seeds: those that hypothesis draws itself are the same all too often."""
_salts = count()


def powers(low: float, high: float) -> st.SearchStrategy[float]:
    """Numbers between 10**low and 10**high, evenly spread over the decades."""
    salt = next(_salts)
    return SEEDS.map(lambda seed: 10.0 ** Random(f"{seed} {salt}").uniform(low, high))


LATENCIES = st.sampled_from(["constant", "linear"])
FAVOURITES = (0.14, 0.25, 1 / 3, 0.5, 2 / 3, 0.94, 1.0, 1.2, 1.5, 1.7, 2.0, 3.0)


def parameters(
    *, span: float = 4.0, free: bool = False, least: float = 0.05, greatest: float = 4.0
) -> st.SearchStrategy[dict[str, float]]:
    """o, L, C, A and beta between two exponents; with `free` also without overhead or latency."""
    return SEEDS.map(lambda seed: _drawn(Random(f"{seed}"), span, free, least, greatest))


def _drawn(rng: Random, span: float, free: bool, least: float, greatest: float) -> dict[str, float]:
    def cost() -> float:
        return 0.0 if free and rng.random() < 0.15 else 10 ** rng.uniform(-span, span)

    exponents = [each for each in FAVOURITES if least <= each <= greatest]
    return {
        "o": cost(),
        "L": cost(),
        "C": 10 ** rng.uniform(-span, span),
        "A": 1 + 10 ** rng.uniform(-1.5, 3),
        "beta": rng.choice(exponents) if rng.random() < 0.4 else rng.uniform(least, greatest),
    }
