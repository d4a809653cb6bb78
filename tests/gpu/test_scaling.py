"""Counts carried over to the work size, against the polynomials themselves."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from logca.gpu.scaling import ScalingError, extrapolated, size_path


@given(
    st.lists(st.lists(st.integers(-50, 50), min_size=1, max_size=4), min_size=1, max_size=5),
    st.integers(1, 300),
    st.integers(1, 20_000),
)
def test_polynomials_are_carried_over_exactly(
    polynomials: list[list[int]], trace: int, work: int
) -> None:
    path = size_path({"N": trace}, {"N": work}, points=5)

    def values(size: int) -> list[int]:
        return [sum(c * size**power for power, c in enumerate(each)) for each in polynomials]

    counts = [np.array(values(point["N"]), np.int64) for point in path.sizes]
    assert extrapolated(counts, path.target) == values(work)


@given(
    st.dictionaries(st.sampled_from("NMK"), st.tuples(st.integers(1, 500), st.integers(1, 5000)))
)
def test_a_path_leads_from_the_traced_to_the_work_size(sizes: dict[str, tuple[int, int]]) -> None:
    trace = {name: pair[0] for name, pair in sizes.items()}
    work = {name: pair[1] for name, pair in sizes.items()}
    path = size_path(trace, work, points=5)
    assert path.sizes[0] == trace
    for name in sizes:
        values = [point[name] for point in path.sizes]
        step = Fraction(work[name] - trace[name], path.target) if path.target else 0
        assert values == [trace[name] + step * position for position in range(len(values))]
        assert min(values) >= 1


def test_tiles_stay_whole() -> None:
    path = size_path({"N": 128}, {"N": 1024}, points=5)
    assert [point["N"] % 32 for point in path.sizes] == [0] * 5


def test_what_is_no_polynomial_is_refused() -> None:
    counts = [np.array([2**size]) for size in range(5, 10)]
    with pytest.raises(ScalingError, match="no polynomials of degree 3"):
        extrapolated(counts, 30)


def test_one_point_settles_nothing() -> None:
    with pytest.raises(ScalingError, match="no polynomials"):
        extrapolated([np.array([7])], 3)


@pytest.mark.parametrize(
    ("trace", "work", "message"),
    [
        ({"N": 8}, {"M": 8}, "macro M has no traced size"),
        ({"N": 0}, {"N": 8}, "the traced size N=0 must be at least 1"),
        ({"N": 8}, {"N": -1}, "the work size N=-1 must be at least 1"),
    ],
)
def test_sizes_that_make_no_path(
    trace: dict[str, int], work: dict[str, int], message: str
) -> None:
    with pytest.raises(ScalingError, match=message):
        size_path(trace, work, points=4)
