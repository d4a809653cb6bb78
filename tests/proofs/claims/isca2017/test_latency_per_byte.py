"""Sections 2 and 3.2 of ISCA 2017 with latency per byte, by the model typed here."""

from collections.abc import Callable, Iterator
from itertools import pairwise

import mpmath
import pytest

mpf = mpmath.mpf
Curve = Callable[[mpmath.mpf], mpmath.mpf]
BETAS = ("0.5", "0.8", "1", "1.3", "2")
SIZES = [mpf(2) ** (k / mpf(4)) for k in range(-160, 160)]


@pytest.fixture(autouse=True)
def _forty_digits() -> Iterator[None]:
    with mpmath.workdps(40):
        yield


def accelerated(g: mpmath.mpf, o: object, l: object, c: object, a: object, b: str) -> mpmath.mpf:
    return mpf(o) + mpf(l) * g + mpf(c) * g ** mpf(b) / mpf(a)


def speedup(o: object, l: object, c: object, a: object, b: str) -> Curve:
    return lambda g: mpf(c) * g ** mpf(b) / accelerated(g, o, l, c, a, b)


def first(curve: Curve, target: object) -> mpmath.mpf:
    """The least of the sizes from which the curve is above the target, refined."""
    low, high = next((x, y) for x, y in pairwise(SIZES) if curve(x) < target <= curve(y))
    for _ in range(120):
        middle = mpmath.sqrt(low * high)
        low, high = (middle, high) if curve(middle) < target else (low, middle)
    return low


@pytest.mark.parametrize("b", ["0.8", "1", "1.3", "2"])
def test_doublings_move_granularities_further_than_with_constant_latency(b: str) -> None:
    o, l, c, a = 5, mpf("0.2"), 40, 3
    even, half = first(speedup(o, l, c, a, b), 1), first(speedup(o, l, c, a, b), mpf("1.5"))
    assert first(speedup(o, l, 2 * c, a, b), 1) < 2 ** (-1 / mpf(b)) * even
    assert first(speedup(o, l, c, 2 * a, b), 3) > 2 ** (1 / mpf(b)) * half
    assert half > (a - 1) ** (1 / mpf(b)) * even
    better = first(speedup(mpf(o) / 2, l / 2, c, a, b), 1)
    assert better < first(speedup(o, l, c, 2 * a, b), 1)


@pytest.mark.parametrize("b", BETAS)
def test_gains_over_granularity(b: str) -> None:
    o, l, c, a = 7, 3, 2, 5
    base = speedup(o, l, c, a, b)
    index = [speedup(o, l, 10 * c, a, b)(g) / base(g) for g in SIZES]
    overhead = [speedup(mpf(o) / 10, l, c, a, b)(g) / base(g) for g in SIZES]
    acceleration = [speedup(o, l, c, 10 * a, b)(g) / base(g) for g in SIZES]
    assert overhead == sorted(overhead, reverse=True)
    assert (index == sorted(index, reverse=True)) == (mpf(b) >= 1)
    assert (acceleration == sorted(acceleration)) == (mpf(b) >= 1)
    bound = {"1": mpf(10) * (a * l + c) / (10 * a * l + c)}.get(b, mpf(10))
    assert max(acceleration) < bound


@pytest.mark.parametrize(("b", "limit"), [("0.5", "5"), ("1", "10/17"), ("2", "0")])
def test_small_granularities_without_overhead(b: str, limit: str) -> None:
    found = speedup(0, 3, 2, 5, b)(mpf(10) ** -60)
    over, _, under = limit.partition("/")
    assert abs(found - mpf(over) / mpf(under or 1)) < mpf(10) ** -20


def test_a_break_even_that_no_radicals_give() -> None:
    even = first(speedup(1, 1, 2, 2, "5"), 1)
    assert abs(even**5 - even - 1) < mpf(10) ** -25


def test_how_far_fitted_exponents_stray() -> None:
    for fit, exact, share in (
        ("1.01", "1", 7.3),
        ("0.97", "1", 21.5),
        ("0.94", "1", 41.1),
        ("1.7", "1.5", 89.7),
    ):
        off = mpf(fit) - mpf(exact)
        ratios = [g**off for g in SIZES if 16 <= g <= 2**25]
        best = 2 / (max(ratios) + min(ratios))
        worst = max(abs(best * ratio - 1) for ratio in ratios)
        assert abs(float(100 * worst) - share) < 0.05
        for other in (best * mpf("0.99"), best * mpf("1.01")):
            assert max(abs(other * ratio - 1) for ratio in ratios) > worst


def test_latency_per_byte_on_ultrasparc_t2_and_bandwidths_of_gpus() -> None:
    assert max(speedup(29000, 1500, 90, 19, "1")(g) for g in SIZES) < mpf("0.06")
    just = 90 * (1 - 1 / mpf(19))
    far = mpf(10) ** 30
    assert speedup(29000, just * mpf("0.999"), 90, 19, "1")(far) > 1
    assert speedup(29000, just * mpf("1.001"), 90, 19, "1")(far) < 1
    assert 0.756e6 < 2.27e9 / 3000 < 0.757e6
    assert 193e6 < 2.9e9 / 15 < 194e6
