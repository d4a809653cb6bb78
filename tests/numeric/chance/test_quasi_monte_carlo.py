"""Quasi-Monte Carlo: integrals that are known, and how often the interval holds them."""

from math import exp, inf, log, pi
from typing import Any

import mpmath
import numpy as np
import pytest
from scipy import stats

from logca.numeric.chance.accelerator import UncertainAccelerator
from logca.numeric.chance.distributions import LogNormal, Uniform
from logca.numeric.chance.quasi_monte_carlo import (
    CONFIDENCE,
    RANDOMIZATIONS,
    mean_of,
    root_of,
    sobol_points,
)

POINTS = 256


def test_points_fill_the_cube_and_are_the_same_each_time() -> None:
    points = sobol_points(3, POINTS)
    assert points.shape == (RANDOMIZATIONS, POINTS, 3)
    assert 0 < points.min() < points.max() < 1
    for rows in points:  # each interval of 1/256 has one coordinate, of each axis
        for axis in range(3):
            assert len(set(np.floor(rows[:, axis] * POINTS))) == POINTS
    sobol_points.cache_clear()
    assert (sobol_points(3, POINTS) == points).all()
    assert not np.allclose(points[0], points[1])


def test_the_first_points_are_those_of_every_machine() -> None:
    first = sobol_points(2, POINTS)[0, :2].ravel().tolist()
    again = np.random.default_rng([25, 0])
    known = stats.qmc.Sobol(2, scramble=True, bits=30, rng=again).random(2).ravel()
    assert first == pytest.approx(known + 0.5 / 2**30, abs=1e-15)


def _smooth(u: Any, a: Any) -> Any:
    """Of each axis a factor whose mean is one."""
    return np.prod((np.abs(4 * u - 2) + a) / (1 + a), axis=-1)


def test_intervals_hold_as_often_as_they_say() -> None:
    rng = np.random.default_rng(7)
    held, cases = 0, 240
    for case in range(cases):
        dimensions = 1 + case % 4
        a, shift = rng.uniform(0, 4, dimensions), rng.uniform(0, 1, dimensions)
        points = (sobol_points(dimensions, 64) + shift) % 1.0  # other points in each case
        found = mean_of(_smooth(points, a) / 4)
        held += found.lower <= 0.25 <= found.upper
    assert held >= cases * CONFIDENCE - 3 * np.sqrt(cases * CONFIDENCE * (1 - CONFIDENCE))


def _sum_of_two(o: LogNormal, L: LogNormal, budget: float) -> float:
    """Probability that two log-normal numbers add up to less: the trapezoids converge at once."""
    z = np.linspace(-9, 9, 6001)
    left = budget - o.median * o.factor**z
    below = stats.norm.cdf(np.log(np.maximum(left, 1e-300) / L.median) / np.log(L.factor))
    return float((stats.norm.pdf(z) * below).sum() * (z[1] - z[0]))


def test_intervals_of_probabilities_hold_the_exact_ones() -> None:
    rng = np.random.default_rng(11)
    held, cases, errors = 0, 200, []
    for _ in range(cases):
        o = LogNormal(median=exp(rng.uniform(6, 9)), factor=rng.uniform(1.2, 3))
        L = LogNormal(median=exp(rng.uniform(6, 9)), factor=rng.uniform(1.2, 3))
        accelerator = UncertainAccelerator(o=o, L=L, C=90, A=19, points=128)
        budget = (o.median + L.median) * rng.uniform(0.6, 3)
        g = budget / (90 * (1 - 1 / 19))
        found, exact = accelerator.probability(1, g), _sum_of_two(o, L, budget)
        errors.append(found.error)
        held += found.lower <= exact <= found.upper
    assert held >= cases * CONFIDENCE - 3 * np.sqrt(cases * CONFIDENCE * (1 - CONFIDENCE))
    assert max(errors) < 5e-3


