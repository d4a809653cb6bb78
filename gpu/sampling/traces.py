"""Traces of nests from the accesses that were kept of them."""

from collections.abc import Collection
from dataclasses import replace

import numpy as np

from logca.gpu.nests.trace import NestTrace, nest_trace, without
from logca.gpu.sampling.parts import shifted
from logca.gpu.sampling.sample import Sample, Wanted
from logca.trace.ir.program import Program

__all__ = ["kept_of", "launch_of", "trace_of"]


def trace_of(static: Program, wanted: Wanted, sample: Sample, window: int = 0) -> NestTrace | None:
    """The accesses kept of a nest, as a trace; None if there are none."""
    if window not in sample.parts:
        return None
    columns = sample.columns(window)
    columns = columns.where(np.isin(columns.launch, sorted(sample.launches)))
    launches = np.unique(columns.launch).tolist()
    found = nest_trace(
        access=columns.access,
        address=columns.address,
        launch=columns.launch,
        iterations=columns.iterations,
        size=columns.size,
        accesses=static.accesses,
        loops=static.loops,
        nest=wanted.nest.loop,
        collapse=wanted.nest.collapse,
        extents=[_extents(wanted, sample, launch) for launch in launches],
    )
    return shifted(found, wanted.begins[window - 1]) if window else found


def kept_of(trace: NestTrace | None, accesses: Collection[int]) -> NestTrace | None:
    """The trace of some accesses; None if there are none of them."""
    if trace is None:
        return None
    there = set(np.unique(trace.access).tolist())
    return without(trace, there - set(accesses)) if there & set(accesses) else None


def launch_of(trace: NestTrace, launch: int) -> NestTrace | None:
    """The trace of one launch; None if it made none of the accesses."""
    if launch not in trace.launches:
        return None
    place = trace.launches.index(launch)
    begin, end = np.searchsorted(trace.launch, [launch, launch + 1])
    return replace(
        trace,
        access=trace.access[begin:end],
        address=trace.address[begin:end],
        size=trace.size[begin:end],
        launch=trace.launch[begin:end],
        iterations=trace.iterations[begin:end],
        launches=(launch,),
        extents=(trace.extents[place],),
    )


def _extents(wanted: Wanted, sample: Sample, launch: int) -> tuple[int, ...]:
    """Those seen, or where the trace was ended early those that the counts tell."""
    seen = sample.launches[launch].extents
    if wanted.number == 1:
        return tuple(max(own, round(mean)) for own, mean in zip(seen, wanted.extents, strict=True))
    return seen
