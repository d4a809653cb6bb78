"""Existence, peak, brackets, budgets: in numbers, 50 digits."""

import mpmath
import pytest
import theorem_model as tm
from theorem_model import Model, Number, close, models, mpf

ZERO = mpf(0)


@pytest.fixture(autouse=True)
def _fifty_digits() -> object:
    with mpmath.workdps(50):
        yield


def reached(m: Model, s: Number) -> list[Number]:
    return tm.roots(lambda g: m.excess(g, s))


def index(m: Model, s: Number) -> Number:
    return m.C * (1 / s - 1 / m.A)


def threshold(m: Model) -> Number:
    b, c = m.beta, m.o + m.L0
    return (c / (1 - b)) ** (1 - b) * (m.L1 / b) ** b


def test_number_of_granularities_by_case() -> None:
    for m in models(12, 11):
        s = m.A * mpf("0.7")
        assert len(reached(m.but(beta=mpf("1.3")), s)) == 1
        assert len(reached(m.but(L1=ZERO), s)) == 1
        linear = m.but(beta=mpf(1))
        assert len(reached(linear, s)) == (index(linear, s) > m.L1)


@pytest.mark.parametrize("beta", ["0.14", "0.5", "0.94"])
def test_threshold_is_sharp(beta: str) -> None:
    for m in models(4, 12, beta=mpf(beta)):
        s = m.A / 2
        at = m.but(C=threshold(m) / (1 / s - 1 / m.A))
        peak = m.beta * (m.o + m.L0) / ((1 - m.beta) * m.L1)
        assert close(at.speedup(peak), s)
        above, below = (at.but(C=at.C * (1 + sign * mpf(10) ** -2)) for sign in (1, -1))
        two = reached(above, s)
        assert len(two) == 2
        assert two[0] < peak < two[1]
        assert not reached(below, s)
        assert below.speedup(peak) < s


def test_entropy() -> None:
    for b in (mpf("0.01"), mpf("0.14"), mpf("0.5"), mpf("0.94")):
        ratios = [b / (1 - b) * mpf(2) ** (mpf(k) / 8) for k in range(-9, 10)]
        least = min((1 + x) * x**-b for x in ratios)
        entropy = -b * mpmath.log(b) - (1 - b) * mpmath.log(1 - b)
        assert close(least, mpmath.exp(entropy))
        assert 1 < least <= 2


def test_peak_and_most_time_saved_by_search() -> None:
    for m in models(10, 13, beta=mpf("0.62")):
        peak = m.beta * (m.o + m.L0) / ((1 - m.beta) * m.L1)
        height = m.A * m.infinite(peak) / (m.A + m.infinite(peak))
        assert close(m.speedup(peak), height)
        saving = (m.beta * m.C * (1 - 1 / m.A) / m.L1) ** (1 / (1 - m.beta))
        most = (1 - m.beta) / m.beta * m.L1 * saving - m.o - m.L0
        assert abs(m.host(saving) - m.accelerated(saving) - most) < mpf(10) ** -25 * (1 + abs(most))
        for factor in (mpf("0.9"), mpf("1.1")):
            assert m.speedup(peak * factor) < height
            there = saving * factor
            assert m.host(there) - m.accelerated(there) < most
        even = reached(m, mpf(1))
        assert (len(even) == 2) == (saving > peak) == (most > 0)
        if even:
            assert even[0] < peak < saving < even[1]


def test_brackets() -> None:
    tried = 0
    sublinear = models(12, 19, beta=mpf("0.55"), L1=mpf("0.02"))
    for m in [*models(15, 14), *sublinear]:
        s = m.A / 2
        k, c, b = index(m, s), m.o + m.L0, m.beta
        u, v = (c / k) ** (1 / b), (m.L1 / k) ** (1 / (b - 1))
        found = reached(m, s)
        if b > 1:
            assert max(u, v) < found[0] <= max(2 ** (1 / b) * u, 2 ** (1 / (b - 1)) * v)
        elif found:
            tried += 1
            assert u < found[0] <= u * (1 - b) ** (-1 / b)
            assert v * b ** (1 / (1 - b)) <= found[1] < v
    assert tried > 3


def test_upper_bracket_of_superlinear_kernels_can_be_attained() -> None:
    # both costs equal at the root: a_s = 2, c = l = 1, root 1
    m = Model(o=mpf(1), L0=ZERO, L1=mpf(1), C=mpf(4), A=mpf(4), beta=mpf(2))
    s = mpf(4) / 3
    assert index(m, s) == 2
    assert close(reached(m, s)[0], 2 ** mpf("0.5") * mpf("0.5") ** mpf("0.5"))


def test_budgets() -> None:
    for m in models(10, 15, beta=mpf("0.45")):
        s, b = m.A / 3, m.beta
        k, c = index(m, s), m.o + m.L0
        most = (1 - b) * (k * (b / m.L1) ** b) ** (1 / (1 - b))
        per_byte = b * (k * ((1 - b) / c) ** (1 - b)) ** (1 / b)
        assert close(threshold(m.but(o=most, L0=ZERO)), k)
        assert close(threshold(m.but(L1=per_byte)), k)
        assert len(reached(m.but(o=most * mpf("0.98"), L0=ZERO), s)) == 2
        assert not reached(m.but(o=most * mpf("1.02"), L0=ZERO), s)
        assert not reached(m.but(L1=per_byte * mpf("1.02")), s)


def test_edges() -> None:
    for m in models(8, 16):
        free = m.but(o=ZERO, L0=ZERO)
        s = m.A / 2
        v = (m.L1 / index(m, s)) ** (1 / (m.beta - 1))
        assert close(free.speedup(v), s)
        assert close(m.but(o=ZERO, L0=ZERO, L1=ZERO).speedup(mpf(3)), m.A)
        assert m.but(A=mpf("0.9")).speedup(mpf(10) ** 40) < 1
        near = m.but(beta=1 - mpf(10) ** -12)
        assert abs(threshold(near) / m.L1 - 1) < mpf(10) ** -9
