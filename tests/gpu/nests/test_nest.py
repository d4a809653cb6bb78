"""Traces of nests: what they must hold, and accesses between the collapsed loops."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from logca.gpu.nests.nest import (
    Columns,
    NestError,
    NestTrace,
    is_private,
    nest_trace,
    spread,
    without,
)

COLUMNS = Columns(
    access=np.zeros(4, np.uint32),
    address=np.arange(4, dtype=np.uint64),
    size=np.full(4, 4, np.uint32),
    launch=np.zeros(4, np.int32),
    iterations=np.array([[0, 0], [0, 1], [1, 0], [1, 1]], np.int32),
)


def traced(
    handmade: SimpleNamespace, *, columns: dict[str, Any] | None = None, **changes: Any
) -> NestTrace:
    tables = {
        "accesses": [handmade.site(0, "x", False, 1)],
        "loops": [handmade.loop(0, None, 0), handmade.loop(1, 0, 1)],
        "nest": 0,
        "collapse": 1,
    }
    return nest_trace(replace(COLUMNS, **columns or {}), **tables | changes)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"columns": {"access": np.zeros(0, np.uint32)}}, "made no memory access"),
        ({"collapse": 3}, "collapse must be from 1 to 2, the depth of the nest, not 3"),
        ({"collapse": 0}, "collapse must be from 1 to 2"),
        ({"columns": {"launch": np.array([0, 1, 0, 1], np.int32)}}, "not in ascending order"),
        ({"extents": [(1,)]}, "smaller than the iterations"),
        ({"extents": [(2, 2)]}, "extents must be 1 times 1 numbers"),
        (
            {"columns": {"iterations": np.full((4, 2), [0, -1], np.int32)}, "collapse": 2},
            "no iteration of all 2",
        ),
    ],
)
def test_what_does_not_fit_is_refused(
    handmade: SimpleNamespace, changes: dict[str, Any], message: str
) -> None:
    with pytest.raises(NestError, match=message):
        traced(handmade, **changes)


def test_extents_are_found_or_given(handmade: SimpleNamespace) -> None:
    assert traced(handmade).extents == ((2,),)
    assert traced(handmade, extents=[(7,)]).extents == ((7,),)


def test_leaving_out(handmade: SimpleNamespace) -> None:
    trace = handmade.product(32)
    left = without(trace, {1})
    assert set(left.access.tolist()) == {0}
    assert (left.address == trace.address[trace.access == 0]).all()
    assert without(trace, {}) is trace
    with pytest.raises(NestError, match="left out"):
        without(trace, {0, 1})


@pytest.mark.parametrize(
    ("private_to", "private"), [(None, False), (0, False), (1, True), (2, True)]
)
def test_arrays_declared_inside_a_thread(
    handmade: SimpleNamespace, private_to: int | None, private: bool
) -> None:
    loops = [handmade.loop(number, number - 1 if number else None, number) for number in range(3)]
    access = handmade.site(0, "x", True, 2, private_to=private_to)
    trace = traced(handmade, accesses=[access], loops=loops, collapse=2)
    assert is_private(trace, access) is private


Vectors = list[tuple[int, ...]]


@given(st.lists(st.integers(0, 3), min_size=1, max_size=4), st.integers(0, 2))
def test_spreading_gives_each_thread_what_is_around_it(widths: list[int], before: int) -> None:
    rows: Vectors = []
    wanted: list[tuple[int, tuple[int, ...]]] = []
    for i, width in enumerate(widths):
        outside = [(len(rows) + each, (i, -1)) for each in range(before)]
        rows += [(i, -1)] * before
        for j in range(width):
            wanted += [(row, (i, j)) for row, _ in outside]
            wanted.append((len(rows), (i, j)))
            rows.append((i, j))
    iterations = np.array(rows, np.int32).reshape(-1, 2)
    source, made = spread(np.zeros(len(rows), np.int32), iterations, 2)
    assert list(zip(source.tolist(), map(tuple, made.tolist()), strict=True)) == wanted
