"""Bank conflicts: the examples of Fig. 4 of wang2017, Table 3, and a count by sets."""

from collections import defaultdict
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from logca.gpu.devices.parameters import device
from logca.gpu.stages.blocks_and_occupancy import layout
from logca.gpu.stages.shared_memory import bank_ways, from_array_start, shared_memory, tile_loads
from logca.gpu.stages.stage_rows import shared_rows
from logca.gpu.stages.transactions import patterns
from logca.gpu.stages.warps import WarpTrace, warp_trace

pytest.importorskip("numba")

TK1 = device("jetson-tk1")


def one_warp(addresses: list[int], size: int = 4) -> WarpTrace:
    count = len(addresses)
    return WarpTrace(
        access=np.zeros(1, np.uint32),
        size=np.full(1, size, np.uint32),
        start=np.array([0, count]),
        lane=np.arange(count, dtype=np.uint8),
        address=np.array(addresses, np.uint64),
        warp_size=32,
    )


@pytest.mark.parametrize(
    ("words", "ways"),
    [
        ([59, 91], 2),  # one bank, two segments of 64 words
        ([96, 35], 1),  # two banks
        ([1, 1, 1], 1),  # one word
        ([1, 33], 1),  # one bank, one segment
        (list(range(32)), 1),
        ([32 * lane for lane in range(32)], 16),  # a column of a tile, X_uncoal of Table 3
        ([33 * lane for lane in range(32)], 1),  # the same with padding
        ([64 * lane for lane in range(32)], 32),
    ],
)
def test_conflicts_of_the_paper(words: list[int], ways: int) -> None:
    assert bank_ways(one_warp([4 * word for word in words]), TK1).tolist() == [ways]


def test_words_of_eight_bytes_fill_the_banks() -> None:
    assert bank_ways(one_warp([8 * lane for lane in range(32)], 8), TK1)[0] == 1
    narrow = replace(TK1, bank_width=4)
    assert bank_ways(one_warp([8 * lane for lane in range(32)], 8), narrow)[0] == 2


@given(
    st.lists(st.integers(0, 5000), min_size=1, max_size=32),
    st.sampled_from([1, 4, 8, 12]),
    st.sampled_from([(32, 8), (32, 4), (16, 4)]),
)
def test_conflicts_are_segments_of_the_fullest_bank(
    addresses: list[int], size: int, shape: tuple[int, int]
) -> None:
    banks, width = shape
    wanted = defaultdict(set)
    for address in addresses:
        for byte in range(address, address + size):
            wanted[byte // 4 % banks].add(byte // (banks * width))
    own = replace(TK1, banks=banks, bank_width=width)
    ways = max(map(len, wanted.values()))
    assert bank_ways(one_warp(addresses, size), own).tolist() == [ways]


def test_cycles_of_a_tiled_product(handmade: SimpleNamespace) -> None:
    """A tile row is read by column: 16-way as in Table 3; times by eqs 19 and 20."""
    sites: list[Any] = [
        ("a", False, lambda i, j, k: i % 32 * 32 + k),
        ("b", False, lambda i, j, k: k * 32 + j % 32),
        ("c", False, lambda i, j, k: j % 32 * 32 + k),
    ]
    trace = from_array_start(handmade.rectangular((32, 64), sites, inner=32))
    assert trace.address.min() == 0
    assert trace.address.max() == 4 * (1024 - 1)
    warps = warp_trace(trace, layout((32, 64)), blocks_per_batch=2)
    found = shared_memory(
        warps, patterns(warps, line_size=64), {0: 32.0, 1: 32.0, 2: 16.0}, 2.0, TK1
    )
    assert found.ways == {"constant": 1.0, "coalesced": 1.0, "uncoalesced": 16.0}
    assert found.instructions == {"constant": 32.0, "coalesced": 32.0, "uncoalesced": 16.0}
    assert found.cycles_load == 2 * 506
    assert found.cycles == 67 * (32 + 32 + 16 * 16)
    assert shared_rows(found)[-1] == {
        "pattern": "loads",
        "instructions": 2.0,
        "cycles": found.cycles,
        "cycles of loads": found.cycles_load,
    }


def test_loads_that_go_into_a_tile(compile_text: Any) -> None:
    program = compile_text(
        "float a[64][64], b[64];\n"
        "int main(void) {\n"
        "    float tile[64];\n"
        "    for (int i = 0; i < 64; i++) {\n"
        "        for (int j = 0; j < 64; j++)\n"
        "            tile[j] = a[i][j];\n"
        "        for (int j = 0; j < 64; j++)\n"
        "            b[i] += tile[j];\n"
        "    }\n"
        "    return 0;\n"
        "}\n"
    )
    shared = [each.id for each in program.accesses if each.array == "tile"]
    assert len(shared) == 2
    found = tile_loads(program, shared)
    assert [program.accesses[each].array for each in found] == ["a"]
