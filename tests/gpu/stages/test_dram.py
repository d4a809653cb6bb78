"""Misses of warp instructions: laws that hold whatever the model's parameters are."""

from random import Random
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from logca.gpu.nests.nest import NestTrace
from logca.gpu.stages.cache import Cache, missed
from logca.gpu.stages.coalescing import PATTERNS, patterns
from logca.gpu.stages.dram import Memory, memory
from logca.gpu.stages.grid_occupancy import layout
from logca.gpu.stages.warps import WarpTrace, warp_trace

pytest.importorskip("numba")

CACHE = Cache(size=4096, line=64, ways=4)


def folded(trace: NestTrace) -> WarpTrace:
    return warp_trace(trace, [layout(trace.extents[0])], blocks_per_batch=2)


def behaviour(trace: NestTrace, cache: Cache = CACHE) -> Memory:
    warps = folded(trace)
    kinds = patterns(warps, line_size=64)
    return memory(warps, kinds, missed(cache, kinds))


def random_nest(handmade: SimpleNamespace, steps: list[tuple[int, int, int]]) -> NestTrace:
    sites = [
        (f"array{number}", False, lambda i, j, k, s=step: s[0] * i + s[1] * j + s[2] * k)
        for number, step in enumerate(steps)
    ]
    return handmade.rectangular((40, 40), sites, inner=3)


steps = st.lists(st.tuples(*[st.sampled_from([0, 1, 2, 40, 41])] * 3), min_size=1, max_size=3)


@given(steps, st.integers(1, 20))
@settings(max_examples=20)
def test_moving_all_arrays_by_lines_changes_nothing(
    handmade: SimpleNamespace, drawn: list[tuple[int, int, int]], lines: int
) -> None:
    trace = random_nest(handmade, drawn)
    moved = _moved(trace, {site: 64 * lines for site in range(len(drawn))})
    assert behaviour(moved) == behaviour(trace)


@given(steps, st.permutations(range(3)))
@settings(max_examples=20)
def test_relabelling_arrays_changes_nothing(
    handmade: SimpleNamespace, drawn: list[tuple[int, int, int]], places: list[int]
) -> None:
    """Arrays change places; each stays at a multiple of lines times sets, that is, in its sets."""
    trace = random_nest(handmade, drawn)
    period = CACHE.line * CACHE.sets
    moved = _moved(trace, {site: places[site] * 2**20 * period for site in range(len(drawn))})
    assert behaviour(moved) == behaviour(trace)


@given(steps, st.randoms(use_true_random=False))
@settings(max_examples=20)
def test_classes_and_transactions_do_not_depend_on_the_order_of_warps(
    handmade: SimpleNamespace, drawn: list[tuple[int, int, int]], random: Random
) -> None:
    warps = folded(random_nest(handmade, drawn))
    order = list(range(len(warps.access)))
    random.shuffle(order)
    begin, end = warps.start[:-1][order], warps.start[1:][order]
    rows = np.concatenate([np.arange(b, e) for b, e in zip(begin, end, strict=True)])
    other = WarpTrace(
        access=warps.access[order],
        launch=warps.launch[order],
        batch=warps.batch[order],
        warp=warps.warp[order],
        size=warps.size[order],
        start=np.cumsum([0, *(end - begin)]),
        lane=warps.lane[rows],
        address=warps.address[rows],
        batches=warps.batches,
        warp_size=32,
    )
    both = [patterns(each, line_size=64) for each in (warps, other)]
    counts = [np.bincount(each.pattern, minlength=len(PATTERNS)).tolist() for each in both]
    assert counts[0] == counts[1]
    assert sorted(both[0].line.tolist()) == sorted(both[1].line.tolist())
    large = Cache(size=2**24, line=64, ways=None)
    found = [
        memory(each, kinds, missed(large, kinds))
        for each, kinds in zip((warps, other), both, strict=True)
    ]
    assert found[0].misses == found[1].misses == len(np.unique(both[0].line))


def test_a_line_is_fetched_once_if_all_fit(handmade: SimpleNamespace) -> None:
    found = behaviour(handmade.product(64), Cache(size=2**20, line=64, ways=None))
    lines = 32 * 64 * 4 // 64 + 64 * 64 * 4 // 64
    assert found.misses == lines
    assert sum(each.dram * each.executions for each in found.accesses) == lines
    constant, coalesced = found.classes
    assert (constant.missing, constant.hit) == (constant.dram, 1.0)
    assert (coalesced.missing, coalesced.hit) == (coalesced.dram / 2, 2.0)
    assert found.miss_rate == lines / found.transactions


def test_behaviour_of_each_access(handmade: SimpleNamespace) -> None:
    constant, coalesced = behaviour(handmade.product(64)).accesses
    assert (constant.pattern, constant.stride, constant.transactions) == ("constant", 0, 1.0)
    assert (coalesced.pattern, coalesced.stride, coalesced.transactions) == ("coalesced", 4, 2.0)
    _, uncoalesced = behaviour(handmade.syrk(64)).accesses
    assert (uncoalesced.pattern, uncoalesced.stride) == ("uncoalesced", 256)
    assert (uncoalesced.transactions, uncoalesced.ruled_transactions) == (32.0, 32.0)
    assert uncoalesced.shares == (0.0, 0.0, 1.0)


def test_lines_must_be_equally_long(handmade: SimpleNamespace) -> None:
    warps = folded(handmade.product(32))
    with pytest.raises(ValueError, match="lines of 128 B, but those of the cache have 64 B"):
        missed(CACHE, patterns(warps, line_size=128))


def _moved(trace: NestTrace, by: dict[int, int]) -> NestTrace:
    from dataclasses import replace

    offset = np.array([by[site] for site in sorted(by)], np.uint64)
    return replace(trace, address=trace.address + offset[trace.access])
