"""The kernels of a program: each nest's sampled launches through the stages, and their sum."""

from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np

from logca.gpu.carried import Carried
from logca.gpu.devices import GpuDevice
from logca.gpu.instructions import Instructions, instructions
from logca.gpu.kernel import LaunchResult, launch
from logca.gpu.launches import LaunchClass, launch_classes, wanted_of
from logca.gpu.models import Model
from logca.gpu.nest import NestTrace, is_private, nest_trace, without
from logca.gpu.regions import Nest
from logca.gpu.result import AccessReport, KernelPrediction
from logca.gpu.sampling import Sample, Wanted, sampled
from logca.gpu.workload import Workload, collapsed_loops, extents_of, innermost_blocks, launches_of

__all__ = ["predicted"]


def predicted(
    load: Workload,
    nests: Sequence[Nest],
    *,
    block: tuple[int, ...] | None,
    device: GpuDevice,
    model: Model,
) -> tuple[KernelPrediction, ...]:
    """Predict nests as kernels.

    Parameters
    ----------
    load : Workload
        The program and its counts.
    nests : sequence of Nest
        The nests.
    block : tuple of int, optional
        Threads of a block along x, y and z [1].
    device : GpuDevice
        The GPU.
    model : Model
        The model.
    """
    wanted = [wanted_of(load, nest, block, device) for nest in nests]
    samples = sampled(load.programs[0], wanted)
    return tuple(
        _kernel(load, each, samples[each.nest.loop], block, device, model) for each in wanted
    )


def _kernel(
    load: Workload,
    wanted: Wanted,
    sample: Sample,
    block: tuple[int, ...] | None,
    device: GpuDevice,
    model: Model,
) -> KernelPrediction:
    static, nest = load.static, wanted.nest
    loop = static.loops[nest.loop]
    number, mean = launches_of(load, nest), extents_of(load, nest)
    trace = _trace(load, wanted, sample)
    private = _private(load, trace)
    executed = instructions(
        static,
        nest.loop,
        nest.collapse,
        load.work[: len(static.blocks)],
        private=private,
        only=innermost_blocks(static, nest) if model.innermost_only else None,
    )
    trace = _kept(trace, executed.memory)
    classes = launch_classes(wanted, sample) or (
        LaunchClass(launch=0, share=1.0, extents=(1.0,) * nest.collapse, work=1.0),
    )
    results = [
        launch(
            None if trace is None else _only(trace, each.launch),
            _scaled(executed, each.work),
            extents=tuple(
                max(1, round(own * factor)) for own, factor in zip(mean, each.extents, strict=True)
            ),
            block=block,
            device=device,
            model=model,
        )
        for each in classes
    ]
    times = [each.share * number for each in classes]
    longest = max(results, key=lambda each: each.timing.cycles)
    return KernelPrediction(
        function=loop.source_function,
        file=loop.file,
        line=loop.line,
        collapse=nest.collapse,
        reason=nest.reason,
        launches=number,
        layout=longest.layout,
        occupancy=longest.occupancy,
        timing=longest.timing,
        time_s=sum(n * each.timing.time for n, each in zip(times, results, strict=True)),
        cycles=sum(n * each.timing.cycles for n, each in zip(times, results, strict=True)),
        accesses=_reports(load, executed, longest),
        dependences=_between_threads(load, nest, sample),
        notes=_notes(wanted, sample, classes, number),
        stages=longest.stages,
    )


def _trace(load: Workload, wanted: Wanted, sample: Sample) -> NestTrace | None:
    """The accesses kept, as a trace; None if there are none."""
    if not sample.parts:
        return None
    columns = sample.columns()
    columns = columns.where(np.isin(columns.launch, sorted(sample.launches)))
    launches = np.unique(columns.launch).tolist()
    return nest_trace(
        access=columns.access,
        address=columns.address,
        launch=columns.launch,
        iterations=columns.iterations,
        size=columns.size,
        accesses=load.static.accesses,
        loops=load.static.loops,
        nest=wanted.nest.loop,
        collapse=wanted.nest.collapse,
        extents=[_extents(wanted, sample, launch) for launch in launches],
    )


def _extents(wanted: Wanted, sample: Sample, launch: int) -> tuple[int, ...]:
    """Those seen, or where the trace was ended early those that the counts tell."""
    seen = sample.launches[launch].extents
    if wanted.number == 1:
        return tuple(max(own, round(mean)) for own, mean in zip(seen, wanted.extents, strict=True))
    return seen


def _kept(trace: NestTrace | None, accesses: Collection[int]) -> NestTrace | None:
    """The trace of some accesses; None if there are none of them."""
    if trace is None:
        return None
    others = set(np.unique(trace.access).tolist()) - set(accesses)
    return without(trace, others) if others < set(np.unique(trace.access).tolist()) else None


def _kept(trace: NestTrace | None, accesses: Collection[int]) -> NestTrace | None:
    """The trace of some accesses; None if there are none of them."""
    if trace is None:
        return None
    there = set(np.unique(trace.access).tolist())
    return without(trace, there - set(accesses)) if there & set(accesses) else None


def _private(load: Workload, trace: NestTrace | None) -> set[int]:
    if trace is None:
        return set()
    return {access.id for access in load.static.accesses if is_private(trace, access)}


def _only(trace: NestTrace, launch: int) -> NestTrace:
    """The accesses of one launch."""
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


def _scaled(executed: Instructions, factor: float) -> Instructions:
    """What a thread executes where it has more or less to do than on average."""
    if factor == 1.0:
        return executed
    return replace(
        executed,
        memory={site: count * factor for site, count in executed.memory.items()},
        shared={site: count * factor for site, count in executed.shared.items()},
        computation={name: count * factor for name, count in executed.computation.items()},
    )


def _reports(
    load: Workload, executed: Instructions, result: LaunchResult
) -> tuple[AccessReport, ...]:
    found = {} if result.memory is None else {each.access: each for each in result.memory.accesses}
    reports = []
    for site, count in sorted(executed.memory.items()):
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
            )
        )
    return tuple(reports)


def _between_threads(load: Workload, nest: Nest, sample: Sample) -> tuple[Carried, ...]:
    threads = set(collapsed_loops(load.static, nest))
    return tuple(each for each in sample.watch.found() if each.loop in threads)


def _notes(
    wanted: Wanted, sample: Sample, classes: Sequence[LaunchClass], number: int
) -> tuple[str, ...]:
    notes = []
    if len(classes) > 1:
        notes.append(
            f"launches differ: {len(classes)} of {wanted.number} were looked at, evenly spaced, "
            f"and stand for {number}"
        )
    if not sample.complete:
        notes.append("the trace reached its limit before all threads of two batches were seen")
    return tuple(notes)
