"""Reuse distances against the definition, and the memory they take."""

import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from logca.common.errors import TraceError
from logca.trace.profiling.cache_lines import lines_of
from logca.trace.profiling.reuse_distances import FIRST, LruStack, Reuse, reuse


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


def counted(blocks: Any, sites: Any, number: int, pieces: int) -> Reuse:
    cut = np.array_split(np.arange(len(blocks)), pieces)
    return reuse(((blocks[piece], sites[piece]) for piece in cut), number)


@pytest.mark.parametrize("pieces", [1, 7])
def test_counts_are_those_of_single_distances(pieces: int) -> None:
    rng = np.random.default_rng(1)
    blocks, sites = rng.zipf(1.3, 100_000) % 20_000, rng.integers(0, 5, 100_000)
    distances = LruStack().push(blocks)
    found = counted(blocks, sites, 6, pieces)
    assert np.array_equal(found.first, np.bincount(sites[distances < 0], minlength=6))
    assert found.blocks == np.unique(blocks).size
    assert np.array_equal(found.distances, np.bincount(distances[distances >= 0]))
    assert np.array_equal(found.references, np.bincount(sites, minlength=6))
    for site in range(6):
        own = distances[(sites == site) & (distances >= 0)]
        edges = [0, *(2**j for j in range(found.powers.shape[1]))]
        assert np.array_equal(found.powers[site], np.histogram(own, edges)[0])
    for capacity in (0, 1, 16, 300, 10**6):
        assert found.misses(capacity) == np.sum((distances < 0) | (distances >= capacity))


def test_nothing_is_counted_as_nothing() -> None:
    found = reuse([], 3)
    assert found.first.tolist() == [0, 0, 0]
    assert found.powers.shape == (3, 0)
    assert found.distances.size == found.blocks == found.misses(10) == 0


def test_memory_is_that_of_the_distinct_blocks() -> None:
    blocks = np.tile(np.arange(1_000, dtype=np.uint64), 100)
    sites = np.zeros(blocks.size, dtype=np.uint64)
    pieces = ((blocks, sites) for _ in range(20))  # of 16 MB in all
    reuse([(blocks, sites)], 1)
    tracemalloc.start()
    reuse(pieces, 1)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2e6


def test_pieces_of_lines() -> None:
    lines, accesses = lines_of([0, 126, 1000, 5], [4, 4, 0, 1], line=128)
    assert lines.tolist() == [0, 0, 1, 0]
    assert accesses.tolist() == [0, 1, 1, 3]
    assert reuse([(lines, np.array([7, 8, 9, 9])[accesses])], 10).first.tolist()[7:] == [1, 1, 0]


@given(
    accesses=st.lists(st.tuples(st.integers(0, 2**64 - 400), st.integers(0, 300))),
    bits=st.integers(0, 8),
)
def test_lines_are_those_of_all_bytes(accesses: list[tuple[int, int]], bits: int) -> None:
    addresses = np.array([address for address, _ in accesses], dtype=np.uint64)
    sizes = np.array([size for _, size in accesses], dtype=np.int32)
    lines, owners = lines_of(addresses, sizes, line=1 << bits)
    expected = [
        (line, owner)
        for owner, (address, size) in enumerate(accesses)
        for line in sorted({byte >> bits for byte in range(address, address + size)})
    ]
    assert [*zip(lines.tolist(), owners.tolist(), strict=True)] == expected


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: LruStack().push([2.0]), "blocks are of type float64; allowed are whole numbers"),
        (lambda: LruStack().push([2**64 - 1]), "block 18446744073709551615 is there; allowed"),
        (lambda: reuse([([1], [])], 1), "0 static accesses for 1 blocks; allowed is one for each"),
        (lambda: reuse([([1], [4])], 4), "static access 4; allowed are numbers below sites = 4"),
        (lambda: lines_of([0], 4, line=0), "line = 0 B; allowed are powers of two"),
        (lambda: lines_of([2**63, 2**64 - 3], 4), "access 1: 4 B from .* end behind 2"),
        (lambda: lines_of([1], [-4]), "sizes: -4 is negative; allowed are numbers from 0"),
    ],
)
def test_what_cannot_be_is_refused(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(TraceError, match=message):
        call()
