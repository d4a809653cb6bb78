"""Speedups whose parts leave the range of doubles, against mpmath at 50 digits."""

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import logca

WIDE = np.finfo(np.longdouble).maxexp > 1024
pytestmark = pytest.mark.skipif(not WIDE, reason="long doubles have no more exponents here")


def exact(g: float, o: float, L: float, C: float, A: float, beta: float, per_byte: bool) -> float:
    with mpmath.workdps(50):
        o, L, C, A, g = map(mpmath.mpf, (o, L, C, A, g))
        host = C * g ** mpmath.mpf(beta)
        return float(host / (o + L * (g if per_byte else 1) + host / A))


GREATER = st.floats(0.001, 300).map(lambda power: 10.0**power)
LARGE = st.floats(-300, 300).map(lambda power: 10.0**power)


@given(
    g=LARGE, o=LARGE, L=LARGE, C=LARGE, A=GREATER, beta=st.floats(0.25, 4), per_byte=st.booleans()
)
def test_speedups_are_right_over_the_whole_range(
    g: float, o: float, L: float, C: float, A: float, beta: float, per_byte: bool
) -> None:
    form = "linear" if per_byte else "constant"
    found = logca.Accelerator(o=o, L=L, C=C, A=A, beta=beta, latency=form)
    wanted = exact(g, o, L, C, A, beta, per_byte)
    got = found.speedup(g)
    # rounding of the exponent is multiplied by the logarithm of the size
    assert got == pytest.approx(wanted, rel=1e-12, abs=5e-324)
    assert found.speedup(np.array([g, 1.0]))[0] == got


def test_a_granularity_has_the_same_speedup_among_others() -> None:
    found = logca.Accelerator(o=1, L=1, C=1e-300, A=100, beta=2)
    together = np.array([[1e4, 1.0], [1e300, 1e-300]])
    one_by_one = [found.speedup(float(g)) for g in together.flat]
    assert found.speedup(together).ravel().tolist() == one_by_one
    assert found.speedup(np.array(1e4)) == one_by_one[0]


@pytest.mark.parametrize(
    ("model", "g", "wanted"),
    [
        ({"o": 1e130, "L": 0, "C": 1e-200, "A": 10, "beta": 2}, 1e160, 1e-10),
        (
            {"o": 1e308, "L": 1.7e308, "C": 6.3e14, "A": 1.00000035, "beta": 0.986},
            3.78e-4,
            9.8e-298,
        ),
    ],
)
def test_a_part_beyond_the_range_is_no_limit(
    model: dict[str, float], g: float, wanted: float
) -> None:
    assert logca.Accelerator(**model).speedup(g) == pytest.approx(wanted, rel=0.01)
