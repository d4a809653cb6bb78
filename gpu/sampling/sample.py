"""The accesses of the sampled threads, and the launches that they belong to.

Launches are alike if their fingerprints are: the differences of their addresses as one number.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from math import prod
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from logca.common.jit import compiled
from logca.gpu.nests.nest import (
    Columns,
    NestTrace,
    joined,
    launches_in,
    nest_trace,
    shifted,
)
from logca.gpu.nests.thread_dependences import Carried, Watch
from logca.gpu.program.running import Executable, passed
from logca.gpu.sampling.plan import EVERYTHING, SamplePlan, looked_at

__all__ = [
    "MOST",
    "Fingerprints",
    "Follower",
    "LaunchClass",
    "Seen",
    "SeenLaunch",
    "sampled",
]

_WATCHED = 1 << 20
"""So many accesses of each nest are searched for dependences, if nothing hangs on it [1]."""

MOST = 1 << 27
"""So many accesses of a nest are gone through to find all of its launches [1]."""

_SETTLED = 1 << 24
"""After so many accesses it is asked whether the rest of a launch follows [1]."""

_FIRST = 8
_COMPARED = 1 << 20
"""If the first launches are alike, so many of them are compared, or so many accesses, but at least
two whole launches [1]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenLaunch:
    """A launch as it was seen, whether its accesses were kept or not."""

    extents: tuple[int, ...]  # iterations of the collapsed loops, outermost first [1]
    accesses: int  # accesses of all its threads [1]
    # what tells whether others of the sampled threads reach memory in the same way,
    # see `Fingerprints`; None if it was not compared [1]
    addresses: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LaunchClass:
    """A launch that was sampled, in the place of others like it."""

    launch: int  # its number [1]
    share: float  # share of all launches that it stands for [1]
    extents: tuple[float, ...]  # its extents over the mean ones of all launches [1]
    work: float  # memory accesses of its threads over the mean ones of all threads [1]


