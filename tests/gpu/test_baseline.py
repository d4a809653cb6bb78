"""The simple model: weighted averages, and a miss rate of the program's own order."""

from types import SimpleNamespace

import pytest

from logca.gpu.baseline import baseline_latency, program_miss_rate
from logca.gpu.cache import Cache
from logca.gpu.devices import device

TK1 = device("jetson-tk1")
COUNTS = {"constant": 1.0, "coalesced": 2.0, "uncoalesced": 5.0}


def test_equations_24_and_25() -> None:
    found = baseline_latency(COUNTS, 0.25, TK1)
    assert found.latency == pytest.approx(0.75 * 164 + 0.25 * 332)
    assert found.delay == pytest.approx(0.75 * 2 + 0.25 * 10)
    assert found.cycles == pytest.approx(8 * found.latency)


@pytest.mark.parametrize("rate", [-0.1, 1.1, float("nan")])
def test_a_rate_is_a_share(rate: float) -> None:
    with pytest.raises(ValueError, match="from 0 to 1"):
        baseline_latency(COUNTS, rate, TK1)


def test_miss_rate_of_a_matrix_times_a_vector(handmade: SimpleNamespace) -> None:
    pytest.importorskip("numba")
    n = 256
    trace = handmade.rows_times_vector(n)
    rate = program_miss_rate(trace, Cache(size=128 * 1024, line=64, ways=16))
    assert rate == pytest.approx((n * n / 16 + n / 16) / (2 * n * n))
