"""Records become columns, against a decoder of a few lines."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from logca.trace.execute.decoding import Chunk, decoder
from logca.trace.instrument.plan import SitesBuilder
from logca.trace.instrument.records import (
    AGAIN,
    BASE_SITE,
    ENTER,
    LAUNCH,
    LENGTH,
    OUTPUT,
    PAGE_SITE,
    Sites,
)

COLUMNS = 6
DEPTH = 3


def sites(nested: bool) -> Sites:
    """For each depth: a plain access, one of a dynamic length, a header's two, a mark's two."""
    builder = SitesBuilder()
    for page in range(2):
        for depth in range(1, DEPTH + 1):
            number = 10 * page + depth
            same = {"depth": depth, "column": depth - 1, "nest": 5}
            launch = LAUNCH if nested and depth == 1 else 0
            builder.add(OUTPUT, access=number, size=8, **same)
            builder.add(OUTPUT | LENGTH, access=number + 100, **same)
            builder.add(OUTPUT | ENTER | launch, access=number + 200, size=4, **same)
            builder.add(OUTPUT | AGAIN, access=number + 200, size=4, **same)
            builder.add(ENTER | launch, **same)
            builder.add(AGAIN, **same)
        if page == 0:
            builder.make_room(builder.capacity)
    return builder.finish(nests=(5,) if nested else (), columns=COLUMNS)


def slowly(events: list[tuple[int, int, int]], nested: bool) -> list[tuple[object, ...]]:
    """What the events mean: kind, depth and a number each."""
    cells: dict[int, int] = {}
    base = page = launches = 0
    rows: list[tuple[object, ...]] = []
    for kind, depth, number in events:
        if kind == 6:
            base = number % 4
        elif kind == 7:
            page = number % 2
        else:
            own = base + nested
            if kind in (2, 4):
                cells[own + depth - 1] = 0
                if nested and depth == 1:
                    cells[base] = launches
                    launches += 1
            elif kind in (3, 5):
                cells[own + depth - 1] = cells.get(own + depth - 1, -1) + 1
            if kind < 4:
                access = 10 * page + depth + (0, 100, 200, 200)[kind]
                size = (8, number, 4, 4)[kind]
                first = own if nested else 0
                valid = depth if nested else base + depth
                row = [cells.get(first + c, -1) if c < valid else -1 for c in range(COLUMNS)]
                extra = (5, cells.get(base, -1)) if nested else ()
                rows.append((access, number, size, tuple(row), *extra))
    return rows


def encoded(events: list[tuple[int, int, int]]) -> list[int]:
    records = []
    for kind, depth, number in events:
        if kind == 6:
            records.append(BASE_SITE << 48 | number % 4)
        elif kind == 7:
            records.append(PAGE_SITE << 48 | number % 2)
        else:
            records.append((6 * (depth - 1) + kind) << 48 | number)
            if kind == 1:
                records.append(number)
    return records


def rows_of(chunk: Chunk) -> list[tuple[object, ...]]:
    columns = [chunk.access.tolist(), chunk.address.tolist(), chunk.size.tolist()]
    columns.append([tuple(row) for row in chunk.iterations.tolist()])
    if chunk.nest is not None and chunk.launch is not None:
        columns += [chunk.nest.tolist(), chunk.launch.tolist()]
    return list(zip(*columns, strict=True))


EVENTS = st.lists(
    st.tuples(st.integers(0, 7), st.integers(1, DEPTH), st.integers(0, (1 << 31) - 1)), max_size=60
)


@settings(max_examples=200, deadline=None)
@given(parts=st.lists(EVENTS, max_size=4), nested=st.booleans())
def test_every_sequence_of_records(parts: list[list[tuple[int, int, int]]], nested: bool) -> None:
    reader = decoder(sites(nested))
    found = []
    for events in parts:
        found += rows_of(reader.decode(np.array(encoded(events), np.uint64)))
    assert found == slowly([event for events in parts for event in events], nested)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.integers(0, (1 << 64) - 1), max_size=50), st.booleans())
def test_no_record_leads_out_of_the_tables(words: list[int], nested: bool) -> None:
    reader = decoder(sites(nested))
    for _ in range(2):
        assert len(reader.decode(np.array(words, np.uint64))) <= len(words)


def test_a_chunk_that_is_kept_stays_as_it_is() -> None:
    reader = decoder(sites(nested=False))
    chunks = [reader.decode(np.array([n] * 1000, np.uint64)) for n in range(5)]
    assert [chunk.address[0] for chunk in chunks] == list(range(5))
    addresses = {chunk.address.__array_interface__["data"][0] for chunk in chunks}
    assert len(addresses) == 5


def test_memory_of_a_chunk_that_is_not_kept_is_used_again() -> None:
    reader = decoder(sites(nested=False))
    addresses = set()
    for n in range(5):
        chunk = reader.decode(np.array([n] * 1000, np.uint64))
        addresses.add(chunk.address.__array_interface__["data"][0])
        del chunk
    assert len(addresses) == 1
