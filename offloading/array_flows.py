"""What passes of a program's arrays between its loops and the host, whichever of them is where.

An array that is written anew has to be copied once to the other side if anything reads it there.
Which loops are on the GPU decides what the other side is, so that copies couple the decisions.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from logca.gpu.bounds.footprint import array_of
from logca.gpu.loops.detection import Loops
from logca.gpu.prediction.result import ReachedArray
from logca.trace.ir.program import Access, Program

__all__ = ["HOST", "OUTSIDE", "ArrayFlow", "array_flows"]

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
    written: int  # how often it is written anew there [1]
    # how often each loop, or HOST or OUTSIDE, reads one that it does not have yet [1]
    readers: Mapping[int, int]

    def copies(self, there: Collection[int]) -> int:
        """Copies that it takes if these loops, and maybe OUTSIDE, are on the GPU [1].

        Examples
        --------
        >>> flow = ArrayFlow(array="A", writer=OUTSIDE, written=1, readers={0: 1, 1: 1, HOST: 1})
        >>> flow.copies({0, 1}), flow.copies(()), flow.copies({0, OUTSIDE})
        (1, 0, 1)
        """
        home = self.writer in there
        fetched = sum(times for reader, times in self.readers.items() if (reader in there) != home)
        return min(self.written, fetched)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Event:
    """A loop, or accesses of the host, in program order, with the loops around it."""

    place: int  # the loop, HOST or OUTSIDE
    around: tuple[int, ...]  # loops around it that hold offloaded ones too, outermost first
    # arrays that it reads, and those that it writes
    reads: frozenset[str]
    writes: frozenset[str]


@dataclass(slots=True)
class _Walk:
    """A pass over the program, loop by loop, that notes who reads what another has written."""

    loops: Loops
    # of each array the last event that wrote it, and the places that have what it wrote
    last: dict[str, tuple[int, int]]
    have: dict[str, set[int]]
    written: dict[tuple[str, int, int], float] = field(default_factory=dict)
    readers: dict[tuple[str, int, int], dict[int, float]] = field(default_factory=dict)

    def read(self, array: str, place: int, times: float) -> None:
        if place not in self.have[array]:
            self.have[array].add(place)
            readers = self.readers.setdefault((array, *self.last[array]), {})
            readers[place] = readers.get(place, 0.0) + times

    def write(self, array: str, place: int, number: int, times: float) -> None:
        self.last[array], self.have[array] = (place, number), {place}
        key = (array, place, number)
        self.written[key] = self.written.get(key, 0.0) + times

    def pass_over(self, events: Sequence[tuple[int, _Event]], depth: int, times: float) -> None:
        """Go through events, each with its number, as often as loops outside of them iterate.

        A loop is gone through twice: as it is entered, and for all further iterations, which find
        what those before have left.
        """
        while events:
            number, first = events[0]
            if len(first.around) == depth:
                for array in first.reads:
                    self.read(array, first.place, times)
                for array in first.writes:
                    self.write(array, first.place, number, times)
                events = events[1:]
                continue
            loop = first.around[depth]
            inside = [pair for pair in events if pair[1].around[depth : depth + 1] == (loop,)]
            trips = self.loops.workload.trips(loop)
            entries = self._entries(first.around[:depth], trips.entries)
            self.pass_over(inside, depth + 1, times * entries)
            more = max(0.0, trips.mean - 1.0)
            if more:
                self.pass_over(inside, depth + 1, times * entries * more)
            events = [pair for pair in events if pair[1].around[depth : depth + 1] != (loop,)]

    def _entries(self, around: Sequence[int], entries: int) -> float:
        """Entries of a loop for each iteration of those around it [1]."""
        iterations = self.loops.workload.trips(around[-1]).iterations if around else 1
        return entries / max(1, iterations)


def array_flows(loops: Loops, reached: Sequence[Sequence[ReachedArray]]) -> tuple[ArrayFlow, ...]:
    """The flows of all arrays that kernels reach, given these of each kernel.

    Arrays are there before the program, and wanted after it if a kernel writes them.
    """
    arrays = {array.name for each in reached for array in each}
    walk = _Walk(
        loops=loops,
        last=dict.fromkeys(arrays, (OUTSIDE, -1)),
        have={array: {OUTSIDE} for array in arrays},
        written={(array, OUTSIDE, -1): 1.0 for array in arrays},
    )
    walk.pass_over([*enumerate(_events(loops, reached))], 0, 1.0)
    for array in sorted({array.name for each in reached for array in each if array.written}):
        walk.read(array, OUTSIDE, 1.0)
    return tuple(
        ArrayFlow(
            array=array,
            writer=place,
            written=max(1, round(walk.written[array, place, number])),
            readers={reader: max(1, round(times)) for reader, times in readers.items()},
        )
        for (array, place, number), readers in walk.readers.items()
    )


def _events(loops: Loops, reached: Sequence[Sequence[ReachedArray]]) -> Iterator[_Event]:
    """Loops and accesses of the host, in program order."""
    static = loops.workload.static
    ranges = {array.name: array.range for each in reached for array in each}
    inside = {block for nest in loops.nests for block in static.loops[nest.loop].blocks}
    around = {
        loop for nest in loops.nests for loop in static.chain_of(static.loops[nest.loop].parent)
    }
    found: list[tuple[int, _Event]] = []
    for place, (nest, arrays) in enumerate(zip(loops.nests, reached, strict=True)):
        found.append(
            (
                min(access.id for access in static.accesses_of[nest.loop]),
                _Event(
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
                _Event(
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
