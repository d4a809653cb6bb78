"""The cache against LRU as anybody would write it, against Eq. 9, and against another simulator."""

from typing import Any

import numpy as np
import pytest
from effort import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from logca.gpu.stages.cache import Cache, GeometryError, simulate
from logca.gpu.stages.lru_loops import folded
from logca.trace.profiling.reuse_distances import LruStack

SETS = (1, 2, 3, 4, 5, 7, 8, 12)
WAYS = (1, 2, 3, 4, 5, 8, 12, 16, 24, 32, 33, 40)
LINE = 64


def by_lists(blocks: list[int], sets: list[int], ways: int) -> list[bool]:
    """Hits of LRU: each set a list, the latest block at its end."""
    content: dict[int, list[int]] = {}
    found = []
    for block, place in zip(blocks, sets, strict=True):
        queue = content.setdefault(place, [])
        found.append(block in queue)
        if block in queue:
            queue.remove(block)
        elif len(queue) == ways:
            queue.pop(0)
        queue.append(block)
    return found


def by_conflict_sets(blocks: list[int], sets: list[int], ways: int) -> list[bool]:
    """Hits by the definition: the temporal conflict set of each reference, written out (Eq. 9)."""
    found = []
    for j, (block, place) in enumerate(zip(blocks, sets, strict=True)):
        before = [i for i in range(j) if blocks[i] == block]
        between = range(before[-1] + 1, j) if before else range(0)
        conflicts = {blocks[i] for i in between if sets[i] == place}
        found.append(bool(before) and len(conflicts) < ways)
    return found


def set_by_digits(block: int, sets: int) -> int:
    """The hashed set of a block, of a power of two of sets: exclusive or of its digits."""
    total = 0
    while block and sets > 1:
        total ^= block % sets
        block //= sets
    return total


def set_by_shifts(block: int, sets: int) -> int:
    """The hashed set of a block, of any number of sets."""
    bits = next(s for s in range(1, 64) if 2**s >= sets)
    total = 0
    while block:
        total ^= block
        block >>= bits
    return total % sets


def cache_of(sets: int, ways: int | None, index: str = "modulo") -> Cache:
    return Cache(size=sets * (ways or 1) * LINE, line=LINE, ways=ways, index=index)


@examples(500, 10_000, deadline=None)
@given(
    trace=st.binary(max_size=96),
    sets=st.sampled_from(SETS),
    ways=st.sampled_from(WAYS),
    index=st.sampled_from(["modulo", "hashed"]),
    stride=st.sampled_from([1, 3, 8, 2**20, 2**55 + 1]),
)
def test_hit_for_hit_as_a_naive_simulator(
    trace: bytes, sets: int, ways: int, index: str, stride: int
) -> None:
    spread = 1 + len(trace) // 2 + ways * sets // 4  # so that there are hits and misses
    blocks = [value % spread * stride for value in trace]
    place = set_by_shifts if index == "hashed" else int.__mod__
    expected = by_lists(blocks, [place(block, sets) for block in blocks], ways)
    found = simulate(cache_of(sets, ways, index), np.array(blocks, dtype=np.uint64))
    assert found.tolist() == expected


@settings(max_examples=200, deadline=None)
@given(
    blocks=st.lists(st.integers(0, 40), max_size=80),
    sets=st.sampled_from(SETS),
    ways=st.sampled_from(WAYS[:6]),
)
def test_a_reference_hits_if_its_temporal_conflict_set_is_small(
    blocks: list[int], sets: int, ways: int
) -> None:
    places = [block % sets for block in blocks]
    found = simulate(cache_of(sets, ways), np.array(blocks, dtype=np.uint64))
    assert found.tolist() == by_conflict_sets(blocks, places, ways)


def hashed_sets(blocks: Any, sets: int) -> Any:
    return folded(blocks, np.uint64(max(1, (sets - 1).bit_length()))) % np.uint64(sets)


@given(blocks=st.lists(st.integers(0, 2**64 - 2)), power=st.integers(0, 9))
def test_the_hashed_set_of_a_power_of_two_is_the_sum_of_the_digits(
    blocks: list[int], power: int
) -> None:
    array = np.array(blocks, dtype=np.uint64)
    expected = [set_by_digits(block, 2**power) for block in blocks]
    assert hashed_sets(array, 2**power).tolist() == expected


@given(blocks=st.lists(st.integers(0, 2**64 - 2)), sets=st.integers(1, 5000))
def test_the_hashed_set_of_any_number(blocks: list[int], sets: int) -> None:
    array = np.array(blocks, dtype=np.uint64)
    assert hashed_sets(array, sets).tolist() == [set_by_shifts(block, sets) for block in blocks]


@pytest.mark.parametrize("sets", SETS)
def test_all_sets_get_equally_many_blocks(sets: int) -> None:
    shift = max(1, (sets - 1).bit_length())
    blocks = np.arange(sets << 2 * shift, dtype=np.uint64)
    shares = np.bincount(hashed_sets(blocks, sets).astype(np.int64), minlength=sets)
    # Folding maps [0, 2**n) onto itself; what is above the last power of two can be off by one.
    assert shares.max() - shares.min() <= (0 if sets & (sets - 1) == 0 else 3)


