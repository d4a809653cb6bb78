"""Lockstep order against a plain sort of what each thread of a random nest does."""

from dataclasses import dataclass
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from grid_places import place
from hypothesis import given, settings
from hypothesis import strategies as st

from logca.gpu.nests.nest import Columns, NestTrace, nest_trace
from logca.gpu.stages import warps
from logca.gpu.stages.blocks_and_occupancy import layout, warps_of
from logca.gpu.stages.warps import WarpTrace, places, ranked, warp_trace

pytest.importorskip("numba")

Tree = list[Any]
"""The body of a loop: None is an access, (trips, body) a loop; trips are taken from the thread."""


@dataclass
class Plain:
    """A nest, its trace, and for each row of the trace the place in its thread's program."""

    trace: NestTrace
    keys: list[tuple[int, ...]]


trees = st.recursive(
    st.none(),
    lambda inner: st.tuples(st.integers(0, 3), st.lists(inner, min_size=1, max_size=3)),
    max_leaves=6,
)


def run(handmade: SimpleNamespace, body: Tree, extents: tuple[int, ...], skip: int) -> Plain:
    """Walk through the nest thread by thread, as the program would."""
    loops = [
        handmade.loop(level, level - 1 if level else None, level) for level in range(len(extents))
    ]
    sites: list[Any] = []

    def number(items: Tree, inside: int, depth: int) -> list[Any]:
        found = []
        for item in items:
            if item is None:
                sites.append(handmade.site(len(sites), "x", False, inside))
                found.append(len(sites) - 1)
            else:
                new = len(loops)
                loops.append(handmade.loop(new, inside, depth))
                found.append((item[0], number(item[1], new, depth + 1)))
        return found

    numbered = number(body, len(extents) - 1, len(extents))
    deepest = max(each.depth for each in loops) + 1
    rows: list[tuple[int, tuple[int, ...], tuple[int, ...]]] = []

    def walk(items: list[Any], at: tuple[int, ...], key: tuple[int, ...], thread: int) -> None:
        for position, item in enumerate(items):
            if not isinstance(item, tuple):
                if skip == 0 or (thread + item) % skip:
                    rows.append((item, at, (*key, position)))
            else:
                for turn in range((item[0] + thread) % 4):
                    walk(item[1], (*at, turn), (*key, position, turn), thread)

    for thread, vector in enumerate(np.ndindex(*extents)):
        walk(numbered, vector, (), thread)
    iterations = np.full((len(rows), deepest), -1, np.int32)
    for row, (_, at, _) in enumerate(rows):
        iterations[row, : len(at)] = at
    trace = nest_trace(
        Columns(
            access=np.array([row[0] for row in rows], np.uint32),
            address=np.arange(len(rows), dtype=np.uint64) * 4,
            launch=np.zeros(len(rows), np.int32),
            iterations=iterations,
            size=np.full(len(rows), 4, np.uint32),
        ),
        accesses=sites,
        loops=loops,
        nest=0,
        collapse=len(extents),
        extents=[extents],
    )
    return Plain(trace=trace, keys=[row[2] for row in rows])


