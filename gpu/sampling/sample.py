"""The accesses of the threads that are looked at, and the launches that they belong to.

Launches are alike if their fingerprints are: the differences of their addresses as one number.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from logca.common.jit import compiled
from logca.gpu.nests.dependences import Carried, Watch
from logca.gpu.nests.nest import Nest
from logca.gpu.nests.trace import control_accesses, made_by_no_thread
from logca.gpu.program.running import Columns, Program, passed
from logca.gpu.stages.grid import Window
from logca.trace.ir.program import Program as Static

__all__ = [
    "EVERYTHING",
    "MOST",
    "Fingerprints",
    "Launch",
    "Sample",
    "Wanted",
    "sampled",
]


class Fingerprints:
    """A number for each of some launches, from their accesses chunk by chunk."""

    def __init__(self, accesses: int, launches: list[int]) -> None:
        self._launches = np.array(launches, np.int32)
        self._first = np.zeros((len(launches), accesses), np.uint64)
        self._begun = np.zeros((len(launches), accesses), np.bool_)
        self._sums = np.zeros(len(launches), np.uint64)

    def add(
        self,
        access: NDArray[np.uint32],
        address: NDArray[np.uint64],
        launch: NDArray[np.int32],
        iterations: NDArray[np.int32],
    ) -> None:
        """Take in the next accesses, in program order, all of them of these launches."""
        compiled(_add)(
            access,
            address,
            np.searchsorted(self._launches, launch),
            np.ascontiguousarray(iterations),
            self._first,
            self._begun,
            self._sums,
        )

    def of(self, launch: int) -> int | None:
        """The number of a launch so far; None if it is not one of these [1]."""
        place = int(np.searchsorted(self._launches, launch))
        known = place < len(self._launches) and self._launches[place] == launch
        return int(self._sums[place]) if known else None


def _add(
    access: NDArray[np.uint32],
    address: NDArray[np.uint64],
    place: NDArray[np.int64],
    iterations: NDArray[np.int32],
    first: NDArray[np.uint64],
    begun: NDArray[np.bool_],
    sums: NDArray[np.uint64],
) -> None:
    """Add up mixed numbers; the multipliers are those of the generator SplitMix64."""
    for i in range(access.shape[0]):
        launch, site = place[i], access[i]
        if not begun[launch, site]:
            begun[launch, site] = True
            first[launch, site] = address[i]
        number = address[i] - first[launch, site] + np.uint64(site)
        for level in range(iterations.shape[1] + 1):
            number = (number ^ (number >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
            number = (number ^ (number >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
            if level < iterations.shape[1]:
                number += np.uint64(iterations[i, level] + 1)
        sums[launch] += number


EVERYTHING = 1 << 30
"""More iterations than any loop is looked at for [1]."""

_WATCHED = 1 << 20
"""So many accesses of each nest are searched for dependences, if nothing hangs on it [1]."""

MOST = 1 << 27
"""So many accesses of a nest are gone through to find all of its launches [1]."""

_FIRST = 8
_COMPARED = 1 << 20
"""If the first launches are alike, so many of them are compared, or so many accesses, but at least
two whole launches [1]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Launch:
    """What was seen of a launch, whether its accesses were kept or not."""

    extents: tuple[int, ...]  # iterations of the collapsed loops, outermost first [1]
    accesses: int  # accesses of all its threads [1]
    # what tells whether others of those threads that are looked at reach memory in the same way,
    # see `Fingerprints`; None if it was not compared [1]
    addresses: int | None = None


