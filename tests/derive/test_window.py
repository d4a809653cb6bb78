import mpmath
import pytest
from hypothesis import given, settings
from mpmath import mpf
from oracle import GRANULARITIES, TOLERANCE, close, exact, fractions, models, value

from logca.derive import window as module
from logca.derive.window import SPEEDUP_WINDOW, SPEEDUP_WINDOW_FLOOR, WINDOW_BEST


@pytest.mark.parametrize("formula", module.FORMULAS, ids=lambda formula: formula.name)
def test_derivation_and_unit(formula) -> None:
    formula.derivation.check()
    formula.check_dimension()


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
