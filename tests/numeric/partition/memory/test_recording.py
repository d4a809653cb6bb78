"""The histogram of one pass against a naive simulation of both cores' caches, and laws."""

import itertools
import random
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from accesses_by_outcome import counts
from effort import examples
from hypothesis import given
from hypothesis import strategies as st

from logca.numeric.partition.memory.caches import Geometry
from logca.numeric.partition.memory.designs import DESIGNS
from logca.numeric.partition.memory.recording import Recorder
from logca.numeric.partition.memory.signatures import KINDS, Signatures

Access = tuple[int, int, int, bool]
Play = Callable[..., Any]

GEOMETRIES = ((16, 64, 256), (32, 32, 128), (64, 256, 256), (8, 128, 1024))
BLOCKS = 6


def recorded(
    trace: Sequence[Access],
    sizes: tuple[int, int, int],
    *,
    blocks: int = BLOCKS,
    resident: bool = False,
    cuts: Sequence[int] = (),
) -> Signatures:
    line, l1, l2 = sizes
    recorder = Recorder(blocks, Geometry(line=line, l1=l1, l2=l2), resident=resident)
    places = [0, *sorted(cuts), len(trace)]
    for first, last in itertools.pairwise(places):
        part = trace[first:last]
        recorder.push(
            np.array([each[0] for each in part], np.int64),
            np.array([each[1] for each in part], np.uint64),
            np.array([each[2] for each in part], np.uint32),
            np.array([each[3] for each in part], np.bool_),
        )
    return recorder.signatures()


def content(signatures: Signatures) -> dict[tuple[int, tuple[tuple[int, str], ...]], int]:
    rows = range(len(signatures))
    found = {
        (int(signatures.block[i]), tuple(signatures.entries(i))): int(signatures.weight[i])
        for i in rows
    }
    assert len(found) == len(signatures)
    return found


