"""Flows of a program's arrays between its loops and the host, whichever of them is where.

An array that is written anew has to be copied once to the other side if anything reads it there.
Which loops are on the GPU decides what the other side is, so that copies couple the decisions.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from logca.gpu.bounds.footprint import array_of
from logca.gpu.loops.detection import Loops
from logca.gpu.prediction.result import ReachedArray
from logca.gpu.program.workload import Trips
from logca.trace.ir.program import Access, Program

__all__ = ["HOST", "OUTSIDE", "ArrayAccesses", "ArrayFlow", "array_flows", "flows_of"]

HOST = -1
"""The place of the host's code between the loops, which stays there."""
OUTSIDE = -2
"""The place of whatever comes before the first loop and after the last: the host's memory, or the
GPU's, if an array is resident."""
_NEARLY_ALL = 0.95
"""Share of its bytes from which on an array counts as written whole: borders are often left out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArrayFlow:
    """An array between where it is written and where it is read."""

    array: str  # what the source calls it
    writer: int  # the loop that writes it [1], or HOST or OUTSIDE
    readers: frozenset[int]  # the loops, or HOST or OUTSIDE, that read it before it is written anew
    times: int  # how often this comes to pass [1]

    def copies(self, there: Collection[int]) -> int:
        """Copies that it takes if these loops, and maybe OUTSIDE, are on the GPU [1].

        Examples
        --------
        >>> flow = ArrayFlow(array="A", writer=OUTSIDE, readers=frozenset({0, 1, HOST}), times=3)
        >>> flow.copies({0, 1}), flow.copies(()), flow.copies({0, OUTSIDE})
        (3, 0, 3)
        """
        home = self.writer in there
        return self.times if any((reader in there) != home for reader in self.readers) else 0

    def with_places(self, places: Sequence[int]) -> "ArrayFlow":
        """The flow with loops by other places, given that of each.

        Examples
        --------
        >>> flow = ArrayFlow(array="A", writer=HOST, readers=frozenset({0, 1}), times=3)
        >>> flow.with_places([2, 4]).readers, flow.with_places([2, 4]).writer
        (frozenset({2, 4}), -1)
        """
        of = {HOST: HOST, OUTSIDE: OUTSIDE, **dict(enumerate(places))}
        return replace(
            self, writer=of[self.writer], readers=frozenset(of[each] for each in self.readers)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ArrayAccesses:
    """A loop, or accesses of the host, in program order, with the loops around it."""

    place: int  # the loop, HOST or OUTSIDE
    around: tuple[int, ...]  # loops around it that hold offloaded ones too, outermost first
    # arrays that it reads, and those that it writes
    reads: frozenset[str]
    writes: frozenset[str]


@dataclass(slots=True)
class _Written:
    """Content that an event has left in an array, as often as it was executed."""

    array: str
    writer: int
    times: float  # [1]
    readers: set[int]


@dataclass(slots=True)
class _Walk:
    """A pass over the program, loop by loop, that notes who reads what another has written."""

    trips: Callable[[int], Trips]  # of the loops around events
    last: dict[str, _Written]  # what is in each array now
    every: list[_Written]  # all that was in them

    def write(self, array: str, place: int, times: float) -> None:
        self.last[array] = _Written(array, place, times, set())
        self.every.append(self.last[array])

    def pass_over(self, events: Sequence[ArrayAccesses], depth: int, times: float) -> None:
        """Go through events, as often as loops outside of them iterate.

        A loop is gone through three times: for its first iteration, for all in the middle, each of
        which finds what the one before has left, and for its last.
        """
        while events:
            if len(events[0].around) == depth:
                first, *events = events
                for array in first.reads:
                    self.last[array].readers.add(first.place)
                for array in first.writes:
                    self.write(array, first.place, times)
                continue
            around = events[0].around[: depth + 1]
            inside = [each for each in events if each.around[: depth + 1] == around]
            events = [each for each in events if each.around[: depth + 1] != around]
            trips = self.trips(around[-1])
            outer = self.trips(around[-2]).iterations if depth else 1
            entered = times * trips.entries / max(1, outer)
            for often in (min(1.0, trips.mean), trips.mean - 2, min(1.0, trips.mean - 1)):
                if often > 0:
                    self.pass_over(inside, depth + 1, entered * often)


def array_flows(loops: Loops, reached: Sequence[Sequence[ReachedArray]]) -> tuple[ArrayFlow, ...]:
    """The flows of all arrays that kernels reach, given these of each kernel.

    Arrays are there before the program, and wanted after it if a kernel writes them.
    """
    arrays = {array.name for each in reached for array in each}
    wanted = {array.name for each in reached for array in each if array.written}
    found = flows_of([*_events(loops, reached)], arrays, wanted, loops.workload.trips)
    return (*found, *_gathered(loops))


def _gathered(loops: Loops) -> Iterator[ArrayFlow]:
    """Flows of the values that loops gather in registers: the host reads them after each launch."""
    for place, nest in enumerate(loops.nests):
        for value in nest.reductions:
            if value.single and not value.accesses:
                yield ArrayFlow(
                    array=value.name or "a value that it gathers",
                    writer=place,
                    readers=frozenset({HOST}),
                    times=max(1, loops.workload.trips(nest.loop).entries),
                )


def flows_of(
    events: Sequence[ArrayAccesses],
    arrays: Iterable[str],
    wanted: Iterable[str],
    trips: Callable[[int], Trips],
) -> tuple[ArrayFlow, ...]:
    """The flows of arrays that are there before all events, and some of them wanted after these."""
    walk = _Walk(trips=trips, last={}, every=[])
    for array in sorted(arrays):
        walk.write(array, OUTSIDE, 1.0)
    walk.pass_over(events, 0, 1.0)
    for array in wanted:
        walk.last[array].readers.add(OUTSIDE)
    found: dict[tuple[str, int, frozenset[int]], float] = {}
    for each in walk.every:
        key = (each.array, each.writer, frozenset(each.readers))
        found[key] = found.get(key, 0.0) + each.times
    return tuple(
        ArrayFlow(array=array, writer=writer, readers=readers, times=max(1, round(times)))
        for (array, writer, readers), times in found.items()
        if readers
    )


def _events(loops: Loops, reached: Sequence[Sequence[ReachedArray]]) -> Iterator[ArrayAccesses]:
    """Loops and accesses of the host, in program order."""
    static = loops.workload.static
    ranges = {array.name: array.range for each in reached for array in each}
    inside = {block for nest in loops.nests for block in static.loops[nest.loop].blocks}
    around = {
        loop for nest in loops.nests for loop in static.chain_of(static.loops[nest.loop].parent)
    }
    found: list[tuple[int, ArrayAccesses]] = []
    for place, (nest, arrays) in enumerate(zip(loops.nests, reached, strict=True)):
        found.append(
            (
                min(access.id for access in static.accesses_of[nest.loop]),
                ArrayAccesses(
                    place=place,
                    around=static.chain_of(static.loops[nest.loop].parent),
                    reads=frozenset(array.name for array in arrays if array.read),
                    writes=frozenset(array.name for array in arrays if array.written),
                ),
            )
        )
    first, last = min(number for number, _ in found), max(number for number, _ in found)
    for access in static.accesses:
        name = array_of(access)
        if access.block in inside or name not in ranges:
            continue
        loops_around = tuple(loop for loop in static.chain_of(access.loop) if loop in around)
        between = bool(loops_around) or first < access.id < last
        whole = _stored(loops, static, access, loops_around) >= _NEARLY_ALL * ranges[name]
        found.append(
            (
                access.id,
                ArrayAccesses(
                    place=HOST if between else OUTSIDE,
                    around=loops_around,
                    reads=frozenset() if whole else frozenset({name}),
                    writes=frozenset({name}) if access.store else frozenset(),
                ),
            )
        )
    return (event for _, event in sorted(found, key=lambda pair: pair[0]))


def _stored(loops: Loops, static: Program, access: Access, around: Sequence[int]) -> float:
    """Bytes that an access of the host stores in an iteration of the loops around it [B]."""
    if not access.store:
        return 0.0
    workload = loops.workload
    iterations = workload.trips(around[-1]).iterations if around else 1
    return access.size * workload.work[access.block] / max(1, iterations)
