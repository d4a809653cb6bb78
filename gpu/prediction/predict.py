"""From C source to GPU time: what is asked, checked once, and all that is done for it in order."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral
from os import PathLike
from typing import Any

from logca.common.arguments import (
    checked_arguments,
    checked_folders,
    checked_input,
    checked_limits,
    checked_macros,
    checked_paths,
    checked_sizes,
    checked_text,
    checked_texts,
)
from logca.common.errors import FileError, RegionError
from logca.common.limits import Limits
from logca.gpu.devices import DEFAULT_DEVICE
from logca.gpu.devices.parameters import GpuDevice, default_model, unit_rates
from logca.gpu.devices.parameters import device as device_named
from logca.gpu.loops.detection import LoopChoice, chosen_as_before, detected
from logca.gpu.nests.nest import Nest, work
from logca.gpu.prediction.copies import copies
from logca.gpu.prediction.nest_samples import NestSample
from logca.gpu.prediction.nest_sampling import TracedNests, sampled_nests, traced_nests
from logca.gpu.prediction.report import counted_share, kernel_prediction
from logca.gpu.prediction.resident_launches import bounds_times
from logca.gpu.prediction.result import Prediction
from logca.gpu.program.running import Sources, counted
from logca.gpu.program.workload import Workload, workload
from logca.gpu.stages.blocks_and_occupancy import Block, LayoutError
from logca.gpu.stages.launches_in_sequence import KernelTime, kernel_time
from logca.gpu.stages.models import Model, model_named
from logca.trace.source.compiler import preprocessed
from logca.trace.source.macros import traced_sizes
from logca.trace.source.pragmas import pragma_lines, work_in

__all__ = ["Request", "Source", "predict", "predicted", "traced_program"]

Source = str | PathLike[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A program, and where it is to run."""

    sources: Sources  # the program
    function: str | None  # take only loops that are written in this function
    device: GpuDevice  # the GPU
    model: Model  # the model
    # block, grid: threads of a block, blocks of the grid, as they were asked for [1]
    block: Block | None
    grid: tuple[int, ...] | None
    # trace_size, work_size: size macros where the program is traced and where it is predicted [1]
    trace_size: Mapping[str, int]
    work_size: Mapping[str, int]

    @classmethod
    def checked(
        cls,
        source: Source | Sequence[Source],
        function: str | None = None,
        *,
        device: str | PathLike[str] | GpuDevice = DEFAULT_DEVICE,
        model: str | None = None,
        grid: tuple[int, ...] | None = None,
        block: Block | None = None,
        defines: Mapping[str, object] | None = None,
        args: Sequence[str] = (),
        stdin: bytes = b"",
        work: Mapping[str, int] | None = None,
        includes: Sequence[Source] = (),
        flags: Sequence[str] = (),
        limits: Limits | None = None,
    ) -> "Request":
        """The request of these arguments, which are those of `logca.gpu.predict`."""
        if not isinstance(device, str | PathLike | GpuDevice):
            raise FileError(f"device must be a name, a path or a GpuDevice, not {device!r}")
        threads, blocks = _checked_block(block), _checked_shape("grid", grid)
        if model is not None:
            checked_text("model", model)
        if function is not None:
            checked_text("function", function)
        paths = checked_paths("source", source)
        folders = checked_folders(includes)
        macros, flags = checked_macros(defines), checked_texts("flags", flags)
        arguments, typed = checked_arguments(args), checked_input(stdin)
        work_size = None if work is None else checked_sizes("work", work)
        allowed = checked_limits(Limits() if limits is None else limits)
        gpu = device_named(device)
        chosen = model_named(default_model(gpu) if model is None else model)
        if chosen.bounds:
            unit_rates(gpu)
        if work_size is None:
            texts = preprocessed(paths, defines=macros, includes=folders, flags=flags)
            work_size = work_in(pragma_lines(texts))
        return cls(
            sources=Sources(
                paths=tuple(paths),
                defines=macros,
                includes=folders,
                flags=flags,
                arguments=arguments,
                stdin=typed,
                limits=allowed,
            ),
            function=function,
            device=gpu,
            model=chosen,
            block=threads,
            grid=blocks,
            trace_size=traced_sizes(
                paths, work_size, defines=macros, includes=folders, flags=flags
            ),
            work_size=work_size,
        )


