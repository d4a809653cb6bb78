"""Blocks chosen by occupancy: no other shape does better."""

from dataclasses import replace
from itertools import product
from math import prod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from logca.gpu.devices.parameters import device
from logca.gpu.stages.blocks import fullest_layout
from logca.gpu.stages.grid import layout
from logca.gpu.stages.occupancy import OccupancyError, occupancy

TK1 = device("jetson-tk1")


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
