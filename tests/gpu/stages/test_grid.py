"""Grids of threads, against counting them one by one."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from logca.gpu.stages.grid import LayoutError, layout, place


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
    assert layout((100,), (33,)).warps_per_block(32) == 2


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