@pytest.mark.parametrize("p", [0.05, 0.5, 0.9])
def test_intervals_of_quantiles_hold_the_exact_ones(p: float) -> None:
    o, L = LogNormal(median=29_000, factor=1.5), LogNormal(median=15_000, factor=2)
    accelerator = UncertainAccelerator(o=o, L=L, C=90, A=19)
    size = accelerator.granularity_quantile(p)
    low, high = (_sum_of_two(o, L, end * 90 * (1 - 1 / 19)) for end in (size.lower, size.upper))
    assert low < p < high
    assert high - low < 1e-4
    fast = accelerator.speedup_quantile(1 - p, 512)
    ends = (accelerator.probability(end, 512).value for end in (fast.upper, fast.lower))
    low, high = ends
    assert low < p < high


def test_one_dimension_to_fifty_digits() -> None:
    """C and A log-normal: an integral over one of them of the other's distribution."""
    C, A = LogNormal(median=90, factor=1.2), LogNormal(median=3, factor=1.5)
    found = UncertainAccelerator(o=29_000, L=1500, C=C, A=A).probability(1.4, 1024)
    with mpmath.workdps(50):
        paid, s = mpmath.mpf(30_500) / 1024, mpmath.mpf(14) / 10
        spread_C, sigma_A = mpmath.log(mpmath.mpf(6) / 5), mpmath.log(mpmath.mpf(3) / 2)

        def density(z: Any) -> Any:
            a = 3 * mpmath.exp(sigma_A * z)
            if a <= s:
                return mpmath.mpf(0)
            needed = paid / (1 / s - 1 / a)
            above = mpmath.ncdf(-mpmath.log(needed / 90) / spread_C)
            return mpmath.npdf(z) * above

        start = mpmath.log(s / 3) / sigma_A
        exact = mpmath.quad(
            density, [start, start + 1, start + 2, start + 4, start + 8, start + 16]
        )
    assert found.lower <= float(exact) <= found.upper
    assert found.error < 1e-5


def test_two_dimensions() -> None:
    """O, L and C log-normal: over overhead and latency the distribution of C."""
    o, L = LogNormal(median=20_000, factor=1.3), LogNormal(median=10_000, factor=1.6)
    C = LogNormal(median=90, factor=1.2)
    found = UncertainAccelerator(o=o, L=L, C=C, A=19).probability(1, 400)
    z, weight = np.polynomial.hermite_e.hermegauss(120)  # exact for polynomials up to degree 239
    paid = 20_000 * 1.3 ** z[:, None] + 10_000 * 1.6 ** z[None, :]
    above = stats.lognorm(s=log(1.2), scale=90).sf(paid / (400 * (1 - 1 / 19)))
    exact = float(weight @ above @ weight / (2 * pi))
    assert found.lower - 1e-9 <= exact <= found.upper + 1e-9
    assert found.error < 1e-4


def test_more_points_are_closer() -> None:
    given: dict[str, Any] = {
        "o": LogNormal(median=29_000, factor=2),
        "L": LogNormal(median=15_000, factor=2),
        "C": LogNormal(median=90, factor=1.5),
        "A": Uniform(least=1.5, most=19),
    }
    errors = [
        UncertainAccelerator(**given, points=points).probability(1, 512).error
        for points in (16, 256, 4096)
    ]
    assert errors[0] > 4 * errors[1] > 16 * errors[2] > 0


def test_what_was_never_seen_is_not_impossible() -> None:
    found = mean_of(np.zeros((RANDOMIZATIONS, POINTS)), counted=True)
    assert found.value == found.lower == 0
    assert found.upper == pytest.approx(-log(1 - CONFIDENCE) / (RANDOMIZATIONS * POINTS), rel=0.01)
    always = mean_of(np.ones((RANDOMIZATIONS, POINTS)), counted=True)
    assert always.value == always.upper == 1 > always.lower > 0.99


def test_a_root_that_some_do_not_have_has_no_upper_end() -> None:
    def excess(logs: Any, rows: Any) -> Any:
        return np.where(rows % 4 == 0, -1.0, np.tanh(logs - 2 - rows / 100))

    found = root_of(excess, POINTS)
    assert exp(2) <= found.lower <= found.value <= exp(2.16)
    assert found.upper == inf
    assert root_of(lambda logs, rows: -np.ones_like(logs), POINTS).value == inf
