"""Shares, elasticities, shape: in numbers, 50 digits."""

from collections.abc import Callable
from itertools import pairwise

import mpmath
import pytest
import theorem_model as tm
from theorem_model import Model, Number, close, models, mpf

ONE = mpf(1)
GRANULARITIES = (mpf("0.3"), mpf(17), mpf(40_000))


@pytest.fixture(autouse=True)
def _fifty_digits() -> object:
    with mpmath.workdps(50):
        yield


def elasticity(function: Callable[[Number], Number], at: Number = ONE) -> Number:
    """Slope of ln f over ln x, by mpmath's differentiation."""
    return mpmath.diff(lambda t: mpmath.log(function(at * mpmath.exp(t))), 0)


def scaled(m: Model, name: str) -> Callable[[Number], Model]:
    """The model with one parameter, or the whole latency, times a factor."""
    names = ("L0", "L1") if name == "L" else (name,)
    return lambda x: m.but(**{n: x * getattr(m, n) for n in names})


def test_elasticities_are_shares_and_obey_the_sum_rules() -> None:
    for m in models(6, 31):
        for g in GRANULARITIES:
            total = m.accelerated(g)
            found = {
                name: elasticity(lambda x, n=name, g=g, m=m: scaled(m, n)(x).speedup(g))
                for name in ("o", "L", "C", "A")
            }
            share = m.host(g) / m.A / total
            expected = {
                "o": -m.o / total,
                "L": -m.latency(g) / total,
                "C": 1 - share,
                "A": share,
            }
            for name, value in expected.items():
                assert close(found[name], value, 20), name
            assert abs(found["o"] + found["L"] + found["C"]) < mpf(10) ** -20
            assert close(found["C"] + found["A"], mpf(1), 20)
            assert close(sum(abs(e) for e in found.values()), 2 - m.speedup(g) / m.A, 20)
            over_beta = mpmath.diff(
                lambda b, m=m, g=g: mpmath.log(m.but(beta=b).speedup(g)), m.beta
            )
            assert close(over_beta, mpmath.log(g) * (1 - share), 20)


def test_slope_is_a_mean_and_curvature_a_variance() -> None:
    for m in models(6, 32):
        for g in GRANULARITIES:
            total = m.accelerated(g)
            weights = ((m.o + m.L0) / total, m.L1 * g / total, m.host(g) / m.A / total)
            exponents = (mpf(0), mpf(1), m.beta)
            mean = sum(w * e for w, e in zip(weights, exponents, strict=True))
            variance = sum(w * (e - mean) ** 2 for w, e in zip(weights, exponents, strict=True))
            slope = elasticity(m.speedup, g)
            bend = mpmath.diff(lambda t, m=m, g=g: mpmath.log(m.speedup(g * mpmath.exp(t))), 0, 2)
            assert abs(slope - (m.beta - mean)) < mpf(10) ** -20
            assert abs(bend + variance) < mpf(10) ** -15


def crossings(m: Model, s: Number) -> list[Number]:
    return tm.roots(lambda g: m.excess(g, s))


@pytest.mark.parametrize(("beta", "upper"), [("0.6", False), ("0.6", True), ("1.7", False)])
def test_elasticities_of_a_granularity(beta: str, upper: bool) -> None:
    tried = 0
    for m in models(12, 33, beta=mpf(beta), L1=mpf("0.05")):
        s = m.A / 3
        found = crossings(m, s)
        if len(found) < 1 + upper:
            continue
        tried += 1
        g = found[upper]

        def near(model: Model, s: Number = s, g: Number = g) -> Number:
            factor = mpf("1.001")
            return tm.root(lambda x: model.excess(x, s), g / factor, g * factor)

        steps = {
            "o": lambda x, m=m: m.but(o=x * m.o, L0=x * m.L0),
            "L1": lambda x, m=m: m.but(L1=x * m.L1),
            "C": lambda x, m=m: m.but(C=x * m.C),
            "A": lambda x, m=m: m.but(A=x * m.A),
        }
        h = mpf(10) ** -12
        slopes = {
            name: mpmath.log(near(step(1 + h)) / near(step(1 - h))) / (2 * h)
            for name, step in steps.items()
        }
        moved = m.L1 * g
        share = moved / (m.o + m.L0 + moved)
        over = m.beta - share
        expected = {
            "o": (1 - share) / over,
            "L1": share / over,
            "C": -1 / over,
            "A": -s / (m.A - s) / over,
        }
        for name, value in expected.items():
            assert close(slopes[name], value, 10), name
        assert (over < 0) == upper
    assert tried > 3


def test_the_set_above_a_target_is_an_interval() -> None:
    for m in models(20, 34):
        s = m.A * mpf("0.4")
        grid = [mpf(10) ** (mpf(i) / 4) for i in range(-40, 80)]
        above = [m.speedup(g) >= s for g in grid]
        assert sum(a != b for a, b in pairwise(above)) <= 2
        if above[0]:
            assert above == sorted(above, reverse=True)