def expected(plain: Plain, block: tuple[int, ...], batch: int) -> list[tuple[Any, ...]]:
    """Batch, and addresses of the lanes, of each warp instruction, by sorting."""
    grid = layout(plain.trace.extents[0], block)
    blocks, threads = place(grid, plain.trace.iterations)
    found: dict[tuple[Any, ...], list[tuple[int, int]]] = {}
    for row, key in enumerate(plain.keys):
        warp = blocks[row] % batch * warps_of(grid.threads_per_block, 32) + threads[row] // 32
        group = found.setdefault((blocks[row] // batch, key, warp), [])
        group.append((int(threads[row] % 32), int(plain.trace.address[row])))
    return [(key[0], sorted(found[key])) for key in sorted(found)]


def listed(found: WarpTrace) -> list[list[tuple[int, int]]]:
    """Lanes and addresses of each warp instruction; addresses of the whole trace differ."""
    lanes = list(zip(found.lane.tolist(), found.address.tolist(), strict=True))
    return [lanes[begin:end] for begin, end in pairwise(found.start.tolist())]


shapes = st.sampled_from(
    [
        ((40,), (32,)),
        ((70,), (16,)),
        ((5, 50), (32, 2)),
        ((9, 7), (4, 4)),
        ((3, 4, 6), (4, 2, 2)),
        ((2, 3, 2, 5), (4, 2, 2)),
    ]
)


@given(
    st.lists(trees, min_size=1, max_size=3), shapes, st.sampled_from([0, 2, 3]), st.integers(1, 3)
)
@settings(max_examples=60)
def test_order_is_that_of_a_plain_sort(
    handmade: SimpleNamespace,
    body: Tree,
    shape: tuple[tuple[int, ...], tuple[int, ...]],
    skip: int,
    batch: int,
) -> None:
    extents, block = shape
    try:
        plain = run(handmade, body, extents, skip)
    except ValueError:  # no access at all
        return
    grid = layout(extents, block)
    found = warp_trace(plain.trace, grid, blocks_per_batch=batch, batches=10**6)
    wanted = expected(plain, block, batch)
    assert listed(found) == [lanes for _, lanes in wanted]
    assert found.size.tolist() == [4] * len(wanted)
    two = warp_trace(plain.trace, grid, blocks_per_batch=batch)
    assert listed(two) == [lanes for number, lanes in wanted if number < 2]
    rank = ranked(plain.trace, places(plain.trace))
    order = {key: place_ for place_, key in enumerate(sorted(set(plain.keys)))}
    assert rank.tolist() == [order[key] for key in plain.keys]


@pytest.mark.parametrize("limit", ["_LARGEST", "_SMALL"])
def test_sparse_places_give_the_same(
    handmade: SimpleNamespace, monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    trace = handmade.correlation(40)
    grid = layout(trace.extents[0], (8,))
    fast = warp_trace(trace, grid, blocks_per_batch=2)
    monkeypatch.setattr(warps, limit, -(10**9))
    slow = warp_trace(trace, grid, blocks_per_batch=2)
    assert listed(slow) == listed(fast)
    assert (slow.access == fast.access).all()


def test_places_beyond_64_bits(handmade: SimpleNamespace) -> None:
    sites = [handmade.site(0, "x", False, 4)]
    loops = [handmade.loop(number, number - 1 if number else None, number) for number in range(5)]
    inner = [[0, 0, 0, 0], [2**30, 0, 0, 2**30], [2**30, 2**30, 2**30, 0]]
    iterations = [[thread, *each] for thread in range(2) for each in inner]
    trace = nest_trace(
        Columns(
            access=np.zeros(6, np.uint32),
            address=np.arange(6, dtype=np.uint64),
            launch=np.zeros(6, np.int32),
            iterations=np.array(iterations, np.int32),
            size=np.full(6, 4, np.uint32),
        ),
        accesses=sites,
        loops=loops,
        nest=0,
        collapse=1,
    )
    found = warp_trace(trace, layout((2,)), blocks_per_batch=8)
    assert listed(found) == [
        [(0, 0), (1, 3)],
        [(0, 1), (1, 4)],
        [(0, 2), (1, 5)],
    ]


def test_a_lane_that_comes_again_makes_a_warp_instruction_of_its_own(
    handmade: SimpleNamespace,
) -> None:
    trace = nest_trace(
        Columns(
            access=np.zeros(5, np.uint32),
            address=np.array([10, 11, 12, 20, 21], np.uint64),
            launch=np.zeros(5, np.int32),
            iterations=np.array([[0], [0], [0], [1], [1]], np.int32),
            size=np.full(5, 4, np.uint32),
        ),
        accesses=[handmade.site(0, "x", False, 0)],
        loops=[handmade.loop(0, None, 0)],
        nest=0,
        collapse=1,
    )
    found = warp_trace(trace, layout((2,)), blocks_per_batch=8)
    assert listed(found) == [
        [(0, 10), (1, 20)],
        [(0, 11), (1, 21)],
        [(0, 12)],
    ]
