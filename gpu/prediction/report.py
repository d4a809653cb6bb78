"""What is said of a kernel: its longest launch, its accesses, dependences and notes.

Collapsed loops whose rows differ in length are told of, since a grid is a rectangle.
"""

from collections.abc import Iterable, Sequence

import numpy as np

from logca.gpu.loops.parallelism import deeper_note
from logca.gpu.nests.dependences import Carried
from logca.gpu.nests.nest import Nest
from logca.gpu.nests.trace import NestTrace
from logca.gpu.prediction.tracing import Study
from logca.gpu.program.workload import Workload, collapsed_loops, extents_of
from logca.gpu.sampling.parts import merged
from logca.gpu.sampling.sample import EVERYTHING, Sample
from logca.gpu.stages.dram import Behaviour
from logca.gpu.stages.launch import LaunchResult, Outcome
from logca.gpu.stages.result import AccessReport, KernelPrediction
from logca.gpu.tiles.barriers import missing_barriers
from logca.trace.ir.program import Program

__all__ = [
    "prediction",
    "rectangle_note",
]


def rectangle_note(
    load: Workload,
    nest: Nest,
    seen: Iterable[Sequence[int]],
    trace: NestTrace | None,
) -> str:
    """What to say of loops that are no rectangle; nothing if they are one.

    Where the bound of a loop comes from a loop around it, or from memory, its rows may differ. They
    do where their mean is no whole number, or where rows were seen that differ from each other or
    are longer than the mean.
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


_EDGE = 0.05
"""So near to one DRAM transaction its number is no reason to trust a jump [1]."""


def prediction(study: Study, found: Outcome) -> KernelPrediction:
    """What is said of a kernel."""
    static, nest, longest = study.load.static, study.nest, found.longest
    loop = static.loops[nest.loop]
    threads = {
        *collapsed_loops(static, nest),
        *(study.tile.thread_loops if study.tile else ()),
    }
    return KernelPrediction(
        function=loop.source_function,
        file=loop.file,
        line=loop.line,
        collapse=nest.collapse,
        reason=nest.reason,
        launches=study.launches - _empty(study),
        layout=longest.layout,
        occupancy=longest.occupancy,
        timing=longest.timing,
        time_s=found.time_s,
        cycles=found.cycles,
        accesses=_reports(study, found),
        dependences=_between(threads, study.sample),
        notes=(
            *_shape_notes(study),
            *_edge_notes(study, longest),
            *_notes(study, found),
            *_tile_notes(study, longest),
        ),
        stages=longest.stages,
    )


def _reports(study: Study, found: Outcome) -> tuple[AccessReport, ...]:
    load, executed = study.load, study.executed
    behaviours = _behaviours(study, found)
    reports = []
    counts = {**executed.memory, **executed.loads, **executed.shared}
    for site, count in sorted(counts.items()):
        access, behaviour = load.static.accesses[site], behaviours.get(site)
        if behaviour is None:
            continue
        reports.append(
            AccessReport(
                file=access.file,
                line=access.line,
                column=access.column,
                array=access.array,
                store=access.store,
                size=access.size,
                executions=count,
                pattern=behaviour.pattern,
                share=max(behaviour.shares),
                stride=behaviour.stride,
                stride_share=behaviour.stride_share,
                transactions=behaviour.transactions,
                dram=behaviour.dram,
                shared=site in executed.shared,
            )
        )
    return tuple(reports)


def _behaviours(study: Study, found: Outcome) -> dict[int, Behaviour]:
    """How each static access behaves in the longest launch, in all parts of it together."""
    if not study.parts:
        result = found.longest
        known = (*result.shared, *(result.memory.accesses if result.memory else ()))
        return {each.access: each for each in known if each.access is not None}
    seen: dict[int, list[tuple[Behaviour, float]]] = {}
    for part, result in zip(study.parts, found.results, strict=True):
        for each in result.memory.accesses if result.memory else ():
            site = -1 if each.access is None else each.access
            weight = part.window.share * part.factors.get(site, 0.0)
            if weight:
                seen.setdefault(site, []).append((each, weight))
    return {site: merged(each) for site, each in seen.items()}


def _between(threads: set[int], sample: Sample) -> tuple[Carried, ...]:
    """Dependences that the loops carry which become threads."""
    return tuple(each for each in sample.carried if each.loop in threads)


def _shape_notes(study: Study) -> tuple[str, ...]:
    seen = [launch.extents for launch in study.sample.launches.values()]
    note = "" if study.tile else rectangle_note(study.load, study.nest, seen, study.trace)
    return (note,) if note else ()


def _edge_notes(study: Study, longest: LaunchResult) -> tuple[str, ...]:
    """Where the printed model jumps, so that little decides."""
    printed = study.model.transactions == "rule" and not study.model.simple_cache
    if not printed or study.tile is not None or longest.memory is None:
        return ()
    return tuple(
        f"{each.pattern} accesses have {each.dram:.3f} DRAM transactions on average: their latency "
        "jumps from eq. 1 to eq. 2 of wang2017 where that passes 1, so that little decides"
        for each in longest.memory.classes
        if each.pattern != "constant" and abs(each.dram - 1) < _EDGE
    )


def _empty(study: Study) -> int:
    """How many launches had not one thread, as far as that is known [1]."""
    wanted, sample = study.wanted, study.sample
    iterations = sum(launch.extents[0] for launch in sample.launches.values())
    if not sample.complete or sample.enough or study.launches != wanted.number:
        return 0
    if wanted.number == 1 or iterations != round(wanted.extents[0] * wanted.number):
        return 0
    return wanted.number - len(sample.launches)


def _unseen(study: Study, found: Outcome) -> str:
    """Which accesses are in no launch or part of one that was looked at; mostly none."""
    if study.tile is not None:
        return ""
    seen = {
        each.access for result in found.results if result.memory for each in result.memory.accesses
    }
    if not seen:
        return ""
    sites = [study.load.static.accesses[site] for site in sorted(study.executed.memory)]
    places = [
        f"{'store to' if each.store else 'load of'} {each.array or 'memory'} in line {each.line}"
        for each in sites
        if each.id not in seen
    ]
    return (
        "not among the accesses that were looked at, and taken to be like most of them: "
        f"{', '.join(dict.fromkeys(places))}"
        if places
        else ""
    )


def _needed(study: Study) -> str:
    """How many accesses show all threads of two batches, as far as that is known."""
    wanted = study.wanted
    if not study.sample.cut or not wanted.executed:
        return ""
    rows = min(1.0, wanted.window[0] / wanted.extents[0])
    return f"; {round(rows * sum(wanted.executed.values())):,} or somewhat more accesses would do"


def _notes(study: Study, found: Outcome) -> tuple[str, ...]:
    notes, large, sample = [], study.large, study.sample
    if len(study.classes) > 1:
        looked, number = len(study.classes), study.wanted.number - _empty(study)
        where = (
            ", evenly spaced," if sample.complete else f", among the first {len(sample.launches)},"
        )
        notes.append(
            f"launches differ: all {number} were looked at"
            if looked == number == study.launches - _empty(study)
            else f"launches differ: {looked} of {number} were looked at{where} and stand for "
            f"{study.launches - _empty(study)}"
        )
    deeper = deeper_note(study.load, study.nest, study.device, _behaviours(study, found))
    if deeper:
        notes.append(deeper)
    if study.parts:
        notes.append(
            "threads differ: beside the first batches others were looked at, in "
            f"{len(study.parts) - 1} places evenly spaced over the grid; the time is the mean, MWP "
            "and CWP are those of the slowest"
        )
    unseen = _unseen(study, found)
    if unseen:
        notes.append(unseen)
    if not sample.complete and study.wanted.number > 1:
        notes.append(
            f"the trace reached its limit in launch {len(sample.launches)} of "
            f"{study.wanted.number}; these stand for all"
        )
    elif not sample.complete and study.windows:
        notes.append("the trace reached its limit before all of these places were seen")
    elif not sample.complete:
        notes.append(
            "the trace reached its limit before all threads of two batches were seen, so that the "
            f"time may be far off{_needed(study)}"
        )
    if study.wanted.inside < EVERYTHING:
        notes.append(
            f"of each thread the first {study.wanted.inside} iterations of its loops were traced"
        )
    if large is not None and large.affine is None and large.reason:
        notes.append(f"accesses are those of the traced size: {large.reason}")
    elif large is not None and large.affine and large.launches and len(study.classes) > 1:
        notes.append(
            f"accesses of launches after {large.affine.launches[1] - 1} are those of the traced "
            "size"
        )
    return tuple(notes)


def _tile_notes(study: Study, longest: LaunchResult) -> tuple[str, ...]:
    """What threads of a block lack, and what the paper's equations say of a kernel in tiles."""
    if study.tile is None or study.whole is None:
        return ()
    missing = missing_barriers(study.load.static, study.tile, study.whole)
    printed = longest.as_printed
    if printed is None or printed == longest.timing:
        return missing
    return (
        *missing,
        "shared memory: the warps of a batch overlap, as the estimates of Table 5 of wang2017 have "
        f"it; by its eqs 16, 17 and 23 as printed a launch takes {printed.time * 1e3:.4g} ms",
    )
