"""The model once more, in mpmath alone: what the theorems of the ledger are held against."""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise

import mpmath
from zeros import zero

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
    """A zero on a logarithmic scale; the function has different signs at the ends."""
    ends = mpmath.log(low), mpmath.log(high)
    return mpmath.exp(zero(lambda t: function(mpmath.exp(t)), *ends))


def roots(function: Callable[[Number], Number], decades: int = 60, steps: int = 6) -> list[Number]:
    """All zeros with a change of sign on a logarithmic grid.

    The grid has one point a decade, and some more where the function comes close to zero and turns
    back: a pair of zeros may lie between.
    """
    coarse = range(-decades * steps, decades * steps + 1, steps)
    values = {i: function(_grid(i, steps)) for i in coarse}
    for before, middle, after in zip(coarse, coarse[1:], coarse[2:], strict=False):
        if abs(values[middle]) < min(abs(values[before]), abs(values[after])):
            fine = (i for i in range(before, after) if i not in values)
            values |= {i: function(_grid(i, steps)) for i in fine}
    places = sorted(values)
    return [
        root(function, _grid(low, steps), _grid(high, steps))
        for low, high in pairwise(places)
        if (values[low] > 0) != (values[high] > 0)
    ]


@cache
def _grid(place: int, steps: int) -> Number:
    with mpmath.workdps(60):
        return mpf(10) ** (mpf(place) / steps)


def close(left: Number, right: Number, digits: int = 30) -> bool:
    """Whether two numbers agree to some digits, relative to their size."""
    return bool(abs(left - right) <= (abs(left) + abs(right)) * mpf(10) ** -digits)
