"""Blocks of one multiprocessor: which they are, and that they keep their threads and accesses."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from logca.gpu.bounds.resident_blocks import (
    block_numbers,
    fullest_blocks,
    multiprocessor_blocks,
    of_blocks,
    threads_of_blocks,
)
from logca.gpu.stages.blocks_and_occupancy import layout

pytest.importorskip("numba")


@given(st.integers(1, 5000), st.integers(1, 32), st.integers(1, 150))
def test_blocks_of_a_multiprocessor_are_of_the_grid_and_evenly_spaced(
    blocks: int, resident: int, multiprocessors: int
) -> None:
    resident = min(resident, -(-blocks // multiprocessors))
    found = multiprocessor_blocks(blocks, resident=resident, multiprocessors=multiprocessors)
    assert 1 <= len(found) <= 2 * resident
    assert len(found) >= min(resident, blocks)
    assert 0 <= found[0] <= found[-1] < blocks
    assert len(set(np.diff(found).tolist()) - {multiprocessors}) == 0


@given(
    st.lists(st.integers(1, 11), min_size=1, max_size=3),
    st.lists(st.integers(1, 5), min_size=1, max_size=3),
    st.data(),
)
def test_threads_of_blocks_are_those_that_the_grid_has_there(
    extents: list[int], block: list[int], data: st.DataObject
) -> None:
    grid = layout(tuple(extents), tuple(block[: len(extents)]))
    wanted = data.draw(st.lists(st.integers(0, grid.blocks - 1), min_size=1, unique=True))
    everything = np.array(list(np.ndindex(*extents)), np.int64)
    numbers, place = block_numbers(everything, grid)
    assert place.max() < grid.threads_per_block
    expected = {tuple(each) for each in everything[np.isin(numbers, wanted)].tolist()}
    found = threads_of_blocks(grid, wanted)
    assert {tuple(each) for each in found.tolist()} == expected
    assert len(found) == len(expected)


@given(
    st.lists(st.integers(1, 11), min_size=1, max_size=3),
    st.lists(st.integers(1, 5), min_size=1, max_size=3),
    st.data(),
)
def test_fullest_blocks_have_the_most_threads_of_all(
    extents: list[int], block: list[int], data: st.DataObject
) -> None:
    grid = layout(tuple(extents), tuple(block[: len(extents)]))
    chosen = data.draw(
        st.lists(st.integers(0, grid.blocks - 1), min_size=1, max_size=4, unique=True)
    )
    threads = [len(threads_of_blocks(grid, [each])) for each in range(grid.blocks)]
    found = fullest_blocks(grid, chosen, range(grid.blocks))
    full = {each for each, number in enumerate(threads) if number == max(threads)}
    assert set(found) <= full
    assert full & set(chosen) <= set(found)
    assert len(found) == len(set(found)) == min(len(chosen), len(full))


def test_accesses_of_blocks_keep_their_threads_lanes_and_addresses(handmade) -> None:
    trace = handmade.rectangular(
        (6, 40), [("A", False, lambda i, j, k: 1000 * i + 10 * j + k)], inner=3
    )
    grid = layout((6, 40), (16, 2))
    found = of_blocks(trace, grid, [7, 2])
    assert found is not None
    assert (found.grid.blocks, found.grid.threads_per_block) == (2, 32)
    blocks, threads = block_numbers(trace.iterations[:, :2].astype(np.int64), grid)
    for place, block in enumerate([7, 2]):
        before = sorted(
            zip(
                threads[blocks == block].tolist(),
                trace.iterations[blocks == block, 2].tolist(),
                trace.address[blocks == block].tolist(),
                strict=True,
            )
        )
        at = found.trace.iterations[:, 1]
        mine = at // 32 == place
        after = sorted(
            zip(
                (at[mine] % 32).tolist(),
                found.trace.iterations[mine, 2].tolist(),
                found.trace.address[mine].tolist(),
                strict=True,
            )
        )
        assert before == after
    assert of_blocks(trace, grid, [99]) is None
