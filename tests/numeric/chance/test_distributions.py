"""Distributions: against SciPy's, and what is no distribution."""

from math import inf, nan
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from plain_sampling import frozen

from logca.numeric.accelerator.parameter_ranges import DomainError
from logca.numeric.chance.distributions import LogNormal, Uniform, checked_probability

LOG_NORMAL, UNIFORM = LogNormal(median=435, factor=1.3), Uniform(least=20, most=30)
SAME = [
    (LOG_NORMAL, frozen(("lognormal", 435, 1.3))),
    (UNIFORM, frozen(("uniform", 20, 30))),
]


@pytest.mark.parametrize(("own", "known"), SAME, ids=["log-normal", "uniform"])
def test_as_scipy_has_them(own: Any, known: Any) -> None:
    for value in (0.0, 1.0, 21.0, 29.5, 300.0, 435.0, 900.0, 1e9):
        assert own.below(value) == pytest.approx(known.cdf(value), rel=1e-12, abs=1e-300)
        assert own.above(value) == pytest.approx(known.sf(value), rel=1e-12, abs=1e-300)
    for p in (1e-9, 0.1, 0.5, 0.9, 1 - 1e-9):
        assert own.quantile(p) == pytest.approx(known.ppf(p), rel=1e-12)
    assert own.median == pytest.approx(known.median())


@given(st.floats(1e-6, 1 - 1e-6))
def test_quantiles_are_the_inverse_of_probabilities(p: float) -> None:
    for own in (LOG_NORMAL, UNIFORM):
        assert own.below(own.quantile(p)) == pytest.approx(p, rel=1e-9)
        assert own.below(own.quantile(p)) + own.above(own.quantile(p)) == pytest.approx(1)


def test_two_thirds_lie_within_the_factor() -> None:
    inside = LOG_NORMAL.below(435 * 1.3) - LOG_NORMAL.below(435 / 1.3)
    assert inside == pytest.approx(0.682689492137)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (
            lambda: LogNormal(median=0, factor=2),
            "median = 0 must be a finite number greater than 0",
        ),
        (lambda: LogNormal(median=nan, factor=2), "median = nan must"),
        (lambda: LogNormal(median="4us", factor=2), "median = '4us' must"),
        (lambda: LogNormal(median=10**400, factor=2), "must be a finite number"),
        (lambda: LogNormal(median=1, factor=0.8), "factor = 0.8 must .* at least 1; .* 20 %"),
        (lambda: LogNormal(median=1, factor=inf), "factor = inf must"),
        (lambda: LogNormal(median=1, factor=True), "factor = True must"),
        (lambda: Uniform(least=-1, most=2), "least = -1 must be a finite number at least 0"),
        (lambda: Uniform(least=3, most=2), "least = 3 must be at most most = 2"),
        (lambda: Uniform(least=3, most=inf), "most = inf must"),
        (lambda: checked_probability("probability", 1), "probability = 1 must .* between 0 and 1"),
        (lambda: checked_probability("probability", nan), "probability = nan must"),
    ],
)
def test_no_distribution(make: Any, said: str) -> None:
    with pytest.raises(DomainError, match=said):
        make()