@dataclass(slots=True, kw_only=True, eq=False)
class Sample:
    """The accesses kept of a nest, all of its launches, and what its loops carry.

    Parts are by window. How often each static access was made is told by `executed` for the threads
    of each window, and by `first` for all threads of the first launch. Nothing more was looked at
    once there was `enough`; `cut` says whether the run's own limit of the trace ended it.
    """

    watch: Watch
    fingerprints: Fingerprints
    executed: NDArray[np.int64]
    first: NDArray[np.int64]
    watched: int = 0
    seen: int = 0
    parts: dict[int, list[Columns]] = field(default_factory=dict)
    launches: dict[int, Launch] = field(default_factory=dict)
    complete: bool = True
    enough: bool = False
    cut: bool = False

    @property
    def carried(self) -> tuple[Carried, ...]:
        """Dependences that were seen between the accesses that were looked at."""
        partly = self.enough or not self.complete or self.watched < self.seen
        return tuple(replace(each, partly=partly) for each in self.watch.found())

    def columns(self, window: int = 0) -> Columns:
        """The accesses kept of a window, in program order."""
        names = ("access", "address", "size", "launch", "iterations")
        joined = {name: [getattr(part, name) for part in self.parts[window]] for name in names}
        return Columns(**{name: np.concatenate(parts) for name, parts in joined.items()})


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What to keep of a nest."""

    nest: Nest  # the nest
    launches: frozenset[int]  # launches whose accesses are kept [1]
    # of those launches the iterations of the collapsed loops below this are kept [1]
    window: tuple[int, ...]
    number: int  # launches in all [1]
    extents: tuple[float, ...]  # mean extents of all launches [1]
    # of a thread's own outermost loops the iterations below this are kept [1]
    inside: int = EVERYTHING
    # mean executions of each static access in a launch, if that is known [1]
    executed: Mapping[int, float] | None = None
    # for each access the column of that loop, where it is not the first one behind the collapsed
    # loops for all of them; none for an access in no such loop [1]
    own: Mapping[int, int] | None = None
    # other windows of that size, after the one at the first iterations
    windows: tuple[Window, ...] = ()
    # first iterations of the collapsed loops in each of these others [1]
    begins: tuple[tuple[int, ...], ...] = ()


def sampled(program: Program, wanted: Sequence[Wanted]) -> dict[int, Sample]:
    """Run a program and keep the accesses of the threads that are wanted, by nest."""
    static = program.compiled.program
    by_loop = {each.nest.loop: each for each in wanted}
    samples = {loop: _sample(static, each) for loop, each in by_loop.items()}
    control, unmade = (
        {
            loop: np.array(sorted(which(static, loop, each.nest.collapse)), np.uint32)
            for loop, each in by_loop.items()
        }
        for which in (control_accesses, made_by_no_thread)
    )

    def keep(loop: int, each: Columns) -> bool:
        sample = samples[loop]
        everything, each = each, _less(each, unmade[loop])
        # A pointer may write to what is an argument, so that its loads are searched as well.
        _watch(sample, _less(everything, control[loop]), len(each.access))
        if len(each.access):
            _take(sample, each, by_loop[loop])
        sample.seen += len(each.access)
        if sample.seen >= MOST:
            sample.complete = False
            return True
        sample.enough = _enough(sample, by_loop[loop])
        return sample.enough

    for loop in passed(program, tuple(by_loop), keep):
        samples[loop].complete, samples[loop].cut = False, True
    for loop, each in by_loop.items():
        _name(samples[loop])
        _level(samples[loop], each)
    return samples


def _sample(static: Static, wanted: Wanted) -> Sample:
    launches = sorted({*wanted.launches, *range(_FIRST)}) if wanted.number > 1 else []
    return Sample(
        watch=Watch(static.accesses, static.loops, wanted.nest.loop),
        fingerprints=Fingerprints(len(static.accesses), launches),
        executed=np.zeros((1 + len(wanted.begins), len(static.accesses)), np.int64),
        first=np.zeros(len(static.accesses), np.int64),
    )


def _less(columns: Columns, accesses: NDArray[np.uint32]) -> Columns:
    """The rows of other accesses."""
    return columns.where(~np.isin(columns.access, accesses)) if len(accesses) else columns


def _watch(sample: Sample, columns: Columns, made: int) -> None:
    """Search accesses for dependences, of which so many are made by threads."""
    if sample.watched < _WATCHED and len(columns.access):
        sample.watch.add(
            columns.access, columns.address, columns.size, columns.launch, columns.iterations
        )
        sample.watched += made


def _take(sample: Sample, columns: Columns, wanted: Wanted) -> None:
    collapse = wanted.nest.collapse
    numbers, first = np.unique(columns.launch, return_index=True)
    extents = np.maximum.reduceat(columns.iterations[:, :collapse], first, axis=0) + 1
    sizes = np.diff(first, append=len(columns.launch))
    for number, shape, size in zip(numbers.tolist(), extents.tolist(), sizes.tolist(), strict=True):
        before = sample.launches.get(number)
        if before is not None:
            shape = list(map(max, shape, before.extents))
            size += before.accesses
        sample.launches[number] = Launch(extents=tuple(shape), accesses=size)
    if wanted.number > 1 and numbers[0] == 0:
        sample.first += np.bincount(
            columns.access[columns.launch == 0], minlength=len(sample.first)
        )
    several = wanted.number > 1 and numbers[0] <= max(_FIRST, *wanted.launches)
    for window, begin in enumerate(((0,) * collapse, *wanted.begins)):
        at = columns.iterations[:, :collapse]
        ends = np.array(begin) + np.array(wanted.window)
        # What stands between the collapsed loops has no iteration of those inside.
        inside = np.all((at < ends) & ((at >= np.array(begin)) | (at < 0)), axis=1)
        if several and window == 0:
            compared = inside & ((columns.launch < _FIRST) | _of(columns, wanted))
            each = columns.where(compared)
            sample.fingerprints.add(each.access, each.address, each.launch, each.iterations)
        _keep(sample, columns, wanted, window, inside & _of(columns, wanted))


def _of(columns: Columns, wanted: Wanted) -> NDArray[np.bool_]:
    """Rows of the launches that are wanted."""
    return np.isin(columns.launch, sorted(wanted.launches))


def _keep(
    sample: Sample, columns: Columns, wanted: Wanted, window: int, kept: NDArray[np.bool_]
) -> None:
    """Keep accesses of a window, of long threads the first ones."""
    sample.executed[window] += np.bincount(columns.access[kept], minlength=sample.executed.shape[1])
    collapse = wanted.nest.collapse
    if wanted.own is not None:
        for access, column in wanted.own.items() if wanted.inside < EVERYTHING else ():
            kept &= (columns.access != access) | (columns.iterations[:, column] < wanted.inside)
    elif columns.iterations.shape[1] > collapse:
        kept &= columns.iterations[:, collapse] < wanted.inside
    if kept.any():
        sample.parts.setdefault(window, []).append(columns.where(kept))


def _enough(sample: Sample, wanted: Wanted) -> bool:
    """Whether what follows of a nest can tell nothing new."""
    last = max(sample.launches, default=-1)
    if wanted.number == 1:
        end = max((begin[0] for begin in wanted.begins), default=0) + wanted.window[0]
        return last >= 0 and sample.launches[0].extents[0] > end
    first = sample.launches.get(0)
    if last < 2 or (last < min(_FIRST, wanted.number - 1) and sample.seen < _COMPARED):
        return False
    if first is None or first.extents != wanted.extents:
        return False
    expected = {} if wanted.executed is None else wanted.executed
    if any(sample.first[site] != often for site, often in expected.items()):
        return False
    if any(sample.launches.get(launch) != first for launch in range(min(last, _FIRST))):
        return False
    of = sample.fingerprints.of
    if any(of(launch) != of(0) for launch in range(min(last, _FIRST))):
        return False
    sample.launches = {0: first}
    return True


def _name(sample: Sample) -> None:
    """Give each launch what was found of its addresses."""
    for number, launch in sample.launches.items():
        sample.launches[number] = replace(launch, addresses=sample.fingerprints.of(number))


def _level(sample: Sample, wanted: Wanted) -> None:
    """Give all launches the mean extents where none was seen to be larger.

    What the last threads of a launch access does not show if they access nothing.
    """
    for level, mean in enumerate(wanted.extents):
        seen = [launch.extents[level] for launch in sample.launches.values()]
        if not seen or max(seen) > mean or mean != round(mean):
            continue
        for number, launch in sample.launches.items():
            extents = (*launch.extents[:level], round(mean), *launch.extents[level + 1 :])
            sample.launches[number] = replace(launch, extents=extents)