def by_definition(
    trace: Sequence[Access], sizes: tuple[int, int, int], repeats: bool, resident: bool
) -> Signatures:
    """Everything in the set of level 1 since the block's own last touch, or write, of the line."""
    line, l1, l2 = (each // sizes[0] for each in sizes)
    assert line == 1
    lists: list[list[tuple[int, int]]] = []
    lines = [(block, address // sizes[0], store) for block, address, _, store in trace]
    for now, (block, number, _) in enumerate(lines):
        entries: list[tuple[int, int]] = []
        for other, touched, store in reversed(lines[:now]):
            if touched == number:
                kind = KINDS.index("WRITE" if store else "READ")
            elif touched % l2 == number % l2:
                kind = KINDS.index("L2_CONFLICT")
            elif touched % l1 == number % l1:
                kind = KINDS.index("L1_CONFLICT")
            else:
                continue
            if repeats or (other, kind) not in entries:
                entries.append((other, kind))
            if touched == number and other == block and (store or not resident):
                break
        lists.append(entries)
    flat = np.array([entry for entries in lists for entry in entries]).reshape(-1, 2)
    return Signatures(
        blocks=BLOCKS,
        block=np.array([block for block, _, _ in lines], np.int32),
        start=np.cumsum([0, *map(len, lists)]).astype(np.int64),
        entry_block=flat[:, 0].astype(np.int32),
        entry_kind=flat[:, 1].astype(np.int8),
        weight=np.ones(len(lines), np.int64),
        resident=resident,
    )


def random_case(rng: random.Random) -> tuple[list[Access], tuple[int, int, int], int]:
    sizes = GEOMETRIES[rng.randrange(len(GEOMETRIES))]
    blocks = rng.randint(1, 8)
    span = rng.choice((sizes[1] * 2, sizes[2] * 2, sizes[2] * 4))
    widths = (1, 4, 8, sizes[0] + 1, 2 * sizes[0])
    writes = rng.random()
    trace = [
        (rng.randrange(blocks), rng.randrange(span), rng.choice(widths), rng.random() < writes)
        for _ in range(rng.randint(0, 80))
    ]
    return trace, sizes, blocks


@pytest.mark.parametrize(("resident", "cases"), [(False, (500, 2_000)), (True, (300, 1_000))])
def test_one_pass_is_the_simulation_of_every_design_and_partition(
    played: Play, resident: bool, cases: tuple[int, int]
) -> None:
    rng, seen = random.Random(int(resident)), np.zeros((2, 3, 2), np.int64)
    for _ in range(examples(*cases).max_examples):
        trace, sizes, blocks = random_case(rng)
        found = recorded(trace, sizes, blocks=blocks, resident=resident)
        for name, design in DESIGNS.items():
            mapped = [rng.random() < 0.5 for _ in range(blocks)]
            expected = played(trace, mapped, name, sizes, resident=resident)
            assert counts(found, design, mapped, resident=resident).tolist() == expected.tolist()
            seen += expected
    # level 1 is always private, or shared by cores that have nothing to write back
    possible = np.ones((3, 2), np.bool_)
    possible[0, 1] = False
    assert np.array_equal(seen > 0, np.stack([possible, possible]))


def test_the_naive_machine_keeps_inclusion_and_one_owner_of_changes(played: Play) -> None:
    rng = random.Random(2)
    for _ in range(40):
        trace, sizes, blocks = random_case(rng)
        for name in DESIGNS:
            mapped = [rng.random() < 0.5 for _ in range(blocks)]
            for ways in ((1, 1), (1, 2)):
                played(trace, mapped, name, sizes, ways=ways, careful=True)


@st.composite
def traces(draw: st.DrawFn) -> list[Access]:
    """Accesses of one byte, two bytes each of what hypothesis draws."""
    drawn = draw(st.binary(max_size=160))
    return [
        (first % BLOCKS, second % 24 * 16, 1, first >= 160)
        for first, second in zip(drawn[::2], drawn[1::2], strict=False)
    ]


GEOMETRY = st.sampled_from(((16, 64, 128), (16, 16, 256), (16, 128, 128), (32, 64, 256)))
PARTITION = st.lists(st.booleans(), min_size=BLOCKS, max_size=BLOCKS)
NAMES = st.sampled_from(sorted(DESIGNS))


@examples(150, 1_000)
@given(trace=traces(), sizes=GEOMETRY, mapped=PARTITION, name=NAMES, resident=st.booleans())
def test_it_counts_what_the_definition_does_with_and_without_repeated_entries(
    trace: list[Access],
    sizes: tuple[int, int, int],
    mapped: list[bool],
    name: str,
    resident: bool,
) -> None:
    results = [
        counts(signatures, DESIGNS[name], mapped, resident=resident).tolist()
        for signatures in (
            recorded(trace, sizes, resident=resident),
            by_definition(trace, sizes, False, resident),
            by_definition(trace, sizes, True, resident),
        )
    ]
    assert results[0] == results[1] == results[2]


@examples(150, 1_000)
@given(trace=traces(), sizes=GEOMETRY, mapped=PARTITION)
def test_a_shared_first_level_does_not_feel_the_partition(
    trace: list[Access], sizes: tuple[int, int, int], mapped: list[bool]
) -> None:
    found = recorded(trace, sizes)
    everywhere = counts(found, DESIGNS["SL1"], [False] * BLOCKS)
    split = counts(found, DESIGNS["SL1"], mapped)
    assert np.array_equal(split.sum(axis=0), everywhere.sum(axis=0))
    assert not split[:, :, 1].any()


@examples(150, 1_000)
@given(
    trace=traces(),
    sizes=GEOMETRY,
    mapped=PARTITION,
    order=st.permutations(range(BLOCKS)),
    times=st.integers(0, 2**40),
)
def test_names_of_blocks_and_multiples_of_the_second_level_do_not_matter(
    trace: list[Access],
    sizes: tuple[int, int, int],
    mapped: list[bool],
    order: list[int],
    times: int,
) -> None:
    moved = [
        (order[block], address + times * sizes[2], size, store)
        for block, address, size, store in trace
    ]
    first, second = recorded(trace, sizes), recorded(moved, sizes)
    renamed = {
        (order[block], tuple((order[other], kind) for other, kind in entries)): weight
        for (block, entries), weight in content(first).items()
    }
    assert content(second) == renamed
    there = [False] * BLOCKS
    for block, place in enumerate(order):
        there[place] = mapped[block]
    for design in DESIGNS.values():
        assert np.array_equal(counts(first, design, mapped), counts(second, design, there))


def one_core(trace: Sequence[Access], sizes: tuple[int, int, int]) -> list[int]:
    """Accesses that each level of a direct-mapped hierarchy serves: the last line of each set."""
    latest: tuple[dict[int, int], dict[int, int]] = ({}, {})
    served = [0, 0, 0]
    for _, address, _, _ in trace:
        line = address // sizes[0]
        places = [line % (size // sizes[0]) for size in sizes[1:]]
        hit = [latest[level].get(places[level]) == line for level in (0, 1)]
        served[hit.index(True) if any(hit) else 2] += 1
        for level in (0, 1):
            latest[level][places[level]] = line
    return served


@examples(150, 1_000)
@given(trace=traces(), sizes=GEOMETRY)
def test_with_all_blocks_on_the_cpu_every_design_is_one_core_with_two_levels(
    trace: list[Access], sizes: tuple[int, int, int]
) -> None:
    found = recorded(trace, sizes)
    for design in DESIGNS.values():
        served = counts(found, design, [False] * BLOCKS)
        assert served[0, :, 0].tolist() == one_core(trace, sizes)
        assert served.sum() == len(trace)


@examples(150, 1_000)
@given(trace=traces(), sizes=GEOMETRY, cuts=st.lists(st.integers(0, 80)), resident=st.booleans())
def test_the_pieces_of_a_trace_do_not_matter(
    trace: list[Access], sizes: tuple[int, int, int], cuts: list[int], resident: bool
) -> None:
    cuts = [min(cut, len(trace)) for cut in cuts]
    whole = recorded(trace, sizes, resident=resident)
    pieces = recorded(trace, sizes, resident=resident, cuts=cuts)
    assert content(whole) == content(pieces)


@pytest.mark.parametrize("resident", [False, True])
def test_memory_that_has_to_grow_and_lists_that_are_long(played: Play, resident: bool) -> None:
    rng = random.Random(5)
    blocks, sizes = 300, (16, 32, 8192)
    trace = [
        (rng.randrange(blocks), rng.randrange(1 << 16), 4, rng.random() < 0.02)
        for _ in range(6_000)
    ]
    found = recorded(trace, sizes, blocks=blocks, resident=resident)
    assert np.diff(found.start).max() > 100
    for name, design in DESIGNS.items():
        mapped = [rng.random() < 0.5 for _ in range(blocks)]
        expected = played(trace, mapped, name, sizes, resident=resident)
        assert counts(found, design, mapped, resident=resident).tolist() == expected.tolist()


def test_accesses_across_lines_count_once_for_each() -> None:
    found = recorded([(0, 60, 8, True), (0, 60, 8, False), (1, 0, 0, False)], (64, 256, 1024))
    assert content(found) == {(0, ()): 2, (0, ((0, "READ"),)): 2}
