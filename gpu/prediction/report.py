"""Report on a kernel: its longest launch, its accesses, dependences and notes."""

from collections.abc import Iterable, Mapping, Sequence

from logca.gpu.bounds.interval import interval
from logca.gpu.loops.reductions import way
from logca.gpu.nests.thread_dependences import Carried
from logca.gpu.prediction.kernel_notes import empty_launches, notes_of
from logca.gpu.prediction.nest_samples import NestSample, TiledSample, counted_accesses
from logca.gpu.prediction.result import (
    AccessReport,
    KernelPrediction,
    ReductionReport,
)
from logca.gpu.sampling.divergent_regions import behaviours_of
from logca.gpu.stages.launches_in_sequence import KernelTime
from logca.gpu.stages.transactions import Behaviour
from logca.trace.ir.program import Loop, Program

__all__ = ["counted_share", "kernel_prediction"]


def kernel_prediction(sample: NestSample, time: KernelTime) -> KernelPrediction:
    """Report on a kernel."""
    nest, longest = sample.nest, time.longest
    loop = sample.workload.static.loops[nest.loop]
    behaviours = (
        behaviours_of(sample.regions, time.results) if sample.regions else longest.behaviours
    )
    threads = {*nest.loops}
    if isinstance(sample, TiledSample):
        threads |= {*sample.tile.thread_loops}
    carried = tuple(
        each
        for each in sample.seen.carried
        if each.loop in threads
        and each.sink.array not in _declared(sample)
        and not any({each.source.id, each.sink.id} <= of.accesses for of in nest.reductions)
        and not (each.kind == "output" and {each.source.id, each.sink.id} <= nest.alike)
    )
    return KernelPrediction(
        function=loop.source_function,
        file=loop.file,
        line=loop.line,
        calls=_calls(loop, sample.workload.static),
        collapse=nest.collapse,
        reason=nest.reason,
        launches=sample.number - empty_launches(sample),
        layout=longest.layout,
        occupancy=longest.occupancy,
        timing=longest.timing,
        bounds=longest.bounds,
        interval_s=_interval(sample, time),
        bound=longest.bound,
        time_s=time.time_s,
        cycles=time.cycles,
        counted=counted_share([sample]),
        bandwidth=time.dram_bytes / time.time_s if time.time_s else 0.0,
        bandwidth_share=(
            time.dram_bytes / time.time_s / sample.device.bandwidth if time.time_s else 0.0
        ),
        accesses=_reports(sample, behaviours),
        dependences=carried,
        against=_against(sample, carried),
        reduction=_gathered(sample),
        notes=notes_of(sample, time, behaviours),
        stages=longest.stages,
        compiled_files=sample.workload.static.compiled_files,
    )


def _interval(sample: NestSample, time: KernelTime) -> tuple[float, float] | None:
    """Times between which the measured one is expected; None by other models than bounds [s]."""
    if time.longest.bounds is None:
        return None
    low, high = interval(time.longest.bounds, sample.device)
    longest = max(time.time_s, time.at_most_s or 0.0, time.uneven_s or 0.0)
    return low * time.time_s, high * longest


def _calls(loop: Loop, program: Program) -> tuple[str, ...]:
    """The calls that lead to a loop, where it was inlined at several places.

    Without their columns where the lines tell them apart.
    """
    here = (loop.file, loop.line, loop.source_function)
    alike = [each for each in program.loops if (each.file, each.line, each.source_function) == here]
    ways = {each.calls for each in alike}
    if len(ways) < 2:
        return ()
    lines = {calls: tuple(call.rpartition(":")[0] for call in calls) for calls in ways}
    return lines[loop.calls] if len(set(lines.values())) == len(ways) else loop.calls


def _gathered(sample: NestSample) -> tuple[ReductionReport, ...]:
    """Values that the threads gather; none of a kernel in tiles."""
    if isinstance(sample, TiledSample):
        return ()
    return tuple(
        ReductionReport(
            name=each.name, operation=each.operation, how=way(each), hottest_share=each.hottest
        )
        for each in sample.nest.reductions
    )


def _against(sample: NestSample, carried: Sequence[Carried]) -> tuple[str, ...]:
    """Dependences that loops which become threads carry, in registers and through memory.

    Sums and their kin are none of these, as threads can combine partial results in any order.
    """
    registers = [
        what
        for number in sample.nest.loops
        for what in sample.workload.static.loops[number].carried
        if not what.endswith(_REDUCTION) and what.partition(" (")[0] not in _declared(sample)
    ]
    memory = [
        f"{each.sink.array or each.source.array or 'memory'}, {each.kind} dependence from line "
        f"{each.source.line} to line {each.sink.line}"
        for each in carried
    ]
    return tuple(dict.fromkeys([*registers, *memory]))


def _declared(sample: NestSample) -> frozenset[str]:
    """Variables that clauses of the loops declare to be each thread's own, or gathered."""
    loops = [sample.workload.static.loops[number] for number in sample.nest.loops]
    return frozenset(name for loop in loops for name in (*loop.private, *loop.reduction))


_REDUCTION = " (reduction)"


def _reports(sample: NestSample, behaviours: Mapping[int, Behaviour]) -> tuple[AccessReport, ...]:
    executed = sample.executed
    reports = []
    counts = {**executed.memory, **executed.loads, **executed.shared}
    for site, executions in sorted(counts.items()):
        access, behaviour = sample.workload.static.accesses[site], behaviours.get(site)
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
                executions=executions,
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


def counted_share(samples: Iterable[NestSample]) -> float:
    """Share of the accesses to memory of all threads that the time counts [1]."""
    counted, made = (sum(each) for each in zip(*map(counted_accesses, samples), strict=True))
    return counted / made if made else 1.0
