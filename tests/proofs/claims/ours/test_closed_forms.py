"""Closed forms, symmetries, series, Newton: verdicts as the notes have them, and in numbers."""

from itertools import accumulate, pairwise

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


def parts(m: Model, s: Number) -> tuple[Number, Number, Number, Number]:
    k, c = m.C * (1 / s - 1 / m.A), m.o + m.L0
    u = (c / k) ** (1 / m.beta)
    v = (m.L1 / k) ** (1 / (m.beta - 1))
    return k, c, u, v


def reachable(beta: str, seed: int) -> list[tuple[Model, Number, list[Number]]]:
    """Models in which half the acceleration is reached, with the granularities by bisection."""
    cases = []
    for m in models(20, seed, beta=mpf(beta)):
        more = m.but(C=m.C * 40)
        found = reached(more, more.A / 2)
        if found and (mpf(beta) > 1 or len(found) == 2):
            cases.append((more, more.A / 2, found))
    assert len(cases) >= 3
    return cases[:6]


def test_closed_forms_against_bisection() -> None:
    for m, s, (lower, upper) in reachable("0.5", 21):
        k, c, _, _ = parts(m, s)
        root = mpmath.sqrt(k * k - 4 * c * m.L1)
        assert close(lower, ((k - root) / (2 * m.L1)) ** 2, 20)
        assert close(upper, ((k + root) / (2 * m.L1)) ** 2)
    for m, s, (only,) in reachable("2", 22):
        k, c, _, _ = parts(m, s)
        assert close(only, (m.L1 + mpmath.sqrt(m.L1**2 + 4 * k * c)) / (2 * k))
    for m, s, (only,) in reachable("1.5", 23):
        k, c, _, _ = parts(m, s)
        angle = mpmath.asinh(3 * k / (2 * m.L1) * mpmath.sqrt(3 * c / m.L1)) / 3
        y = 2 * mpmath.sqrt(m.L1 / (3 * c)) * mpmath.sinh(angle)
        assert close(only, y**-2)


def test_cubic_closed_forms_by_the_cosines_of_the_notes() -> None:
    third = mpf(1) / 3

    def cosines(k: Number, c: Number, l: Number) -> list[Number]:
        angle = mpmath.acos(-(3 * c / (2 * k)) * mpmath.sqrt(3 * l / k))
        size = 2 * mpmath.sqrt(k / (3 * l))
        return [(size * mpmath.cos((angle - 2 * mpmath.pi * j) / 3)) ** 3 for j in (1, 0)]

    for m in models(6, 24, beta=third):
        m = m.but(C=m.C * 100)
        s = m.A / 2
        k, c, _, _ = parts(m, s)
        found = reached(m, s)
        if len(found) == 2:
            assert all(close(x, y, 20) for x, y in zip(found, cosines(k, c, m.L1), strict=True))
        mirrored = m.but(beta=1 - third, o=m.L1, L0=ZERO, L1=c)
        again = reversed(reached(mirrored, s))
        assert all(close(x * y, mpf(1), 20) for x, y in zip(found, again, strict=True))


def test_logarithmic_kernels_against_bisection() -> None:
    for m in models(12, 25):
        s = m.A / 2
        k, c, _, _ = parts(m.but(beta=mpf(2)), s)
        l = m.L1
        glog = mpmath.exp(l / k + mpmath.lambertw(c / k * mpmath.exp(-l / k)).real)
        assert close(k * glog * mpmath.log(glog), c + l * glog)
        assert k * 2 * glog * mpmath.log(2 * glog) > c + 2 * l * glog
        peak = mpmath.exp(1 + mpmath.lambertw(c / (mpmath.e * l)).real)
        assert close(l * peak * (mpmath.log(peak) - 1), c)
        exists = l / k * mpmath.exp(1 + c / k) <= 1
        assert exists == (k >= l * peak)
        if exists:
            argument = -l / k * mpmath.exp(c / k)
            low, high = (-k / l * mpmath.lambertw(argument, branch).real for branch in (0, -1))
            assert low <= peak <= high
            assert all(close(k * mpmath.log(g), c + l * g, 20) for g in (low, high))


def test_reflection_and_units() -> None:
    for m in models(10, 26, beta=mpf("0.3")):
        mirrored = Model(o=m.L1, L0=ZERO, L1=m.o + m.L0, C=m.C, A=m.A, beta=mpf("0.7"))
        in_kib = m.but(C=m.C * mpf(1024) ** m.beta, L1=m.L1 * 1024)
        for g in (mpf("0.2"), mpf(900)):
            assert close(m.speedup(g), mirrored.speedup(1 / g))
            assert close(m.speedup(g), in_kib.speedup(g / 1024))


def epsilon_sums(beta: Number, epsilon: Number, count: int) -> list[Number]:
    """Partial sums of the series: after n terms at place n."""
    terms = (mpmath.binomial((n + 1) / beta, n) / (n + 1) * epsilon**n for n in range(count))
    return [ZERO, *accumulate(terms)]


def omega_sums(beta: Number, omega: Number, count: int) -> list[Number]:
    """Partial sums of the series: after n terms at place n."""
    q = 1 / (1 - beta)
    terms = [mpf(1)]
    for n in range(1, count):
        product = mpmath.fprod(-q + q * n - j for j in range(1, n))
        terms.append(-q / mpmath.factorial(n) * product * omega**n)
    return [ZERO, *accumulate(terms)]


