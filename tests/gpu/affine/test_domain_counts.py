"""Counts of accesses in affine loops, against the loops themselves."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from logca.gpu.affine.affine_nest import Affine, value_of
from logca.gpu.affine.domain_counts import corners, end_of_outermost, outermost_counts

SMALL = st.integers(-2, 2)


@st.composite
def loops(draw: st.DrawFn) -> tuple[list[Affine], list[Affine]]:
    """Bounds of three loops, each by those further out."""
    lower, upper = [], []
    for level in range(3):
        lower.append((draw(st.integers(0, 3)), 0, *(draw(SMALL) for _ in range(level))))
        upper.append((draw(st.integers(0, 7)), 0, *(draw(SMALL) for _ in range(level))))
    return lower, upper


def run(lower: list[Affine], upper: list[Affine]) -> list[tuple[int, ...]]:
    found: list[tuple[int, ...]] = [()]
    for low, high in zip(lower, upper, strict=True):
        found = [
            (*at, here)
            for at in found
            for here in range(value_of(low, (0, *at)), value_of(high, (0, *at)))
        ]
    return found


@given(bounds=loops())
def test_counts_are_those_of_the_loops(bounds: tuple[list[Affine], list[Affine]]) -> None:
    lower, upper = bounds
    first, end = lower[0][0], max(lower[0][0], upper[0][0])
    made = [at[0] for at in run(lower, upper)]
    found = outermost_counts(lower[1:], upper[1:], np.arange(first, end))
    assert found.tolist() == [made.count(each) for each in range(first, end)]


@given(bounds=loops())
def test_the_end_of_a_loop_follows_from_its_counts(
    bounds: tuple[list[Affine], list[Affine]],
) -> None:
    lower, upper = bounds
    made = run(lower, upper)
    if made:
        last = max(at[0] for at in made)
        assert end_of_outermost(lower, upper[1:], len(made)) == last + 1


def test_no_end_makes_a_number_between_those_of_two_iterations() -> None:
    rows: list[Affine] = [(0, 0), (0, 0, 0)]
    triangle: list[Affine] = [(0, 0, 1)]
    whole = [n * (n - 1) // 2 for n in range(2, 12)]
    assert [end_of_outermost(rows, triangle, each) for each in whole] == list(range(2, 12))
    for low, high in pairwise(whole):
        for often in range(low + 1, high):
            assert end_of_outermost(rows, triangle, often) is None


@given(bounds=loops())
def test_corners_are_reached_and_span_the_extremes(
    bounds: tuple[list[Affine], list[Affine]],
) -> None:
    lower, upper = bounds
    made = run(lower, upper)
    ends = corners(lower, upper)[-1]
    assert {tuple(each[1:]) for each in ends.tolist()} <= set(made)
    if not made or any(
        value_of(high, (0, *at)) <= value_of(low, (0, *at))
        for level, (low, high) in enumerate(zip(lower, upper, strict=True))
        for at in run(lower[:level], upper[:level])
    ):
        return  # of a loop that is empty at some ends there are fewer corners
    points = np.array([(1, *at) for at in made])
    assert np.linalg.matrix_rank(ends) == np.linalg.matrix_rank(points)


@pytest.mark.parametrize("often", [1, 7, 1000])
def test_loops_that_do_not_depend_on_the_outermost_need_no_counting(often: int) -> None:
    assert end_of_outermost([(5, 0), (0, 0, 0)], [(10**9, 0, 0)], often * 10**9) == 5 + often
