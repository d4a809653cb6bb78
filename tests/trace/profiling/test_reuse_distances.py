"""Reuse distances against the definition, and the memory they take."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from logca.trace.profiling.reuse_distances import LruStack

FIRST = -1


def by_definition(blocks: list[int]) -> list[int]:
    """The number of distinct blocks since the last reference to the same one."""
    distances = []
    for j, block in enumerate(blocks):
        before = [i for i in range(j) if blocks[i] == block]
        distances.append(len(set(blocks[before[-1] + 1 : j])) if before else FIRST)
    return distances


def by_stack(blocks: list[int]) -> list[int]:
    """The depth of each block in a stack."""
    stack: list[int] = []
    distances = []
    for block in blocks:
        depth = stack.index(block) if block in stack else FIRST
        distances.append(depth)
        if depth != FIRST:
            stack.pop(depth)
        stack.insert(0, block)
    return distances


@settings(max_examples=2_000, deadline=None)
@given(
    trace=st.binary(max_size=150),
    spread=st.sampled_from([3, 16, 17, 40, 256]),
    stride=st.sampled_from([1, 8, 2**20, 2**56 + 1]),
    cut=st.integers(0, 150),
)
def test_the_distance_is_the_number_of_distinct_blocks_between(
    trace: bytes, spread: int, stride: int, cut: int
) -> None:
    blocks = [value % spread * stride for value in trace]
    stack = LruStack()
    array = np.array(blocks, dtype=np.uint64)
    assert [*stack.push(array[:cut]), *stack.push(array[cut:])] == by_definition(blocks)


@pytest.mark.parametrize("blocks", [5, 60, 600, 2_500])
@pytest.mark.parametrize("stride", [1, 64, 2**40])
def test_tables_that_grow_and_moments_that_are_used_up(blocks: int, stride: int) -> None:
    rng = np.random.default_rng(blocks)
    trace = np.concatenate([np.arange(blocks), rng.integers(0, blocks, 6_000), np.arange(blocks)])
    assert LruStack().push(trace * stride).tolist() == by_stack(trace.tolist())


@pytest.mark.parametrize("blocks", [1, 2, 15, 16, 17, 1_000, 100_000])
def test_going_round_comes_back_after_all_others(blocks: int) -> None:
    distances = LruStack().push(np.tile(np.arange(blocks), 3))
    assert np.all(distances[:blocks] == FIRST)
    assert np.all(distances[blocks:] == blocks - 1)


@pytest.mark.parametrize("blocks", [10, 1_000, 100_000])
def test_going_there_and_back(blocks: int) -> None:
    distances = LruStack().push(np.concatenate([np.arange(blocks), np.arange(blocks)[::-1]]))
    assert np.array_equal(distances[blocks:], np.arange(blocks))


def test_names_of_blocks_do_not_matter() -> None:
    rng = np.random.default_rng(0)
    blocks = rng.integers(0, 5_000, 50_000)
    names = rng.choice(2**62, 5_000, replace=False)
    assert np.array_equal(LruStack().push(names[blocks]), LruStack().push(blocks))


def test_memory_is_that_of_the_distinct_blocks() -> None:
    blocks = np.tile(np.arange(1_000, dtype=np.uint64), 100)
    stack = LruStack()
    stack.push(blocks)
    tracemalloc.start()
    for _ in range(20):  # 16 MB in all
        stack.push(blocks)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2e6
