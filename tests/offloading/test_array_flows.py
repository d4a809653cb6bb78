"""Copies that follow from who reads what another has written."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import groupby

from hypothesis import given
from hypothesis import strategies as st

from logca.gpu.program.workload import Trips
from logca.offloading.array_flows import HOST, OUTSIDE, ArrayAccesses, flows_of


def event(place: int, around: Sequence[int], reads: str = "", writes: str = "") -> ArrayAccesses:
    return ArrayAccesses(
        place=place, around=tuple(around), reads=frozenset(reads), writes=frozenset(writes)
    )


def executed(
    events: Sequence[ArrayAccesses], trips: Mapping[int, int], depth: int = 0
) -> Iterator[ArrayAccesses]:
    """Every event as often as the program comes to it."""
    for loop, inside in groupby(events, lambda each: each.around[depth : depth + 1]):
        body = [*inside]
        if not loop:
            yield from body
            continue
        for _ in range(trips[loop[0]]):
            yield from executed(body, trips, depth + 1)


def copies_on_demand(
    events: Sequence[ArrayAccesses], trips: Mapping[int, int], wanted: str, there: Collection[int]
) -> int:
    """Copies of a run in which each side fetches what it reads and does not have."""
    have = {array: {OUTSIDE in there} for array in "AB"}
    number = 0

    def read(array: str, on_gpu: bool) -> None:
        nonlocal number
        number += on_gpu not in have[array]
        have[array].add(on_gpu)

    for each in executed(events, trips):
        for array in each.reads:
            read(array, each.place in there)
        for array in each.writes:
            have[array] = {each.place in there}
    for array in wanted:
        read(array, OUTSIDE in there)
    return number


ARRAYS = st.sets(st.sampled_from("AB")).map("".join)
AROUND = st.sampled_from([(), (0,), (0, 1), (2,)])


@st.composite
def programs(draw: st.DrawFn) -> list[ArrayAccesses]:
    """Events of three loops and of the host, in an order in which loops around are not left."""
    number = draw(st.integers(1, 6))
    around = sorted(draw(st.lists(AROUND, min_size=number, max_size=number)), key=lambda a: a[:1])
    order = [*dict.fromkeys(around)]
    return [
        event(draw(st.sampled_from([0, 1, 2, HOST])), each, draw(ARRAYS), draw(ARRAYS))
        for each in sorted(around, key=order.index)
    ]


@given(
    programs(),
    st.fixed_dictionaries({0: st.integers(1, 4), 1: st.integers(1, 4), 2: st.integers(1, 4)}),
    ARRAYS,
    st.sets(st.sampled_from([0, 1, 2, OUTSIDE])),
)
def test_copies_are_those_of_a_run_that_fetches_what_it_lacks(
    events: list[ArrayAccesses], trips: dict[int, int], wanted: str, there: set[int]
) -> None:
    entries = {0: 1, 1: trips[0], 2: 1}
    flows = flows_of(
        events,
        "AB",
        wanted,
        lambda loop: Trips(entries=entries[loop], iterations=entries[loop] * trips[loop]),
    )
    expected = copies_on_demand(events, trips, wanted, there)
    assert sum(flow.copies(there) for flow in flows) == expected
