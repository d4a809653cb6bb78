"""What is false as printed in sections 1 to 3 of ISCA 2017, in mpmath at 50 digits.

The formulas are typed in here once more, from the paper; none of the package takes part.
"""

from collections.abc import Callable, Iterator

import mpmath
import pytest

mpf = mpmath.mpf
Real = object


@pytest.fixture(autouse=True)
def _fifty_digits() -> Iterator[None]:
    with mpmath.workdps(50):
        yield


def time(g: Real, o: Real, flat: Real, slope: Real, c: Real, a: Real, beta: Real) -> mpmath.mpf:
    g, o, flat, slope, c, a, beta = map(mpf, (g, o, flat, slope, c, a, beta))
    return o + flat + slope * g + c * g**beta / a


def constant(g: Real, o: Real, l: Real, c: Real, a: Real, beta: Real) -> mpmath.mpf:
    return mpf(c) * mpf(g) ** mpf(beta) / time(g, o, l, 0, c, a, beta)


def linear(g: Real, o: Real, l: Real, c: Real, a: Real, beta: Real) -> mpmath.mpf:
    return mpf(c) * mpf(g) ** mpf(beta) / time(g, o, 0, l, c, a, beta)


def eq11(o: Real, l: Real, c: Real, a: Real, beta: Real) -> mpmath.mpf:
    o, l, c, a, beta = map(mpf, (o, l, c, a, beta))
    return (c * (beta - 1) * (a - 1) + a * o) / (c * beta * (a - 1) - a * l)


def eq12(o: Real, l: Real, c: Real, a: Real, beta: Real) -> mpmath.mpf:
    o, l, c, a, beta = map(mpf, (o, l, c, a, beta))
    return (c * (beta - 1) + a * o) / (c * beta - a * l)


def rises_through(
    speedup: Callable[[mpmath.mpf], mpmath.mpf], target: Real, low: Real, high: Real
) -> mpmath.mpf:
    low, high, target = mpf(low), mpf(high), mpf(target)
    assert speedup(low) < target < speedup(high)
    for _ in range(400):
        middle = mpmath.sqrt(low * high)
        low, high = (middle, high) if speedup(middle) < target else (low, middle)
    return low


WIDE = [mpf(2) ** k for k in range(-60, 120)]


def test_printed_limits_for_small_granularities_are_values_at_one_byte() -> None:
    parameters = (3, 2, 7, 5, "0.7")
    printed = mpf(7) / (3 + 2 + mpf(7) / 5)
    for speedup in (constant, linear):
        assert mpmath.almosteq(speedup(1, *parameters), printed)
        assert speedup(mpf(10) ** -60, *parameters) < mpf(10) ** -40


def test_the_three_limits_of_equation_nine() -> None:
    far = mpf(10) ** 400
    assert abs(linear(far, 3, 2, 7, 5, 2) - 5) < mpf(10) ** -40
    assert abs(linear(far, 3, 2, 7, 5, 1) - mpf(35) / 17) < mpf(10) ** -40
    assert linear(far, 3, 2, 7, 5, "0.5") < mpf(10) ** -150


def test_the_ratio_to_the_bound_of_equation_nine() -> None:
    far = mpf(10) ** 400
    ratios = [
        linear(far, 3, 2, 7, 5, beta) / (mpf(7) / 2 * far ** (mpf(beta) - 1))
        for beta in ("0.5", 1, 2)
    ]
    assert abs(ratios[0] - 1) < mpf(10) ** -40
    assert abs(ratios[1] - mpf(5) / (5 + mpf(7) / 2)) < mpf(10) ** -40
    assert ratios[2] < mpf(10) ** -300


def test_equation_eleven_may_miss_break_even_fourfold() -> None:
    parameters = (1000, 3, 35, 6, 2)
    assert abs(linear(eq11(*parameters), *parameters) - mpf("3.94")) < mpf("0.005")
    root = rises_through(lambda g: linear(g, *parameters), 1, 1, 100)
    assert eq11(*parameters) > 3 * root


def test_equation_eleven_is_too_small_below_linear() -> None:
    parameters = (1, "0.5", 4, mpf(20) / 11, "0.5")
    assert eq11(*parameters) > 0
    root = rises_through(lambda g: linear(g, *parameters), 1, "1e-9", 2)
    assert eq11(*parameters) < root


def test_equation_twelve_is_no_solution() -> None:
    assert eq12(1, 1, 1, 1, 2) == 2
    assert linear(2, 1, 1, 1, 1, 2) == mpf(4) / 7
    assert mpf(2) ** 2 / (1 + mpf(2)) != 1


def test_intensity_above_the_printed_bound_without_break_even() -> None:
    binary_search = (mpf("4e8"), 15, 116, 7, "0.14")
    assert mpf(116) / 15 > 1 / mpf("0.14")
    assert max(linear(g, *binary_search) for g in WIDE) < mpf("3e-6")
    assert max(linear(g, 1, "0.5", 2, 2, "0.5") for g in WIDE) < 1


def test_break_even_with_intensity_below_the_printed_bound() -> None:
    parameters = (1, 3, 1, 2, "1.5")
    assert mpf(1) / 3 < 1 / mpf("1.5")
    assert rises_through(lambda g: linear(g, *parameters), 1, 1, 1000) > 1


