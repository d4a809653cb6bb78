"""The best choice for an area, and the check of it, against all choices."""

import itertools

import numpy as np
import pytest
from effort import examples
from hypothesis import given
from hypothesis import strategies as st

from logca.numeric.partition.solvers.bounds.knapsack import best_choice
from logca.numeric.partition.solvers.certificates.checker import gains_less
from logca.numeric.partition.solvers.certificates.tree import CertificateError

BLOCKS = st.lists(
    st.tuples(st.integers(-3, 40) | st.integers(90, 100), st.integers(0, 12)), max_size=9
)


def most(blocks: list[tuple[int, int]], capacity: int) -> int:
    """The most that any choice gains."""
    return max(
        sum(gain for gain, _ in each)
        for number in range(len(blocks) + 1)
        for each in itertools.combinations(blocks, number)
        if sum(size for _, size in each) <= capacity
    )


def arrays(blocks: list[tuple[int, int]]) -> np.ndarray:
    return np.array(blocks, np.int64).reshape(-1, 2).T


@examples(50, 300)
@given(BLOCKS, st.integers(0, 40), st.integers(-1, 200), st.sampled_from((1, 10**9, 10**15)))
def test_the_best_choice_is_the_best_of_all(
    blocks: list[tuple[int, int]], capacity: int, least: int, factor: int
) -> None:
    gain, size = arrays(blocks)
    best = factor * most(blocks, capacity)
    found = best_choice(gain * factor, size, capacity)
    assert found is not None
    assert found.chosen is not None
    assert int((gain * factor)[found.chosen].sum()) == best
    assert int(size[found.chosen].sum()) <= capacity
    more = best_choice(gain * factor, size, capacity, least=least * factor)
    assert more is not None
    assert (more.chosen is None) == (best <= least * factor)


@examples(50, 300)
@given(BLOCKS, st.integers(0, 40), st.integers(-2, 2), st.sampled_from((1, 10**9, 10**25)))
def test_the_check_says_what_no_choice_gains(
    blocks: list[tuple[int, int]], capacity: int, away: int, factor: int
) -> None:
    useful = [(gain * factor, size) for gain, size in blocks if gain > 0 and size <= capacity]
    gain = np.array([gain for gain, _ in useful], np.object_)
    size = np.array([size for _, size in useful], np.int64)
    best = most(useful, capacity)
    assert gains_less(gain, size, capacity, best + away, "here") == (away > 0)


def test_what_would_take_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    size = np.arange(1_000_000, 1_000_400)
    gain = size + 100_000
    assert best_choice(gain, size, 200_000_000, most=1000) is None
    monkeypatch.setattr(
        "logca.numeric.partition.solvers.certificates.checker.LARGEST_KNAPSACK", 1000
    )
    with pytest.raises(CertificateError, match="here: a knapsack of this area is too large"):
        gains_less(gain, size, 200_000_000, 219_950_000, "here")
