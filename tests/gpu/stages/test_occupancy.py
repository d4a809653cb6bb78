"""Occupancy against NVIDIA's rules, by hand; blocks chosen by it: no other shape does better."""

from dataclasses import replace
from itertools import product
from math import prod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from logca.gpu.devices.parameters import device
from logca.gpu.stages.grid import layout
from logca.gpu.stages.occupancy import OccupancyError, fullest_layout, occupancy

TK1 = device("jetson-tk1")


@pytest.mark.parametrize(
    ("extents", "block", "active", "warps", "batches", "limit"),
    [
        ((1024, 1024), None, 2, 64, 512.0, "threads"),
        ((4096,), None, 8, 64, 2.0, "threads"),
        ((1024,), None, 4, 32, 1.0, "grid"),
        ((1 << 20,), (64,), 16, 32, 1024.0, "blocks"),
        ((1 << 20,), (33,), 16, 32, 31776 / 16, "blocks"),
        ((1 << 20,), (96,), 16, 48, 10923 / 16, "blocks"),
        ((1 << 20,), (1000,), 2, 64, 1049 / 2, "threads"),
        ((2304,), None, 8, 64, 9 / 8, "threads"),
    ],
)
def test_blocks_and_warps(
    extents: tuple[int, ...],
    block: tuple[int, ...] | None,
    active: int,
    warps: int,
    batches: float,
    limit: str,
) -> None:
    found = occupancy(layout(extents, block), TK1)
    assert (found.active_blocks, found.active_warps) == (active, warps)
    assert found.batches == pytest.approx(batches)
    assert found.limit == limit


def test_shared_memory_and_registers_limit() -> None:
    grid = layout((1 << 16,))
    assert occupancy(grid, TK1, shared_memory=8192).active_blocks == 6
    assert occupancy(grid, TK1, shared_memory=8193).active_blocks == 5
    assert occupancy(grid, TK1, registers=32).active_blocks == 8
    found = occupancy(grid, TK1, registers=63)
    assert (found.active_blocks, found.limit) == (4, "registers")


def test_several_multiprocessors_share_the_grid() -> None:
    five = replace(TK1, multiprocessors=5)
    found = occupancy(layout((256 * 100,)), five)
    assert (found.active_blocks, found.concurrent_blocks, found.batches) == (8, 40, 2.5)
    few = occupancy(layout((256 * 12,)), five)
    assert (few.active_blocks, few.concurrent_blocks, few.batches) == (3, 12, 1.0)
    assert min(few.limits.values()) == 8


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"shared_memory": 50000}, r"shared memory \(50000 B\)"),
        ({"registers": 300}, r"registers \(300 a thread\)"),
    ],
)
def test_blocks_that_do_not_fit(more: dict[str, int], message: str) -> None:
    with pytest.raises(OccupancyError, match=message):
        occupancy(layout((1024, 1024)), TK1, **more)


def test_blocks_of_too_many_threads() -> None:
    with pytest.raises(OccupancyError, match=r"a block of 1024 threads does not fit .* 512"):
        occupancy(layout((1024, 1024)), replace(TK1, max_threads_per_block=512))


def test_defaults_are_kept_where_they_fill_the_device() -> None:
    assert fullest_layout((1024, 1024), TK1).block == (32, 32, 1)
    assert fullest_layout((4096,), TK1).block == (256, 1, 1)
    assert fullest_layout((256, 256, 256), TK1).block == (32, 8, 4)


def test_a_device_with_smaller_blocks() -> None:
    small = replace(TK1, max_threads_per_block=512)
    assert prod(fullest_layout((1024, 1024), small).block) <= 512


@given(
    st.lists(st.integers(1, 3000), min_size=1, max_size=2).map(tuple),
    st.sampled_from([0, 4096, 20000]),
    st.sampled_from([0, 40, 200]),
)
@settings(max_examples=20)
def test_no_other_block_has_more_warps(
    extents: tuple[int, ...], shared: int, registers: int
) -> None:
    more = {"shared_memory": shared, "registers": registers}
    best = fullest_layout(extents, TK1, **more)
    warps = occupancy(best, TK1, **more).active_warps
    for block in product([8, 32, 64, 256, 512], repeat=len(extents)):
        if 32 <= prod(block) <= 1024:
            other = layout(extents, block)
            try:
                assert occupancy(other, TK1, **more).active_warps <= warps
            except OccupancyError:
                continue


def test_nothing_fits() -> None:
    with pytest.raises(OccupancyError, match="no block of at least 32 threads"):
        fullest_layout((64,), TK1, shared_memory=10**6)
