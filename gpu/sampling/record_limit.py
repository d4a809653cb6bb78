"""Accesses that must be recorded for as many threads as a prediction needs."""

from collections.abc import Collection, Mapping
from dataclasses import replace

import numpy as np

from logca.common.errors import TraceError
from logca.common.limits import Limits
from logca.gpu.nests.nest import Columns
from logca.gpu.program.running import Executable, passed
from logca.gpu.sampling.sample import Seen

__all__ = ["check_threads", "record_limit_error", "records_until"]


def records_until(
    program: Executable,
    nest: int,
    collapse: int,
    threads: int,
    *,
    unmade: Collection[int] = (),
    most: int,
) -> int:
    """Accesses of a nest up to where a thread begins, a second launch does, or it ends [1]."""
    seen, begun = 0, 0
    last = np.full(collapse, -1)
    leave = np.array(sorted(unmade), np.uint32)

    def look(loop: int, each: Columns) -> bool:
        nonlocal seen, begun, last
        at = each.iterations[:, :collapse]
        rows = np.flatnonzero((at[:, -1] >= 0) & ~np.isin(each.access, leave))
        rows = rows[each.launch[rows] == 0]
        changes = np.any(np.diff(at[rows], axis=0, prepend=last[None]) != 0, axis=1)
        ends = [*rows[changes][threads - 1 - begun :][:1], *np.flatnonzero(each.launch > 0)[:1]]
        if ends:
            seen += int(min(ends)) + 1
            return True
        seen += len(each.access)
        begun += int(changes.sum())
        last = at[rows[-1]] if len(rows) else last
        return seen >= most

    passed(replace(program, limits=replace(program.limits, records=Limits().records)), [nest], look)
    return min(seen, most)


def record_limit_error(program: Executable, least: Mapping[int, int], before: str) -> TraceError:
    """The error of a limit of the trace at which too little of some nests was seen."""
    nest = max(least, key=lambda each: least[each])
    loop = program.compiled.program.loops[nest]
    return TraceError(
        f"{loop.file}:{loop.line}: the limit of {program.limits.records:,} accesses ended the "
        f"trace before {before} of this loop: raise it to {least[nest]:,} or more"
    )


def check_threads(
    program: Executable, seen: Mapping[int, Seen], threads: Mapping[int, int], most: int
) -> None:
    """Refuse samples that the run's limit of the trace has ended too early to tell anything."""
    least = {}
    for loop, sample in seen.items():
        if not sample.cut or max(sample.launches, default=0) > 0:
            continue
        plan = sample.plan
        collapse = plan.nest.collapse
        rows = sample.columns().iterations[:, :collapse] if sample.parts else np.empty((0, 1))
        if len(np.unique(rows[rows[:, -1] >= 0], axis=0)) <= threads[loop]:
            least[loop] = records_until(
                program, loop, collapse, threads[loop] + 1, unmade=plan.unmade, most=most
            )
    if least:
        raise record_limit_error(program, least, "the end of the first warp of threads")
