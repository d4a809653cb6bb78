"""The accesses of the threads that are looked at, and the launches that they belong to."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import isnan, nan

import numpy as np

from logca.gpu.carried import Watch
from logca.gpu.nest import control_accesses
from logca.gpu.regions import Nest
from logca.gpu.running import Columns, Program, passed

__all__ = ["EVERYTHING", "Launch", "Sample", "Wanted", "sampled"]

EVERYTHING = 1 << 30
"""More iterations than any loop is looked at for [1]."""

_WATCHED = 1 << 20
"""So many accesses of each nest are searched for dependences, if nothing hangs on it [1]."""

_KEPT = 1 << 27
"""So many accesses of a nest are gone through to find all of its launches [1]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Launch:
    """What was seen of a launch, whether its accesses were kept or not.

    Parameters
    ----------
    extents : tuple of int
        Iterations of the collapsed loops, outermost first [1].
    accesses : int
        Accesses of all its threads [1].
    """

    extents: tuple[int, ...]
    accesses: int


@dataclass(slots=True, kw_only=True, eq=False)
class Sample:
    """The accesses kept of a nest, all of its launches, and what its loops carry."""

    watch: Watch
    watched: int = 0
    seen: int = 0
    parts: list[Columns] = field(default_factory=list)
    launches: dict[int, Launch] = field(default_factory=dict)
    complete: bool = True

    def columns(self) -> Columns:
        """The accesses kept, in program order."""
        names = ("access", "address", "size", "launch", "iterations")
        joined = {name: [getattr(part, name) for part in self.parts] for name in names}
        return Columns(**{name: np.concatenate(parts) for name, parts in joined.items()})


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What to keep of a nest.

    Parameters
    ----------
    nest : Nest
        The nest.
    launches : frozenset of int
        Launches whose accesses are kept [1].
    window : tuple of int
        Of those launches the iterations of the collapsed loops below this are kept [1].
    number : int
        Launches in all [1].
    extents : tuple of float
        Mean extents of all launches [1].
    accesses : float
        Mean accesses of a launch; NaN if that is not known [1].
    inside : int
        Of a thread's own outermost loops the iterations below this are kept [1].
    own : mapping of int to int, optional
        For each access the column of that loop, where it is not the first one behind the collapsed
        loops for all of them; none for an access in no such loop [1].
    """

    nest: Nest
    launches: frozenset[int]
    window: tuple[int, ...]
    number: int
    extents: tuple[float, ...]
    accesses: float = nan
    inside: int = EVERYTHING
    own: Mapping[int, int] | None = None


def sampled(program: Program, wanted: Sequence[Wanted]) -> dict[int, Sample]:
    """Run a program and keep the accesses of the threads that are wanted, by nest.

    Raises
    ------
    TraceError
        If the program did not come to its end.
    """
    static = program.compiled.program
    by_loop = {each.nest.loop: each for each in wanted}
    samples = {loop: Sample(watch=Watch(static.accesses, static.loops, loop)) for loop in by_loop}
    control = {
        loop: np.array(sorted(control_accesses(static, loop, each.nest.collapse)), np.uint32)
        for loop, each in by_loop.items()
    }

    def keep(loop: int, each: Columns) -> bool:
        sample = samples[loop]
        each = each.where(~np.isin(each.access, control[loop])) if len(control[loop]) else each
        if len(each.access):
            _watch(sample, each)
            _take(sample, each, by_loop[loop])
        sample.seen += len(each.access)
        if sample.seen >= _KEPT:
            sample.complete = False
            return True
        return _enough(sample, by_loop[loop])

    for loop in passed(program, tuple(by_loop), keep):
        samples[loop].complete = False
    for loop, each in by_loop.items():
        _level(samples[loop], each)
    return samples


def _watch(sample: Sample, columns: Columns) -> None:
    if sample.watched < _WATCHED:
        sample.watch.add(
            columns.access, columns.address, columns.size, columns.launch, columns.iterations
        )
        sample.watched += len(columns.access)


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
    kept = np.isin(columns.launch, sorted(wanted.launches))
    kept &= np.all(columns.iterations[:, :collapse] < np.array(wanted.window), axis=1)
    if wanted.own is not None:
        for access, column in wanted.own.items() if wanted.inside < EVERYTHING else ():
            kept &= (columns.access != access) | (columns.iterations[:, column] < wanted.inside)
    elif columns.iterations.shape[1] > collapse:
        kept &= columns.iterations[:, collapse] < wanted.inside
    if kept.any():
        sample.parts.append(columns.where(kept))


def _enough(sample: Sample, wanted: Wanted) -> bool:
    """Whether what follows of a nest can tell nothing new."""
    last = max(sample.launches, default=-1)
    if wanted.number == 1:
        return last >= 0 and sample.launches[0].extents[0] > wanted.window[0]
    first = sample.launches.get(0)
    if last < 2 or first is None or first != sample.launches.get(1):
        return False
    if first.extents != wanted.extents:
        return False
    if not isnan(wanted.accesses) and first.accesses != wanted.accesses:
        return False
    sample.launches = {0: first}
    return True


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
