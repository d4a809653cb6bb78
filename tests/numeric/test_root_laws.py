"""Laws that the roots must obey, whatever they are: units, reflection, monotony."""

import math

import numpy as np
import pytest
from exact_model import EPS, LATENCIES, Exact, parameters, powers, real, roots
from hypothesis import given, settings
from hypothesis import strategies as st

from logca.numeric.roots import granularity_for, trinomial_roots
from logca.numeric.status import RootStatus

ULPS = 16
"""Allowed difference of two roots, in units of EPS, for each unit of the condition number."""

SHARES = st.one_of(st.sampled_from([0.5, 5 / 27, 22 / 27]), st.floats(0.001, 0.999))
Parameters = dict[str, float]


def targets(A: float, share: float) -> tuple[float, ...]:
    """One, and a share of the acceleration."""
    return 1.0, share * A


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
                assert here == pytest.approx(there, rel=ULPS * EPS * (2 + condition))


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
                assert there * scale == pytest.approx(here, rel=ULPS * EPS * (2 + condition))


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
        assert here * there == pytest.approx(1, rel=ULPS * EPS * (1 + condition))


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
