"""Lines of accesses against all of their bytes."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from logca.common.errors import TraceError
from logca.trace.profiling.cache_lines import lines_of


def test_pieces_of_lines() -> None:
    lines, accesses = lines_of([0, 126, 1000, 5], [4, 4, 0, 1], line=128)
    assert lines.tolist() == [0, 0, 1, 0]
    assert accesses.tolist() == [0, 1, 1, 3]


@given(
    accesses=st.lists(st.tuples(st.integers(0, 2**64 - 400), st.integers(0, 300))),
    bits=st.integers(0, 8),
)
def test_lines_are_those_of_all_bytes(accesses: list[tuple[int, int]], bits: int) -> None:
    addresses = np.array([address for address, _ in accesses], dtype=np.uint64)
    sizes = np.array([size for _, size in accesses], dtype=np.int32)
    lines, owners = lines_of(addresses, sizes, line=1 << bits)
    expected = [
        (line, owner)
        for owner, (address, size) in enumerate(accesses)
        for line in sorted({byte >> bits for byte in range(address, address + size)})
    ]
    assert [*zip(lines.tolist(), owners.tolist(), strict=True)] == expected


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: lines_of([0], 4, line=0), "line = 0 B; allowed are powers of two"),
        (lambda: lines_of([2**63, 2**64 - 3], 4), "access 1: 4 B from .* end behind 2"),
        (lambda: lines_of([2.0], 4), "addresses are of type float64; allowed are whole numbers"),
        (lambda: lines_of([[1]], 4), "addresses have 2 dimensions; allowed is 1"),
        (lambda: lines_of([1], [-4]), "sizes: -4 is negative; allowed are numbers from 0"),
    ],
)
def test_what_cannot_be_is_refused(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(TraceError, match=message):
        call()
