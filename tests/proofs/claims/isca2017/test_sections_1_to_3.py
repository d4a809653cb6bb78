"""What is false as printed in sections 1 to 3 of ISCA 2017, in mpmath at 50 digits.

The formulas are typed in here once more, from the paper; none of the package takes part.
"""

from collections.abc import Callable, Iterator

import mpmath
import pytest

from logca.proofs.claims.catalogue import BOOKS
from logca.proofs.claims.catalogue.isca2017 import (
    bottlenecks,
    granularity,
    half_peak,
    latency,
    model,
)
from logca.proofs.engine.judge import settle

MODULES = (
    model,
    granularity,
    latency,
    half_peak,
    half_peak,
    bottlenecks,
    bottlenecks,
)
CLAIMS = {claim.id: claim for module in MODULES for claim in module.CLAIMS}

PROVED = """
sec1-underperform sec1-threshold sec1-break-even-points table1-acceleration sec2-host-time
sec2-complexity-range sec2-accelerated-time-constant sec2-accelerated-time-linear
sec2-acceleration eq1 sec2-logarithm-no-power eq2 sec2-depends-on-latency
sec2-depends-on-overhead sec2-depends-on-index sec2-depends-on-acceleration sec2-kernel-fusion
sec2.1-increases-with-granularity sec2.1-bounded-by-acceleration eq3 eq4-bound eq4-amdahl
sec2.1-overheads-dominate
sec2.2-break-even sec2.2-break-even-least eq5 implication1 implication1-interface implication2
implication2-profound implication2-beta-0.5 implication2-beta-1 implication2-beta-2
sec2.2-half-peak eq6 eq7 implication3 implication3-pronounced implication3-beta-0.5
implication3-beta-1 implication3-beta-2 sec2.2-acceleration-raises-half-peak sec2.2-dilemma
sec2.2-complex-interface sec2.2-distant-accelerator
eq8 eq9-bound eq9-sublinear eq9-linear eq9-superlinear sec2.3-approaches-sublinear
sec2.3-linear-limited-by-intensity sec2.3-limit-superlinear sec2.3-limit-sublinear
implication4 implication4-latency-exceeds-computation implication4-deceleration
implication4-contrast eq10-like-eq4 eq10-overheads eq11-linear
sec2.3-linear-at-least-1 sec2.3-superlinear-below-1 sec2.3-superlinear-small-index
eq12-linear sec2.3-half-peak-linear-at-least-A sec2.3-half-peak-superlinear-below-A
implication6-sublinear-time sec2.3-example-linear sec2.3-example-superlinear
sec2.3-hypothetical-accelerator eq13-linear sec2.3-eq13-like-eq12 sec2.3-gA-equals-gA2
sec2.3-peak-at-half-peak sec2.3-gA-not-achievable implication7-interface
sec3.1-bounds sec3.1-compute-bound-constant sec3.1-compute-bound-superlinear
sec3.1-latency-bound-linear sec3.1-latency-bound-sublinear sec3.1-compute-bound-investment
sec3.2-bottleneck-overhead sec3.2-bottleneck-latency sec3.2-bottleneck-index
sec3.2-bottleneck-acceleration fig5a-negligible fig5b-setup-cost fig5b-small fig5b-large
fig5b-bottleneck fig5c-gains fig5c-decrease fig5c-computation-time fig5d-small fig5d-large
fig5d-setup-cost fig5d-only-large fig6-cutoff-overhead fig6-cutoff-latency fig6-cutoff-index
fig6-cutoff-acceleration fig6-high-cutoff
"""

CORRECTED = """
sec1-gpu-breaks-even table1-index sec2-logarithm-slowest sec2-pipelined-interface sec2-intensity
sec2-accelerator-intensity eq4
sec2.2-half-peak-after-break-even sec2.2-low-break-even-low-overheads
eq9 sec2.3-approaches-linear sec2.3-approaches-superlinear
sec2.3-linear-instead-of-acceleration implication4-cause eq10 eq11 eq11-superlinear
eq11-sublinear
eq11-positive-necessary eq11-positive-sufficient eq11-exists-necessary eq11-exists-sufficient
sec2.3-linear-at-least-1-sufficient sec2.3-sublinear-above-1 implication5
implication5-sufficient eq12-positive-necessary eq12-positive-sufficient eq12-exists-necessary
eq12-exists-sufficient
eq12 sec2.3-half-peak-linear-at-least-A-sufficient sec2.3-half-peak-sublinear-above-A
implication6 implication6-sufficient implication6-superlinear-time sec2.3-example-sublinear
eq13 sec2.3-half-peak-not-achievable implication7
sec3.1-latency-bound sec3.1-latency-bound-investment-linear
fig5a-independent fig5c-setup-cost
sec3.1-latency-bound-investment-sublinear sec3.1-latency-bound-investment-linear-overhead
table1-latency
"""

EXPECTED = {f"isca2017-{name}": "proved" for name in PROVED.split()} | {
    f"isca2017-{name}": "corrected" for name in CORRECTED.split()
}


def test_every_statement_of_these_sections_is_expected_and_in_the_ledger() -> None:
    assert set(EXPECTED) == set(CLAIMS)
    assert {module.__name__.rpartition(".")[2] for module in MODULES} <= set(BOOKS)


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_verdict(name: str) -> None:
    claim = CLAIMS[name]
    status = settle(claim.asserts, claim.given, claim.touch, thorough=False)[0].status
    if EXPECTED[name] == "proved":
        assert status == "proved"
        assert claim.corrected is None
        return
    assert status == "refuted"
    true = claim.corrected
    assert true is not None
    assert settle(true.asserts, true.given, true.touch, thorough=False)[0].status == "proved"


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