class Follower(Protocol):
    """Who sees the accesses of a nest go by, of threads that are kept and of those that are not."""

    def add(self, columns: Columns) -> None:
        """Take in the next accesses, in program order."""

    def follows(self, extents: Sequence[int]) -> bool:
        """True if the rest of the only launch follows; its collapsed loops have these extents."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Seen:
    """The accesses kept of a nest, all of its launches, and what its loops carry."""

    plan: SamplePlan  # what was to be kept
    parts: dict[int, list[Columns]]  # the accesses kept of each window, chunk by chunk
    launches: dict[int, SeenLaunch]  # the launches by their numbers
    carried: tuple[Carried, ...]  # dependences between the recorded accesses
    # how often the threads of each window made each static access [1]
    executed: NDArray[np.int64]
    complete: bool  # whether all launches were seen
    enough: bool  # whether nothing more was sampled, as it would add nothing new
    cut: bool  # whether the run's own limit of the trace ended it
    # who saw all accesses go by, of all launches, if anyone was to
    follower: Follower | None = None

    def columns(self, window: int = 0) -> Columns:
        """The accesses kept of a window, in program order."""
        return joined(self.parts[window])

    def trace(self, window: int = 0) -> NestTrace | None:
        """The accesses kept of a window, as a trace; None if there are none."""
        if window not in self.parts:
            return None
        plan, extents = self.plan, {launch: self.extents_of(launch) for launch in self.launches}
        columns = self.columns(window)
        numbers = launches_in(columns.launch)[0]
        known = np.isin(numbers, sorted(self.launches))
        if not known.all():
            columns = columns.where(np.isin(columns.launch, numbers[known]))
        launches = numbers[known].tolist()
        trace = nest_trace(
            columns,
            accesses=plan.static.accesses,
            loops=plan.static.loops,
            nest=plan.nest.loop,
            collapse=plan.nest.collapse,
            extents=[extents[launch] for launch in launches],
        )
        return shifted(trace, plan.begins[window - 1]) if window else trace

    def extents_of(self, launch: int) -> tuple[int, ...]:
        """Those seen, or where the trace was ended early those that the counts tell."""
        seen = self.launches[launch].extents
        if self.plan.number == 1:
            return tuple(map(max, seen, map(round, self.plan.extents)))
        return seen

    def classes(self) -> tuple[LaunchClass, ...]:
        """The sampled launches, and the share of all launches that each stands for."""
        plan, seen = self.plan, self.launches
        ones = (1.0,) * plan.nest.collapse
        kept = sorted(plan.launches & seen.keys())
        if not kept:
            return (LaunchClass(launch=0, share=1.0, extents=ones, work=1.0),)
        first = seen[kept[0]]
        addresses = {launch.addresses for launch in seen.values()} - {None}
        alike = (first.extents, first.accesses)
        if len(addresses) < 2 and all(
            (launch.extents, launch.accesses) == alike for launch in seen.values()
        ):
            whole = len(seen) == 1 or not self.complete
            share = 1.0 if whole else len(seen) / plan.number
            return (LaunchClass(launch=kept[0], share=share, extents=ones, work=1.0),)
        number = plan.number if self.complete else len(seen)
        means = [
            mean if self.complete else sum(extents) / len(seen)
            for mean, extents in zip(
                plan.extents,
                zip(*(launch.extents for launch in seen.values()), strict=True),
                strict=True,
            )
        ]
        stands = dict.fromkeys(kept, 0)
        for one in seen:
            stands[min(kept, key=lambda launch: abs(launch - one))] += 1
        accesses = sum(launch.accesses for launch in seen.values())
        threads = sum(prod(launch.extents) for launch in seen.values())
        return tuple(
            LaunchClass(
                launch=launch,
                share=stands[launch] / number,
                extents=tuple(
                    extent / mean for extent, mean in zip(seen[launch].extents, means, strict=True)
                ),
                work=seen[launch].accesses / prod(seen[launch].extents) / (accesses / threads),
            )
            for launch in kept
        )


def sampled(
    program: Executable,
    plans: Sequence[SamplePlan],
    follow: Callable[[SamplePlan], Follower] | None = None,
) -> dict[int, Seen]:
    """Run a program and keep the accesses of the threads that are planned, by nest.

    `follow` makes who else is to see all of them. Where none of the launches that were planned has
    a thread, others are kept of a second run.
    """
    found = _run(program, plans, follow)
    empty = [
        replace(each.plan, launches=frozenset(numbers[at] for at in looked_at(len(numbers))))
        for each in found.values()
        if (numbers := sorted(each.launches)) and each.plan.launches.isdisjoint(numbers)
    ]
    return {**found, **_run(program, empty, follow)} if empty else found


def _run(
    program: Executable,
    plans: Sequence[SamplePlan],
    follow: Callable[[SamplePlan], Follower] | None,
) -> dict[int, Seen]:
    """Accesses that one run shows of the planned threads, by nest."""
    collectors = {plan.nest.loop: _collector(plan, follow) for plan in plans}

    def keep(loop: int, columns: Columns) -> bool:
        return collectors[loop].add(columns)

    for loop in passed(program, tuple(collectors), keep):
        collectors[loop].complete, collectors[loop].cut = False, True
    return {loop: collector.finished() for loop, collector in collectors.items()}


class Fingerprints:
    """A number for each of some launches, from their accesses chunk by chunk."""

    def __init__(self, accesses: int, launches: list[int]) -> None:
        self._launches = np.array(launches, np.int32)
        self._first = np.zeros((len(launches), accesses), np.uint64)
        self._begun = np.zeros((len(launches), accesses), np.bool_)
        self._sums = np.zeros(len(launches), np.uint64)

    def add(self, columns: Columns) -> None:
        """Take in the next accesses, in program order, all of them of these launches."""
        compiled(_add)(
            columns.access,
            columns.address,
            np.searchsorted(self._launches, columns.launch),
            np.ascontiguousarray(columns.iterations),
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


@dataclass(slots=True, kw_only=True, eq=False)
class _Collector:
    """Accesses and counts kept of a nest so far."""

    plan: SamplePlan
    # control, unmade: whether accesses are not searched for dependences, and made by no thread
    control: NDArray[np.bool_]
    unmade: NDArray[np.bool_]
    watch: Watch
    fingerprints: Fingerprints
    follower: Follower | None
    executed: NDArray[np.int64]
    first: NDArray[np.int64]  # how often all threads of the first launch made each access
    watched: int = 0
    tried: int = _SETTLED // 2  # accesses after which it was tried last whether the rest follows
    seen: int = 0
    parts: dict[int, list[Columns]] = field(default_factory=dict)
    launches: dict[int, SeenLaunch] = field(default_factory=dict)
    complete: bool = True
    enough: bool = False
    cut: bool = False

    def add(self, everything: Columns) -> bool:
        """Take in the next accesses; whether those that follow can tell nothing new."""
        columns = _less(everything, self.unmade)
        # A pointer may write to what is an argument, so that its loads are searched as well.
        searched = _less(everything, self.control)
        if len(columns.access):
            self._take(columns)
            if self.follower is not None:
                self.follower.add(columns)
        if self.watched < _WATCHED and len(searched.access):
            self.watch.add(searched)
            self.watched += len(columns.access)
        self.seen += len(columns.access)
        if self.seen >= MOST:
            self.complete = False
            return True
        self.enough = self._enough()
        return self.enough

    def _take(self, columns: Columns) -> None:
        plan, collapse = self.plan, self.plan.nest.collapse
        numbers, first = launches_in(columns.launch)
        extents = np.maximum.reduceat(columns.iterations[:, :collapse], first, axis=0) + 1
        sizes = np.diff(first, append=len(columns.launch))
        for number, shape, size in zip(
            numbers.tolist(), extents.tolist(), sizes.tolist(), strict=True
        ):
            before = self.launches.get(number)
            if before is not None:
                shape = list(map(max, shape, before.extents))
                size += before.accesses
            self.launches[number] = SeenLaunch(extents=tuple(shape), accesses=size)
        if plan.number > 1 and numbers[0] == 0:
            self.first += np.bincount(
                columns.access[columns.launch == 0], minlength=len(self.first)
            )
        several = plan.number > 1 and numbers[0] <= max(_FIRST, *plan.launches)
        planned = (
            np.ones(len(columns.launch), np.bool_)
            if plan.launches.issuperset(numbers.tolist())
            else np.isin(columns.launch, sorted(plan.launches))
        )
        at = columns.iterations[:, :collapse]
        for window, begin in enumerate(((0,) * collapse, *plan.begins)):
            ends = np.array(begin) + np.array(plan.window)
            # What stands between the collapsed loops has no iteration of those inside.
            inside = np.all((at < ends) & ((at >= np.array(begin)) | (at < 0)), axis=1)
            if several and window == 0:
                self.fingerprints.add(columns.where(inside & ((columns.launch < _FIRST) | planned)))
            self._keep(columns.where(inside & planned), window)

    def _keep(self, columns: Columns, window: int) -> None:
        """Keep accesses of a window, of long threads the first ones."""
        plan = self.plan
        self.executed[window] += np.bincount(columns.access, minlength=len(self.first))
        if plan.inside < EVERYTHING:
            kept = np.ones(len(columns.access), np.bool_)
            if plan.columns is not None:
                for access, column in plan.columns.items():
                    others = columns.access != access
                    kept &= others | (columns.iterations[:, column] < plan.inside)
            elif columns.iterations.shape[1] > plan.nest.collapse:
                kept &= columns.iterations[:, plan.nest.collapse] < plan.inside
            columns = columns.where(kept)
        if len(columns.access):
            self.parts.setdefault(window, []).append(columns)

    def _enough(self) -> bool:
        """True if the rest of a nest's trace can tell nothing new.

        If the first launch made each access as often as the counts of the whole run say a launch
        does on average, and those after it were alike, then no other one can differ from it: what
        one made more, another would have to make less.
        """
        plan, last = self.plan, max(self.launches, default=-1)
        if plan.number == 1:
            end = max((begin[0] for begin in plan.begins), default=0) + plan.window[0]
            return last >= 0 and (self.launches[0].extents[0] > end or self._settled())
        first = self.launches.get(0)
        if last < 2 or (last < min(_FIRST, plan.number - 1) and self.seen < _COMPARED):
            return False
        if first is None or first.extents != plan.extents:
            return False
        expected = {} if plan.executed is None else plan.executed
        if any(self.first[site] != often for site, often in expected.items()):
            return False
        if any(self.launches.get(launch) != first for launch in range(min(last, _FIRST))):
            return False
        of = self.fingerprints.of
        if any(of(launch) != of(0) for launch in range(min(last, _FIRST))):
            return False
        self.launches = {0: first}
        return True

    def _settled(self) -> bool:
        """True if the rest of the only launch follows from what was seen, and need not be."""
        if self.follower is None or self.seen < 2 * self.tried:
            return False
        self.tried = self.seen
        seen, means = self.launches[0].extents, self.plan.extents
        return self.follower.follows(tuple(map(max, seen, map(round, means))))

    def finished(self) -> Seen:
        """The sample of the nest, each launch with what its addresses were found to be."""
        partly = self.enough or not self.complete or self.watched < self.seen
        launches = {
            number: replace(launch, addresses=self.fingerprints.of(number))
            for number, launch in self.launches.items()
        }
        # What the last threads of a launch access does not show if they access nothing: all
        # launches have the mean extents where none was seen to be larger.
        for level, mean in enumerate(self.plan.extents):
            seen = [launch.extents[level] for launch in launches.values()]
            if not seen or max(seen) > mean or mean != round(mean):
                continue
            for number, launch in launches.items():
                extents = (*launch.extents[:level], round(mean), *launch.extents[level + 1 :])
                launches[number] = replace(launch, extents=extents)
        return Seen(
            plan=self.plan,
            parts=self.parts,
            launches=launches,
            carried=self.watch.found(partly=partly),
            executed=self.executed,
            complete=self.complete,
            enough=self.enough,
            cut=self.cut,
            follower=self.follower,
        )


def _collector(plan: SamplePlan, follow: Callable[[SamplePlan], Follower] | None) -> _Collector:
    static = plan.static
    launches = sorted({*plan.launches, *range(_FIRST)}) if plan.number > 1 else []
    return _Collector(
        plan=plan,
        control=_among(plan.control, len(static.accesses)),
        unmade=_among(plan.unmade, len(static.accesses)),
        fingerprints=Fingerprints(len(static.accesses), launches),
        follower=None if follow is None else follow(plan),
        watch=Watch(static.accesses, static.loops, plan.nest.loop),
        executed=np.zeros((1 + len(plan.begins), len(static.accesses)), np.int64),
        first=np.zeros(len(static.accesses), np.int64),
    )


def _among(accesses: Collection[int], number: int) -> NDArray[np.bool_]:
    """For each of so many accesses whether it is one of these."""
    found = np.zeros(number, np.bool_)
    found[list(accesses)] = True
    return found


def _less(columns: Columns, accesses: NDArray[np.bool_]) -> Columns:
    """The rows of other accesses."""
    return columns.where(~accesses[columns.access]) if accesses.any() else columns
