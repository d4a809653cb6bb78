"""Granularities with a given speedup for log(g) and g*log(g), against Lambert's W in 90 digits."""

import math
import sys
from typing import Any

import numpy as np
import pytest
from exact_model import EPS, HUGE, LATENCIES, TINY, mp, off, powers, real
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from logca import numeric
from logca.numeric.roots.logarithmic import logarithmic_granularity_for
from logca.numeric.roots.status import RootStatus

ULPS = 16
Number = Any


def index(s: float, C: float, A: float) -> Number:
    return real(C) * (1 / real(s) - 1 / real(A))


def lambert(x: Number, branch: int = 0) -> Number:
    return mp.lambertw(x, branch).real


def exact_roots(kernel: str, k: Number, c: Number, l: Number) -> list[Number]:
    """All g with ``k*log(g) = c + l*g``, or with g times that on the left."""
    if kernel == "glog":
        argument = c / k * mp.exp(-l / k)
        return [mp.exp(l / k + (lambert(argument) if argument else 0))]
    if not l:
        return [mp.exp(c / k)]
    argument = -l / k * mp.exp(c / k)
    if argument < -mp.exp(-1):
        return []
    return [-k / l * lambert(argument, branch) for branch in (0, -1)]


def condition(kernel: str, k: Number, c: Number, l: Number, g: Number) -> float:
    """Relative change of g per relative change of k, c and l."""
    left = k * mp.log(g) * (g if kernel == "glog" else 1)
    slope = k * (g * (1 + mp.log(g)) if kernel == "glog" else 1) - l * g
    return float((abs(left) + c + l * g) / abs(slope))


COMMON = {
    "A": powers(-1.5, 3).map(lambda excess: 1 + excess),
    "share": st.floats(0.01, 0.99),
    "kernel": st.sampled_from(["log", "glog"]),
}


@settings(max_examples=200)
@given(o=powers(-2, 5), L=powers(-4, 2), C=powers(-1, 5), latency=LATENCIES, **COMMON)
def test_roots_by_lambert(
    o: float, L: float, C: float, A: float, share: float, kernel: str, latency: str
) -> None:
    s = share * A
    k, c = index(s, C, A), real(o) + (real(L) if latency == "constant" else 0)
    l = real(L) if latency == "linear" else mp.mpf(0)
    exact = exact_roots(kernel, k, c, l)
    assume(not (kernel == "log" and l and abs(mp.log(k / l) - c / k - 1) < 1e-6))
    found = logarithmic_granularity_for(s, o=o, L=L, C=C, A=A, latency=latency, kernel=kernel)
    given_ = [each for each in (found.lower, found.upper) if not math.isnan(each)]
    wanted = [root for root in exact if TINY <= root <= HUGE]
    assert len(given_) == len(wanted)
    if not exact:
        assert found.status is RootStatus.NEVER
    for each, root in zip(given_, wanted, strict=True):
        allowed = condition(kernel, k, c, l, root) * (A + s) / (A - s)
        assert off(each, root) <= ULPS * (1 + allowed)
    formula = numeric.speedup_log if kernel == "log" else numeric.speedup_glog
    for each in given_:
        back = formula(each, o=o, L=L, C=C, A=A, latency=latency)
        if each > 1:
            # near g = 1 the rounding of g to a double alone moves log(g) by up to half of this
            rounding = sys.float_info.epsilon / math.log(each)
            assert float(back) == pytest.approx(s, rel=1e-9 + rounding)


@pytest.mark.parametrize("excess", [1e-4, 1e-6, 1e-8, 1e-10, 1e-11])
def test_roots_that_are_about_to_meet(excess: float) -> None:
    """``k*log(g) = c + l*g`` with l = 1 has one root if c = k*(log(k) - 1); here c is less."""
    k, l = 20.0, 1.0
    c = k * (math.log(k) - 1 - excess)
    exact = exact_roots("log", real(k), real(c), real(l))
    found = logarithmic_granularity_for(
        1.0, o=c, L=l, C=2 * k, A=2.0, latency="linear", kernel="log"
    )
    assert found.status is RootStatus.TWO
    for each, root in zip((found.lower, found.upper), exact, strict=True):
        assert off(each, root) <= ULPS * (1 + condition("log", real(k), real(c), real(l), root))


@pytest.mark.parametrize("lack", [1e-2, 1e-4, 1e-6, 1e-8, 1e-10])
def test_roots_that_just_miss_each_other(lack: float) -> None:
    k = 20.0
    c = k * (math.log(k) - 1 + lack)
    found = logarithmic_granularity_for(
        1.0, o=c, L=1.0, C=2 * k, A=2.0, latency="linear", kernel="log"
    )
    assert found.status is RootStatus.NEVER


