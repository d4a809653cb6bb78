"""Classes and transactions of warp instructions, against sets of lines."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from logca.gpu.stages.coalescing import PATTERNS, Patterns, patterns
from logca.gpu.stages.warps import WarpTrace

pytest.importorskip("numba")

Warp = list[tuple[int, int]]


def traced(warps: list[Warp], size: int = 4) -> WarpTrace:
    count = len(warps)
    flat = [lane for warp in warps for lane in warp]
    return WarpTrace(
        access=np.zeros(count, np.uint32),
        launch=np.zeros(count, np.int32),
        batch=np.zeros(count, np.int32),
        warp=np.arange(count, dtype=np.int32),
        size=np.full(count, size, np.uint32),
        start=np.cumsum([0, *map(len, warps)]),
        lane=np.array([lane for lane, _ in flat], np.uint8),
        address=np.array([address for _, address in flat], np.uint64),
        batches=(1,),
        warp_size=32,
    )


def one(addresses: list[int], size: int = 4, lanes: list[int] | None = None) -> Patterns:
    own = range(len(addresses)) if lanes is None else lanes
    return patterns(traced([list(zip(own, addresses, strict=True))], size), line_size=64)


@pytest.mark.parametrize(
    ("addresses", "size", "pattern", "rule", "lines"),
    [
        ([640] * 32, 4, "constant", 1, 1),
        ([640 + 4 * lane for lane in range(32)], 4, "coalesced", 2, 2),
        ([644 + 4 * lane for lane in range(32)], 4, "coalesced", 2, 3),
        ([640 - 4 * lane for lane in range(32)], 4, "coalesced", 2, 3),
        ([640 + 8 * lane for lane in range(32)], 8, "coalesced", 4, 4),
        ([640 + 8 * lane for lane in range(32)], 4, "uncoalesced", 32, 4),
        ([640 + 512 * lane for lane in range(32)], 4, "uncoalesced", 32, 32),
        ([640 + 4 * (lane // 2) for lane in range(32)], 4, "coalesced", 2, 1),
        ([640 + 4 * lane for lane in range(5)], 4, "coalesced", 2, 1),
        ([640 + 512 * lane for lane in range(5)], 4, "uncoalesced", 32, 5),
        ([640], 4, "constant", 1, 1),
        ([700], 8, "constant", 1, 2),
        ([640 + 4096 * lane for lane in range(2)], 4096, "coalesced", 2048, 128),
    ],
)
def test_patterns_of_the_paper(
    addresses: list[int], size: int, pattern: str, rule: int, lines: int
) -> None:
    found = one(addresses, size)
    assert PATTERNS[found.pattern[0]] == pattern
    assert found.ruled[0] == rule
    assert len(found.line) == lines


def test_masked_lanes_are_passed_over() -> None:
    found = one([0, 8, 16], lanes=[0, 2, 4])
    assert PATTERNS[found.pattern[0]] == "coalesced"
    assert found.stride[0] == 4
    assert PATTERNS[one([0, 12, 16], lanes=[0, 2, 4]).pattern[0]] == "uncoalesced"


def test_the_stride_of_most_lanes() -> None:
    assert one([0, 512, 1024, 4, 516, 1028]).stride[0] == 512
    assert one([0, 4, 12, 24]).stride[0] == 4
    assert one([64]).stride[0] == 0


lanes = st.lists(st.integers(0, 31), min_size=1, max_size=32, unique=True).map(sorted)


@given(
    st.lists(
        lanes.flatmap(
            lambda own: st.tuples(
                st.just(own), st.lists(st.integers(0, 3000), min_size=len(own), max_size=len(own))
            )
        ),
        min_size=1,
        max_size=5,
    ),
    st.sampled_from([1, 4, 8, 200]),
    st.sampled_from([32, 64, 128]),
    st.integers(0, 50),
)
def test_lines_are_those_that_the_lanes_touch(
    drawn: list[tuple[list[int], list[int]]], size: int, line: int, moved: int
) -> None:
    warps = [list(zip(*each, strict=True)) for each in drawn]
    found = patterns(traced(warps, size), line_size=line)
    for number, warp in enumerate(warps):
        touched = dict.fromkeys(
            each // line for _, first in warp for each in range(first, first + size)
        )
        own = found.line[found.start[number] : found.start[number + 1]]
        assert own.tolist() == list(touched)
        steps = [
            (after - before, there - here) for (here, before), (there, after) in pairwise(warp)
        ]
        same = all(step == 0 for step, _ in steps)
        near = all(abs(step) <= gap * size for step, gap in steps)
        assert PATTERNS[found.pattern[number]] == (
            "constant" if same else "coalesced" if near else "uncoalesced"
        )
    other = patterns(
        traced([[(lane, first + moved * line) for lane, first in warp] for warp in warps], size),
        line_size=line,
    )
    assert (other.pattern == found.pattern).all()
    assert (other.stride == found.stride).all()
    assert (other.start == found.start).all()
    assert (other.line == found.line + moved).all()
