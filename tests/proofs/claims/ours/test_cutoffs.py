"""Gains and cut-offs: in numbers, 50 digits."""

from collections.abc import Callable
from itertools import product

import mpmath
import pytest
import theorem_model as tm
from theorem_model import Model, Number, close, models, mpf

with mpmath.workdps(50):
    R, Q = mpf(10), mpf(6) / 5
ZERO = mpf(0)


@pytest.fixture(autouse=True)
def _fifty_digits() -> object:
    with mpmath.workdps(50):
        yield


IMPROVED: dict[str, Callable[[Model], Model]] = {
    "o": lambda m: m.but(o=m.o / R),
    "L": lambda m: m.but(L0=m.L0 / R, L1=m.L1 / R),
    "C": lambda m: m.but(C=m.C * R),
    "A": lambda m: m.but(A=m.A * R),
}


def gain(m: Model, name: str, g: Number) -> Number:
    return IMPROVED[name](m).speedup(g) / m.speedup(g)


def changes(m: Model, name: str) -> list[Number]:
    """Where a tenfold improvement begins or ceases to gain 20 %, by bisection."""
    return tm.roots(lambda g: gain(m, name, g) - Q, decades=40)


def test_theta_is_the_share_of_amdahl() -> None:
    theta = mpf(5) / 27
    assert close(1 / (1 - theta + theta / R), Q)
    assert close((1 - theta) / theta, mpf(22) / 5)


def test_aes_on_the_ultrasparc_t2() -> None:
    m = Model(o=mpf(29000), L0=mpf(1500), L1=ZERO, C=mpf(90), A=mpf(19), beta=mpf(1))
    assert [int(g) for g in changes(m, "A")] == [1463]
    assert [int(g) for g in changes(m, "C")] == [28331]
    assert [int(g) for g in changes(m, "o")] == [26621]
    assert changes(m, "L") == []
    assert max(gain(m, "L", mpf(2) ** k) for k in range(-40, 60)) < Q


def test_constant_latency() -> None:
    for m in models(12, 41, L1=ZERO):
        h, c, root = mpf(22) / 5, m.o + m.L0, 1 / m.beta
        half = (m.A * c / m.C) ** root
        up_to, from_on = changes(m, "C"), changes(m, "A")
        assert close(up_to[0], (h * m.A * c / m.C) ** root)
        assert close(from_on[0], (m.A * c / (h * m.C)) ** root)
        assert close(up_to[0] * from_on[0], half**2)
        assert close(up_to[0] / from_on[0], h ** (2 * root))
        for name, own, other in (("o", m.o, m.L0), ("L", m.L0, m.o)):
            left = h * own - other
            expected = [(m.A * left / m.C) ** root] if left > 0 else []
            assert len(changes(m, name)) == len(expected)
            assert all(map(close, changes(m, name), expected))


def test_linear_complexity() -> None:
    for m in models(15, 42, beta=mpf(1)):
        h, c, a = mpf(22) / 5, m.o + m.L0, m.C / m.A
        expected = {
            "o": [(h * m.o - m.L0) / (a + m.L1)],
            "A": [c / (h * a - m.L1)],
            "C": [c / (a / h - m.L1)],
            "L": [(m.o - h * m.L0) / (h * m.L1 - a)],
        }
        for name, candidates in expected.items():
            right = [g for g in candidates if g > 0]
            found = changes(m, name)
            assert len(found) == len(right), name
            assert all(map(close, found, right)), name


@pytest.mark.parametrize("beta", ["0.35", "0.8", "1.4", "2.2"])
def test_number_and_side_of_cut_offs_for_other_exponents(beta: str) -> None:
    tiny, huge = mpf(10) ** -39, mpf(10) ** 39
    seen = set()
    for m in models(20, 43, beta=mpf(beta)):
        h, superlinear = mpf(22) / 5, m.beta > 1
        small_pays = h * m.L0 > m.o
        counts = {name: len(changes(m, name)) for name in "oLCA"}
        seen.add(tuple(counts.values()))
        assert counts["o"] == (h * m.o > m.L0)
        assert counts["A"] in ((1,) if superlinear else (0, 2))
        assert counts["C"] in ((1,) if superlinear else (0, 2))
        one = small_pays == superlinear
        assert counts["L"] in ((1,) if one else (0, 2))
        assert gain(m, "C", tiny) > Q > gain(m, "A", tiny)
        assert (gain(m, "L", tiny) > Q) == small_pays
        assert gain(m, "o", huge) < Q
        assert (gain(m, "A", huge) > Q) == superlinear == (gain(m, "L", huge) < Q)
    assert len(seen) >= 3


def label(shares: tuple[Number, ...], q: Number) -> str:
    o, latency, computation = shares
    m = Model(o=o, L0=latency, L1=ZERO, C=2 * computation, A=mpf(2), beta=mpf(1))
    return "".join(name for name in "oLCA" if gain(m, name, mpf(1)) >= q)


def test_possible_sets_of_bottlenecks() -> None:
    steps = [mpf(k) / 40 for k in range(41)]
    shares = [(a, b, 1 - a - b) for a, b in product(steps, steps) if a + b < 1]
    eight = {"A", "CA", "oC", "LC", "oLC", "oCA", "LCA", "oLCA"}
    assert {label(point, Q) for point in shares} == eight
    assert "C" in {label(point, mpf(3)) for point in shares}
