"""What the memory model refuses, and what it says then."""

from typing import Any

import numpy as np
import pytest

from logca.numeric.partition.memory.caches import CacheError, Geometry, Latencies
from logca.numeric.partition.memory.coupling import coupling_cost, coupling_of
from logca.numeric.partition.memory.designs import DESIGNS, design_named
from logca.numeric.partition.memory.recording import Recorder
from logca.numeric.partition.memory.signatures import Signatures
from logca.numeric.partition.memory.simulation import Simulation

KENTER = Latencies(l1=3, l2=15, memory=200, write_back=15)


@pytest.mark.parametrize(
    ("sizes", "message"),
    [
        ({"line": 48}, "line = 48 B; allowed are powers of two: take 32 or 64"),
        ({"l1": 0}, "l1 = 0; allowed are whole numbers from 1 on"),
        ({"l1": 3 << 10}, "take 2048 or 4096"),
        ({"l2": 4e6}, "l2 = 4000000.0; allowed are whole numbers"),
        ({"l2": True}, "l2 = True; allowed are whole numbers"),
        ({"line": 64, "l1": 32}, "l1 = 32 B is smaller than line = 64 B"),
        ({"l1": 1 << 15, "l2": 1 << 14}, "l2 = 16384 B is smaller than l1 = 32768 B"),
        ({"l2": 1 << 40}, "take longer lines, or a smaller l2"),
    ],
)
def test_sizes_that_are_no_caches(sizes: dict[str, Any], message: str) -> None:
    with pytest.raises(CacheError, match=message):
        Geometry(**sizes)


@pytest.mark.parametrize("value", [-1, 1.5, True, None])
def test_latencies_that_are_none(value: Any) -> None:
    with pytest.raises(CacheError, match="write_back"):
        Latencies(l1=3, l2=15, memory=200, write_back=value)


@pytest.mark.parametrize(
    ("accesses", "message"),
    [
        (([2], [0], [4], [False]), "block 2; allowed are 0 to 1"),
        (([-1], [0], [4], [False]), "block -1; allowed are 0 to 1"),
        (([0.0], [0], [4], [False]), "blocks are of type float64"),
        (([0], [0.5], [4], [False]), "addresses are of type float64"),
        (([0], [-8], [4], [False]), "-8 is negative"),
        (([0], [0], [4], [1]), "store is of type int64; allowed is bool"),
        (([0, 1], [0], [4], [False]), r"block has shape \(2,\) with 1 addresses"),
        (([0], [0], [4], [False, True]), r"store has shape \(2,\) with 1 addresses"),
        (([0], [0], [4, 4], [False]), "broadcast"),
        (([0], [2**64 - 1], [4], [False]), "behind 2"),
    ],
)
def test_accesses_that_are_none(accesses: tuple[Any, ...], message: str) -> None:
    block, address, size, store = accesses
    recorder = Recorder(2, Geometry())
    simulation = Simulation(2, Geometry(), DESIGNS["SL1"], [False, False])
    for machine in (recorder, simulation):
        with pytest.raises(CacheError, match=message):
            machine.push(np.array(block), np.array(address), np.array(size), np.array(store))
    assert recorder.signatures().accesses == simulation.counts.sum() == 0


@pytest.mark.parametrize("blocks", [0, -3, 2.0, True, 1 << 25])
def test_numbers_of_blocks_that_are_none(blocks: Any) -> None:
    with pytest.raises(CacheError, match="blocks = "):
        Recorder(blocks, Geometry())


def signatures(**changes: Any) -> Signatures:
    values: dict[str, Any] = {
        "blocks": 2,
        "block": np.array([0, 1], np.int32),
        "start": np.array([0, 1, 2]),
        "entry_block": np.array([1, 0], np.int32),
        "entry_kind": np.array([0, 3], np.int8),
        "weight": np.array([5, 6]),
        "resident": False,
    }
    return Signatures(**(values | changes))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"start": np.array([0, 1])}, "2 signatures with 2 starts and 2 weights"),
        ({"start": np.array([0, 3, 2])}, "start falls"),
        ({"start": np.array([0, 1, 1])}, "2 entries with 2 kinds, from 0 to 1"),
        ({"weight": np.array([5])}, "1 weights"),
        ({"entry_kind": np.array([0, 4], np.int8)}, r"entry_kind\[1\] is 4; allowed are 0 to 3"),
        ({"entry_block": np.array([2, 0], np.int32)}, r"entry_block\[0\] is 2"),
        ({"block": np.array([0, -1], np.int32)}, r"block\[1\] is -1"),
    ],
)
def test_arrays_that_are_no_signatures(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(CacheError, match=message):
        signatures(**changes)


def test_partitions_of_other_programs() -> None:
    found = signatures()
    coupling = coupling_of(found, DESIGNS["SL2+"], KENTER)
    for action in (
        lambda: coupling_cost(coupling, [True] * 3),
        lambda: Simulation(2, Geometry(), DESIGNS["SL1"], [True]),
    ):
        with pytest.raises(CacheError, match="say of each of the 2 blocks"):
            action()


def test_designs_and_options_that_do_not_exist() -> None:
    with pytest.raises(CacheError, match=r"design 'SL3'; did you mean .* known: SL1, SL2"):
        design_named("SL3")
    with pytest.raises(CacheError, match="record the trace again"):
        coupling_of(signatures(), DESIGNS["SL2+"], KENTER, resident=True)


@pytest.mark.parametrize("ways", [(3, 1), (0, 1), (1, 1 << 20)])
def test_ways_that_a_cache_cannot_have(ways: tuple[int, int]) -> None:
    with pytest.raises(CacheError, match="powers of two up to its"):
        Simulation(1, Geometry(), DESIGNS["SL1"], [False], ways=ways)
