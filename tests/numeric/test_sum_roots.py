"""Where a power and a line together reach a constant, against bisection in 90 digits."""

import math

import numpy as np
import pytest
from exact_model import EPS, mp, off, powers, real
from hypothesis import given, settings
from hypothesis import strategies as st

from logca.numeric.sum_roots import sum_root

BETAS = st.one_of(st.floats(0.05, 4.0), st.sampled_from([0.14, 0.5, 1.0, 2.0]))


def bisected(k: float, l: float, c: float, beta: float) -> object:
    """By halving an interval of log(g) in which the sum crosses the constant."""
    k_, l_, c_, b = map(real, (k, l, c, beta))

    def total(t: object) -> object:
        return k_ * mp.exp(b * t) + l_ * mp.exp(t)

    low, high = mp.mpf(-1), mp.mpf(1)
    while total(low) > c_:
        low *= 2
    while total(high) < c_:
        high *= 2
    while high - low > mp.mpf(10) ** -25:
        middle = (low + high) / 2
        low, high = (low, middle) if total(middle) > c_ else (middle, high)
    return mp.exp(low)


@settings(max_examples=60)
@given(k=powers(-6, 6), l=powers(-6, 6), c=powers(-6, 6), beta=BETAS)
def test_the_sum_is_the_constant(k: float, l: float, c: float, beta: float) -> None:
    found, exact = float(sum_root(k, l, c, beta)), bisected(k, l, c, beta)
    power, line = k * found**beta, l * found
    condition = (c + power * (1 + beta * abs(math.log(found))) + line) / (beta * power + line)
    assert off(found, exact) <= 4 * (1 + condition)


@settings(max_examples=100)
@given(k=powers(-100, 100), l=powers(-100, 100), c=powers(-100, 100), beta=BETAS)
def test_numbers_hundreds_of_decades_apart(k: float, l: float, c: float, beta: float) -> None:
    found = real(sum_root(k, l, c, beta))
    least = min((real(c) / real(k)) ** (1 / real(beta)), real(c) / real(l))
    if 1e-290 < least < 1e290:
        total = (real(k) * found ** real(beta) + real(l) * found) / real(c)
        assert abs(total - 1) <= 64 * EPS * (1 + beta * abs(mp.log(found)))
        assert found <= least * (1 + 1e-12)


def test_one_term_alone() -> None:
    np.testing.assert_allclose(sum_root(0.0, 4.0, 12.0, 0.7), 3.0, rtol=EPS)
    np.testing.assert_allclose(sum_root(4.0, 0.0, 12.0, 1.0), 3.0, rtol=EPS)
    np.testing.assert_allclose(sum_root(4.0, 0.0, 16.0, 0.5), 16.0, rtol=4 * EPS)


@pytest.mark.parametrize("c", [0.0, -1.0, math.nan])
def test_a_constant_that_is_not_positive_is_never_reached(c: float) -> None:
    assert math.isnan(sum_root(1.0, 1.0, c, 0.5))


def test_arguments_are_broadcast() -> None:
    found = sum_root([[1.0], [2.0]], [1.0, 2.0, 3.0], 10.0, 2.0)
    assert found.shape == (2, 3)
    by_hand = (-2 + math.sqrt(4 + 4 * 2 * 10)) / 4  # 2*g**2 + 2*g = 10
    assert found[1, 1] == pytest.approx(by_hand, rel=1e-15)
    assert sum_root([], 1.0, 1.0, 1.0).shape == (0,)
