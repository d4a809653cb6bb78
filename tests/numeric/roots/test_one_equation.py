"""One equation in numbers: to the bit what arrays of it give, which other tests hold to mpmath."""

import math

import numpy as np
import pytest
from effort import examples
from hypothesis import given
from hypothesis import strategies as st

from logca.numeric.roots.granularity import granularity_for
from logca.numeric.roots.one_equation import one_equation
from logca.numeric.roots.status import RootStatus


def usual(least: float, most: float) -> st.SearchStrategy[float]:
    exponents = st.floats(math.log(least), math.log(most))
    return exponents.map(math.exp)


EXPONENTS = st.one_of(
    st.sampled_from([0.25, 0.5, 1.0, 1.5, 2.0, 4.0]), usual(0.05, 4), usual(0.99, 1.01)
)
COSTS = st.one_of(st.just(0.0), usual(1e-3, 1e9), usual(1e-300, 1e300))
LATENCIES = st.sampled_from(["constant", "linear"])


@examples(300)
@given(
    s=st.one_of(st.just(1.0), usual(1e-2, 50)),
    o=COSTS,
    L=COSTS,
    C=st.one_of(usual(1e-3, 1e6), usual(1e-120, 1e120)),
    A=st.one_of(usual(1.001, 1e4), usual(1.0000001, 1e200)),
    beta=EXPONENTS,
    latency=LATENCIES,
)
def test_the_bits_are_those_of_arrays(
    s: float, o: float, L: float, C: float, A: float, beta: float, latency: str
) -> None:
    numbers = granularity_for(s, o=o, L=L, C=C, A=A, beta=beta, latency=latency)
    arrays = [np.array([each]) for each in (o, L, C, A, beta)]
    names = ("o", "L", "C", "A", "beta")
    array = granularity_for(np.array([s]), **dict(zip(names, arrays, strict=True)), latency=latency)
    assert type(numbers.lower) is type(numbers.upper) is np.float64
    assert type(numbers.status) is RootStatus
    np.testing.assert_array_equal(numbers.lower, array.lower[0])
    np.testing.assert_array_equal(numbers.upper, array.upper[0])
    assert numbers.status == array.status[0]


AES = {"o": 29_000.0, "L": 1500.0, "C": 90.0, "A": 19.0, "beta": 1.0}
RADIX = {"o": 4e8, "L": 15.0, "C": 290.0, "A": 7.0, "beta": 0.94}

QUICK = [
    ("constant latency", AES, "constant", RootStatus.ONE),
    ("beta = 1", AES | {"L": 0.5}, "linear", RootStatus.ONE),
    ("beta = 1, dear", AES, "linear", RootStatus.NEVER),
    ("beta < 1", RADIX, "linear", RootStatus.TWO),
    ("beta < 1, dear", RADIX | {"L": 150.0}, "linear", RootStatus.NEVER),
    ("beta > 1", RADIX | {"beta": 1.2}, "linear", RootStatus.ONE),
    ("no overhead, beta > 1", RADIX | {"o": 0.0, "beta": 1.2}, "linear", RootStatus.ONE),
    ("no overhead, beta < 1", RADIX | {"o": 0.0}, "linear", RootStatus.UPPER_ONLY),
    ("no latency", RADIX | {"L": 0.0}, "linear", RootStatus.ONE),
]


@pytest.mark.parametrize(
    ("parameters", "latency", "status"), [x[1:] for x in QUICK], ids=[x[0] for x in QUICK]
)
def test_what_programs_ask_for_is_solved_in_numbers(
    parameters: dict[str, float], latency: str, status: RootStatus
) -> None:
    solved = one_equation(latency, 1.0, **parameters)
    assert solved is not None
    assert solved[2] is status


@pytest.mark.parametrize(
    "changes",
    [
        {"s": 19.0},
        {"s": math.nan},
        {"o": -1.0},
        {"o": math.inf},
        {"o": 0.0, "L": 0.0},
        {"L": -1.0},
        {"C": 1e-101},
        {"A": math.inf},
        {"beta": 0.0},
        {"beta": math.nan},
        {"beta": 1e-4},
        {"o": 0.0, "L": 80.0, "latency": "linear"},
    ],
    ids=str,
)
def test_the_rest_is_left_to_arrays(changes: dict[str, float]) -> None:
    found = {"s": 1.0, "latency": "constant", **AES} | changes
    assert one_equation(**found) is None
