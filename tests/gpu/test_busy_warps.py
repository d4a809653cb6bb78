"""Warps without a thread that has something to do: found one by one, and free of charge."""

from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from logca.gpu.devices import device
from logca.gpu.instructions import Instructions
from logca.gpu.kernel import launch
from logca.gpu.models import MODELS
from logca.gpu.occupancy import occupancy
from logca.gpu.threads import layout, place

pytest.importorskip("numba")

TK1 = device("jetson-tk1")
ROW = 1024


@given(st.lists(st.integers(1, 13), min_size=1, max_size=4), st.data())
def test_warps_with_a_thread_are_counted(extents: list[int], data: st.DataObject) -> None:
    block = tuple(data.draw(st.integers(1, 9)) for _ in range(min(len(extents), 3)))
    grid = layout(tuple(extents), block)
    warp_size = data.draw(st.sampled_from([1, 2, 4, 8]))
    blocks, threads = place(grid, np.array(list(np.ndindex(*extents))))
    used = [set(threads[blocks == number] // warp_size) for number in range(grid.blocks)]
    fullest = sorted(map(len, used), reverse=True)
    for number in {1, grid.blocks, data.draw(st.integers(1, grid.blocks))}:
        assert grid.busy_warps(number, warp_size) == sum(fullest[:number])


def test_idle_warps_take_room_but_are_not_active() -> None:
    few = occupancy(layout((32,), (1024,)), TK1)
    assert (few.active_blocks, few.active_warps, few.fitting_blocks) == (1, 1, 2)
    edge = occupancy(layout((300,)), TK1)
    assert (edge.active_blocks, edge.active_warps, edge.batches) == (2, 10, 1.0)
    narrow = occupancy(layout((1024, 8)), TK1)
    assert (narrow.active_blocks, narrow.active_warps) == (2, 64)
    low = occupancy(layout((4, 1024)), TK1)
    assert (low.active_blocks, low.active_warps, low.warps_share) == (2, 8, 8 / 64)


def time_of(handmade: SimpleNamespace, threads: int, block: int, model: str) -> float:
    """Each thread goes through a row of A, forth and back."""
    trace = handmade.rectangular(
        (threads,),
        [("A", False, lambda i, k: i * ROW + k), ("A", False, lambda i, k: i * ROW + ROW - 1 - k)],
        inner=16,
    )
    executed = Instructions(
        threads=threads, memory={0: 16.0, 1: 16.0}, shared={}, computation={"fma": 16.0}
    )
    found = launch(
        trace, executed, extents=(threads,), block=(block,), device=TK1, model=MODELS[model]
    )
    return found.time


@pytest.mark.parametrize("model", ["paper", "baseline", "logca"])
@pytest.mark.parametrize("threads", [1, 32, 33, 257])
def test_idle_warps_cost_nothing(handmade: SimpleNamespace, model: str, threads: int) -> None:
    times = {time_of(handmade, threads, block, model) for block in (32, 64, 96, 256, 1024)}
    assert max(times) == pytest.approx(min(times), rel=1e-12)


@pytest.mark.parametrize("model", ["paper", "logca"])
def test_more_full_warps_take_longer(handmade: SimpleNamespace, model: str) -> None:
    """Of warps that are not full that need not hold: they lower the mean latency (eqs 1 to 8)."""
    times = [time_of(handmade, threads, 256, model) for threads in (32, 64, 96, 160, 256, 288)]
    assert all(more >= fewer for fewer, more in pairwise(times))
    assert times[-1] > times[0]
