"""Occupancy against NVIDIA's rules, by hand."""

from dataclasses import replace

import pytest

from logca.gpu.devices.parameters import device
from logca.gpu.stages.grid import layout
from logca.gpu.stages.occupancy import OccupancyError, occupancy

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
    assert few.fitting_blocks == 8


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