@pytest.mark.parametrize("steps", range(-40, 41, 20))
def test_where_they_meet_roots_are_there_or_not_but_never_half(steps: int) -> None:
    k = 20.0
    c = k * (math.log(k) - 1) * (1 + steps * EPS)
    found = logarithmic_granularity_for(
        1.0, o=c, L=1.0, C=2 * k, A=2.0, latency="linear", kernel="log"
    )
    if found.status is RootStatus.NEVER:
        assert math.isnan(found.lower)
        assert math.isnan(found.upper)
    else:
        assert found.status in (RootStatus.DOUBLE, RootStatus.TWO)
        assert found.lower <= found.upper
        assert found.lower == pytest.approx(k, rel=1e-6)
        assert found.upper == pytest.approx(k, rel=1e-6)
        assert found.status is RootStatus.TWO or found.lower == found.upper


STATUSES = [
    ("log", "linear", {}, "TWO"),
    ("log", "constant", {}, "ONE"),
    ("log", "linear", {"L": 0.0}, "ONE"),
    ("log", "linear", {"L": 500.0}, "NEVER"),
    ("log", "linear", {"o": 0.0}, "TWO"),
    ("log", "linear", {"L": 1e-307}, "UPPER_OUT_OF_RANGE"),
    ("log", "constant", {"o": 1e6}, "OUT_OF_RANGE"),
    ("glog", "linear", {}, "ONE"),
    ("glog", "constant", {}, "ONE"),
    ("glog", "linear", {"o": 0.0}, "ONE"),
    ("glog", "linear", {"L": 1e6}, "OUT_OF_RANGE"),
]
BOTH = [
    ({"o": 0.0, "L": 0.0}, "EVERYWHERE"),
    ({"s": 12.0}, "BEYOND_ACCELERATION"),
    ({"s": 13.0}, "BEYOND_ACCELERATION"),
    ({"s": 0.0}, "OUTSIDE_DOMAIN"),
    ({"s": math.nan}, "OUTSIDE_DOMAIN"),
    ({"s": math.inf}, "OUTSIDE_DOMAIN"),
    ({"o": -1.0}, "OUTSIDE_DOMAIN"),
    ({"L": -1.0}, "OUTSIDE_DOMAIN"),
    ({"L": math.inf}, "OUTSIDE_DOMAIN"),
    ({"C": 0.0}, "OUTSIDE_DOMAIN"),
    ({"A": -12.0, "C": -900.0}, "OUTSIDE_DOMAIN"),
    ({"A": math.inf}, "OUTSIDE_DOMAIN"),
]
EVERY = [
    *STATUSES,
    *[(k, l, *row) for k in ("log", "glog") for l in ("constant", "linear") for row in BOTH],
]


@pytest.mark.parametrize(("kernel", "latency", "changes", "status"), EVERY)
def test_the_status(kernel: str, latency: str, changes: dict[str, float], status: str) -> None:
    given_ = {"s": 1.0, "o": 435.0, "L": 2.0, "C": 900.0, "A": 12.0} | changes
    found = logarithmic_granularity_for(**given_, latency=latency, kernel=kernel)
    assert found.status is RootStatus[status]
    assert math.isnan(found.lower) is (status not in ("ONE", "TWO", "UPPER_OUT_OF_RANGE"))
    assert math.isnan(found.upper) is (status != "TWO")


def test_arrays_give_what_numbers_give() -> None:
    L = np.array([2.0, 0.0, 500.0, math.nan])
    rest = {"o": 435.0, "C": 900.0, "A": 12.0, "latency": "linear", "kernel": "log"}
    found = logarithmic_granularity_for(1.0, L=L, **rest)
    for place, each in enumerate(L):
        alone = logarithmic_granularity_for(1.0, L=each, **rest)
        np.testing.assert_equal(alone.lower, found.lower[place])
        np.testing.assert_equal(alone.upper, found.upper[place])
        assert alone.status == found.status[place]
    grid = logarithmic_granularity_for([[1.0], [2.0]], L=L[:3], **rest)
    assert grid.lower.shape == grid.status.shape == (2, 3)


@pytest.mark.parametrize(
    "wrong", [{"latency": "affine"}, {"kernel": "power"}, {"kernel": None}], ids=str
)
def test_unknown_kernels_and_latencies_are_named(wrong: dict[str, Any]) -> None:
    call = {"latency": "linear", "kernel": "log"} | wrong
    with pytest.raises(ValueError, match=f"unknown .*{next(iter(wrong.values()))}"):
        logarithmic_granularity_for(1.0, o=1.0, L=1.0, C=1.0, A=2.0, **call)
