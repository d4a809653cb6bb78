"""Bytes that accesses reach, against the set of all of their sectors."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from logca.gpu.bounds.footprint import lattice_bytes, traced_footprint


def sectors(steps: list[tuple[int, int]], size: int, offsets: list[int]) -> int:
    """Bytes of the sectors that are touched, by going through all iterations."""
    touched: set[int] = set()
    for offset in offsets:
        places = np.array([offset])
        for step, trips in steps:
            places = (places[:, None] + step * np.arange(trips)).ravel()
        for byte in (0, size - 1):
            touched |= set(((places + byte) // 32).tolist())
    return 32 * len(touched)


@given(
    st.sampled_from([4, 8]),
    st.integers(1, 40),
    st.sampled_from([1, 2, 5, 8, 16, 100]),
    st.integers(1, 20),
)
def test_rows_of_an_array_take_the_sectors_that_they_touch(
    size: int, columns: int, stride: int, rows: int
) -> None:
    """Columns by a stride, in rows far from each other; all begin at sectors."""
    steps = [(size * stride, columns), (1 << 14, rows)]
    found = lattice_bytes(steps, size)
    assert found == pytest.approx(sectors(steps, size, [0]), rel=0.15, abs=32)


def test_a_stencil_reaches_the_array_once_with_a_halo() -> None:
    row = 4 * 1024
    steps = [(row, 200), (4, 1000)]
    star = [row + 4, 4, 2 * row + 4, row, row + 8]
    assert lattice_bytes(steps, 4, star) == pytest.approx(sectors(steps, 4, star), rel=0.02)
    narrow = [(row, 200), (4, 16)]
    assert lattice_bytes(narrow, 4, star) == pytest.approx(sectors(narrow, 4, star), rel=0.3)


def test_arrays_in_one_are_counted_each() -> None:
    assert lattice_bytes([(4, 256)], 4, [0, 1 << 20]) == 2048.0


def test_steps_back_and_loops_that_repeat_reach_nothing_new() -> None:
    once = lattice_bytes([(4, 512)], 4)
    assert lattice_bytes([(-4, 512)], 4) == once
    assert lattice_bytes([(4, 512), (0, 100)], 4) == once


def test_a_trace_of_some_blocks_stands_for_all(handmade) -> None:
    """A stream grows with the blocks, a table that all read does not."""
    pytest.importorskip("numba")
    trace = handmade.rectangular(
        (512,),
        [("A", False, lambda i: i), ("T", False, lambda i: i % 64), ("C", True, lambda i: i)],
    )
    found = traced_footprint(
        trace,
        trace.iterations[:, 0].astype(np.int64) // 64,
        {0: 1.0, 1: 1.0, 2: 1.0},
        threads=512,
        blocks=800,
        running_blocks=80,
    )
    a, table, c = (next(each for each in found if each.name == name) for name in "ATC")
    assert (a.read, a.written, a.wave) == (100 * 2048.0, 0.0, 10 * 2048.0)
    assert (table.read, table.wave) == (256.0, 256.0)
    assert (c.read, c.written) == (0.0, 100 * 2048.0)


def test_a_gather_reaches_no_more_than_its_array(handmade) -> None:
    """Numbers drawn at random, of which some blocks are traced, against all of them."""
    pytest.importorskip("numba")
    draw = np.random.default_rng(1).integers(0, 1 << 14, 1 << 16)
    for traced in (64, 16):
        threads = 64 * traced
        trace = handmade.rectangular(
            (threads,), [("A", False, lambda i: draw[i]), ("X", False, lambda i: i)]
        )
        for size in ({}, {"A": 4 << 14, "X": 4 << 16}):
            a, stream = traced_footprint(
                trace,
                trace.iterations[:, 0].astype(np.int64) // 64,
                {0: 1.0, 1: 1.0},
                threads=threads,
                blocks=1024,
                running_blocks=128,
                sizes=size,
            )
            assert stream.read == 4 << 16
            for bytes_, number in ((a.read, 1024), (a.wave, 128)):
                reached = 32 * len(np.unique(draw[: 64 * number] // 8))
                assert bytes_ == pytest.approx(reached, rel=0.1)
            assert a.read <= 4 << 14
            assert a.choice == pytest.approx(4 << 14, rel=0.1)


def test_an_array_that_grows_with_the_work_is_reached_as_a_longer_one(handmade) -> None:
    pytest.importorskip("numba")
    draw = np.random.default_rng(2).integers(0, 1 << 10, 1 << 12)
    trace = handmade.rectangular((1 << 12,), [("A", False, lambda i: draw[i])])
    (found,) = traced_footprint(
        trace,
        trace.iterations[:, 0].astype(np.int64) // 64,
        {0: 1.0},
        threads=1 << 12,
        blocks=1 << 10,
        running_blocks=128,
        growth={"A": 16.0},
    )
    longer = np.random.default_rng(3).integers(0, 16 << 10, 1 << 16)
    for bytes_, number in ((found.read, 1 << 16), (found.wave, 1 << 13)):
        reached = 32 * len(np.unique(longer[:number] // 8))
        assert bytes_ == pytest.approx(reached, rel=0.05)


def test_what_a_thread_reads_in_each_iteration_is_read_once(handmade) -> None:
    """Of 64 iterations 8 were traced: a row goes on, the thread's own element does not."""
    pytest.importorskip("numba")
    trace = handmade.rectangular(
        (128,), [("A", False, lambda i, k: i), ("T", False, lambda i, k: 8 * k)], inner=8
    )
    found = traced_footprint(
        trace,
        trace.iterations[:, 0].astype(np.int64) // 64,
        {0: 64.0, 1: 64.0},
        threads=128,
        blocks=2,
        running_blocks=2,
    )
    a, row = (next(each for each in found if each.name == name) for name in "AT")
    assert (a.read, a.wave) == (128 * 4.0, 128 * 4.0)
    assert (row.read, row.wave) == pytest.approx((64 * 32.0, 64 * 32.0))