def test_equations_eleven_and_twelve_positive_with_intensity_below_the_printed_bounds() -> None:
    assert eq11(1, 1, 2, 10, mpf(1) / 3) > 0
    assert mpf(2) / 1 < 3
    assert eq12(1, 2, 1, mpf(1) / 3, "0.5") > 0
    assert mpf(3) / 2 < 2


def test_equations_eleven_and_twelve_negative_with_intensity_above_the_printed_bounds() -> None:
    assert eq11(1, 1, 3, 2, "0.5") < 0
    assert mpf(3) / 1 > 2
    assert eq12(1, 1, 3, 1, "0.5") < 0


def test_linear_kernels_need_more_than_intensity_one() -> None:
    assert all(linear(g, 1, 2, 3, 2, 1) < 1 for g in WIDE)
    assert all(linear(g, 1, 1, 3, 3, 1) < mpf(3) / 2 for g in WIDE)


def test_sublinear_gain_with_intensity_below_one_at_less_than_a_byte() -> None:
    assert linear("0.1", "0.5", 5, 3, 3, "0.25") > 1
    assert all(linear(g, "0.5", 5, 3, 3, "0.25") < 1 for g in WIDE if g >= 1)


def test_sublinear_half_peak_with_intensity_below_the_acceleration() -> None:
    assert linear("0.5", 1, 9, 2, "0.25", "0.5") >= mpf("0.125")
    assert mpf(2) / 9 < mpf("0.25")
    assert linear("0.1", 0, 1, "0.5", 1, "0.5") >= mpf("0.5")


def test_intensity_above_one_does_not_make_a_sublinear_kernel_gain() -> None:
    assert all(linear(g, 1, "0.5", 1, 2, "0.5") < 1 for g in WIDE)
    assert all(linear(g, 2, 1, 2, 1, "0.5") < mpf("0.5") for g in WIDE)


def test_half_peak_takes_a_computation_longer_than_the_latency() -> None:
    assert linear(4, 1, 1, 1, 3, 2) >= mpf(3) / 2
    assert mpf(1) / (3 * 1) < 1
    assert all(g**2 / 3 >= 1 + g for g in WIDE if linear(g, 1, 1, 1, 3, 2) >= mpf(3) / 2)


def test_more_acceleration_beats_the_intensity_below_one_byte() -> None:
    third = mpf(1) / 3
    assert all(linear(g, 1, 10, 1, 2, third) < 1 for g in WIDE)
    assert linear("0.5", 1, 10, 1, 4, third) > mpf(1) / 10


def test_the_speedup_rises_although_the_latency_exceeds_the_computation() -> None:
    parameters = (2, 1, 1, 2, "0.5")
    assert mpf(1) > mpf(1) / 2
    assert linear("1.001", *parameters) > linear(1, *parameters)
    peak = mpf("0.5") * 2 / (mpf("0.5") * 1)
    assert linear(peak, *parameters) == max(
        linear(peak * factor, *parameters) for factor in (mpf("0.99"), 1, mpf("1.01"))
    )


def test_half_peak_before_break_even() -> None:
    even = rises_through(lambda g: constant(g, 1, 1, 1, "1.5", 1), 1, "1e-9", 1000)
    half = rises_through(lambda g: constant(g, 1, 1, 1, "1.5", 1), "0.75", "1e-9", 1000)
    assert half < even


def test_lower_break_even_with_higher_overheads() -> None:
    lean = rises_through(lambda g: constant(g, 1, 2, 3, 2, 2), 1, "1e-9", 1000)
    rich = rises_through(lambda g: constant(g, 2, 4, 6, 4, 2), 1, "1e-9", 1000)
    assert rich < lean


def test_host_time_per_byte_depends_on_granularity() -> None:
    assert mpmath.sqrt(2) / 2 != 1


def test_a_function_slower_than_the_logarithm() -> None:
    for r in (1, 10, 100):
        g = mpmath.exp(mpf(r) ** 2 + 1)
        assert r * mpmath.sqrt(mpmath.log(g)) < mpmath.log(g)


def test_a_pipelined_interface_slower_than_the_accelerator() -> None:
    overlapped = 1 + max(mpf(2) * 1, mpf(1) * 1)
    assert overlapped > time(1, 1, 0, 0, 1, 1, 1)


def test_acceleration_tighter_than_intensity() -> None:
    assert all(linear(g, 1, 1, 2, 1, 1) < mpf(2) / 3 for g in WIDE)
    assert abs(linear(mpf(10) ** 60, 1, 1, 2, 1, 1) - mpf(2) / 3) < mpf(10) ** -50


def test_acceleration_matters_more_than_latency_for_a_linear_kernel() -> None:
    base = linear(1000, 1, "0.5", 1, 1, 1)
    assert linear(1000, 1, "0.5", 1, 2, 1) > linear(1000, 1, "0.25", 1, 1, 1) > base


def test_the_gain_from_less_latency_falls_with_granularity() -> None:
    def gain(g: Real) -> mpmath.mpf:
        return constant(g, 29000, 150, 90, 19, 1) / constant(g, 29000, 1500, 90, 19, 1)

    assert mpf("1.05") > gain(16) > gain(2**15) > gain(2**25) > 1


def test_the_gpu_of_table_five() -> None:
    gpu = (mpf("2e8"), 3000, 174, 30, 1)
    assert all(linear(g, *gpu) < 1 for g in WIDE)
    assert abs(rises_through(lambda g: constant(g, *gpu), 1, 1, "1e9") - 1189078) < 1
