"""Granularities with a given speedup, against roots in 90 digits, and laws of the model."""

import math
from typing import Any

import numpy as np
import pytest
from exact_model import (
    EPS,
    HUGE,
    LATENCIES,
    TINY,
    Exact,
    mp,
    off,
    parameters,
    powers,
    real,
    roots,
)
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from logca import numeric
from logca.numeric.roots.granularity import granularity_for, sum_root, trinomial_roots
from logca.numeric.roots.status import RootStatus

ULPS = 8
"""Allowed error of a root, in units of EPS, for each unit of its condition number."""

SHARES = st.one_of(st.sampled_from([0.5, 5 / 27, 22 / 27]), st.floats(0.001, 0.999))
Parameters = dict[str, float]


def targets(A: float, share: float) -> tuple[float, ...]:
    """One, and a share of the acceleration."""
    return 1.0, share * A


@st.composite
def barely(draw: st.DrawFn) -> tuple[Parameters, float]:
    """Latency per byte, beta < 1, and an index just above or below the least with a solution."""
    found = draw(parameters(least=0.02, greatest=0.98))
    excess = draw(st.one_of(powers(-15.5, 1), powers(-15.5, -1).map(lambda each: -each)))
    model = Exact.of(**found, latency="linear")
    factor = real(math.exp(excess)) / (model.index(1) / model.C)
    least = (model.o / (1 - model.beta)) ** (1 - model.beta) * (model.L / model.beta) ** model.beta
    found["C"] = float(factor * least)
    return found, 1.0


def check(found: Any, model: Exact, s: float) -> None:
    """Every root is there, and as accurate as its condition lets it be."""
    given_ = [float(each) for each in (found.lower, found.upper) if not math.isnan(each)]
    if found.status is RootStatus.DOUBLE:
        assert given_[0] == given_[1]
        assert off(given_[0], model.peak()) <= ULPS
        return
    exact = [root for root in model.roots(s) if TINY <= root <= HUGE]
    assert len(given_) == len(exact)
    for each, root in zip(given_, exact, strict=True):
        condition = float(model.condition(s, root))
        assert off(each, root) <= ULPS * (1 + condition)
        if condition < 10:
            assert abs(model.speedup(each) / real(s) - 1) <= 1e-14


@settings(max_examples=200)
@given(found=parameters(), share=SHARES, latency=LATENCIES)
def test_the_speedup_at_a_root_is_the_target(found: Parameters, share: float, latency: str) -> None:
    model = Exact.of(**found, latency=latency)
    for s in targets(found["A"], share):
        assume(not (latency == "linear" and found["beta"] < 1 and abs(model.excess(s)) < 1e-11))
        check(granularity_for(s, **found, latency=latency), model, s)


@settings(max_examples=200)
@given(drawn=barely())
def test_roots_that_are_about_to_meet(drawn: tuple[Parameters, float]) -> None:
    found, s = drawn
    model = Exact.of(**found, latency="linear")
    answer = granularity_for(s, **found, latency="linear")
    excess, noise = float(model.excess(s)), 16 * EPS * (1 + 1 / (found["A"] - 1))
    if abs(excess) > noise:
        assert answer.status is (RootStatus.TWO if excess > 0 else RootStatus.NEVER)
    if answer.status is RootStatus.NEVER:
        assert math.isnan(answer.lower)
        assert math.isnan(answer.upper)
    else:
        peak = model.peak()
        assert real(answer.lower) <= peak * (1 + 4 * EPS)
        assert real(answer.upper) >= peak * (1 - 4 * EPS)
        assert answer.lower <= answer.upper
    if excess > noise:
        check(answer, model, s)


@settings(max_examples=200)
@given(found=parameters(least=0.02, greatest=0.98), share=SHARES)
def test_the_peak_is_between_the_roots(found: Parameters, share: float) -> None:
    model = Exact.of(**found, latency="linear")
    for s in targets(found["A"], share):
        answer = granularity_for(s, **found, latency="linear")
        if answer.status is RootStatus.TWO:
            assert answer.lower < float(model.peak()) * (1 + 4 * EPS)
            assert answer.upper > float(model.peak()) * (1 - 4 * EPS)


