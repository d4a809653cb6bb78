"""Advice: what binds each kernel, which access is to blame, and what the usual remedies gain."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from os import PathLike

from logca.common.limits import Limits
from logca.gpu.advice.bottleneck import binding
from logca.gpu.advice.remedies import candidates
from logca.gpu.advice.results import Advice, KernelAdvice, Remedy, RemedyCandidate
from logca.gpu.devices.parameters import GpuDevice
from logca.gpu.prediction.predict import loops_of
from logca.gpu.prediction.report import kernel_prediction, prediction_of
from logca.gpu.prediction.request import Request, Source
from logca.gpu.prediction.result import AccessReport, KernelPrediction
from logca.gpu.prediction.samples import ExtendedSample, NestSample
from logca.gpu.prediction.tracing import sampled_nests, traced_nests
from logca.gpu.stages.dram import Behaviour
from logca.gpu.stages.launch import KernelTime, LaunchTime, kernel_time
from logca.gpu.stages.occupancy import Block, OccupancyError

__all__ = ["advise"]

_WORTH_SHARE = 0.01
"""Kernels that take a smaller share of the time are not looked at [1]."""

_WORTH_GAIN = 1.02
"""A remedy that gains less is none [1]."""

_NOTABLE = 0.2
"""Changes of transactions that are told, as a share of them [1]."""

_TRIED = 1 << 20
"""Accesses of a launch at the work size with which remedies are tried, before the ones that gain
are predicted with all [1]."""

_ALIKE = 1.005
"""Of alike remedies a simpler one is taken unless another gains more than this [1]."""


def advise(
    source: Source | Sequence[Source],
    function: str | None = None,
    *,
    device: str | PathLike[str] | GpuDevice = "jetson-tk1",
    model: str = "paper",
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
    the stages that made the prediction run again (wang2017, section 4.4). No factor is assumed.

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
    loops = loops_of(request, progress)
    progress("tracing")
    samples = sampled_nests(traced_nests(loops, request), request)
    times = [kernel_time(sample.launches(), request.model) for sample in samples]
    kernels = tuple(map(kernel_prediction, samples, times))
    progress("trying remedies")
    return Advice(
        prediction=prediction_of(request, loops, kernels),
        kernels=tuple(
            _advice(sample, now, kernel, kernels)
            for sample, now, kernel in zip(samples, times, kernels, strict=True)
        ),
    )


def _advice(
    sample: NestSample,
    now: KernelTime,
    kernel: KernelPrediction,
    kernels: Sequence[KernelPrediction],
) -> KernelAdvice:
    total = sum(other.time_s for other in kernels)
    share = kernel.time_s / total if total else 0.0
    bound = binding(now.longest, sample.device, sample.model)
    looked_at = share >= _WORTH_SHARE
    tried = list(_tried(sample, now, kernel, kernels)) if looked_at else []
    tried.sort(key=lambda remedy: -remedy.gain)
    return KernelAdvice(
        kernel=kernel,
        share=share,
        looked_at=looked_at,
        bound=bound,
        access=_report(sample, kernel, bound.access),
        remedies=tuple(remedy for remedy in tried if remedy.gain >= _WORTH_GAIN),
        others=tuple(remedy for remedy in tried if remedy.gain < _WORTH_GAIN),
    )


def _tried(
    sample: NestSample,
    now: KernelTime,
    kernel: KernelPrediction,
    kernels: Sequence[KernelPrediction],
) -> Iterator[Remedy]:
    """Of remedies that differ only in how they are done the best."""
    trial, before = sample, now
    if isinstance(sample, ExtendedSample):
        trial = replace(sample, records=_TRIED)
        before = kernel_time(trial.launches(), sample.model)
    best: dict[tuple[object, ...], tuple[float, RemedyCandidate, KernelTime]] = {}
    for candidate in candidates(trial, before):
        then = _predicted(candidate, trial, before)
        if then is None:
            continue
        gain = before.time_s / then.time_s
        key = (candidate.name, candidate.array, candidate.accesses)
        if key not in best or gain > best[key][0] * _ALIKE:
            best[key] = gain, candidate, then
    for gain, candidate, tried in best.values():
        then = (
            _predicted(candidate, sample, now)
            if gain >= _WORTH_GAIN and trial is not sample
            else None
        )
        time = kernel.time_s / gain if then is None else then.time_s
        after = (then or tried).longest
        yield Remedy(
            name=candidate.name,
            array=candidate.array,
            line=sample.workload.static.accesses[candidate.accesses[0]].line
            if candidate.accesses
            else 0,
            what=candidate.what,
            time_s=time,
            gain=kernel.time_s / time,
            mwp=after.timing.mwp,
            cwp=after.timing.cwp,
            changes=tuple(_changes(sample, (before if then is None else now).longest, after)),
            conditions=(*candidate.conditions, *_conditions(candidate, kernel, kernels)),
        )


def _predicted(
    candidate: RemedyCandidate, sample: NestSample, now: KernelTime
) -> KernelTime | None:
    """A kernel with a remedy; None if no block fits on the device then, or it cannot be compared.

    That is so where the first batches of other blocks leave out accesses which those of the kernel
    make, as where the first row of threads does something else.
    """
    try:
        then = kernel_time(candidate.made(sample), sample.model)
    except OccupancyError:
        return None
    comparable = now.longest.behaviours().keys() <= then.longest.behaviours().keys()
    return then if comparable else None


def _conditions(
    candidate: RemedyCandidate, kernel: KernelPrediction, kernels: Sequence[KernelPrediction]
) -> Iterator[str]:
    if candidate.name in ("transposed layout", "longer rows") and candidate.array:
        lines = sorted(
            {
                access.line
                for other in kernels
                if other is not kernel
                for access in other.accesses
                if access.array == candidate.array and not access.shared
            }
        )
        if lines:
            where = f"line{'s' if len(lines) > 1 else ''} {', '.join(map(str, lines))}"
            yield f"{where} of other kernels may reach the array too, and is not in this time"
    if kernel.dependences:
        names = ", ".join(dict.fromkeys(each.sink.array or "memory" for each in kernel.dependences))
        yield f"threads depend on each other through {names}, and no remedy may change their order"


def _changes(sample: NestSample, before: LaunchTime, after: LaunchTime) -> Iterator[str]:
    """What became of accesses that are now made otherwise, or with other transactions."""
    old, new = before.behaviours(), after.behaviours()
    shared = {each.access for each in after.shared} - {each.access for each in before.shared}
    for access, was in old.items():
        at = sample.workload.static.accesses[access]
        name = f"line {at.line}, {at.array or '?'}"
        if access in shared:
            ways = next(each.transactions for each in after.shared if each.access == access)
            how = "no bank conflicts" if ways == 1 else f"{ways:.3g}-way bank conflicts"
            yield f"{name}: {was.pattern} -> shared memory, {how}"
        elif access in new and _differ(was, new[access]):
            yield f"{name}: {_behaviour_words(was)} -> {_behaviour_words(new[access])}"


def _differ(was: Behaviour, now: Behaviour) -> bool:
    """Whether an access is another one to the reader."""
    pairs = ((was.transactions, now.transactions), (was.dram, now.dram))
    return was.pattern != now.pattern or any(
        abs(one - other) > _NOTABLE * max(one, other, 1) for one, other in pairs
    )


def _behaviour_words(each: Behaviour) -> str:
    return f"{each.pattern}, {each.transactions:.3g} transactions, {each.dram:.3g} DRAM"


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
