"""Generated sources, compiled or run, against the model written down again with mpmath.

How much an answer may be off: 4 units in its last place (ulp) for a speedup, and for a root g of
k*g**beta = c + l*g 4 ulp times the larger of 1 and the condition number 1/|beta - share|, where
share = l*g/(c + l*g). A relative change of k moves the root by that number times the change, one
of c or of l by no more.
"""

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import mpmath
import pytest
from mpmath import mpf

Row = dict[str, float]
RunGenerated = Callable[[str, Sequence[str], Sequence[Row]], dict[str, list[float]]]

LANGUAGES = ("c", "c++", "cpp", "cuda", "rust", "fortran", "javascript", "python", "julia")
TARGETS = ("g1", "gA2", "g_s")
NAMES = ("speedup", "should_offload", *TARGETS, *(f"{name}_upper" for name in TARGETS))
ULPS = 4
SHARP = 1e6
"""Near a double root the condition number itself is known only to so much: 100 ulp times it [1]."""

mp = mpmath.mp.clone()
mp.dps = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Root:
    """A root [B] and its condition number [1]; both None if there is no root."""

    g: mpf | None = None
    condition: mpf | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """Parameters and what the model says, under both forms of latency."""

    row: Row
    speedups: dict[str, mpf]
    roots: dict[str, Root]


def cost_of(row: Row, latency: str) -> tuple[mpf, mpf]:
    """What an offload costs, and each byte of it [cycles], [cycles/B]."""
    o, L = mp.mpf(row["o"]), mp.mpf(row["L"])
    return (o + L, mp.mpf(0)) if latency == "constant" else (o, L)


def speedup_of(row: Row, latency: str) -> mpf:
    c, l = cost_of(row, latency)
    g, C, A = mp.mpf(row["g"]), mp.mpf(row["C"]), mp.mpf(row["A"])
    host = C * g ** mp.mpf(row["beta"])
    return host / (c + l * g + host / A)


def roots_of(k: mpf, c: mpf, l: mpf, beta: mpf) -> tuple[Root, Root]:
    """Where k*g**beta rises above c + l*g, and where it falls below, each by bisection."""

    def excess(t: mpf) -> mpf:
        return mp.log(c * mp.exp(-t) + l) + (1 - beta) * t - mp.log(k)

    def crossing(inside: mpf, direction: int) -> Root:
        """From a t where the power is larger, outwards to where it is not."""
        step = mp.mpf(direction)
        while excess(inside + step) < 0:
            step *= 2
        low, high = inside, inside + step
        while abs(high - low) > mp.mpf(2) ** -50 * (1 + abs(low)):
            middle = (low + high) / 2
            low, high = (middle, high) if excess(middle) < 0 else (low, middle)
        # Steps of less than 1e-42 there are none but by chance: it would go on for all of them.
        t = mp.findroot(excess, (low, high), solver="secant", tol=mp.mpf(10) ** -42, maxsteps=30)
        share = l / (c * mp.exp(-t) + l)
        return Root(g=mp.exp(t), condition=1 / abs(beta - share))

    if k <= 0 or (c == 0 and l == 0):
        return Root(), Root()
    if l == 0:
        return crossing(mp.log(c / k) / beta + 1, -1), Root()
    if beta == 1:
        if c == 0 or k <= l:
            return Root(), Root()
        return Root(g=c / (k - l), condition=k / (k - l)), Root()
    if c == 0:
        t = mp.log(l / k) / (beta - 1)
        root = Root(g=mp.exp(t), condition=1 / abs(beta - 1))
        return (root, Root()) if beta > 1 else (Root(), root)
    if beta > 1:
        far = max(mp.log(2 * c / k) / beta, mp.log(2 * l / k) / (beta - 1))
        return crossing(far + 1, -1), Root()
    peak = mp.log(beta * c / ((1 - beta) * l))
    if excess(peak) >= 0:
        return Root(), Root()
    return crossing(peak, -1), crossing(peak, 1)


def indices(row: Row) -> dict[str, mpf]:
    s, C, A = (mp.mpf(row[name]) for name in ("s", "C", "A"))
    return {"g1": C * (1 - 1 / A), "gA2": C / A, "g_s": C * (1 / s - 1 / A)}


def case_of(row: Row) -> Case:
    roots = {}
    for latency in ("constant", "linear"):
        for target, k in indices(row).items():
            lower, upper = roots_of(k, *cost_of(row, latency), mp.mpf(row["beta"]))
            roots[f"{target}_{latency}"] = lower
            roots[f"{target}_upper_{latency}"] = upper
    speedups = {latency: speedup_of(row, latency) for latency in ("constant", "linear")}
    return Case(row=row, speedups=speedups, roots=roots)


def decades(draw: random.Random, low: float, high: float) -> float:
    return 10 ** draw.uniform(low, high)


def random_row(draw: random.Random) -> Row:
    A = 1 + decades(draw, -2, 3)
    beta = draw.choice([1.0, 0.5, 2.0, *[draw.uniform(0.05, 4)] * 5, *[draw.uniform(0.05, 1)] * 4])
    free = draw.random()
    row = {
        "g": decades(draw, 0, 12),
        "s": min(decades(draw, -1, math.log10(A)), 0.999 * A),
        "o": 0.0 if free < 0.08 else decades(draw, 0, 9),
        "L": 0.0 if 0.04 < free < 0.12 else decades(draw, -3, 4),
        "C": decades(draw, -1, 5),
        "A": A,
        "beta": beta,
    }
    return row | {"g_low": 1.0, "g_high": 2.0, "r": 10.0, "q": 1.2}