NEARLY_LINEAR = [
    {"o": 634.0256952419853, "L": 0.23475492980930165, "C": 3.365936855699757}
    | {"A": 1.0749732642394552, "beta": 0.9999999999880977, "s": 1.0},
    {"o": 2.349080261729518e-10, "L": 4.2362966001545446e-30, "C": 7.236041949946022e-20}
    | {"A": 1.0775360478689064, "beta": 0.9999999980915528, "s": 1.0775360478009315},
    {"o": 400.0, "L": 2.0, "C": 2.0 * (1 + 1e-7), "A": 1e6, "beta": 1 - 4e-9, "s": 1 - 1e-6},
    {"o": 7.685978996663304e-29, "L": 9.449116100121575e-24, "C": 5.882783253849986e-22}
    | {"A": 62.25749688331578, "beta": 0.9999999983485258, "s": 31.12874844165789},
]


@pytest.mark.parametrize("found", NEARLY_LINEAR, ids=lambda each: f"{1 - each['beta']:.1e}")
def test_the_lower_root_is_not_above_the_upper_one_for_exponents_next_to_one(
    found: Parameters,
) -> None:
    """Of such roots few digits are certain; that the peak is between them is."""
    model = Exact.of(**{k: v for k, v in found.items() if k != "s"}, latency="linear")
    answer = granularity_for(**found, latency="linear")
    if answer.status is RootStatus.TWO:
        assert answer.lower <= answer.upper
        assert off(min(answer.lower, float(model.peak())), answer.lower) <= 4
        assert off(max(answer.upper, float(model.peak())), answer.upper) <= 4


FAR_APART = [
    {"o": 1.8428964791077904e-184, "L": 2.7204282236425294e-37, "C": 2.0194564483000476e139}
    | {"A": 417.5036000791899, "beta": 2.027005243283861, "s": 208.75180003959494},
    {"o": 2.694159624553069e-154, "L": 3.298404753312698e-96, "C": 1.8535403191934972e168}
    | {"A": 1.1337798957857557, "beta": 1.680421528003538, "s": 0.987835349866266},
    {"o": 1e-200, "L": 1e-80, "C": 1e120, "A": 30.0, "beta": 2.0, "s": 1.0},
    {"o": 1e-200, "L": 1e-80, "C": 3e114, "A": 30.0, "beta": 2.0, "s": 1.0},
    {"o": 3e-198, "L": 2e-80, "C": 3e112, "A": 30.0, "beta": 2.0, "s": 2.0},
    {"o": 1e200, "L": 1e-100, "C": 1.0, "A": 30.0, "beta": 1.7, "s": 1.0},
    {"o": 1e200, "L": 1e-200, "C": 1e199, "A": 30.0, "beta": 0.5, "s": 1.0},
    {"o": 1e-200, "L": 1e-200, "C": 1e-100, "A": 30.0, "beta": 0.5, "s": 2.0},
]


@pytest.mark.parametrize("latency", ["constant", "linear"])
@pytest.mark.parametrize("found", FAR_APART, ids=lambda each: f"C={each['C']:.0e}")
def test_parameters_hundreds_of_decades_apart(found: Parameters, latency: str) -> None:
    """Also where a power, or a product with it, is out of range and the root is not."""
    model = Exact.of(**{k: v for k, v in found.items() if k != "s"}, latency=latency)
    check(granularity_for(**found, latency=latency), model, found["s"])


@settings(max_examples=200)
@given(found=parameters(span=60), share=SHARES, latency=LATENCIES)
def test_parameters_tens_of_decades_apart(found: Parameters, share: float, latency: str) -> None:
    model = Exact.of(**found, latency=latency)
    s = share * found["A"]
    assume(not (latency == "linear" and found["beta"] < 1 and abs(model.excess(s)) < 1e-9))
    check(granularity_for(s, **found, latency=latency), model, s)


