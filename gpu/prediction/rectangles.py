"""Collapsed loops whose rows differ in length: a grid of threads is a rectangle."""

from collections.abc import Sequence

import numpy as np

from logca.gpu.nests.nest import NestTrace
from logca.gpu.prediction.nest_samples import NestSample
from logca.trace.ir.program import Program

__all__ = ["grid_shape", "rectangle_note"]


def rectangle_note(sample: NestSample) -> str:
    """Note on loops that are no rectangle; empty if they are one.

    Where the bound of a loop comes from a loop around it, or from memory, its rows may differ. They
    do where their mean is no whole number, or where rows were seen that differ from each other or
    are longer than the mean.
    """
    workload, nest, trace = sample.workload, sample.nest, sample.trace
    static, loops = workload.static, nest.loops
    means = workload.size_of(nest, at_work_size=False).extents
    seen = [launch.extents for launch in sample.seen.launches.values()]
    most = [max(extents) for extents in zip(*seen, strict=True)] or [0] * len(loops)
    uneven = [
        loop
        for level, loop in enumerate(loops)
        if level
        and _bound_varies(static, loops[:level], loop)
        and (means[level] % 1 or most[level] > means[level] or _rows_differ(trace, level))
    ]
    if not uneven:
        return ""
    extents = dict(zip(loops, workload.size_of(nest).extents, strict=True))
    rows = " and ".join(
        f"the one at line {static.loops[loop].line} has {extents[loop]:,.6g} iterations on average"
        for loop in uneven
    )
    shape = grid_shape([*extents.values()])
    return (
        f"the loops are not rectangular: {rows}; {shape} threads represent rows of different "
        "lengths"
    )


def _bound_varies(static: Program, around: Sequence[int], loop: int) -> bool:
    """True if the trip count of a loop depends on the loops around it, or on memory."""
    found = static.loops[loop]
    within = static.loops[around[0]].blocks
    defined = {
        each.name: (block, each)
        for block in within
        for each in static.blocks[block].instructions
        if each.name
    }
    counters = {static.loops[each].header for each in around}
    waiting = [
        use
        for block in found.blocks
        if not set(static.blocks[block].successors) <= found.blocks
        for use in static.blocks[block].instructions[-1].uses
    ]
    seen: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name in seen or name not in defined:
            continue
        seen.add(name)
        block, made = defined[name]
        if made.opcode == "load" or (made.opcode == "phi" and block in counters):
            return True
        waiting += made.uses
    return False


def _rows_differ(trace: NestTrace | None, level: int) -> bool:
    """True if two rows differ that were seen whole; the last one of a launch may be cut off."""
    if trace is None or not len(trace.access):
        return False
    rows = np.column_stack((trace.launch, trace.iterations[:, :level]))
    begins = np.flatnonzero(np.any(np.diff(rows, axis=0, prepend=rows[:1] - 1) != 0, axis=1))
    lengths = np.maximum.reduceat(trace.iterations[:, level], begins)
    launches = trace.launch[begins]
    whole = np.append(launches[1:] == launches[:-1], False)
    return any(
        len(np.unique(lengths[whole & (launches == launch)])) > 1 for launch in trace.launches
    )


def grid_shape(extents: Sequence[float]) -> str:
    """Extents of loops, outermost first, as threads along x, y and z."""
    return " x ".join(f"{max(1, round(each)):,}" for each in reversed(extents))