@pytest.mark.parametrize("beta", ["0.4", "0.8", "1.4", "2.2"])
def test_series_of_the_notes_inside_and_outside_the_radius(beta: str) -> None:
    b = mpf(beta)
    radius = b * abs(1 - b) ** ((1 - b) / b)
    other = abs(1 - b) * b ** (b / (1 - b))
    epsilon = radius * mpf("0.7")
    value = epsilon_sums(b, epsilon, 160)[160]
    assert close(value**b, 1 + epsilon * value, 18)
    omega = other * mpf("0.7")
    value = omega_sums(b, omega, 160)[160]
    assert close(value**b, omega + value, 18)
    for series, limit in ((epsilon_sums, radius), (omega_sums, other)):
        sums = series(b, limit, 202)
        steps = [abs(sums[n + 1] - sums[n]) for n in (100, 101, 200, 201)]
        assert max(steps[2:]) < max(steps[:2]) < mpf("0.01")
        sums = series(b, limit * mpf("1.3"), 252)
        growing = [abs(sums[n + 1] - sums[n]) for n in (150, 151, 250, 251)]
        assert max(growing[2:]) > 1000 * max(growing[:2])


def newton(m: Model, s: Number, start: Number) -> Number:
    k, c, _, _ = parts(m, s)
    value = k * start**m.beta - c - m.L1 * start
    return start - value / (m.beta * k * start ** (m.beta - 1) - m.L1)


def test_side_and_bound_of_one_step() -> None:
    for beta in ("1.7", "0.6"):
        for m, s, found in reachable(beta, 27):
            k, c, u, _ = parts(m, s)
            b = m.beta
            epsilon = m.L1 * u / c
            free = u * b / (b - epsilon) if epsilon < b else None
            if free is not None:
                assert close(free, newton(m, s, u))
                assert (free > found[0]) == (b > 1)
            for start in (u / 3, u, u * mpf("1.2")):
                if b * k * start ** (b - 1) <= m.L1:
                    continue
                step = newton(m, s, start)
                if step <= 0:
                    continue
                residual = k * step**b - c - m.L1 * step
                assert (step > found[0]) == (b > 1) == (residual > 0)
                far = step if b > 1 else u * (1 - b) ** (-1 / b)
                slope = b * c / far + (b - 1) * m.L1
                if slope > 0:
                    assert abs(step - found[0]) <= abs(residual) / slope


def logarithmic_steps(m: Model, s: Number, start: Number, count: int) -> list[Number]:
    k, c, _, _ = parts(m, s)
    t, seen = mpmath.log(start), []
    for _ in range(count):
        moved = m.L1 * mpmath.exp(t)
        value = mpmath.log(c + moved) - m.beta * t - mpmath.log(k)
        t -= value / (moved / (c + moved) - m.beta)
        seen.append(mpmath.exp(t))
    return seen


def test_steps_in_the_logarithm_are_monotone_and_quick() -> None:
    for beta in ("0.14", "0.6", "0.94", "1.3", "3"):
        for m, s, found in reachable(beta, 28):
            _, _, u, v = parts(m, s)
            starts = [u, v] if m.beta < 1 else [max(u, v)]
            for start, target in zip(starts, found, strict=True):
                path = [start, *logarithmic_steps(m, s, start, 8)]
                steps = [y - x for x, y in pairwise(path)]
                signs = {mpmath.sign(d) for d in steps if abs(d) > target * mpf(10) ** -40}
                assert len(signs) <= 1
                assert close(path[-1], target, 15)


TABLE = {  # device and benchmark: o, L, C, A, beta, error of the unit-free step in percent
    "APU AES": ("4e8", "15", "174", "7", "1.01", 0),
    "APU FFT": ("4e8", "15", "290", "7", "1.2", 0),
    "APU GEMM": ("4e8", "15", "2", "7", "1.7", 0),
    "APU Radix": ("4e8", "15", "290", "7", "0.94", -0.10),
    "dGPU GEMM": ("2e8", "3e3", "2", "30", "1.7", 14),
    "dGPU FFT": ("2e8", "3e3", "290", "30", "1.2", 290),
}


@pytest.mark.parametrize("row", sorted(TABLE))
def test_unit_free_step_on_table_5(row: str) -> None:
    *numbers, percent = TABLE[row]
    o, l, index, acceleration, beta = map(mpf, numbers)
    m = Model(o=o, L0=ZERO, L1=l, C=index, A=acceleration, beta=beta)
    _, c, u, v = parts(m, mpf(1))
    exact = reached(m, mpf(1))[0]
    error = (u * beta / (beta - l * u / c) / exact - 1) * 100
    assert abs(error - percent) < max(abs(percent) * 0.05, 0.006)
    start = u if beta < 1 else max(u, v)
    assert close(logarithmic_steps(m, mpf(1), start, 4)[-1], exact, 11)
    if row == "APU Radix":
        eleven = (m.C * (beta - 1) * 6 + 7 * o) / (m.C * beta * 6 - 7 * l)
        assert close(eleven, mpf("1.829e6"), 3)
        larger = m.but(C=m.C * mpf(1024) ** beta, L1=l * 1024)
        kib = (larger.C * (beta - 1) * 6 + 7 * o) / (larger.C * beta * 6 - 7 * larger.L1)
        assert close(kib * 1024, mpf("2.874e6"), 3)
        assert close(exact, mpf("4.774e6"), 3)