CLOSED_FORMS = {
    1 / 2: ("root_half_lower", "root_half_upper"),
    1 / 3: ("root_third_lower", "root_third_upper"),
    2 / 3: ("root_two_thirds_lower", "root_two_thirds_upper"),
    3 / 2: ("root_three_halves",),
    2.0: ("root_two",),
    3.0: ("root_three",),
}


@pytest.mark.parametrize("beta", CLOSED_FORMS)
@settings(max_examples=200)
@given(found=parameters(span=3), share=SHARES)
def test_closed_forms_agree(beta: float, found: Parameters, share: float) -> None:
    found["beta"] = beta
    s = share * found["A"]
    model = Exact.of(**found, latency="linear")
    answer = granularity_for(s, **found, latency="linear")
    closed = [float(getattr(numeric, name)(s, **found)) for name in CLOSED_FORMS[beta]]
    if answer.status is RootStatus.NEVER:
        assert all(map(math.isnan, closed))
        return
    assume(answer.status in (RootStatus.ONE, RootStatus.TWO))
    for each, by_steps in zip(closed, (answer.lower, answer.upper), strict=False):
        condition = float(model.condition(s, by_steps))
        assume(condition < 1e6)  # next to the threshold closed form and steps disagree if it exists
        assert each == pytest.approx(by_steps, rel=4 * ULPS * EPS * (1 + condition))


RNG = np.random.default_rng(20170624)


def many(count: int) -> dict[str, Any]:
    return {
        "o": 10 ** RNG.uniform(-2, 8, count),
        "L": np.where(RNG.random(count) < 0.05, 0.0, 10 ** RNG.uniform(-3, 3, count)),
        "C": 10 ** RNG.uniform(-1, 4, count),
        "A": 1 + 10 ** RNG.uniform(-1, 2, count),
        "beta": RNG.choice([0.14, 0.5, 0.94, 1.0, 1.2, 1.7, 2.0, 2.9], count),
    }


@pytest.mark.parametrize("latency", ["constant", "linear"])
def test_arrays_give_what_numbers_give(latency: str) -> None:
    """Whatever stands beside it in the array, and in whichever block it is."""
    found = many(150_000)
    answer = granularity_for(1.0, **found, latency=latency)
    for place in RNG.choice(150_000, 300, replace=False):
        alone = {name: float(values[place]) for name, values in found.items()}
        single = granularity_for(1.0, **alone, latency=latency)
        assert single.status == answer.status[place]
        model = Exact.of(**alone, latency=latency)
        for one, other in ((single.lower, answer.lower), (single.upper, answer.upper)):
            if math.isnan(one):
                assert math.isnan(other[place])
            else:
                tolerance = EPS * (1 + float(model.condition(1, one)))
                assert one == pytest.approx(other[place], rel=tolerance)


def test_arguments_are_broadcast() -> None:
    found = {"o": np.full((4, 1, 1), 4e8), "L": 15, "C": 290, "A": 7, "beta": [[0.94], [1.2]]}
    answer = granularity_for([1.0, 2.0, 3.0], **found, latency="linear")
    assert answer.lower.shape == answer.upper.shape == answer.status.shape == (4, 2, 3)
    one = granularity_for(3.0, o=4e8, L=15, C=290, A=7, beta=1.2, latency="linear")
    np.testing.assert_array_equal(answer.lower[:, 1, 2], one.lower)
    assert np.isnan(answer.upper[:, 1]).all()


def test_kinds_of_numbers() -> None:
    found = {"o": 29_000, "L": 1500, "C": 90, "A": 19, "beta": 1}
    number = granularity_for(1, **found)
    assert isinstance(number.lower, float)
    assert isinstance(number.status, RootStatus)
    single = {name: np.float32(value) for name, value in found.items()}
    assert granularity_for(np.float32(1), **single).lower == number.lower
    assert granularity_for([], **found).lower.shape == (0,)
    assert granularity_for([[]], **found).status.shape == (1, 0)
    before = [np.array([1.0, 2.0]), np.array([29_000.0, 1.0])]
    granularity_for(before[0], **found | {"o": before[1]})
    assert [each.tolist() for each in before] == [[1.0, 2.0], [29_000.0, 1.0]]


