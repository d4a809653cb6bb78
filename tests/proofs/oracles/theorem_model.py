"""The model once more, in mpmath alone: what the theorems of the ledger are held against."""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import mpmath

mpf = mpmath.mpf
Number = mpmath.mpf


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """Parameters with affine latency, in the units of the paper."""

    o: Number
    L0: Number
    L1: Number
    C: Number
    A: Number
    beta: Number

    def latency(self, g: Number) -> Number:
        return self.L0 + self.L1 * g

    def host(self, g: Number) -> Number:
        return self.C * g**self.beta

    def accelerated(self, g: Number) -> Number:
        return self.o + self.latency(g) + self.host(g) / self.A

    def speedup(self, g: Number) -> Number:
        return self.host(g) / self.accelerated(g)

    def infinite(self, g: Number) -> Number:
        return self.host(g) / (self.o + self.latency(g))

    def excess(self, g: Number, s: Number) -> Number:
        """Positive where the speedup exceeds s; continuous, with the same zeros."""
        return mpmath.log(self.speedup(g) / s)

    def but(self, **values: Number) -> "Model":
        return replace(self, **values)


def models(count: int, seed: int, **fixed: Number) -> Iterator[Model]:
    """Random models, spread over some orders of magnitude, with some parameters fixed."""
    source = random.Random(seed)

    def spread(low: float, high: float) -> Number:
        return mpf(10) ** mpf(source.uniform(low, high))

    for _ in range(count):
        values = {
            "o": spread(0, 5),
            "L0": spread(0, 4),
            "L1": spread(-2, 2),
            "C": spread(0, 3),
            "A": 1 + spread(-1, 2),
            "beta": mpf(source.uniform(0.1, 2.5)),
        }
        yield Model(**(values | fixed))


def root(function: Callable[[Number], Number], low: Number, high: Number) -> Number:
    """A zero by bisection on a logarithmic scale; the function has different signs at the ends."""
    a, b = mpmath.log(low), mpmath.log(high)
    rising = function(mpmath.exp(b)) > 0
    for _ in range(190):
        middle = (a + b) / 2
        if (function(mpmath.exp(middle)) > 0) == rising:
            b = middle
        else:
            a = middle
    return mpmath.exp((a + b) / 2)


def roots(function: Callable[[Number], Number], decades: int = 60, steps: int = 6) -> list[Number]:
    """All zeros with a change of sign on a logarithmic grid."""
    grid = [mpf(10) ** (mpf(i) / steps) for i in range(-decades * steps, decades * steps + 1)]
    signs = [function(g) > 0 for g in grid]
    return [
        root(function, low, high)
        for low, high, before, after in zip(grid, grid[1:], signs, signs[1:], strict=False)
        if before != after
    ]


def close(left: Number, right: Number, digits: int = 30) -> bool:
    """Whether two numbers agree to some digits, relative to their size."""
    return bool(abs(left - right) <= (abs(left) + abs(right)) * mpf(10) ** -digits)
