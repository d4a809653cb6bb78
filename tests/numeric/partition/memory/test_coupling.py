"""What is left of a histogram for one design, against the histogram itself."""

import itertools
from typing import Any

import numpy as np
import pytest
from accesses_by_outcome import memory_time
from effort import examples
from hypothesis import given
from hypothesis import strategies as st

from logca.numeric.partition.memory.caches import CacheError, Latencies
from logca.numeric.partition.memory.coupling import Coupling, coupling_cost, coupling_of, row_costs
from logca.numeric.partition.memory.designs import DESIGNS, costs
from logca.numeric.partition.memory.signatures import KINDS, READ, WRITE, Signatures

BLOCKS = 4
KENTER = Latencies(l1=3, l2=15, memory=200, write_back=15, penalty=1)
NAMES = st.sampled_from(sorted(DESIGNS))
LATENCIES = st.builds(
    Latencies,
    l1=st.integers(0, 5),
    l2=st.integers(0, 20),
    memory=st.integers(0, 300),
    write_back=st.sampled_from([0, 1, 15, 200]),
    penalty=st.integers(0, 1),
)


def signatures_of(
    lists: list[tuple[int, list[tuple[int, int]], int]], *, blocks: int = BLOCKS
) -> Signatures:
    entries = [entry for _, each, _ in lists for entry in each]
    flat = np.array(entries, np.int64).reshape(-1, 2)
    return Signatures(
        blocks=blocks,
        block=np.array([block for block, _, _ in lists], np.int32),
        start=np.cumsum([0, *(len(each) for _, each, _ in lists)]).astype(np.int64),
        entry_block=flat[:, 0].astype(np.int32),
        entry_kind=flat[:, 1].astype(np.int8),
        weight=np.array([weight for *_, weight in lists], np.int64),
        resident=True,
    )


ENTRY = st.tuples(st.integers(0, BLOCKS - 1), st.integers(0, len(KINDS) - 1))
SIGNATURES = st.lists(
    st.tuples(st.integers(0, BLOCKS - 1), st.lists(ENTRY, max_size=7), st.integers(1, 1_000)),
    max_size=6,
).map(signatures_of)


def partitions(blocks: int = BLOCKS) -> list[Any]:
    return [np.array(each) for each in itertools.product([False, True], repeat=blocks)]


def depends_on(coupling: Coupling, row: int, block: int) -> bool:
    """Whether a block that changes its core ever changes what the row costs."""
    for mapped in partitions():
        other = mapped.copy()
        other[block] = not other[block]
        if row_costs(coupling, mapped)[row] != row_costs(coupling, other)[row]:
            return True
    return False


@examples(150, 1_000)
@given(signatures=SIGNATURES, name=NAMES, latencies=LATENCIES, resident=st.booleans())
def test_no_partition_costs_more_or_less_than_its_accesses(
    signatures: Signatures, name: str, latencies: Latencies, resident: bool
) -> None:
    coupling = coupling_of(signatures, DESIGNS[name], latencies, resident=resident)
    least = np.full(coupling.rows, 2**62)
    most = np.full(coupling.rows, -1)
    for mapped in partitions():
        expected = memory_time(signatures, DESIGNS[name], latencies, mapped, resident=resident)
        assert coupling_cost(coupling, mapped) == expected
        rows = row_costs(coupling, mapped)
        own = np.where(mapped, coupling.accelerator, coupling.cpu).sum()
        assert own + rows.sum() == expected
        active = mapped[coupling.block] == coupling.side
        assert not rows[~active].any()
        least[active] = np.minimum(least, rows)[active]
        most[active] = np.maximum(most, rows)[active]
    assert np.array_equal(least, np.zeros(coupling.rows))
    assert np.array_equal(most, coupling.upper)
    assert (coupling.upper > 0).all()


@examples(50, 300)
@given(signatures=SIGNATURES, name=NAMES, latencies=LATENCIES, resident=st.booleans())
def test_rows_differ_and_hold_nothing_that_does_not_matter(
    signatures: Signatures, name: str, latencies: Latencies, resident: bool
) -> None:
    coupling = coupling_of(signatures, DESIGNS[name], latencies, resident=resident)
    rows = []
    for row in range(coupling.rows):
        entries = coupling.entry[coupling.start[row] : coupling.start[row + 1]]
        rows.append((int(coupling.block[row]), bool(coupling.side[row]), *map(int, entries)))
        for block in {int(entry) >> 3 for entry in entries}:
            assert depends_on(coupling, row, block)
    assert len(set(rows)) == len(rows)
    keys = [(block, side) for block, side, *_ in rows]
    for place, (block, side) in enumerate(itertools.product(range(BLOCKS), (False, True))):
        group = keys[coupling.group[place] : coupling.group[place + 1]]
        assert group == [each for each in keys if each == (block, side)]
    assert name != "SL1" or not rows


def test_a_list_of_many_blocks_is_bounded_without_trying() -> None:
    blocks = 30
    lists = [(0, [(k, KINDS.index("L1_CONFLICT")) for k in range(1, blocks)] + [(0, READ)], 2)]
    found = coupling_of(signatures_of(lists, blocks=blocks), DESIGNS["SL2+"], KENTER)
    assert found.rows == 2
    assert found.upper.tolist() == [2 * (16 - 3)] * 2
    assert found.cpu.tolist() == found.accelerator.tolist() == [2 * 3, *[0] * (blocks - 1)]
    mapped = np.ones(blocks, np.bool_)
    assert coupling_cost(found, mapped) == 2 * 16
    mapped[1:] = False
    assert coupling_cost(found, mapped) == 2 * 3


@pytest.mark.parametrize(
    ("design", "expected"),
    [
        ("SL1", [4, 19, 15, 30, 200, 215]),
        ("SL2+", [3, 18, 16, 31, 200, 215]),
        ("SL2-", [3, 18, 16, 31, 200, 215]),
        ("SMM+", [3, 18, 15, 30, 200, 215]),
        ("SMM-", [3, 18, 15, 30, 200, 215]),
    ],
)
def test_the_penalty_is_on_the_nearest_shared_cache_only(design: str, expected: list[int]) -> None:
    assert costs(DESIGNS[design], KENTER).tolist() == expected


def test_a_changed_line_of_the_other_core_costs_a_write_back() -> None:
    found = signatures_of([(0, [(1, WRITE)], 5)])
    mapped = [True, False, False, False]
    latencies = Latencies(l1=3, l2=15, memory=200, write_back=40)
    times = {
        name: memory_time(found, design, latencies, mapped) for name, design in DESIGNS.items()
    }
    assert times == {
        "SL1": 5 * 3,
        "SL2+": 5 * (15 + 40),
        "SL2-": 5 * (15 + 40),
        "SMM+": 5 * (200 + 40),
        "SMM-": 5 * (200 + 40),
    }


def test_costs_that_may_overflow_are_refused() -> None:
    found = signatures_of([(0, [(1, WRITE)], 2**40)])
    with pytest.raises(CacheError, match="divide all executions by a number"):
        coupling_of(found, DESIGNS["SL2+"], Latencies(l1=3, l2=15, memory=2**30, write_back=0))
