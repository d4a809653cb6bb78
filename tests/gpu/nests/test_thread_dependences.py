"""Dependences carried by loops, against all pairs of accesses."""

from dataclasses import dataclass
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from logca.common.errors import TraceError
from logca.gpu.nests.nest import Columns
from logca.gpu.nests.thread_dependences import Watch
from logca.trace.ir.program import Access, Loop

pytest.importorskip("numba")


def loop(number: int, parent: int | None) -> Loop:
    return Loop(
        id=number,
        function="main",
        source_function="main",
        header=number,
        latches=(),
        blocks=frozenset({number}),
        parent=parent,
        depth=0 if parent is None else 1,
        file="k.c",
        line=number + 1,
        end_line=9,
        inductions=("i",),
        carried=(),
        position=number,
    )


def access(
    number: int,
    inside: int | None,
    *,
    store: bool,
    private_to: int | None = None,
    size: int = 4,
) -> Access:
    return Access(
        id=number,
        function="main",
        source_function="main",
        block=0,
        index=number,
        store=store,
        size=size,
        type="float",
        file="k.c",
        line=number + 1,
        column=1,
        array="a",
        real=True,
        loop=inside,
        private=private_to is not None,
        private_to=private_to,
    )


@dataclass(frozen=True)
class Record:
    """An access to one or more cells of 4 bytes."""

    site: int
    cell: int
    launch: int
    iterations: tuple[int, ...]


LOOPS = (loop(0, None), loop(1, 0), loop(2, 1), loop(3, 0))
DEPTH = 3


def watched(accesses: list[Access], records: list[Record], chunk: int = 7) -> Watch:
    watch = Watch(accesses, LOOPS, 0)
    for start in range(0, len(records), chunk):
        part = records[start : start + chunk]
        rows = [each.iterations + (-1,) * (DEPTH - len(each.iterations)) for each in part]
        watch.add(
            Columns(
                access=np.array([each.site for each in part], np.uint32),
                address=np.array([4096 + 4 * each.cell for each in part], np.uint64),
                size=np.array([accesses[each.site].size for each in part], np.uint32),
                launch=np.array([each.launch for each in part], np.int32),
                iterations=np.array(rows, np.int32),
            )
        )
    return watch


def chain(each: Access) -> list[int]:
    found: list[int] = []
    at = each.loop
    while at is not None:
        found.insert(0, at)
        at = LOOPS[at].parent
    return found


def carrying(accesses: list[Access], first: Record, second: Record) -> int | None:
    ways = zip(chain(accesses[first.site]), chain(accesses[second.site]), strict=False)
    ends = zip(first.iterations, second.iterations, strict=False)
    for (one, other), (before, after) in zip(ways, ends, strict=False):
        if one != other:
            return None
        if before != after:
            return one
    return None


Dependence = tuple[str, int, int, int, tuple[tuple[int, ...], tuple[int, ...]]]