@pytest.mark.parametrize("latency", ["affine", "", None])
def test_an_unknown_latency_is_an_error(latency: Any) -> None:
    with pytest.raises(ValueError, match=r"unknown latency .* 'constant' or 'linear'"):
        granularity_for(1, o=1, L=1, C=1, A=2, beta=1, latency=latency)


def test_what_is_no_number_is_an_error() -> None:
    with pytest.raises(TypeError, match="is not a real number"):
        granularity_for("1", o=1, L=1, C=1, A=2, beta=1)


ULPS_root_laws = 16
"""Allowed difference of two roots, in units of EPS, for each unit of the condition number."""


@settings(max_examples=200)
@given(found=parameters(), power=st.integers(-40, 40), share=SHARES, latency=LATENCIES)
def test_another_unit_of_time_changes_nothing(
    found: Parameters, power: int, share: float, latency: str
) -> None:
    """A power of two is exact in every operation but the logarithms that find the first guess."""
    factor = 2.0**power
    other = found | {name: factor * found[name] for name in ("o", "L", "C")}
    for s in targets(found["A"], share):
        left = granularity_for(s, **found, latency=latency)
        right = granularity_for(s, **other, latency=latency)
        assert left.status is right.status
        model = Exact.of(**found, latency=latency)
        for here, there in ((left.lower, right.lower), (left.upper, right.upper)):
            if math.isnan(here) or left.status is RootStatus.DOUBLE or latency == "constant":
                np.testing.assert_equal(here, there)
            elif (condition := float(model.condition(s, here))) < 1e6:
                assert here == pytest.approx(there, rel=ULPS_root_laws * EPS * (2 + condition))


@settings(max_examples=200)
@given(found=parameters(), scale=powers(-3, 3), share=SHARES, latency=LATENCIES)
def test_another_unit_of_granularity_scales_the_roots(
    found: Parameters, scale: float, share: float, latency: str
) -> None:
    other = found | {"C": found["C"] * scale ** found["beta"]}
    if latency == "linear":
        other["L"] = found["L"] * scale
    model = Exact.of(**found, latency=latency)
    for s in targets(found["A"], share):
        left = granularity_for(s, **found, latency=latency)
        right = granularity_for(s, **other, latency=latency)
        for here, there in ((left.lower, right.lower), (left.upper, right.upper)):
            if left.status not in (RootStatus.ONE, RootStatus.TWO) or math.isnan(here):
                continue
            condition = float(model.condition(s, here))
            if condition < 1e6:
                assert there * scale == pytest.approx(
                    here, rel=ULPS_root_laws * EPS * (2 + condition)
                )


@settings(max_examples=200)
@given(
    k=powers(-3, 6),
    c=powers(-3, 3),
    l=powers(-3, 3),
    beta=st.sampled_from([0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.9375]),
)
def test_the_reflected_equation_has_the_reciprocal_roots(
    k: float, c: float, l: float, beta: float
) -> None:
    """``k*g**b = c + l*g`` in 1/g is ``k*x**(1 - b) = l + c*x``."""
    left, right = trinomial_roots(k, c, l, beta), trinomial_roots(k, l, c, 1 - beta)
    exact = roots(k, c, l, beta)
    if left.status is not RootStatus.TWO or right.status is not RootStatus.TWO:
        return
    for here, there, root in zip(
        (left.lower, left.upper), (right.upper, right.lower), exact, strict=True
    ):
        share = real(l) * root / (real(c) + real(l) * root)
        condition = float((3 + abs(math.log(here))) / abs(real(beta) - share))
        assert here * there == pytest.approx(1, rel=ULPS_root_laws * EPS * (1 + condition))


