"""Dependences between threads, against all pairs of accesses."""

from itertools import combinations
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from logca.gpu.dependences import dependences
from logca.gpu.nest import NestTrace, nest_trace

pytest.importorskip("numba")

Event = tuple[int, int, int, int]
"""Static access, address, launch, thread."""


def traced(
    handmade: SimpleNamespace, events: list[Event], sizes: list[int], **more: Any
) -> NestTrace:
    columns = np.array(events)
    return nest_trace(
        access=columns[:, 0].astype(np.uint32),
        address=columns[:, 1].astype(np.uint64),
        launch=columns[:, 2].astype(np.int32),
        iterations=columns[:, 3:].astype(np.int32),
        accesses=[
            handmade.site(number, "x", number % 2 == 1, 0, size, **more)
            for number, size in enumerate(sizes)
        ],
        loops=[handmade.loop(0, None, 0)],
        nest=0,
        collapse=1,
    )


def by_pairs(events: list[Event], sizes: list[int]) -> dict[tuple[str, int, int], set[int]]:
    """Bytes in which two accesses depend on each other with no write between them."""
    found: dict[tuple[str, int, int], set[int]] = {}
    bytes_of = [set(range(event[1], event[1] + sizes[event[0]])) for event in events]
    for first, last in combinations(range(len(events)), 2):
        writes = events[first][0] % 2, events[last][0] % 2
        if not any(writes) or events[first][2] != events[last][2]:
            continue
        if events[first][3] == events[last][3]:
            continue
        common = bytes_of[first] & bytes_of[last]
        for between in range(first + 1, last):
            if events[between][0] % 2:
                common -= bytes_of[between]
        if common:
            kind = {(1, 0): "flow", (0, 1): "anti", (1, 1): "output"}[writes]
            key = (kind, events[first][0], events[last][0])
            found[key] = found.get(key, set()) | common
    return found


@given(
    st.lists(
        st.tuples(st.integers(0, 3), st.integers(0, 5), st.integers(0, 1), st.integers(0, 3)),
        min_size=1,
        max_size=25,
    ),
    st.lists(st.sampled_from([1, 2, 4]), min_size=4, max_size=4),
)
@settings(max_examples=300)
def test_all_pairs(
    handmade: SimpleNamespace, drawn: list[tuple[int, int, int, int]], sizes: list[int]
) -> None:
    events = sorted(drawn, key=lambda event: (event[2], event[3]))
    found = dependences(traced(handmade, events, sizes))
    wanted = by_pairs(events, sizes)
    assert {(each.kind, each.source.id, each.sink.id) for each in found} == set(wanted)
    for each in found:
        reached = wanted[each.kind, each.source.id, each.sink.id]
        assert each.addresses == len({byte // each.granule for byte in reached})
        assert each.source_iterations != each.sink_iterations


def test_the_first_two_threads_are_told(handmade: SimpleNamespace) -> None:
    sites: list[Any] = [("x", False, lambda i: i + 1), ("x", True, lambda i: i)]
    (found,) = dependences(handmade.rectangular((50,), sites))
    assert (found.kind, found.addresses) == ("anti", 49)
    assert (found.source_iterations, found.sink_iterations) == ((0,), (1,))
    assert found.row()["array"] == "x"


def test_a_sum_over_all_threads(handmade: SimpleNamespace) -> None:
    sites: list[Any] = [("sum", False, lambda i, k: 0 * i), ("sum", True, lambda i, k: 0 * i)]
    found = dependences(handmade.rectangular((8,), sites, inner=4))
    assert [each.kind for each in found] == ["flow", "output"]
    assert found[0].source_iterations == (0, 3)
    assert found[0].sink_iterations == (1, 0)


def test_kernels_without_dependences(handmade: SimpleNamespace) -> None:
    assert dependences(handmade.product(32)) == ()
    assert dependences(handmade.convolution(66)) == ()
    assert dependences(handmade.correlation(20)) == ()


def test_arrays_of_a_thread_do_not_count(handmade: SimpleNamespace) -> None:
    events = [(1, 0, 0, 0), (0, 0, 0, 0), (1, 0, 0, 1), (0, 0, 0, 1)]
    shared = dependences(traced(handmade, events, [4, 4]))
    assert [each.kind for each in shared] == ["anti", "output"]
    assert dependences(traced(handmade, events, [4, 4], private_to=0)) == ()
