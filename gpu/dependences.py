"""Dependences between pseudo-threads: the same bytes reached by two of them, once to be written.

The threads of a launch have no order, so that whatever one needs of another is a problem that the
developer must know of (section 3.2 of wang2017). For every granule of memory the accesses of one
launch are gone through in program order: a read depends on the last write before it (flow), a write
on the reads since the last write (anti) and on that write (output). Arrays that each thread has of
its own do not count.
"""

from dataclasses import dataclass
from functools import reduce

import numpy as np
from numpy.typing import NDArray

from logca.gpu.compiling import compiled
from logca.gpu.nest import NestTrace, is_private
from logca.trace.program import Access

__all__ = ["DEPENDENCES", "Dependence", "dependences"]

DEPENDENCES = ("flow", "anti", "output")
"""Write then read, read then write, write then write [text]."""

Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Dependence:
    """Two static accesses of different threads of a launch that reach the same bytes.

    Parameters
    ----------
    kind : str
        One of `DEPENDENCES` [text].
    source, sink : Access
        The earlier and the later one in the program.
    addresses : int
        In how many places it was seen [1].
    granule : int
        How large such a place is [B].
    launch : int
        The launch in which it was seen first [1].
    source_iterations, sink_iterations : tuple of int
        Where it was seen first: iterations of the loops around each, the nest's outermost one
        first; those of the collapsed loops are the thread [1].
    """

    kind: str
    source: Access
    sink: Access
    addresses: int
    granule: int
    launch: int
    source_iterations: tuple[int, ...]
    sink_iterations: tuple[int, ...]

    def row(self) -> dict[str, object]:
        """What the stage prints."""
        return {
            "kind": self.kind,
            "array": self.sink.array or self.source.array,
            "from line": self.source.line,
            "to line": self.sink.line,
            "from iteration": self.source_iterations,
            "to iteration": self.sink_iterations,
            "addresses": self.addresses,
        }


def dependences(trace: NestTrace) -> tuple[Dependence, ...]:
    """All pairs of static accesses that depend on each other across threads.

    Parameters
    ----------
    trace : NestTrace
        The accesses; at least 24 bytes of memory are used for each of them while it is read.
    """
    used = np.unique(trace.access).tolist()
    sites = [each for each in used if not is_private(trace, trace.accesses[each])]
    stores = [each for each in sites if trace.accesses[each].store]
    if not stores:
        return ()
    number = np.full(len(trace.accesses), -1, np.int32)
    number[sites] = np.arange(len(sites))
    rows = np.flatnonzero(number[trace.access] >= 0)
    granule, unit, row = _granules(trace, rows)
    order = np.argsort(unit, kind="stable")
    shape = (len(DEPENDENCES), len(sites), len(sites))
    counts = np.zeros(shape, np.int64)
    first = np.full((*shape, 2), np.iinfo(np.int64).max, np.int64)
    compiled(_scan)(
        unit[order],
        row[order],
        number[trace.access],
        np.array([trace.accesses[each].store for each in sites]),
        trace.launch,
        trace.iterations[:, : trace.collapse],
        counts,
        np.full(shape, -1, np.int64),
        first,
    )
    found = []
    for kind, source, sink in zip(*np.nonzero(counts), strict=True):
        at_source, at_sink = first[kind, source, sink].tolist()
        found.append(
            Dependence(
                kind=DEPENDENCES[kind],
                source=trace.accesses[sites[source]],
                sink=trace.accesses[sites[sink]],
                addresses=int(counts[kind, source, sink]),
                granule=granule,
                launch=int(trace.launch[at_sink]),
                source_iterations=_iterations(trace, at_source),
                sink_iterations=_iterations(trace, at_sink),
            )
        )
    return tuple(sorted(found, key=lambda each: (each.sink.id, each.source.id, each.kind)))


def _iterations(trace: NestTrace, row: int) -> tuple[int, ...]:
    return tuple(each for each in trace.iterations[row].tolist() if each >= 0)


def _granules(trace: NestTrace, rows: Integers) -> tuple[int, Integers, Integers]:
    """Largest size that all accesses are made of; number of each granule; row that reaches it."""
    address, size = trace.address[rows], trace.size[rows].astype(np.int64)
    sizes = np.unique(size)
    whole = int(np.gcd.reduce(sizes))
    common = reduce(np.gcd, (whole, int(np.bitwise_or.reduce(address))))
    granule = int(common & -common)
    unit = (address // np.uint64(granule)).astype(np.int64)
    repeats = np.maximum(size // granule, 1)
    if (repeats == 1).all():
        return granule, unit, rows
    each = np.arange(repeats.sum()) - np.repeat(np.cumsum(repeats) - repeats, repeats)
    return granule, np.repeat(unit, repeats) + each, np.repeat(rows, repeats)


def _scan(
    unit: Integers,
    row: Integers,
    number: NDArray[np.int32],
    store: NDArray[np.bool_],
    launch: NDArray[np.int32],
    threads: NDArray[np.int32],
    counts: Integers,
    seen: Integers,
    first: Integers,
) -> None:
    """Go through the accesses of each granule; lowest sink first for each pair."""
    begin = 0
    writer = np.int64(-1)
    for at in range(unit.shape[0]):
        sink = row[at]
        if at == 0 or unit[at] != unit[at - 1] or launch[sink] != launch[row[at - 1]]:
            begin, writer = at, np.int64(-1)
        site = number[sink]
        for step in range(begin - 1, at):
            if step < begin:
                source, kind = writer, 2 if store[site] else 0
                if writer < 0:
                    continue
            else:
                if not store[site]:
                    break
                source, kind = row[step], 1
            other = False
            for level in range(threads.shape[1]):
                if threads[source, level] != threads[sink, level]:
                    other = True
            if other:
                place = (kind, number[source], site)
                if seen[place] != unit[at]:
                    seen[place] = unit[at]
                    counts[place] += 1
                if sink < first[place][1]:
                    first[place][0] = source
                    first[place][1] = sink
        if store[site]:
            writer, begin = sink, at + 1
