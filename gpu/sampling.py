"""Running a program for its counts, and for the accesses of the threads that are looked at."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from logca.gpu.carried import Carried, Watch
from logca.gpu.nest import control_accesses
from logca.gpu.regions import Nest
from logca.trace.compilation import Compiled
from logca.trace.execution import Run, run
from logca.trace.limits import Limits

__all__ = ["Columns", "Launch", "Program", "Sample", "counted", "sampled", "watched"]

_WATCHED = 1 << 20
"""So many accesses of each nest are searched for dependences [1]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """A compiled program and what it is run with.

    Parameters
    ----------
    compiled : Compiled
        The program, with calls inlined.
    arguments : tuple of str
        Its arguments [text].
    limits : Limits
        What it may take.
    """

    compiled: Compiled
    arguments: tuple[str, ...]
    limits: Limits


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Columns:
    """Columns of the trace of a nest, see `logca.gpu.nest.NestTrace`.

    Parameters
    ----------
    access, address, size, launch, iterations : array
        In program order.
    """

    access: NDArray[np.uint32]
    address: NDArray[np.uint64]
    size: NDArray[np.uint32]
    launch: NDArray[np.int32]
    iterations: NDArray[np.int32]

    def where(self, kept: NDArray[Any]) -> "Columns":
        """The rows that a mask or index names."""
        return Columns(
            access=self.access[kept],
            address=self.address[kept],
            size=self.size[kept],
            launch=self.launch[kept],
            iterations=self.iterations[kept],
        )


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
    """

    nest: Nest
    launches: frozenset[int]
    window: tuple[int, ...]
    number: int
    extents: tuple[float, ...]


def counted(program: Program) -> Run:
    """Run a program for the executions of its blocks and edges."""
    found = run(program.compiled, nests=(), arguments=program.arguments, limits=program.limits)
    checked(found)
    return found


def watched(program: Program, nests: Sequence[int]) -> dict[int, tuple[Carried, ...]]:
    """Run a program and see which dependences loops of nests carry, in their first accesses."""
    static = program.compiled.program
    samples = {nest: Sample(watch=Watch(static.accesses, static.loops, nest)) for nest in nests}

    def look(chunk: Any) -> bool:
        for nest, columns in by_nest(chunk):
            _watch(samples[nest], columns)
        return all(sample.watched >= _WATCHED for sample in samples.values())

    checked(
        run(
            program.compiled,
            nests=tuple(nests),
            arguments=program.arguments,
            limits=program.limits,
            on_chunk=look,
            counts=False,
        )
    )
    return {nest: sample.watch.found() for nest, sample in samples.items()}


def sampled(program: Program, wanted: Sequence[Wanted]) -> dict[int, Sample]:
    """Run a program and keep the accesses of the threads that are wanted, by nest."""
    static = program.compiled.program
    samples = {
        each.nest.loop: Sample(watch=Watch(static.accesses, static.loops, each.nest.loop))
        for each in wanted
    }
    by_loop = {each.nest.loop: each for each in wanted}
    control = {
        each.nest.loop: np.array(
            sorted(control_accesses(static, each.nest.loop, each.nest.collapse)), np.uint32
        )
        for each in wanted
    }
    waiting = set(by_loop)

    def keep(chunk: Any) -> bool:
        for loop, columns in by_nest(chunk):
            if loop in waiting:
                each = columns.where(~np.isin(columns.access, control[loop]))
                if len(each.access):
                    _watch(samples[loop], each)
                    _take(samples[loop], each, by_loop[loop])
                if _enough(samples[loop], by_loop[loop]):
                    waiting.discard(loop)
        return not waiting

    found = run(
        program.compiled,
        nests=tuple(by_loop),
        arguments=program.arguments,
        limits=program.limits,
        on_chunk=keep,
        counts=False,
    )
    if not waiting:
        return samples
    checked(found)
    for loop in waiting if found.truncated else ():
        samples[loop].complete = False
    return samples


def by_nest(chunk: Any) -> list[tuple[int, Columns]]:
    """The rows of a chunk, nest by nest."""
    columns = Columns(
        access=chunk.access,
        address=chunk.address,
        size=chunk.size,
        launch=chunk.launch,
        iterations=chunk.iterations,
    )
    nests = np.unique(chunk.nest)
    if len(nests) == 1:
        return [(int(nests[0]), columns)]
    return [(int(nest), columns.where(chunk.nest == nest)) for nest in nests]


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
    if kept.any():
        sample.parts.append(columns.where(kept))


def _enough(sample: Sample, wanted: Wanted) -> bool:
    """Whether what follows of a nest can tell nothing new."""
    last = max(sample.launches, default=-1)
    if wanted.number == 1:
        return last >= 0 and sample.launches[0].extents[0] > wanted.window[0]
    first = sample.launches.get(0)
    alike = first == sample.launches.get(1) and first is not None
    if last < 2 or not alike or first.extents != wanted.extents:
        return False
    sample.launches = {0: first}
    return True


def checked(found: Run) -> None:
    """Refuse a run that did not end as the program should."""
