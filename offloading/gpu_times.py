"""Times of a program's loops on a GPU, and the copies that they need, size by size."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from logca.common.errors import TraceError
from logca.common.processes import unless_stopped, usable_cores, workers
from logca.gpu.advice.advise import advise
from logca.gpu.devices.parameters import GpuDevice
from logca.gpu.devices.parameters import device as device_named
from logca.gpu.loops.detection import LoopChoice
from logca.gpu.loops.host_parts import HostPart
from logca.gpu.nests.nest import work
from logca.gpu.prediction.predict import Request, predicted, traced_program
from logca.gpu.prediction.result import CopiedArray, KernelPrediction
from logca.gpu.program.work_size_extrapolation import ScalingError
from logca.offloading.array_flows import ArrayFlow, array_flows
from logca.offloading.sizes import MacroRange
from logca.trace.ir.program import Loop

__all__ = ["GpuTime", "LoopOnGpu", "best_remedies", "gpu_time", "gpu_times"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopOnGpu:
    """The predicted time of a loop as a kernel."""

    # file, line: where it begins
    file: str
    line: int
    time_s: float  # of all its launches, with what launching them takes [s]
    interval_s: tuple[float, float]  # in which the measured one is expected [s]
    launches: int  # how often it is launched [1]
    launching_s: float  # part of the time that launches take as such [s]


@dataclass(frozen=True, slots=True, kw_only=True)
class GpuTime:
    """The predicted time of all kernels of a program at one size."""

    time_s: float  # of all launches, with what launching them takes [s]
    interval_s: tuple[float, float]  # in which the measured one is expected, of 95 % of kernels [s]
    launches: int  # of all kernels [1]
    launching_s: float  # part of the time that launches take as such [s]
    bound: str  # what the longest kernel is bound by
    arrays: tuple[CopiedArray, ...]  # what is copied of which array
    flows: tuple[ArrayFlow, ...] = ()  # who reads of which array what another has written
    kernels: tuple[LoopOnGpu, ...] = ()  # the loops, in program order
    executed: float = 0.0  # instructions that the loops execute on the host [1]
    share: float = 1.0  # of the instructions that the program executes, in these loops [1]
    left_out: tuple[HostPart, ...] = ()  # what stays on the host
    against: tuple[str, ...] = ()  # dependences in spite of which a kernel is predicted
    notes: tuple[str, ...] = ()  # what a reader should know of the prediction


def gpu_time(
    arguments: Mapping[str, Any], sizes: MacroRange, choice: LoopChoice, size: int
) -> GpuTime:
    """Predict loops for a value of a macro, from runs at the one that it has in the source.

    A smaller one is traced itself.
    """
    request = Request.checked(**_at(arguments, sizes, size))
    traced = traced_program(request, choice=choice)
    static, places = traced.loops.workload.static, [*map(choice.nests.index, traced.loops.nests)]
    if not places:
        raise TraceError("its loops do not iterate")
    counts = traced.loops.workload.work[: len(static.blocks)]
    found, _, _ = predicted(traced, request.model)
    assert found.interval_s is not None
    assert found.copies is not None
    known = dict(zip(places, map(_on_gpu, found.kernels), strict=True))
    kernels = tuple(
        known.get(place) or _not_entered(static.loops[nest.loop])
        for place, nest in enumerate(choice.nests)
    )
    flows = tuple(
        flow.with_places(places) for flow in array_flows(traced.loops, found.copies.reached)
    )
    return GpuTime(
        time_s=found.time_s,
        interval_s=found.interval_s,
        launches=sum(kernel.launches for kernel in kernels),
        launching_s=sum(kernel.launching_s for kernel in kernels),
        bound=found.longest.bound,
        arrays=found.copies.arrays,
        flows=flows,
        kernels=kernels,
        executed=float(sum(work(static, counts, nest.loop) for nest in traced.loops.nests)),
        share=found.share,
        left_out=found.left_out,
        against=found.against_dependences,
        notes=(*found.notes, *_notes(flows, len(kernels))),
    )


def _on_gpu(kernel: KernelPrediction) -> LoopOnGpu:
    assert kernel.bounds is not None
    assert kernel.interval_s is not None
    return LoopOnGpu(
        file=kernel.file,
        line=kernel.line,
        time_s=kernel.time_s,
        interval_s=kernel.interval_s,
        launches=kernel.launches,
        launching_s=kernel.launches * kernel.bounds.overhead_s,
    )


def _not_entered(loop: Loop) -> LoopOnGpu:
    return LoopOnGpu(
        file=loop.file,
        line=loop.line,
        time_s=0.0,
        interval_s=(0.0, 0.0),
        launches=0,
        launching_s=0.0,
    )


def _notes(flows: Sequence[ArrayFlow], kernels: int) -> Iterator[str]:
    again = [flow for flow in flows if flow.copies(range(kernels)) > 1]
    if again:
        often = max(flow.copies(range(kernels)) for flow in again)
        names = ", ".join(sorted({flow.array for flow in again}))
        yield (
            f"the host reaches {names} between launches, so that copies are made again and again, "
            f"up to {often:,} times"
        )


def linked(device: Any) -> GpuDevice:
    """The device as a process can be sent it, with a link: which arrays are copied is then told."""
    found = device_named(device)
    found = replace(found, sources=dict(found.sources))  # no view of them can be sent
    if found.rates is None:
        return found
    return replace(found, rates=replace(found.rates, link_bandwidth=1e9, link_latency=0.0))


def _at(arguments: Mapping[str, Any], sizes: MacroRange, size: int) -> dict[str, Any]:
    """The arguments of a prediction at a size: macros that grow are traced as they are written."""
    values = sizes.at(size)
    # smaller runs, of which those at larger sizes follow, would have sizes that the program may not
    traceable = sizes.multiple == 1 and not sizes.ratio
    larger = {
        name: value for name, value in values.items() if traceable and value > sizes.written[name]
    }
    traced = {name: value for name, value in values.items() if name not in larger}
    return {
        **arguments,
        "defines": {**arguments["defines"], **traced},
        "work": larger,
        "args": sizes.arguments(arguments["args"], size),
    }


def best_remedies(
    arguments: Mapping[str, Any], sizes: MacroRange, size: int
) -> tuple[str, float] | None:
    """The remedies that gain most in each kernel, and the share of the time that is left with them.

    None if there are none.
    """
    advice = advise(**_at({**arguments, "device": linked(arguments["device"])}, sizes, size))
    best = [(kernel, next(iter(kernel.remedies), None)) for kernel in advice.kernels]
    names = [
        f"{remedy.name}{f' of {remedy.array}' if remedy.array else ''} at line {kernel.kernel.line}"
        for kernel, remedy in best
        if remedy is not None
    ]
    if not names:
        return None
    left = sum(kernel.kernel.time_s if remedy is None else remedy.time_s for kernel, remedy in best)
    return ", ".join(names), left / sum(kernel.kernel.time_s for kernel, _ in best)


def gpu_times(
    arguments: Mapping[str, Any],
    sizes: MacroRange,
    choice: LoopChoice,
    values: Sequence[int],
    *,
    progress: Callable[[str], None] = lambda step: None,
) -> tuple[dict[int, GpuTime], dict[int, str]]:
    """Predict a program for several values of a macro, on all cores; those that failed, and why."""
    arguments = {**arguments, "device": linked(arguments["device"])}
    found: dict[int, GpuTime] = {}
    failed: dict[int, str] = {}
    processes = min(usable_cores(), len(values))
    with workers(processes) if processes > 1 else nullcontext() as pool:
        timed = partial(gpu_time, arguments, sizes, choice)
        answers: dict[int, Callable[[], GpuTime]] = {
            size: partial(timed, size)
            if pool is None
            else pool.submit(unless_stopped, timed, size).result
            for size in values
        }
        for size, answer in answers.items():
            progress(f"predicting the GPU, {sizes.name} = {size}")
            try:
                found[size] = answer()
            except (TraceError, ScalingError) as error:
                failed[size] = str(error)
    return found, failed