def random_blocks(seed: int, size: int = 20_000, blocks: int = 3_000) -> Any:
    return np.random.default_rng(seed).integers(0, blocks, size, dtype=np.uint64)


@pytest.mark.parametrize("ways", [1, 4, 16, 33])
def test_more_ways_never_hit_less(ways: int) -> None:
    blocks = random_blocks(1)
    fewer, more = (simulate(cache_of(48, each), blocks) for each in (ways, ways + 1))
    assert np.all(more >= fewer)
    assert more.sum() > fewer.sum()


@pytest.mark.parametrize(("sets", "ways"), [(128, 16), (48, 5), (7, 40)])
def test_blocks_may_move_by_whole_rounds_of_all_sets(sets: int, ways: int) -> None:
    blocks = random_blocks(2)
    cache = cache_of(sets, ways)
    assert np.array_equal(simulate(cache, blocks + 12_345 * sets), simulate(cache, blocks))


@pytest.mark.parametrize(("sets", "ways"), [(128, 16), (48, 5), (7, 40)])
def test_sets_may_change_their_names(sets: int, ways: int) -> None:
    blocks = random_blocks(3)
    names = np.random.default_rng(4).permutation(sets).astype(np.uint64)
    renamed = blocks // sets * sets + names[blocks % sets]
    cache = cache_of(sets, ways)
    assert np.array_equal(simulate(cache, renamed), simulate(cache, blocks))


@pytest.mark.parametrize("lines", [1, 2, 16, 31, 32, 33, 700])
def test_fully_associative_is_reuse_distance_below_capacity(lines: int) -> None:
    blocks = random_blocks(5, blocks=900)
    distances = LruStack().push(blocks)
    cache = Cache(size=lines * LINE, line=LINE, ways=None)
    assert np.array_equal(simulate(cache, blocks), (distances >= 0) & (distances < lines))


def gemm(n: int, base: int = 1 << 20) -> Any:
    """Addresses of ``C[i][j] += A[i][k] * B[k][j]`` in float, C in a register until the end."""
    i, j, k = np.meshgrid(*[np.arange(n)] * 3, indexing="ij")
    a, b, c = (base + array * n * n * 4 for array in range(3))
    inner = np.stack([a + (i * n + k) * 4, b + (k * n + j) * 4], axis=-1).reshape(n, n, 2 * n)
    store = c + (i * n + j)[:, :, :1] * 4
    return np.concatenate([store, inner, store], axis=-1).ravel()


def convolution(n: int, base: int = 1 << 20) -> Any:
    """Addresses of a 3x3 convolution of an n x n array of float."""
    i, j = np.meshgrid(*[np.arange(1, n - 1)] * 2, indexing="ij")
    loads = [base + ((i + di) * n + j + dj) * 4 for dj in (-1, 0, 1) for di in (-1, 0, 1)]
    return np.stack([*loads, base + n * n * 4 + (i * n + j) * 4], axis=-1).ravel()


def lockstep(n: int, threads: int = 256) -> Any:
    """Addresses of ``y[i] += A[i][j] * x[j]`` by rows, all threads in step: strides of a row."""
    j, i = np.meshgrid(np.arange(n), np.arange(threads), indexing="ij")
    return np.stack([(1 << 20) + (i * n + j) * 4, (1 << 26) + j * 4], axis=-1).ravel()


@pytest.mark.parametrize("addresses", [gemm(40), convolution(130), lockstep(128)])
@pytest.mark.parametrize(("sets", "ways"), [(128, 16), (64, 8), (24, 3), (16, 40), (1, 64)])
def test_hit_for_hit_as_pycachesim(addresses: Any, sets: int, ways: int) -> None:
    cachesim = pytest.importorskip(
        "cachesim", reason="pycachesim comes as source and needs a C compiler to install"
    )
    memory = cachesim.MainMemory()
    level = cachesim.Cache("L2", sets, ways, LINE, "LRU")
    memory.load_to(level)
    memory.store_from(level)
    expected = np.empty(addresses.size, dtype=np.int64)
    for at, address in enumerate(addresses.tolist()):
        level.load(address)
        expected[at] = level.HIT_count
    found = simulate(cache_of(sets, ways), addresses.astype(np.uint64) // LINE)
    assert np.array_equal(np.cumsum(found), expected)
    assert 0 < found.sum() < found.size


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"size": 0}, r"size = 0; allowed are whole numbers from 1 on: give size as an int \[B\]"),
        ({"size": 1.5}, r"size = 1\.5; allowed"),
        ({"ways": True}, "ways = True; allowed are whole numbers from 1 on: .* or None"),
        ({"line": 48}, "line = 48 B; allowed are powers of two: take 32 or 64"),
        ({"size": 1000}, "size = 1000 B is no multiple of line = 64 B; .*: take 960 or 1024"),
        ({"size": 10}, "size = 10 B is no multiple of line = 64 B; .*: take 64"),
        ({"ways": 24}, "ways = 24 do not divide the 2048 lines of 64 B .*: take 16 or 32"),
        ({"ways": 4096}, "ways = 4096 do not divide the 2048 lines of 64 B .*: take 2048"),
        ({"index": "random"}, "index = 'random'; allowed are modulo, hashed: take one of these"),
    ],
)
def test_what_is_no_cache_is_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(GeometryError, match=message):
        Cache(**arguments)
