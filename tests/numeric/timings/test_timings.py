"""Sizes and times that are no real measurement are refused; all others have a fit."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from logca.numeric.fit.fit import fit
from logca.numeric.timings.benchmark_runs import TimedRun
from logca.numeric.timings.pairing import assembled
from logca.numeric.timings.timings import Spread, Timings, TimingsError

POWERS = st.floats(-29.9, 29.9)


@pytest.mark.parametrize("sizes", [[1e-31, 1, 2, 3], [1, 2, 3, 2e30]])
def test_sizes_beyond_all_measure_are_refused(sizes: list[float]) -> None:
    with pytest.raises(TimingsError, match=r"must be between 1e-30 and 1e\+30 B"):
        Timings(granularity=sizes, host=[1.0] * 4, accelerated=[1.0] * 4)


@pytest.mark.parametrize("time", [1e-31, 1e31, 1e308, 1e-320])
def test_times_beyond_all_measure_are_refused(time: float) -> None:
    """Squares of them overflow or vanish: their fit ended in a traceback."""
    times = [1.0, 2.0, time, 4.0]
    with pytest.raises(TimingsError, match=r"row 3 .* must be between 1e-30 and 1e\+30 s"):
        Timings(granularity=[1, 2, 3, 4], host=[1.0] * 4, accelerated=times)


@given(
    times=st.lists(POWERS, min_size=8, max_size=8),
    sizes=st.lists(POWERS, min_size=3, max_size=3, unique=True),
)
@settings(max_examples=10)
def test_whatever_is_taken_has_a_fit(times: list[float], sizes: list[float]) -> None:
    tens = [10.0**power for power in times]
    granularity = [10.0**power for power in sorted(sizes)]
    granularity.append(2 * max(granularity[-1], 1.0))
    if len(set(granularity)) == len(granularity):
        timings = Timings(granularity=granularity, host=tens[:4], accelerated=tens[4:])
        assert "L" in str(fit(timings))


def test_means_of_times_beyond_all_measure_are_refused() -> None:
    """The spread of two means of one size is that of all their runs: no square overflows."""
    runs = [
        TimedRun(name=name, granularity=size, seconds=(time,), where="", spread=Spread(1e200, 3))
        for name, time in (("host", 1.0), ("accelerated", 1e200))
        for size in (1.0, 1.0, 2.0, 3.0, 4.0)
    ]
    with pytest.raises(TimingsError, match="must be"):
        assembled(runs, (), host="host", accelerated="accelerated", file="f")
