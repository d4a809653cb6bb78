"""Grids against counting; occupancy against the rules of NVIDIA, and no block fills more."""

from dataclasses import replace
from itertools import product
from math import prod

import numpy as np
import pytest
from grid_places import place
from hypothesis import given, settings
from hypothesis import strategies as st

from logca.gpu.devices.parameters import device
from logca.gpu.stages.blocks_and_occupancy import (
    LayoutError,
    OccupancyError,
    fullest_layout,
    layout,
    occupancy,
    warps_of,
)

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


@given(st.lists(st.integers(1, 9), min_size=1, max_size=4), st.data())
def test_every_thread_has_a_place_of_its_own(extents: list[int], data: st.DataObject) -> None:
    directions = min(len(extents), 3)
    block = tuple(data.draw(st.integers(1, 5)) for _ in range(directions))
    grid = layout(tuple(extents), block)
    vectors = list(np.ndindex(*extents))
    found = list(zip(*map(np.ndarray.tolist, place(grid, np.array(vectors))), strict=True))
    x, y, z = (
        (*reversed(extents), 1, 1)[:3]
        if len(extents) < 3
        else (
            extents[-1],
            extents[-2],
            int(np.prod(extents[:-2])),
        )
    )
    bx, by, bz = (*block, 1, 1)[:3]
    wanted = {}
    gx, gy = -(-x // bx), -(-y // by)
    for number, (cz, cy, cx) in enumerate(product(range(z), range(y), range(x))):
        at = (cz // bz * gy + cy // by) * gx + cx // bx
        wanted[number] = (at, (cz % bz * by + cy % by) * bx + cx % bx)
    assert found == [wanted[number] for number in range(len(vectors))]
    assert len(set(found)) == grid.threads
    assert max(block for block, _ in found) < grid.blocks
    assert max(thread for _, thread in found) < grid.threads_per_block


def test_blocks_of_the_paper() -> None:
    assert layout((4096, 4096)).block == (32, 32, 1)
    assert layout((4096,)).block == (256, 1, 1)
    assert layout((8, 8, 8)).threads_per_block == 1024
    assert layout((4094, 4094)).grid == (128, 128, 1)
    assert warps_of(layout((100,), (33,)).threads_per_block, 32) == 2


@pytest.mark.parametrize(
    ("extents", "block", "message"),
    [
        ((), None, "at least one iteration"),
        ((4, 0), None, "at least one iteration"),
        ((4,), (2, 2), "1 collapsed loop allows at most 1"),
        ((4, 4), (64, 32), "from 1 to 1024 threads"),
        ((4, 4), (0, 32), "at least 1 in each direction"),
        ((4, 4), (), "at most 2"),
    ],
)
def test_what_no_device_can_run(
    extents: tuple[int, ...], block: tuple[int, ...] | None, message: str
) -> None:
    with pytest.raises(LayoutError, match=message):
        layout(extents, block)


def test_ones_at_the_end_of_a_block_are_no_direction() -> None:
    assert layout((64,), (32, 1, 1)) == layout((64,), (32,))
