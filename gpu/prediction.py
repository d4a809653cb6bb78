"""From C source to GPU time."""

from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from pathlib import Path

from logca.gpu.choosing import chosen_nests
from logca.gpu.devices import GpuDevice
from logca.gpu.devices import device as device_named
from logca.gpu.kernels import predicted
from logca.gpu.models import model_named
from logca.gpu.result import Prediction
from logca.gpu.sampling import Program
from logca.gpu.workload import workload
from logca.trace.compilation import compile_program
from logca.trace.directives import work_in
from logca.trace.limits import Limits
from logca.trace.macros import traced_sizes

__all__ = ["predict"]

Source = str | PathLike[str]


def predict(
    source: Source | Sequence[Source],
    function: str | None = None,
    *,
    device: str | PathLike[str] | GpuDevice = "jetson-tk1",
    model: str = "paper",
    block: tuple[int, ...] | None = None,
    defines: Mapping[str, object] | None = None,
    args: Sequence[str] = (),
    work: Mapping[str, int] | None = None,
    includes: Sequence[Source] = (),
    flags: Sequence[str] = (),
    limits: Limits | None = None,
    progress: Callable[[str], None] = lambda step: None,
) -> Prediction:
    """The time of a C program's loops on a GPU."""
    gpu, chosen = device_named(device), model_named(model)
    paths = [source] if isinstance(source, str | PathLike) else list(source)
    sizes = work_in(map(Path, paths)) if work is None else dict(work)
    given = dict(defines or {})
    trace = traced_sizes(paths, sizes, defines=given, includes=includes, flags=flags)

    def compiled(values: Mapping[str, int]) -> Program:
        return Program(
            compiled=compile_program(
                paths,
                defines={**given, **values},
                includes=includes,
                flags=flags,
                inline=True,
            ),
            arguments=tuple(args),
            limits=limits or Limits(),
        )

    progress("counting")
    load = workload(compiled, trace, sizes)
    progress("choosing loops")
    nests, notes = chosen_nests(load, function)
    progress("tracing")
    kernels = predicted(load, nests, block=block, device=gpu, model=chosen)
    return Prediction(
        device=gpu.title,
        model=chosen.name,
        kernels=kernels,
        trace_size=trace,
        work_size=sizes,
        notes=notes,
    )
