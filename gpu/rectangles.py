"""Collapsed loops whose rows differ in length, as in a triangle; a grid is a rectangle."""

from collections.abc import Iterable, Sequence

import numpy as np

from logca.gpu.nest import NestTrace
from logca.gpu.regions import Nest
from logca.gpu.workload import Workload, collapsed_loops, extents_of
from logca.trace.program import Program

__all__ = ["rectangle_note"]


def rectangle_note(
    load: Workload,
    nest: Nest,
    seen: Iterable[Sequence[int]],
    trace: NestTrace | None,
) -> str:
    """What to say of loops that are no rectangle [text]; nothing if they are one.

    Where the bound of a loop comes from a loop around it, or from memory, its rows may differ. They
    do where their mean is no whole number, or where rows were seen that differ from each other or
    are longer than the mean.

    Parameters
    ----------
    load : Workload
        The program and its counts.
    nest : Nest
        The nest.
    seen : iterable of sequence of int
        For launches that were seen the most iterations of each collapsed loop, outermost first [1].
    trace : NestTrace or None
        What was kept of it.
    """
    static, loops = load.static, collapsed_loops(load.static, nest)
    means = extents_of(load, nest, at_work_size=False)
    most = [max(each) for each in zip(*seen, strict=True)] or [0] * len(loops)
    uneven = [
        loop
        for level, loop in enumerate(loops)
        if level
        and _bound_varies(static, loops[:level], loop)
        and (means[level] % 1 or most[level] > means[level] or _rows_differ(trace, level))
    ]
    if not uneven:
        return ""
    extents = dict(zip(loops, extents_of(load, nest), strict=True))
    rows = " and ".join(
        f"the one at line {static.loops[loop].line} has {extents[loop]:,.6g} iterations on average"
        for loop in uneven
    )
    shape = " x ".join(f"{max(1, round(extent)):,}" for extent in extents.values())
    return (
        f"the loops are no rectangle: {rows}; {shape} threads stand for rows of different lengths"
    )


def _bound_varies(static: Program, around: Sequence[int], loop: int) -> bool:
    """Whether what decides how often a loop runs comes from the loops around it, or from memory."""
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
    """Whether two rows differ that were seen whole; the last one of a launch may be cut off."""
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
