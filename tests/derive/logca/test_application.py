from fractions import Fraction

import mpmath
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from oracle import GRANULARITIES, close, exact, fractions, models, value

from logca.derive.logca.application import (
    APPLICATION_CEILING,
    G1_APPLICATION,
    GS_APPLICATION,
    SPEEDUP_APPLICATION,
)

FRACTIONS = st.builds(lambda k: Fraction(k, 50), st.integers(1, 50))


def whole(model, g, f):
    """Host time of the application over its time when only the kernel is offloaded."""
    other = (1 - exact(f)) * model.host(g) / exact(f)
    return (other + model.host(g)) / (other + model.time(g))


@settings(max_examples=50, deadline=None)
@given(model=models(), g=GRANULARITIES, f=FRACTIONS)
def test_speedup_of_the_application(model, g, f) -> None:
    with mpmath.workdps(40):
        found = value(SPEEDUP_APPLICATION, model, g=g, f=f)
        assert close(found, whole(model, exact(g), f))
        assert found < value(APPLICATION_CEILING, model, f=f)
        scaled = model.but(A=1 / (1 - f + f / model.A), C=model.C / f)
        assert close(found, scaled.speedup(exact(g)))


@settings(max_examples=50, deadline=None)
@given(model=models(), f=FRACTIONS, part=fractions(-2, 0))
def test_granularities_of_the_application(model, f, part) -> None:
    with mpmath.workdps(40):
        even = value(G1_APPLICATION, model, f=f)
        if not mpmath.isnan(even):
            assert close(whole(model, even, f), mpmath.mpf(1), mpmath.mpf(10) ** -25)
        s = exact(part) / 10 * value(APPLICATION_CEILING, model, f=f)
        at = value(GS_APPLICATION, model, f=f, s=s)
        assume(not mpmath.isnan(at))
        assert close(whole(model, at, f), s, mpmath.mpf(10) ** -25)
