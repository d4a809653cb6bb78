"""Advice: each kernel's bottleneck, the access to blame, and the gains of the usual remedies."""

from collections.abc import Callable, Mapping, Sequence
from os import PathLike

from logca.common.limits import Limits
from logca.gpu.advice.all_remedies import WORTH_GAIN, tried_remedies
from logca.gpu.advice.bottleneck import binding
from logca.gpu.advice.results import Advice, KernelAdvice
from logca.gpu.devices import DEFAULT_DEVICE
from logca.gpu.devices.parameters import GpuDevice
from logca.gpu.prediction.nest_samples import NestSample
from logca.gpu.prediction.predict import Request, Source, predicted, traced_program
from logca.gpu.prediction.result import AccessReport, KernelPrediction, Prediction
from logca.gpu.stages.blocks_and_occupancy import Block
from logca.gpu.stages.launches_in_sequence import KernelTime

__all__ = ["advise"]

_WORTH_SHARE = 0.01
"""Kernels that take a smaller share of the time get no advice [1]."""


def advise(
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
) -> Advice:
    """Predict a program, and what the usual remedies would gain.

    Each remedy changes the accesses that were traced, as the changed program would make them, and
    the stages that made the prediction run again (wang2017, section 4.4). No factor is assumed. By
    model bounds, what a thread with several elements does only once is not counted again.

    Parameters
    ----------
    source, function, device, model, grid, block, defines, args, stdin, work, includes, flags
        As for `logca.gpu.predict`.
    limits : Limits, optional
        As for `logca.gpu.predict`.
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
    prediction, samples, times = predicted(traced_program(request, progress), request.model)
    progress("trying remedies")
    return Advice(
        prediction=prediction,
        kernels=tuple(
            _advice(sample, now, kernel, prediction)
            for sample, now, kernel in zip(samples, times, prediction.kernels, strict=True)
        ),
    )


def _advice(
    sample: NestSample, now: KernelTime, kernel: KernelPrediction, whole: Prediction
) -> KernelAdvice:
    share = kernel.time_s / whole.time_s if whole.time_s else 0.0
    bound = binding(now.longest, sample.device, sample.model)
    looked_at = share >= _WORTH_SHARE
    tried = list(tried_remedies(sample, now, kernel, whole.kernels)) if looked_at else []
    tried.sort(key=lambda remedy: -remedy.gain)
    return KernelAdvice(
        kernel=kernel,
        share=share,
        looked_at=looked_at,
        bound=bound,
        access=_report(sample, kernel, bound.access),
        remedies=tuple(remedy for remedy in tried if remedy.gain >= WORTH_GAIN),
        others=tuple(remedy for remedy in tried if remedy.gain < WORTH_GAIN),
    )


def _report(
    sample: NestSample, kernel: KernelPrediction, access: int | None
) -> AccessReport | None:
    if access is None:
        return None
    at = sample.workload.static.accesses[access]
    return next(
        (
            each
            for each in kernel.accesses
            if (each.file, each.line, each.column, each.store, each.array)
            == (at.file, at.line, at.column, at.store, at.array)
        ),
        None,
    )
