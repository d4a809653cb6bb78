"""Numbers at and beyond the edges of doubles, against 50 digits of mpmath.

A double-precision result is right where each step of the formula can be one: within a few units in
the last place. Where a step overflows, the limit of the formula or NaN is right, a number is not.
"""

import math

import mpmath
import numpy as np
import pytest

from logca import numeric

DIGITS = 50
PRECISE = 1e-12
COUNT = 4_000

TINY, LARGE = 5e-324, 1.7e308
EDGES = (0.0, TINY, 1e-300, 1e-15, 1.0, 1 + 2**-52, 1e15, 1e150, 1e300, LARGE)


def samples(seed: int, low: float, high: float) -> np.ndarray:
    """Log-uniform numbers, every fifth one an edge."""
    rng = np.random.default_rng(seed)
    found = 10.0 ** rng.uniform(low, high, COUNT)
    edges = rng.choice(EDGES[1:], COUNT)
    return np.where(rng.random(COUNT) < 0.2, edges, found)


def exact_speedup(g: float, o: float, L: float, C: float, A: float, beta: float) -> mpmath.mpf:
    g, o, L, C, A, beta = (mpmath.mpf(each) for each in (g, o, L, C, A, beta))
    work = C * g**beta
    return work / (o + L + work / A)


def test_speedups_over_the_whole_range_of_doubles() -> None:
    places = [samples(seed, -20, 20) for seed in range(5)]
    g, o, L, C, A = places
    beta = np.random.default_rng(9).choice([1e-300, 1e-3, 0.5, 1.0, 1.5, 3.0, 1e5], COUNT)
    found = numeric.speedup(g, o=o, L=L, C=C, A=A, beta=beta)
    wrong = []
    with mpmath.workdps(DIGITS):
        for each in zip(g, o, L, C, A, beta, found, strict=True):
            *given, value = map(float, each)
            expected = exact_speedup(*given)
            if not right(value, expected, given):
                wrong.append((given, value, mpmath.nstr(expected, 10)))
    assert not wrong, (len(wrong), wrong[:5])


def right(value: float, expected: mpmath.mpf, given: list[float]) -> bool:
    """True for a value that is near, or that no double could be, or whose steps overflow."""
    g, o, L, C, A, beta = given
    steps = [mpmath.mpf(g) ** beta, C * mpmath.mpf(g) ** beta, mpmath.mpf(o) + L]
    steps += [steps[1] / A, steps[1] / A + steps[2]]
    inside = all(1e-300 < abs(step) < LARGE for step in steps)
    if inside:
        # a power of a large exponent multiplies the error of its base's logarithm
        bound = PRECISE * max(1.0, abs(beta * math.log(g))) if g != 1 else PRECISE
        return bool(abs(value - expected) <= bound * abs(expected) + 1e-300)
    if math.isnan(value):
        return True
    limits = (0.0, math.inf, float(A))
    near = abs(value - expected) <= 1e-9 * abs(expected) + 1e-300
    return bool(near) or any(
        math.isclose(value, each, rel_tol=1e-9, abs_tol=1e-290) for each in limits
    )


@pytest.mark.parametrize("apart", [2.0**-52, 1e-15, 1e-12, 1e-9, 1e-3])
@pytest.mark.parametrize("beta", [0.5, 1.0, 2.0])
def test_break_even_where_the_acceleration_hardly_exceeds_one(apart: float, beta: float) -> None:
    A = 1 + apart
    found = numeric.granularity_for(1, o=29_000, L=1500, C=90, A=A, beta=beta)
    with mpmath.workdps(DIGITS):
        exact = mpmath.mpf(A)
        expected = ((mpmath.mpf(29_000) + 1500) / 90 * exact / (exact - 1)) ** (
            1 / mpmath.mpf(beta)
        )
        assert abs(found.lower - expected) <= PRECISE * expected


def test_one_function_gives_the_same_bits_whole_in_blocks_and_by_workers() -> None:
    places = [samples(seed, -5, 12) for seed in range(6)]
    g, o, L, C, A, spread = places
    beta = 0.5 + spread / spread.max()
    named = {"g": g, "o": o, "L": L, "C": C, "A": A, "beta": beta}
    whole = numeric.evaluate("speedup", **named)
    for workers in (2, 3, 8):
        np.testing.assert_array_equal(numeric.evaluate("speedup", **named, workers=workers), whole)
    for block in (1, 7, 1000):
        parts = [
            numeric.evaluate("speedup", **{k: v[at : at + block] for k, v in named.items()})
            for at in range(0, 1000, block)
        ]
        np.testing.assert_array_equal(np.concatenate(parts)[:1000], whole[:1000])
