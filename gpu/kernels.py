"""What is said of a kernel: its longest launch, its accesses, dependences and notes."""

from logca.gpu.carried import Carried
from logca.gpu.instructions import Instructions
from logca.gpu.kernel import LaunchResult
from logca.gpu.result import AccessReport, KernelPrediction
from logca.gpu.sampling import EVERYTHING, Sample
from logca.gpu.studies import Study
from logca.gpu.tile_order import missing_barriers
from logca.gpu.variants import Outcome
from logca.gpu.workload import Workload, collapsed_loops

__all__ = ["prediction"]


def prediction(study: Study, found: Outcome) -> KernelPrediction:
    """What is said of a kernel.

    Parameters
    ----------
    study : Study
        The nest.
    found : Outcome
        What the stages say of it.
    """
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
        launches=study.launches,
        layout=longest.layout,
        occupancy=longest.occupancy,
        timing=longest.timing,
        time_s=found.time_s,
        cycles=found.cycles,
        accesses=_reports(study.load, study.executed, longest),
        dependences=_between(threads, study.sample),
        notes=(*_notes(study), *_tile_notes(study, longest)),
        stages=longest.stages,
    )


def _reports(
    load: Workload, executed: Instructions, result: LaunchResult
) -> tuple[AccessReport, ...]:
    found = {each.access: each for each in result.shared}
    if result.memory is not None:
        found |= {each.access: each for each in result.memory.accesses}
    reports = []
    counts = {**executed.memory, **executed.loads, **executed.shared}
    for site, count in sorted(counts.items()):
        access, behaviour = load.static.accesses[site], found.get(site)
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
                transactions=behaviour.transactions,
                dram=behaviour.dram,
                shared=site in executed.shared,
            )
        )
    return tuple(reports)


def _between(threads: set[int], sample: Sample) -> tuple[Carried, ...]:
    """Dependences that the loops carry which become threads."""
    return tuple(each for each in sample.watch.found() if each.loop in threads)


def _notes(study: Study) -> tuple[str, ...]:
    notes, large = [], study.large
    if len(study.classes) > 1:
        where = (
            "evenly spaced"
            if study.sample.complete
            else f"among the first {len(study.sample.launches)}"
        )
        notes.append(
            f"launches differ: {len(study.classes)} of {study.wanted.number} were looked at, "
            f"{where}, and stand for {study.launches}"
        )
    if not study.sample.complete and study.wanted.number > 1:
        notes.append(
            f"the trace reached its limit in launch {len(study.sample.launches)} of "
            f"{study.wanted.number}; these stand for all"
        )
    elif not study.sample.complete:
        notes.append("the trace reached its limit before all threads of two batches were seen")
    if study.wanted.inside < EVERYTHING:
        notes.append(
            f"of each thread the first {study.wanted.inside} iterations of its loops were traced"
        )
    if large is not None and large.affine is None and large.reason:
        notes.append(f"accesses are those of the traced size: {large.reason}")
    elif large is not None and large.affine is not None and len(study.classes) > 1:
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