def expected(accesses: list[Access], records: list[Record]) -> set[Dependence]:
    """Kind, loop, the two static accesses and the iterations of both."""
    found = set()
    cells = [
        (record, cell)
        for record in records
        for cell in range(record.cell, record.cell + accesses[record.site].size // 4)
    ]
    for later, (second, cell) in enumerate(cells):
        for first, before in reversed(cells[:later]):
            if before != cell or first.launch != second.launch:
                continue
            stores = accesses[first.site].store, accesses[second.site].store
            kind = {(1, 0): "flow", (0, 1): "anti", (1, 1): "output"}.get(stores)
            carrier = carrying(accesses, first, second)
            if kind is not None and carrier is not None:
                iterations = first.iterations, second.iterations
                found.add((kind, carrier, first.site, second.site, iterations))
            if stores[0]:
                break
    return found


@st.composite
def programs(draw: st.DrawFn) -> tuple[list[Access], list[Record]]:
    """Two launches of a nest with loops 0 { 1 { 2 } 3 } and accesses anywhere in it."""
    places = draw(
        st.lists(
            st.tuples(st.sampled_from(range(4)), st.booleans(), st.sampled_from([4, 8])),
            min_size=1,
            max_size=5,
        )
    )
    accesses = [
        access(n, inside, store=store, size=size) for n, (inside, store, size) in enumerate(places)
    ]
    extents = {0: draw(st.integers(1, 3)), 1: 2, 2: draw(st.integers(1, 3)), 3: 2}
    records: list[Record] = []

    def body(inside: int, launch: int, iterations: tuple[int, ...]) -> None:
        for each in accesses:
            if each.loop == inside:
                cell = draw(st.integers(0, 3))
                records.append(Record(each.id, cell, launch, iterations))
        for inner in LOOPS:
            if inner.parent == inside:
                for number in range(extents[inner.id]):
                    body(inner.id, launch, (*iterations, number))

    for launch, number in product(range(2), range(extents[0])):
        body(0, launch, (number,))
    return accesses, records


@given(programs())
@settings(max_examples=200)
def test_the_carrying_loops_are_those_of_all_pairs(
    program: tuple[list[Access], list[Record]],
) -> None:
    accesses, records = program
    found = watched(accesses, records, chunk=1 << 10).found()
    pairs = expected(accesses, records)
    assert {(each.kind, each.loop) for each in found} == {(kind, loop) for kind, loop, *_ in pairs}
    for each in found:
        ends = each.source.id, each.sink.id, each.iterations
        assert (each.kind, each.loop, *ends) in pairs


def apart(accesses: list[Access], first: Record, second: Record) -> int:
    """So many loops around both are in the same iteration."""
    ways = zip(chain(accesses[first.site]), chain(accesses[second.site]), strict=False)
    ends = zip(first.iterations, second.iterations, strict=False)
    alike = [one == other and a == b for (one, other), (a, b) in zip(ways, ends, strict=False)]
    return [*alike, False].index(False)


@given(programs())
@settings(max_examples=100)
def test_what_else_is_seen_of_pairs_of_accesses(
    program: tuple[list[Access], list[Record]],
) -> None:
    accesses, records = program
    watch = watched(accesses, records, chunk=1 << 10)
    cells = [
        (record, cell)
        for record in records
        for cell in range(record.cell, record.cell + accesses[record.site].size // 4)
    ]
    # loops inside the carrying one in which a pair differs, or cannot be compared
    inside: dict[tuple[str, int], set[int]] = {}
    for each in watch.found():
        inside.setdefault((each.kind, each.loop), set()).update(each.inside)
    for kind, loop, source, sink, ends in expected(accesses, records):
        ways = zip(chain(accesses[source]), chain(accesses[sink]), strict=False)
        for (one, other), a, b in list(zip(ways, *ends, strict=False))[len(chain_to(loop)) :]:
            if one == other and a != b:
                assert one in inside[kind, loop]
    covered: dict[int, int] = {}
    written: dict[int, list[int]] = {}
    touching: dict[int, set[int]] = {}
    for later, (second, cell) in enumerate(cells):
        touching.setdefault(cell, set()).add(second.site)
        before = [
            first
            for first, other in cells[:later]
            if other == cell and first.launch == second.launch and accesses[first.site].store
        ]
        close = apart(accesses, before[-1], second) if before else 0
        if accesses[second.site].store:
            for level in range(close, DEPTH + 1):
                written.setdefault(second.site, [0] * (DEPTH + 1))[level] += 4
        else:
            covered[second.site] = min(covered.get(second.site, DEPTH), close)
    memories = watch.memories()
    ran = {record.site for record in records}
    found = {site: memory for memory in memories for site in memory.accesses if site in ran}
    for sites in touching.values():
        assert len({id(found[site]) for site in sites}) == 1
    assert {site: each.covered[site] for site, each in found.items() if site in covered} == covered
    assert {
        site: list(each.written[site]) for site, each in found.items() if site in written
    } == written
    stored = {cell for record, cell in cells if accesses[record.site].store}
    assert sum(memory.size for memory in memories) == 4 * len(stored)
    assert watch.most()[0] == max(record.iterations[0] for record in records) + 1


def chain_to(loop: int) -> list[int]:
    """A loop and those around it."""
    outer = LOOPS[loop].parent
    return [*([] if outer is None else chain_to(outer)), loop]


def test_the_reader_of_another_thread_is_named() -> None:
    """a[i] = a[i] + a[i + 1]: thread i writes what thread i - 1 has read, and it itself too."""
    accesses = [access(n, 0, store=n == 2) for n in range(3)]
    records = [Record(n, i + (n == 1), 0, (i,)) for i in range(5) for n in range(3)]
    (anti,) = watched(accesses, records).found()
    assert (anti.kind, anti.source.id, anti.sink.id, anti.count) == ("anti", 1, 2, 4)
    assert anti.iterations == ((0,), (1,))


def test_an_example_says_which_iterations() -> None:
    accesses = [access(0, 1, store=False), access(1, 1, store=True)]
    records = [
        Record(site, i + j + site, 0, (i, j)) for i in range(3) for j in range(3) for site in (0, 1)
    ]
    flow = {each.loop: each for each in watched(accesses, records).found() if each.kind == "flow"}
    assert flow[1].iterations == ((0, 0), (0, 1))
    assert flow[0].source.store
    assert not flow[0].sink.store


def test_a_private_array_carries_nothing_across_its_loop() -> None:
    accesses = [
        access(0, 1, store=True, private_to=0),
        access(1, 1, store=False, private_to=0),
    ]
    records = [Record(site, j, 0, (i, j)) for i in range(3) for j in range(2) for site in (0, 1)]
    assert watched(accesses, records).found() == ()
    shared = [access(0, 1, store=True), access(1, 1, store=False)]
    assert {each.loop for each in watched(shared, records).found()} == {0}


def test_a_nest_that_is_too_deep_is_refused() -> None:
    watch = Watch([access(0, 0, store=True)], LOOPS, 0)
    one = np.ones(1)
    with pytest.raises(TraceError, match="loops are nested 31 deep; at most 30 are supported"):
        watch.add(
            Columns(
                access=one.astype(np.uint32),
                address=one.astype(np.uint64),
                size=one.astype(np.uint32),
                launch=one.astype(np.int32),
                iterations=np.zeros((1, 31), np.int32),
            )
        )


def test_many_granules_are_remembered() -> None:
    accesses = [access(0, 0, store=True), access(1, 3, store=False)]
    records = [Record(0, cell, 0, (0,)) for cell in range(70_000)]
    records += [Record(1, cell, 0, (1, 0)) for cell in range(70_000)]
    (flow,) = watched(accesses, records, chunk=1 << 20).found()
    assert (flow.kind, flow.loop, flow.count) == ("flow", 0, 70_000)


def test_of_very_many_granules_a_share_is_remembered() -> None:
    """Of the first half of a million all, of the others every sixteenth, which counts for all."""
    count = 2 << 20
    watch = Watch([access(0, 0, store=True), access(1, 3, store=False)], LOOPS, 0)
    cells = np.arange(count, dtype=np.uint64)
    for site in range(2):
        row = np.array([site, -1 if site == 0 else 0, -1], np.int32)
        watch.add(
            Columns(
                access=np.full(count, site, np.uint32),
                address=4096 + 4 * cells,
                size=np.full(count, 4, np.uint32),
                launch=np.zeros(count, np.int32),
                iterations=np.broadcast_to(row, (count, 3)),
            )
        )
    (flow,) = watch.found()
    assert (flow.kind, flow.loop) == ("flow", 0)
    assert flow.count == pytest.approx(count, rel=0.05)
    assert watch.carriers() == {0}


def test_carriers_are_the_loops_of_what_was_found() -> None:
    accesses = [access(0, 1, store=False), access(1, 2, store=True)]
    records = [Record(0, 0, 0, (0, 0)), Record(1, 0, 0, (0, 1, 0)), Record(1, 0, 0, (0, 1, 1))]
    watch = watched(accesses, records)
    assert watch.carriers() == {each.loop for each in watch.found()} == {1, 2}
