"""Sectors, lines and banks of warps against sets of bytes, and counts against known kernels."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from logca.gpu.bounds.load_groups import LoadGroups
from logca.gpu.bounds.resident_blocks import ResidentBlocks
from logca.gpu.bounds.warp_counts import (
    SiteCounts,
    sampled_warps,
    shared_counts,
    site_counts,
    warp_shapes,
)
from logca.gpu.devices.parameters import device, unit_rates
from logca.gpu.stages.blocks_and_occupancy import layout
from logca.gpu.stages.warps import WarpTrace

pytest.importorskip("numba")

ALONE = LoadGroups(level={}, together={})
GPU = device("titan-v")  # whose loads take a cycle at least
RATES = unit_rates(GPU)


@given(
    st.lists(
        st.tuples(
            st.lists(st.integers(0, 1500), min_size=1, max_size=32),
            st.sampled_from([1, 2, 4, 8, 16, 40]),
        ),
        min_size=1,
        max_size=5,
    )
)
def test_shapes_are_those_of_the_bytes_that_lanes_touch(
    instructions: list[tuple[list[int], int]],
) -> None:
    addresses = [[each * size for each in lanes] for lanes, size in instructions]
    warps = WarpTrace(
        access=np.zeros(len(instructions), np.uint32),
        size=np.array([size for _, size in instructions], np.uint32),
        start=np.append(0, np.cumsum([len(each) for each in addresses])),
        lane=np.concatenate([np.arange(len(each)) for each in addresses]).astype(np.uint8),
        address=np.concatenate([np.array(each, np.uint64) for each in addresses]),
        warp_size=32,
    )
    found = warp_shapes(warps)
    for place, (own, (_, size)) in enumerate(zip(addresses, instructions, strict=True)):
        touched = {byte for first in own for byte in range(first, first + size)}
        sectors = {byte // 32 for byte in touched}
        words = {byte // 8 for byte in touched}
        here = found.sector[found.start[place] : found.start[place + 1]].tolist()
        assert sorted(here) == sorted(sectors)
        assert found.lines[place] == len({byte // 128 for byte in touched})
        assert found.ways[place] == max(
            sum(word % 16 == bank for word in words) for bank in range(16)
        )
        whole = {each for each in sectors if touched >= {*range(32 * each, 32 * each + 32)}}
        assert found.partial[place] == len({each // 4 for each in sectors - whole})


def counted(
    trace, threads: int, executions: dict[int, float], *, block: int = 64, resident: int = 2,
    groups: LoadGroups = ALONE, l1_size: int = 1 << 16, waves: float = 1.0,
) -> dict[int, SiteCounts]:  # fmt: skip
    blocks = ResidentBlocks(
        trace=trace, grid=layout((threads,), (block,)), threads=(block,) * (threads // block)
    )
    sample = sampled_warps(blocks, groups, resident=resident, l1_size=l1_size, warp_size=32)
    return {each.access: each for each in site_counts(sample, executions, RATES, waves=waves)}


def test_a_stream_misses_every_sector_and_covers_what_it_stores(handmade) -> None:
    trace = handmade.rectangular((128,), [("A", False, lambda i: i), ("C", True, lambda i: i)])
    found = counted(trace, 128, {0: 1.0, 1: 1.0})
    assert found[0] == SiteCounts(
        access=0, store=False, executions=2.0, wavefronts=2.0, groups=2.0, sectors=8.0, lines=2.0,
        missed=8.0, fresh=8.0, missed_groups=2.0,
    )  # fmt: skip
    assert found[1] == SiteCounts(
        access=1, store=True, executions=2.0, wavefronts=2.0, groups=0.0, sectors=8.0, lines=2.0
    )


def test_strided_stores_cover_sectors_in_part_and_take_a_turn_for_each_line(handmade) -> None:
    trace = handmade.rectangular((64,), [("C", True, lambda i: 64 * i)])
    found = counted(trace, 64, {0: 1.0}, resident=1)
    assert (found[0].sectors, found[0].partial, found[0].wavefronts) == (64.0, 64.0, 64.0)


def test_what_a_row_leaves_in_l1_is_found_there_unless_l1_is_too_small(handmade) -> None:
    """Each thread goes along its own row: 8 elements share a sector."""
    trace = handmade.rectangular((64,), [("A", False, lambda i, k: 1024 * i + k)], inner=64)
    large = counted(trace, 64, {0: 64.0}, resident=1)[0]
    assert (large.executions, large.sectors) == (128.0, 64 * 64)
    assert large.missed == 64 * 64 / 8
    small = counted(trace, 64, {0: 64.0}, resident=1, l1_size=1024)[0]
    assert small.missed == 64 * 64


def test_what_was_not_sampled_goes_on_as_the_second_half_did(handmade) -> None:
    """A thread reads a table of 256 B again and again: only the first round misses."""
    trace = handmade.rectangular((32,), [("A", False, lambda i, k: k % 64)], inner=256)
    whole = counted(trace, 32, {0: 256.0}, block=32, resident=1)[0]
    longer = counted(trace, 32, {0: 2560.0}, block=32, resident=1)[0]
    assert whole.missed == longer.missed == 8.0
    assert longer.executions == 2560.0


def test_later_waves_are_like_the_second(handmade) -> None:
    """Blocks read the same: the first of a multiprocessor brings it in, the others find it."""
    trace = handmade.rectangular((128,), [("A", False, lambda i: i % 64)])
    found = counted(trace, 128, {0: 1.0}, resident=1, waves=10.0)[0]
    assert found.missed == pytest.approx(8.0 / 10)
    assert found.missed_groups == pytest.approx(2.0 / 10)


def test_loads_overlap_in_an_iteration_and_in_those_that_are_unrolled(handmade) -> None:
    trace = handmade.rectangular(
        (32,),
        [("A", False, lambda i, k: 32 * k + i), ("B", False, lambda i, k: 32 * k + i)],
        inner=16,
    )
    loop = trace.accesses[0].loop
    executions = {0: 16.0, 1: 16.0}

    def groups(found: LoadGroups) -> float:
        counts = counted(trace, 32, executions, block=32, resident=1, groups=found)
        return sum(each.groups for each in counts.values())

    assert groups(ALONE) == 16.0
    assert groups(LoadGroups(level={}, together={loop: 4})) == 4.0
    assert groups(LoadGroups(level={1: 1}, together={})) == 32.0


def test_a_sector_that_is_on_its_way_is_waited_for_but_not_missed_again(handmade) -> None:
    """Neighbouring threads share sectors of two arrays of loads in one group."""
    trace = handmade.rectangular((32,), [("A", False, lambda i: i), ("A", False, lambda i: i)])
    first, second = counted(trace, 32, {0: 1.0, 1: 1.0}, block=32, resident=1).values()
    assert (first.missed, second.missed) == (4.0, 0.0)
    assert first.missed_groups == 1.0


def test_columns_of_shared_memory_conflict_and_padding_ends_that(handmade) -> None:
    rows = {"rows": lambda i: i, "column": lambda i: 32 * i, "padded": lambda i: 33 * i}
    passes = {}
    for name, index in rows.items():
        trace = handmade.rectangular((32,), [("T", False, index)])
        blocks = ResidentBlocks(trace=trace, grid=layout((32,), (32,)), threads=(32,))
        (site,), behaviours = shared_counts(blocks, {0: 1.0}, {}, ALONE, GPU, RATES, resident=1)
        passes[name] = site.wavefronts
        assert behaviours[0].transactions == site.wavefronts
    assert passes == {"rows": 1.0, "column": 32.0, "padded": 1.0}
