"""The kernels of a program: each nest's sampled launches through the stages, and their sum."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from logca.gpu.blocks import Block, block_of
from logca.gpu.carried import Carried
from logca.gpu.devices import GpuDevice
from logca.gpu.enlarging import Enlarged, enlarged, trace_at
from logca.gpu.instructions import Instructions, instructions
from logca.gpu.kernel import LaunchResult, launch
from logca.gpu.launches import LaunchClass, launch_classes, wanted_of
from logca.gpu.models import Model
from logca.gpu.nest import NestTrace, is_private
from logca.gpu.regions import Nest
from logca.gpu.result import AccessReport, KernelPrediction
from logca.gpu.sampling import Sample, Wanted, sampled
from logca.gpu.traces import kept_of, launch_of, trace_of
from logca.gpu.workload import Workload, collapsed_loops, extents_of, innermost_blocks, launches_of

__all__ = ["predicted"]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kernel:
    """A nest, what its threads execute at the work size, and what was traced of it."""

    wanted: Wanted
    sample: Sample
    executed: Instructions
    trace: NestTrace | None
    classes: tuple[LaunchClass, ...]

    @property
    def nest(self) -> Nest:
        return self.wanted.nest


def predicted(
    load: Workload,
    nests: Sequence[Nest],
    *,
    device: GpuDevice,
    model: Model,
    block: Block | None = None,
    grid: tuple[int, ...] | None = None,
) -> tuple[KernelPrediction, ...]:
    """Predict nests as kernels.

    Parameters
    ----------
    load : Workload
        The program and its counts.
    nests : sequence of Nest
        The nests.
    device : GpuDevice
        The GPU.
    model : Model
        The model.
    block, grid : tuple of int, optional
        Threads of a block, blocks of the grid along x, y and z, see `logca.gpu.blocks` [1].
    """
    blocks = {
        nest.loop: block_of(
            tuple(max(1, round(extent)) for extent in extents_of(load, nest)),
            device,
            block=block,
            grid=grid,
        )
        for nest in nests
    }
    wanted = [wanted_of(load, nest, blocks[nest.loop], device) for nest in nests]
    samples = sampled(load.programs[0], wanted)
    kernels = [_kernel(load, each, samples[each.nest.loop], model) for each in wanted]
    large: dict[int, Enlarged] = {}
    if model.at_work_size and load.trace_size != load.work_size:
        kept = {kernel.nest.loop: frozenset(kernel.executed.memory) for kernel in kernels}
        large = enlarged(load, nests, kept)
    return tuple(
        _predicted(
            load, kernel, large.get(kernel.nest.loop), blocks[kernel.nest.loop], device, model
        )
        for kernel in kernels
    )


def _kernel(load: Workload, wanted: Wanted, sample: Sample, model: Model) -> _Kernel:
    static, nest = load.static, wanted.nest
    trace = trace_of(static, wanted, sample)
    private = (
        set()
        if trace is None
        else {access.id for access in static.accesses if is_private(trace, access)}
    )
    executed = instructions(
        static,
        nest.loop,
        nest.collapse,
        load.work[: len(static.blocks)],
        private=private,
        only=innermost_blocks(static, nest) if model.innermost_only else None,
    )
    return _Kernel(
        wanted=wanted,
        sample=sample,
        executed=executed,
        trace=kept_of(trace, executed.memory),
        classes=launch_classes(wanted, sample)
        or (LaunchClass(launch=0, share=1.0, extents=(1.0,) * nest.collapse, work=1.0),),
    )


def _predicted(
    load: Workload,
    kernel: _Kernel,
    large: Enlarged | None,
    block: tuple[int, ...] | None,
    device: GpuDevice,
    model: Model,
) -> KernelPrediction:
    nest, loop = kernel.nest, load.static.loops[kernel.nest.loop]
    number, mean = launches_of(load, nest), extents_of(load, nest)

    def trace_for(which: LaunchClass) -> NestTrace | None:
        if large is None or large.affine is None:
            return None if kernel.trace is None else launch_of(kernel.trace, which.launch)
        place = min(number - 1, round(which.launch / kernel.wanted.number * number))
        return trace_at(large.affine, place, block=block, device=device)

    results = [
        launch(
            trace_for(each),
            _scaled(kernel.executed, each.work),
            extents=tuple(
                max(1, round(own * factor)) for own, factor in zip(mean, each.extents, strict=True)
            ),
            block=block,
            device=device,
            model=model,
        )
        for each in kernel.classes
    ]
    times = [each.share * number for each in kernel.classes]
    longest = max(results, key=lambda each: each.timing.cycles)
    threads = set(collapsed_loops(load.static, nest))
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
        time_s=sum(n * each.time for n, each in zip(times, results, strict=True)),
        cycles=sum(n * each.timing.cycles for n, each in zip(times, results, strict=True)),
        accesses=_reports(load, kernel.executed, longest),
        dependences=_between(threads, kernel.sample),
        notes=_notes(kernel, large, number),
        stages=longest.stages,
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


def _between(threads: set[int], sample: Sample) -> tuple[Carried, ...]:
    """Dependences that the loops carry which become threads."""
    return tuple(each for each in sample.watch.found() if each.loop in threads)


def _notes(kernel: _Kernel, large: Enlarged | None, number: int) -> tuple[str, ...]:
    notes = []
    if len(kernel.classes) > 1:
        notes.append(
            f"launches differ: {len(kernel.classes)} of {kernel.wanted.number} were looked at, "
            f"evenly spaced, and stand for {number}"
        )
    if not kernel.sample.complete:
        notes.append("the trace reached its limit before all threads of two batches were seen")
    if large is not None and large.affine is None and large.reason:
        notes.append(f"accesses are those of the traced size: {large.reason}")
    return tuple(notes)
