"""The letter's verdicts, read off paper and notes by hand, and its counterexamples in mpmath."""

from collections.abc import Callable

import mpmath
import pytest

mpf = mpmath.mpf


@pytest.fixture(autouse=True)
def _fifty_digits() -> object:
    with mpmath.workdps(50):
        yield


def constant(g: object, o: object, l: object, c: object, a: object) -> mpmath.mpf:
    g, o, l, c, a = map(mpf, (g, o, l, c, a))
    return c * g / (o + l + c * g / a)


def linear(g: object, o: object, l: object, c: object, a: object) -> mpmath.mpf:
    g, o, l, c, a = map(mpf, (g, o, l, c, a))
    return c * g / (o + l * g + c * g / a)


def crossing(speedup: Callable[[mpmath.mpf], mpmath.mpf], target: object) -> mpmath.mpf:
    low, high = mpf(10) ** -20, mpf(10) ** 40
    assert speedup(low) < target < speedup(high)
    for _ in range(400):
        middle = mpmath.sqrt(low * high)
        low, high = (middle, high) if speedup(middle) < target else (low, middle)
    return low


def close(a: mpmath.mpf, b: object) -> bool:
    return bool(abs(a / b - 1) < mpf(10) ** -40)


T2, SANDY_BRIDGE = (29000, 1500, 90, 19), (10, 3, 35, 6)
GPU, APU = (mpf("2e8"), 3000, 174, 30), (mpf("4e8"), 15, 174, 7)
FAR = [mpf(10) ** k for k in range(-6, 40)]


def test_half_peak_before_break_even() -> None:
    parameters = (1, 1, 1, "1.5")
    even = crossing(lambda g: constant(g, *parameters), 1)
    half = crossing(lambda g: constant(g, *parameters), mpf("0.75"))
    assert close(even, 6)
    assert close(half, 3)


def test_intensity_above_one_does_not_decide() -> None:
    assert all(linear(g, 1, 2, 3, 2) < 1 for g in FAR)
    assert linear(mpf(10) ** 9, 1, 2, 3, 4) > 1


def test_the_ratio_upside_down_excludes_nothing() -> None:
    latency, index, acceleration = mpf("0.01"), mpf(1), mpf(10)
    assert latency / index < acceleration
    assert linear(mpf(10) ** 9, 1, latency, index, acceleration) > acceleration / 2
    assert all(linear(g, 1, 1, 3, 4) < 2 for g in FAR)


def test_more_acceleration_reaches_the_old_goal_but_never_the_new_half() -> None:
    o, latency, index, a = mpf(1), mpf(2), mpf(3), mpf(2)
    assert all(linear(g, o, latency, index, a) < a / 2 for g in FAR)
    for r in (mpf("1.1"), mpf("1.49"), mpf("1.51"), mpf(2), mpf(100)):
        reached = linear(mpf(10) ** 30, o, latency, index, r * a) > a / 2
        assert reached == (index / latency > a * r / (2 * r - 1))
        assert all(linear(g, o, latency, index, r * a) < r * a / 2 for g in FAR)


def test_what_small_and_large_granularities_measure() -> None:
    tiny, huge = mpf(10) ** -45, mpf(10) ** 45
    o, latency, index, a = map(mpf, SANDY_BRIDGE)
    assert close(index * tiny / constant(tiny, o, latency, index, a), o + latency)
    assert close(index * tiny / linear(tiny, o, latency, index, a), o)
    assert close(constant(huge, *SANDY_BRIDGE), 6)
    plateau = linear(huge, o, latency, index, a)
    assert plateau < 4
    assert close(1 / (1 / plateau - latency / index), a)


def test_half_peaks_of_the_four_machines() -> None:
    assert 6438 < crossing(lambda g: constant(g, *T2), mpf(19) / 2) < 6439
    assert mpf("2.22") < crossing(lambda g: constant(g, *SANDY_BRIDGE), 3) < mpf("2.23")
    assert close(crossing(lambda g: linear(g, *APU), mpf(7) / 2), mpf("2.8e9") / 69)
    assert all(linear(g, *GPU) < 15 for g in FAR)


def test_break_even_points_of_the_machines() -> None:
    t2 = crossing(lambda g: constant(g, *T2), 1)
    bridge = crossing(lambda g: constant(g, *SANDY_BRIDGE), 1)
    assert close(t2, mpf(19) / 18 * 30500 / 90)
    assert close(bridge, mpf(6) / 5 * 13 / 35)
    assert all(linear(g, *GPU) < mpf("0.058") for g in FAR)
    assert all(linear(g, *GPU) < constant(g, *T2) for g in FAR)
    assert constant(2968, *T2) < constant(2968, *SANDY_BRIDGE)
    assert constant(2969, *T2) > constant(2969, *SANDY_BRIDGE)


@pytest.mark.parametrize("latency", [constant, linear])
@pytest.mark.parametrize("a", ["1.2", "3", "50"])
def test_where_the_interface_is_worth_as_much_as_the_acceleration(
    latency: Callable[..., mpmath.mpf], a: str
) -> None:
    o, l, c, a, r = mpf(70), mpf(2), mpf(400), mpf(a), mpf("1.7")
    for g in FAR:
        before = latency(g, o, l, c, a)
        better = latency(g, o / r, l / r, c, a) - latency(g, o, l, c, r * a)
        assert mpmath.sign(better) == mpmath.sign(a / 2 - before)
        if before <= a / 2:
            assert latency(g, o, l, c, 1000 * a) < a
