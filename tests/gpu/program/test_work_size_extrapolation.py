"""Counts carried over to the work size, against the polynomials themselves."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from logca.gpu.program.work_size_extrapolation import (
    ScalingError,
    extrapolated,
    largest_point,
    size_grid,
)

Terms = list[tuple[int, int, int]]


@given(
    st.lists(
        st.lists(
            st.tuples(st.integers(-50, 50), st.integers(0, 3), st.integers(0, 3)).filter(
                lambda term: term[1] + term[2] <= 3
            ),
            max_size=4,
        ),
        min_size=1,
        max_size=4,
    ),
    st.tuples(st.integers(1, 300), st.integers(1, 300)),
    st.tuples(st.integers(1, 20_000), st.integers(1, 20_000)),
)
def test_polynomials_are_carried_over_exactly(
    polynomials: list[Terms], trace: tuple[int, int], work: tuple[int, int]
) -> None:
    grid = size_grid({"N": trace[0], "M": trace[1]}, {"N": work[0], "M": work[1]}, degree=3)

    def values(n: int, m: int) -> tuple[int, ...]:
        return tuple(sum(c * n**i * m**j for c, i, j in terms) for terms in polynomials)

    counts = [np.array(values(size["N"], size["M"]), np.int64) for size in grid.sizes]
    assert extrapolated(counts, grid) == values(*work)


@given(
    st.dictionaries(st.sampled_from("NMK"), st.tuples(st.integers(1, 500), st.integers(1, 5000)))
)
def test_a_grid_leads_from_the_traced_to_the_work_size(sizes: dict[str, tuple[int, int]]) -> None:
    trace = {name: pair[0] for name, pair in sizes.items()}
    work = {name: pair[1] for name, pair in sizes.items()}
    grid = size_grid(trace, work, degree=2)
    assert grid.sizes[0] == trace
    assert len(set(grid.points)) == len(grid.points)
    moving = [name for name in trace if trace[name] != work[name]]
    for point, size in zip(grid.points, grid.sizes, strict=True):
        for name, at, to in zip(moving, point, grid.target, strict=True):
            assert size[name] == trace[name] + Fraction(work[name] - trace[name], to) * at
            assert size[name] >= 1


@given(
    st.tuples(st.integers(1, 300), st.integers(1, 300)),
    st.tuples(st.integers(1, 20_000), st.integers(1, 20_000)),
    st.floats(1, 1e9),
)
def test_the_point_nearest_to_the_work_size(
    trace: tuple[int, int], work: tuple[int, int], most: float
) -> None:
    grid = size_grid({"N": trace[0], "M": trace[1]}, {"N": work[0], "M": work[1]}, degree=2)

    def cost(point: tuple[int, ...]) -> int:
        return 1 + sum(point) ** 2

    found = largest_point(grid, cost, most)
    way = max(grid.target, default=0)
    line = {tuple(to * part // way for to in grid.target) for part in range(1, way + 1)}
    affordable = [point for point in line if cost(point) <= most]
    best = max(affordable, key=cost, default=None)
    if best is None or (best != grid.target and max(best) <= grid.degree):
        assert found is None
    else:
        assert found is not None
        assert cost(found) == cost(best)


def test_polynomials_at_another_size_than_the_work_size() -> None:
    grid = size_grid({"N": 8, "M": 3}, {"N": 800, "M": 90}, degree=3)
    counts = [np.array([size["N"] ** 2 * size["M"]]) for size in grid.sizes]
    for point in ((5, 7), (0, 0), (1, 2)):
        size = grid.size_at(point)
        assert extrapolated(counts, grid, point) == (size["N"] ** 2 * size["M"],)


def test_tiles_stay_whole() -> None:
    grid = size_grid({"N": 128}, {"N": 1024}, degree=3)
    assert [size["N"] % 32 for size in grid.sizes] == [0] * 5


def test_what_is_no_polynomial_is_refused() -> None:
    grid = size_grid({"N": 5}, {"N": 1000}, degree=3)
    counts = [np.array([2 ** size["N"]]) for size in grid.sizes]
    with pytest.raises(ScalingError, match="no polynomials of degree 3"):
        extrapolated(counts, grid)


@pytest.mark.parametrize(
    ("trace", "work", "message"),
    [
        ({"N": 8}, {"M": 8}, "macro M has no traced size"),
        ({"N": 0}, {"N": 8}, "the traced size N=0 must be at least 1"),
        ({"N": 8}, {"N": -1}, "the work size N=-1 must be at least 1"),
    ],
)
def test_sizes_that_make_no_grid(trace: dict[str, int], work: dict[str, int], message: str) -> None:
    with pytest.raises(ScalingError, match=message):
        size_grid(trace, work, degree=3)
