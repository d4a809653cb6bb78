"""Ranges in which one curve is below another, against curves that cross where algebra says."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from logca.offloading.break_even import interpolated, last_range, paying_ranges

SIZES = [2.0**n for n in range(4, 14)]


@given(st.floats(0.2, 3.0), st.floats(20.0, 8000.0))
def test_powers_cross_where_they_are_equal(power: float, crossing: float) -> None:
    # between two sizes both are powers, so that nothing is approximated
    host = [(size / crossing) ** power for size in SIZES]
    (found,) = paying_ranges(SIZES, host, [1.0] * len(SIZES))
    assert found.least == pytest.approx(crossing, rel=1e-6)
    assert found.most is None
    (other,) = paying_ranges(SIZES, [1.0] * len(SIZES), host)
    assert other.most == pytest.approx(crossing, rel=1e-6)
    assert last_range((other,)) is None


@given(st.lists(st.floats(0.1, 10.0), min_size=len(SIZES), max_size=len(SIZES)))
def test_every_size_is_in_a_range_exactly_if_it_pays_there(accelerated: list[float]) -> None:
    found = paying_ranges(SIZES, [1.0] * len(SIZES), accelerated)
    for size, time in zip(SIZES, accelerated, strict=True):
        inside = any((r.least or 0) <= size * (1 + 1e-9) and size < (r.most or 1e9) for r in found)
        assert inside == (time < 1) or time == pytest.approx(1, rel=1e-6)


def test_a_slower_accelerator_pays_later() -> None:
    host = [size**1.5 for size in SIZES]
    leasts = []
    for slow in (1, 2, 4):
        found = paying_ranges(SIZES, host, [300 * slow + size for size in SIZES])[0].least
        assert found is not None
        leasts.append(found)
    assert leasts == sorted(leasts)


def test_values_between_and_beyond_the_points() -> None:
    squares = [size**2 for size in SIZES]
    for size in (8.0, 100.0, 5000.0, 20000.0):
        assert interpolated(SIZES, squares, size) == pytest.approx(size**2)
