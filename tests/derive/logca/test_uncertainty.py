"""Windows of granularities and uncertain parameters: against the model at the extremes."""

from fractions import Fraction
from itertools import product

import mpmath
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from mpmath import mpf
from oracle import GRANULARITIES, TOLERANCE, close, exact, fractions, models, upward, value

from logca.derive.logca.uncertainty import (
    GS_HIGH,
    GS_LOW,
    SPEEDUP_HIGH,
    SPEEDUP_LOW,
    SPEEDUP_SPREAD,
    SPEEDUP_WINDOW,
    SPEEDUP_WINDOW_FLOOR,
    WINDOW_BEST,
)


@pytest.mark.parametrize("latency", ["constant", "linear", "affine"])
@settings(max_examples=40, deadline=None)
@given(data=models(), low=GRANULARITIES, width=fractions(0, 5))
def test_nothing_in_the_window_is_better_or_worse(latency, data, low, width) -> None:
    model = {
        "constant": data.but(L1=0), "linear": data.but(L0=0), "affine": data,
    }[latency]  # fmt: skip
    with mpmath.workdps(40):
        ends = {"g_low": low, "g_high": low * width}
        best = value(WINDOW_BEST, model, **ends)
        most, least = (value(f, model, **ends) for f in (SPEEDUP_WINDOW, SPEEDUP_WINDOW_FLOOR))
        assert exact(low) <= best <= exact(low * width) * (1 + TOLERANCE)
        assert close(model.speedup(best), most)
        for k in range(51):
            speedup = model.speedup(exact(low) * exact(width) ** (mpf(k) / 50))
            assert least * (1 - TOLERANCE) <= speedup <= most * (1 + TOLERANCE)


FACTORS = st.builds(lambda k: Fraction(k, 10), st.integers(10, 50))


def disturbed(model, factors):
    """All combinations of parameters that are off by one of the factors."""
    for d in product(factors, repeat=4):
        yield model.but(
            o=model.o * d[0], L0=model.L0 * d[1], L1=model.L1 * d[1], C=model.C * d[2],
            A=model.A * d[3],
        )  # fmt: skip


@settings(max_examples=30, deadline=None)
@given(model=models(), g=GRANULARITIES, rho=FACTORS)
def test_extremes_over_all_combinations(model, g, rho) -> None:
    with mpmath.workdps(40):
        reached = [other.speedup(exact(g)) for other in disturbed(model, (1 / rho, 1, rho))]
        low, high = (value(f, model, g=g, rho=rho) for f in (SPEEDUP_LOW, SPEEDUP_HIGH))
        assert close(min(reached), low)
        assert close(max(reached), high)
        spread = value(SPEEDUP_SPREAD, model, g=g, rho=rho)
        assert close(spread, high / low)
        assert exact(rho) ** 2 <= spread * (1 + TOLERANCE)
        assert spread <= exact(rho) ** 4 * (1 + TOLERANCE)


@settings(max_examples=10, deadline=None)
@given(model=models(), rho=FACTORS, part=fractions(-2, 0))
def test_granularities_lie_between_the_extremes(model, rho, part) -> None:
    s = part * model.A / 10 / rho
    with mpmath.workdps(40):
        low, high = (value(f, model, s=s, rho=rho) for f in (GS_LOW, GS_HIGH))
        assume(not mpmath.isnan(high))
        for other in disturbed(model, (1 / rho, rho)):
            index = exact(other.C * (1 / s - 1 / other.A))
            at = upward(index, exact(other.o + other.L0), exact(other.L1), exact(other.beta))
            assert low * (1 - mpf(10) ** -20) <= at <= high * (1 + mpf(10) ** -20)