@settings(max_examples=200)
@given(found=parameters(), share=SHARES, latency=LATENCIES, factor=st.floats(1.01, 100))
def test_a_faster_accelerator_or_a_slower_host_widens_the_range(
    found: Parameters, share: float, latency: str, factor: float
) -> None:
    for changed in (
        {"C": found["C"] * factor},
        {"A": found["A"] * factor},
        {"o": found["o"] / factor},
        {"L": found["L"] / factor},
    ):
        s = share * found["A"]
        before = granularity_for(s, **found, latency=latency)
        after = granularity_for(s, **found | changed, latency=latency)
        if before.status is RootStatus.TWO:
            assert after.status in (RootStatus.TWO, RootStatus.UPPER_OUT_OF_RANGE)
            assert after.lower <= before.lower * (1 + 1e-9)
            assert not after.upper < before.upper * (1 - 1e-9)
        if before.status is RootStatus.ONE and after.status is RootStatus.ONE:
            assert after.lower <= before.lower * (1 + 1e-9)


BETAS = st.one_of(st.floats(0.05, 4.0), st.sampled_from([0.14, 0.5, 1.0, 2.0]))


def bisected(k: float, l: float, c: float, beta: float) -> object:
    """By halving an interval of log(g) in which the sum crosses the constant."""
    k_, l_, c_, b = map(real, (k, l, c, beta))

    def total(t: object) -> object:
        return k_ * mp.exp(b * t) + l_ * mp.exp(t)

    low, high = mp.mpf(-1), mp.mpf(1)
    while total(low) > c_:
        low *= 2
    while total(high) < c_:
        high *= 2
    while high - low > mp.mpf(10) ** -25:
        middle = (low + high) / 2
        low, high = (low, middle) if total(middle) > c_ else (middle, high)
    return mp.exp(low)


@settings(max_examples=60)
@given(k=powers(-6, 6), l=powers(-6, 6), c=powers(-6, 6), beta=BETAS)
def test_the_sum_is_the_constant(k: float, l: float, c: float, beta: float) -> None:
    found, exact = float(sum_root(k, l, c, beta)), bisected(k, l, c, beta)
    power, line = k * found**beta, l * found
    condition = (c + power * (1 + beta * abs(math.log(found))) + line) / (beta * power + line)
    assert off(found, exact) <= 4 * (1 + condition)


@settings(max_examples=100)
@given(k=powers(-100, 100), l=powers(-100, 100), c=powers(-100, 100), beta=BETAS)
def test_numbers_hundreds_of_decades_apart(k: float, l: float, c: float, beta: float) -> None:
    found = real(sum_root(k, l, c, beta))
    least = min((real(c) / real(k)) ** (1 / real(beta)), real(c) / real(l))
    if 1e-290 < least < 1e290:
        total = (real(k) * found ** real(beta) + real(l) * found) / real(c)
        assert abs(total - 1) <= 64 * EPS * (1 + beta * abs(mp.log(found)))
        assert found <= least * (1 + 1e-12)


def test_one_term_alone() -> None:
    np.testing.assert_allclose(sum_root(0.0, 4.0, 12.0, 0.7), 3.0, rtol=EPS)
    np.testing.assert_allclose(sum_root(4.0, 0.0, 12.0, 1.0), 3.0, rtol=EPS)
    np.testing.assert_allclose(sum_root(4.0, 0.0, 16.0, 0.5), 16.0, rtol=4 * EPS)


@pytest.mark.parametrize("c", [0.0, -1.0, math.nan])
def test_a_constant_that_is_not_positive_is_never_reached(c: float) -> None:
    assert math.isnan(sum_root(1.0, 1.0, c, 0.5))


def test_arguments_are_broadcast_sum_roots() -> None:
    found = sum_root([[1.0], [2.0]], [1.0, 2.0, 3.0], 10.0, 2.0)
    assert found.shape == (2, 3)
    by_hand = (-2 + math.sqrt(4 + 4 * 2 * 10)) / 4  # 2*g**2 + 2*g = 10
    assert found[1, 1] == pytest.approx(by_hand, rel=1e-15)
    assert sum_root([], 1.0, 1.0, 1.0).shape == (0,)