def nearly_double_row(draw: random.Random) -> Row:
    """The peak of the speedup is only just above 1."""
    row = random_row(draw)
    beta, o, L = draw.uniform(0.05, 0.95), decades(draw, 0, 9), decades(draw, -3, 4)
    least = (o / (1 - beta)) ** (1 - beta) * (L / beta) ** beta
    C = least * (1 + decades(draw, -14, -1)) * row["A"] / (row["A"] - 1)
    return row | {"beta": beta, "o": o, "L": L, "C": C}


def near_break_even(case: Case, draw: random.Random) -> Case:
    """The same with a granularity a few hundred ulp from a break-even, if there is one."""
    names = ("g1_constant", "g1_linear", "g1_upper_linear")
    roots = [g for name in names if (g := case.roots[name].g) is not None and 1 < g < 1e30]
    if not roots:
        return case
    g = float(draw.choice(roots)) * (1 + draw.uniform(-500, 500) * 2**-52)
    row = case.row | {"g": g}
    speedups = {latency: speedup_of(row, latency) for latency in case.speedups}
    return Case(row=row, speedups=speedups, roots=case.roots)


@pytest.fixture(scope="module")
def cases() -> list[Case]:
    draw = random.Random(2017)
    found = [case_of(random_row(draw)) for _ in range(330)]
    found += [case_of(nearly_double_row(draw)) for _ in range(40)]
    return [near_break_even(each, draw) if draw.random() < 0.4 else each for each in found]


def ulps(value: float, exact: mpf) -> float:
    """Distance in units of the last place of the exact value [1]."""
    return float(abs(mp.mpf(value) - exact) / mp.mpf(math.ulp(float(exact))))


def twice(language: str, cases: list[Case]) -> list[Case]:
    """CUDA answers on the host and then, if there is one, on a device."""
    return cases * 2 if language == "cuda" else cases


@pytest.mark.parametrize("language", LANGUAGES)
def test_answers_agree_with_mpmath(
    language: str, cases: list[Case], run_generated: RunGenerated
) -> None:
    results = run_generated(language, NAMES, [case.row for case in cases])
    assert set(results) == {f"{name}_{form}" for name in NAMES for form in ("constant", "linear")}
    worst = {"speedup": 0.0, "root": 0.0, "double root": 0.0}
    compared = {"root": 0, "none": 0, "offload": 0}
    for name, values in results.items():
        for value, case in zip(values, twice(language, cases), strict=True):
            form = name.rpartition("_")[2]
            if name.startswith("speedup"):
                error = ulps(value, case.speedups[form])
                assert error <= ULPS, (name, case.row, error)
                worst["speedup"] = max(worst["speedup"], error)
            elif name.startswith("should_offload"):
                excess = case.speedups[form] - 1
                if abs(excess) >= 8 * 2.0**-52:
                    assert bool(value) == (excess > 0), (name, case.row, excess)
                    compared["offload"] += 1
            else:
                root = case.roots[name]
                if root.g is None:
                    assert math.isnan(value) or nearly_double(case, name), (name, case.row, value)
                    compared["none"] += 1
                elif 1e-290 < root.g < 1e290:
                    sharp = root.condition < SHARP
                    error = ulps(value, root.g) / max(1.0, float(root.condition))
                    assert error <= (ULPS if sharp else 100), (name, case.row, value, root, error)
                    worst["root" if sharp else "double root"] = max(
                        worst["root" if sharp else "double root"], error
                    )
                    compared["root"] += 1
                elif root.g > 1e310:
                    assert value == math.inf, (name, case.row, value)
    print(f"{language}: {worst}, {compared}")
    assert min(compared.values()) > 400


def far_out(draw: random.Random) -> Row:
    """Host and accelerated time beyond what a double can hold, often on both sides."""
    beta = draw.uniform(0.05, 4)
    row = random_row(draw) | {"beta": beta, "g": decades(draw, 0, min(300, 600 / beta))}
    row |= {"o": decades(draw, -100, 250), "C": decades(draw, -100, 100)}
    return row


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_decision_stays_in_range(language: str, run_generated: RunGenerated) -> None:
    draw = random.Random(2015)
    rows = [far_out(draw) for _ in range(300)]
    results = run_generated(language, NAMES, rows)
    for name in ("should_offload_constant", "should_offload_linear"):
        values = results[name]
        excess = [speedup_of(row, name.rpartition("_")[2]) - 1 for row in rows]
        assert [bool(value) for value in values[: len(rows)]] == [each > 0 for each in excess]
        assert 50 < sum(each > 0 for each in excess) < 250


def nearly_double(case: Case, name: str) -> bool:
    """Whether a root is missing by no more than the rounding of the coefficients."""
    beta, k = (
        mp.mpf(case.row["beta"]),
        indices(case.row)[name.split("_upper")[0].rsplit("_linear")[0]],
    )
    c, l = cost_of(case.row, "linear")
    if not (beta < 1 and c > 0 and l > 0):
        return False
    least = (c / (1 - beta)) ** (1 - beta) * (l / beta) ** beta
    return abs(k / least - 1) < 1e-12
