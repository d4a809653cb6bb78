"""Classes and transactions of warp instructions, against sets of lines; laws of their misses."""

from itertools import pairwise
from random import Random
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from logca.gpu.nests.nest import NestTrace
from logca.gpu.stages.blocks_and_occupancy import layout
from logca.gpu.stages.cache import Cache, simulate
from logca.gpu.stages.transactions import PATTERNS, Memory, Patterns, memory, patterns
from logca.gpu.stages.warps import WarpTrace, warp_trace

pytest.importorskip("numba")

Warp = list[tuple[int, int]]


def traced(warps: list[Warp], size: int = 4) -> WarpTrace:
    count = len(warps)
    flat = [lane for warp in warps for lane in warp]
    return WarpTrace(
        access=np.zeros(count, np.uint32),
        size=np.full(count, size, np.uint32),
        start=np.cumsum([0, *map(len, warps)]),
        lane=np.array([lane for lane, _ in flat], np.uint8),
        address=np.array([address for _, address in flat], np.uint64),
        warp_size=32,
    )


def one(addresses: list[int], size: int = 4, lanes: list[int] | None = None) -> Patterns:
    own = range(len(addresses)) if lanes is None else lanes
    return patterns(traced([list(zip(own, addresses, strict=True))], size), line_size=64)


