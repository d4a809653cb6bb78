"""From C source to GPU time."""

from collections.abc import Callable, Mapping, Sequence
from os import PathLike

from logca.common.limits import Limits
from logca.gpu.devices.parameters import GpuDevice
from logca.gpu.loops.detection import detected
from logca.gpu.prediction.report import kernel_prediction, prediction_of
from logca.gpu.prediction.request import Request, Source
from logca.gpu.prediction.result import Prediction
from logca.gpu.prediction.samples import sampled_nests, traced_nests
from logca.gpu.program.running import counted
from logca.gpu.program.workload import workload
from logca.gpu.stages.grid_occupancy import Block
from logca.gpu.stages.launch import kernel_time

__all__ = ["predict"]


def predict(
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
        A GPU by name, or a TOML file.
    model : str
        "paper": the equations of wang2017; "logca": ours; "baseline": the simple one of
        section 4.2.
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
    progress("counting")
    first = counted(request.sources.executable(request.trace_size))
    counts = workload(first, request.sources.executable, request.trace_size, request.work_size)
    progress("choosing loops")
    loops = detected(counts, request.function)
    progress("tracing")
    samples = sampled_nests(traced_nests(loops, request), request)
    times = [kernel_time(sample.launches(), request.model) for sample in samples]
    return prediction_of(request, loops, tuple(map(kernel_prediction, samples, times)))