def predict(
    source: Source | Sequence[Source],
    function: str | None = None,
    *,
    device: str | PathLike[str] | GpuDevice = DEFAULT_DEVICE,
    model: str | None = None,
    grid: tuple[int, ...] | None = None,
    block: Block | None = None,
    defines: Mapping[str, object] | None = None,
    args: Sequence[str] = (),
    stdin: bytes = b"",
    work: Mapping[str, int] | None = None,
    includes: Sequence[Source] = (),
    flags: Sequence[str] = (),
    limits: Limits | None = None,
    progress: Callable[[str], None] = lambda step: None,
) -> Prediction:
    """The time of a C program's loops on a GPU, from its source alone.

    The program is compiled, run, and traced. Directives name the loops that become threads; where
    there are none, the hottest ones do whose iterations do not depend on each other. Where `work`
    gives macros other values than the program is compiled with, it is run at small sizes and
    predicted at these.

    Parameters
    ----------
    source : path or sequence of paths
        C files, one of them with `main`.
    function : str, optional
        Take only loops that are written in this function.
    device : str, path or GpuDevice
        A GPU by name, or a TOML file; by default rtx-4090.
    model : str, optional
        "bounds": for current GPUs, each unit at its own rate; "paper": the equations of wang2017;
        "baseline": the simple one of its section 4.2; "logca": wang2017's, mended. By default
        bounds, or paper on a device whose file has no rates of units, as jetson-tk1.
    grid, block : tuple of int, optional
        Blocks of the grid, threads of a block, along x, y and z; "fullest" for the block that fills
        the device best; by default 256, 32 x 32 or 32 x 8 x 4 [1].
    defines : mapping, optional
        Macros for the compiler; None as value defines one without.
    args : sequence of str
        Arguments of the program.
    stdin : bytes
        Its standard input.
    work : mapping of str to int, optional
        Macros at the work size; by default those of `#pragma logca work(...)`, {} for none [1].
    includes, flags : sequence
        Folders of headers; further flags of the compiler.
    limits : Limits, optional
        Time, memory and output that a run of the program may take.
    progress : callable, optional
        Called with the name of each step.

    Raises
    ------
    TraceError
        If the program cannot be compiled or run, or has no loop to offload; its message says why.
    FileError, ModelError, LayoutError, ScalingError
        If an argument makes no sense.
    MissingCompilerError, MissingLibraryError
        If the extra `trace` is not installed.
    """
    request = Request.checked(
        source,
        function,
        device=device,
        model=model,
        grid=grid,
        block=block,
        defines=defines,
        args=args,
        stdin=stdin,
        work=work,
        includes=includes,
        flags=flags,
        limits=limits,
    )
    prediction, _, _ = predicted(traced_program(request, progress), request.model)
    return prediction


def predicted(
    traced: TracedNests, model: Model
) -> tuple[Prediction, tuple[NestSample, ...], tuple[KernelTime, ...]]:
    """The prediction of a program, with the samples and times of its kernels."""
    samples = sampled_nests(traced, model)
    times = (
        bounds_times(samples, traced.device)
        if model.bounds
        else tuple(kernel_time(sample.launches(), model) for sample in samples)
    )
    workload = traced.loops.workload
    prediction = Prediction(
        device=traced.device.title,
        model=model.name,
        kernels=tuple(map(kernel_prediction, samples, times)),
        trace_size=workload.trace_size,
        work_size=workload.work_size,
        notes=(*traced.loops.notes, *_no_growth(workload, traced.loops.nests)),
        share=traced.loops.shares.predicted,
        counted=counted_share(samples),
        left_out=traced.loops.shares.left_out,
        copies=copies(samples, times, traced.device) if model.bounds else None,
    )
    if not prediction.time_s:
        places = ", ".join(dict.fromkeys(f"{each.file}:{each.line}" for each in prediction.kernels))
        raise RegionError(
            f"nothing runs in the loops that would be kernels, so they take no time: {places}; "
            "trace with sizes at which they compute"
        )
    return prediction, samples, times


def _no_growth(workload: Workload, nests: Sequence[Nest]) -> tuple[str, ...]:
    """Note where larger sizes are asked for and nothing more is executed; mostly none."""
    traced, asked = workload.trace_size, workload.work_size
    larger = any(asked[name] > traced.get(name, asked[name]) for name in asked)
    if not larger or any(asked[name] < traced.get(name, 0) for name in asked):
        return ()
    blocks = len(workload.static.blocks)
    before, after = (
        sum(work(workload.static, counts[:blocks], nest.loop) for nest in nests)
        for counts in (workload.traced, workload.work)
    )
    if after > before:
        return ()
    names = ", ".join(asked)
    return (
        f"the kernels execute no more than at the traced size: {names} changes nothing that they "
        "do, so that the time does not grow",
    )


def traced_program(
    request: Request,
    progress: Callable[[str], None] = lambda step: None,
    *,
    choice: LoopChoice | None = None,
) -> TracedNests:
    """The nests of a program, after it was compiled, counted and traced.

    Those of a choice, if it is given, which was made of the same program.
    """
    progress("counting")
    first = counted(request.sources.executable(request.trace_size))
    counts = workload(first, request.sources.executable, request.trace_size, request.work_size)
    progress("choosing loops")
    loops = (
        detected(counts, request.function) if choice is None else chosen_as_before(counts, choice)
    )
    progress("tracing")
    return traced_nests(
        loops,
        request.device,
        block=request.block,
        grid=request.grid,
        fits=request.model.bounds,
    )


def _checked_block(block: Any) -> Block | None:
    """A block as callers give it, before it is known how many loops become threads."""
    if isinstance(block, str) and block == "fullest":
        return "fullest"
    return _checked_shape("block", block, other=" or 'fullest'")


def _checked_shape(name: str, shape: Any, *, other: str = "") -> tuple[int, ...] | None:
    """Numbers along x, y and z as callers give them; None for none [1]."""
    if shape is None:
        return None
    allowed = f"{name} must be a tuple of one to three whole numbers from 1 on{other}"
    if isinstance(shape, Integral) and not isinstance(shape, bool):
        raise LayoutError(f"{allowed}, not {shape!r}: write ({shape},)")
    numbers = () if isinstance(shape, str | bytes) or not hasattr(shape, "__iter__") else (*shape,)
    if not 1 <= len(numbers) <= 3 or not all(map(_is_count, numbers)):
        raise LayoutError(f"{allowed}, not {shape!r}: write (32, 32), x first")
    return tuple(int(number) for number in numbers)


def _is_count(number: object) -> bool:
    return isinstance(number, Integral) and not isinstance(number, bool) and int(number) >= 1