@pytest.mark.parametrize(
    ("addresses", "size", "pattern", "rule", "lines"),
    [
        ([640] * 32, 4, "constant", 1, 1),
        ([640 + 4 * lane for lane in range(32)], 4, "coalesced", 2, 2),
        ([644 + 4 * lane for lane in range(32)], 4, "coalesced", 2, 3),
        ([640 - 4 * lane for lane in range(32)], 4, "coalesced", 2, 3),
        ([640 + 8 * lane for lane in range(32)], 8, "coalesced", 4, 4),
        ([640 + 8 * lane for lane in range(32)], 4, "uncoalesced", 32, 4),
        ([640 + 512 * lane for lane in range(32)], 4, "uncoalesced", 32, 32),
        ([640 + 4 * (lane // 2) for lane in range(32)], 4, "coalesced", 2, 1),
        ([640 + 4 * lane for lane in range(5)], 4, "coalesced", 2, 1),
        ([640 + 512 * lane for lane in range(5)], 4, "uncoalesced", 32, 5),
        ([640], 4, "constant", 1, 1),
        ([700], 8, "constant", 1, 2),
        ([640 + 4096 * lane for lane in range(2)], 4096, "coalesced", 2048, 128),
    ],
)
def test_patterns_of_the_paper(
    addresses: list[int], size: int, pattern: str, rule: int, lines: int
) -> None:
    found = one(addresses, size)
    assert PATTERNS[found.pattern[0]] == pattern
    assert found.ruled[0] == rule
    assert len(found.line) == lines


def test_masked_lanes_are_passed_over() -> None:
    found = one([0, 8, 16], lanes=[0, 2, 4])
    assert PATTERNS[found.pattern[0]] == "coalesced"
    assert found.stride[0] == 4
    assert PATTERNS[one([0, 12, 16], lanes=[0, 2, 4]).pattern[0]] == "uncoalesced"


def test_the_stride_of_most_lanes() -> None:
    assert one([0, 512, 1024, 4, 516, 1028]).stride[0] == 512
    assert one([0, 4, 12, 24]).stride[0] == 4
    assert one([64]).stride[0] == 0


lanes = st.lists(st.integers(0, 31), min_size=1, max_size=32, unique=True).map(sorted)


@given(
    st.lists(
        lanes.flatmap(
            lambda own: st.tuples(
                st.just(own), st.lists(st.integers(0, 3000), min_size=len(own), max_size=len(own))
            )
        ),
        min_size=1,
        max_size=5,
    ),
    st.sampled_from([1, 4, 8, 200]),
    st.sampled_from([32, 64, 128]),
    st.integers(0, 50),
)
def test_lines_are_those_that_the_lanes_touch(
    drawn: list[tuple[list[int], list[int]]], size: int, line: int, moved: int
) -> None:
    warps = [list(zip(*each, strict=True)) for each in drawn]
    found = patterns(traced(warps, size), line_size=line)
    for number, warp in enumerate(warps):
        touched = dict.fromkeys(
            each // line for _, first in warp for each in range(first, first + size)
        )
        own = found.line[found.start[number] : found.start[number + 1]]
        assert own.tolist() == list(touched)
        steps = [
            (after - before, there - here) for (here, before), (there, after) in pairwise(warp)
        ]
        same = all(step == 0 for step, _ in steps)
        near = all(abs(step) <= gap * size for step, gap in steps)
        assert PATTERNS[found.pattern[number]] == (
            "constant" if same else "coalesced" if near else "uncoalesced"
        )
    other = patterns(
        traced([[(lane, first + moved * line) for lane, first in warp] for warp in warps], size),
        line_size=line,
    )
    assert (other.pattern == found.pattern).all()
    assert (other.stride == found.stride).all()
    assert (other.start == found.start).all()
    assert (other.line == found.line + moved).all()


pytest.importorskip("numba")

WHOLE = 10**9  # more batches than a grid has
CACHE = Cache(size=4096, line=64, ways=4)


def folded(trace: NestTrace) -> WarpTrace:
    return warp_trace(trace, layout(trace.extents[0]), blocks_per_batch=2, batches=WHOLE)


def misses(found: Memory) -> float:
    return sum(each.dram * each.executions for each in found.accesses)


def behaviour(trace: NestTrace, cache: Cache = CACHE) -> Memory:
    warps = folded(trace)
    kinds = patterns(warps, line_size=64)
    return memory(warps, kinds, ~simulate(cache, kinds.line))


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
        size=warps.size[order],
        start=np.cumsum([0, *(end - begin)]),
        lane=warps.lane[rows],
        address=warps.address[rows],
        warp_size=32,
    )
    both = [patterns(each, line_size=64) for each in (warps, other)]
    counts = [np.bincount(each.pattern, minlength=len(PATTERNS)).tolist() for each in both]
    assert counts[0] == counts[1]
    assert sorted(both[0].line.tolist()) == sorted(both[1].line.tolist())
    large = Cache(size=2**24, line=64, ways=None)
    found = [
        memory(each, kinds, ~simulate(large, kinds.line))
        for each, kinds in zip((warps, other), both, strict=True)
    ]
    assert misses(found[0]) == misses(found[1]) == len(np.unique(both[0].line))


def test_a_line_is_fetched_once_if_all_fit(handmade: SimpleNamespace) -> None:
    found = behaviour(handmade.product(64), Cache(size=2**20, line=64, ways=None))
    lines = 32 * 64 * 4 // 64 + 64 * 64 * 4 // 64
    assert misses(found) == lines
    constant, coalesced = found.classes
    assert (constant.missing, constant.hit) == (constant.dram, 1.0)
    assert (coalesced.missing, coalesced.hit) == (coalesced.dram / 2, 2.0)


def test_behaviour_of_each_access(handmade: SimpleNamespace) -> None:
    constant, coalesced = behaviour(handmade.product(64)).accesses
    assert (constant.pattern, constant.stride, constant.transactions) == ("constant", 0, 1.0)
    assert (coalesced.pattern, coalesced.stride, coalesced.transactions) == ("coalesced", 4, 2.0)
    _, uncoalesced = behaviour(handmade.syrk(64)).accesses
    assert (uncoalesced.pattern, uncoalesced.stride) == ("uncoalesced", 256)
    assert (uncoalesced.transactions, uncoalesced.ruled_transactions) == (32.0, 32.0)
    assert uncoalesced.shares == (0.0, 0.0, 1.0)


def _moved(trace: NestTrace, by: dict[int, int]) -> NestTrace:
    from dataclasses import replace

    offset = np.array([by[site] for site in sorted(by)], np.uint64)
    return replace(trace, address=trace.address + offset[trace.access])


def test_warps_of_one_lane_tell_no_pattern() -> None:
    """Blocks of 33 threads: every other warp has one lane, whose address is the only one."""
    warps: list[Warp] = []
    for block in range(3):
        own = [640 + 28 * (33 * block + thread) for thread in range(33)]
        warps += [list(enumerate(own[:32])), [(0, own[32])]]
    trace = traced(warps)
    kinds = patterns(trace, line_size=64)
    (found,) = memory(trace, kinds, np.zeros(len(kinds.line), np.bool_)).accesses
    assert (found.pattern, found.stride, found.stride_share) == ("uncoalesced", 28, 1.0)
    assert found.shares == (0.5, 0.0, 0.5)
    alone = traced([[(0, 640)], [(0, 652)]])
    kinds = patterns(alone, line_size=64)
    (single,) = memory(alone, kinds, np.zeros(len(kinds.line), np.bool_)).accesses
    assert (single.pattern, single.stride) == ("constant", 0)
