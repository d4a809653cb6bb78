"""What is found while a trace goes by makes that trace again, also where it was cut off."""

from collections.abc import Iterator, Mapping
from itertools import product

import numpy as np
import pytest
from loop_nests import (
    NESTS,
    Nest,
    Record,
    alternating,
    base,
    every_other,
    indirect,
    ragged,
    recorded,
    tables,
    traced,
)

from logca.gpu.affine.affine_nest import AffineError, AffineNest
from logca.gpu.affine.streamed_fit import StreamedFit
from logca.gpu.affine.synthesis import synthesise
from logca.gpu.nests.nest import Columns, NestTables, NestTrace, of_launch

pytest.importorskip("numba")

N = 12


def streamed(nest: Nest, columns: Columns, *, chunk: int = 1000) -> StreamedFit:
    accesses, loops = tables(nest)
    where = NestTables(accesses=accesses, loops=loops, nest=0, collapse=nest.collapse)
    found = StreamedFit(where, range(len(accesses)), range(nest.launches(N)))
    for begin in range(0, len(columns.access), chunk):
        found.add(columns.where(slice(begin, begin + chunk)))
    return found


def counted(columns: Columns) -> dict[int, float]:
    numbers, often = np.unique(columns.access, return_counts=True)
    return dict(zip(numbers.tolist(), often.tolist(), strict=True))


def assert_makes(affine: AffineNest, real: NestTrace) -> None:
    """The same accesses in the same order, of all threads."""
    (extents,) = real.extents
    threads = np.array(list(product(*map(range, extents))))
    made = synthesise(affine, threads, launch=real.launches[0])
    for column in ("access", "address", "size", "iterations"):
        np.testing.assert_array_equal(getattr(made, column), getattr(real, column), column)


@pytest.mark.parametrize("chunk", [7, 1000])
@pytest.mark.parametrize("name", NESTS)
def test_a_whole_trace_is_made_again(name: str, chunk: int) -> None:
    nest = NESTS[name]
    found = streamed(nest, recorded(nest, N), chunk=chunk)
    whole = traced(nest, N)
    for number in {whole.launches[0], whole.launches[-1]}:
        real = of_launch(whole, number)
        assert real is not None
        assert_makes(found.nest_of(number, real.extents[0], None), real)


def found_after(nest: Nest, columns: Columns, rows: int, extents: tuple[int, ...]) -> AffineNest:
    counts: Mapping[int, float] = counted(columns)
    return streamed(nest, columns.where(slice(rows))).nest_of(0, extents, counts)


@pytest.mark.parametrize("name", [each for each in NESTS if NESTS[each].launches(N) == 1])
def test_a_trace_that_was_cut_off_is_made_whole_or_refused(name: str) -> None:
    nest, known = NESTS[name], 0
    columns, real = recorded(nest, N), traced(nest, N)
    total = len(columns.access)
    for rows in range(1, total, max(1, total // 40)):
        try:
            affine = found_after(nest, columns, rows, real.extents[0])
        except AffineError:
            continue
        assert_makes(affine, real)
        known += rows < 0.6 * total
    assert known >= 5, "much of the trace need not be seen"


def stops(n: int, launch: int) -> Iterator[Record]:
    """The last two outermost iterations lack an access."""
    for i, j in product(range(n), range(n)):
        yield 0, base("a", n) + 4 * (i * n + j), (i, j)
        if i < n - 2:
            yield 1, base("b", n) + 4 * (i * n + j), (i, j)


def starts_late(n: int, launch: int) -> Iterator[Record]:
    for i, j in product(range(n), range(n)):
        yield 0, base("a", n) + 4 * (i * n + j), (i, j)
        if i >= n // 2:
            yield 1, base("b", n) + 4 * (i * n + j), (i, j)


def pauses(n: int, launch: int) -> Iterator[Record]:
    """As often as if it stopped after half a row."""
    for i, j in product(range(n), range(n)):
        yield 0, base("a", n) + 4 * (i * n + j), (i, j)
        if i < n - 2 or (i == n - 1 and j < n // 2):
            yield 1, base("b", n) + 4 * (i * n + j), (i, j)


def test_counts_tell_where_an_access_stops_that_the_trace_does_not_reach() -> None:
    nest = Nest(records=stops, sites="a1 b1", parents=(None, 0), collapse=2)
    columns = recorded(nest, N)
    assert_makes(found_after(nest, columns, len(columns.access) // 2, (N, N)), traced(nest, N))


@pytest.mark.parametrize(
    ("records", "message"),
    [(starts_late, "b comes late"), (pauses, "b is made otherwise after the trace ended")],
)
def test_counts_refuse_what_follows_otherwise(records: object, message: str) -> None:
    nest = Nest(records=records, sites="a1 b1", parents=(None, 0), collapse=2)
    columns = recorded(nest, N)
    with pytest.raises(AffineError, match=message):
        found_after(nest, columns, len(columns.access) // 3, (N, N))


def test_the_first_outermost_iterations_are_too_few() -> None:
    nest = NESTS["gemm"]
    columns = recorded(nest, N)
    with pytest.raises(AffineError, match="first iterations of the outermost loop"):
        found_after(nest, columns, 2 * len(columns.access) // N - 1, (N, N))


@pytest.mark.parametrize(
    ("records", "sites", "parents", "message"),
    [
        (indirect, "i1 x1", (None, 0), "kernel.c:11: the address in x"),
        (every_other, "a0 b0", (None,), "kernel.c:11: a condition leaves out"),
        (ragged, "a1", (None, 0), "kernel.c:10: the loops around the access to a"),
    ],
)
def test_what_is_not_affine_is_refused(
    records: object, sites: str, parents: tuple[int | None, ...], message: str
) -> None:
    nest = Nest(records=records, sites=sites, parents=parents, collapse=1)
    found = streamed(nest, recorded(nest, N))
    with pytest.raises(AffineError, match=message):
        found.nest_of(0, (N,), None)
    assert found.irregular == ({1} if records is indirect else frozenset())


def test_launches_are_known_each_for_itself() -> None:
    """Two arrays that are swapped are no affine function of the launch."""
    nest = Nest(records=alternating, sites="a0", parents=(None,), collapse=1, launches=lambda n: 3)
    found, whole = streamed(nest, recorded(nest, N)), traced(nest, N)
    for number in range(3):
        real = of_launch(whole, number)
        assert real is not None
        assert_makes(found.nest_of(number, (N,), None), real)
