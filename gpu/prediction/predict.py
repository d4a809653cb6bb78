"""From C source to GPU time."""

from collections.abc import Callable, Mapping, Sequence
from itertools import starmap
from os import PathLike

from logca.common.limits import Limits
from logca.gpu.devices.parameters import GpuDevice
from logca.gpu.prediction.report import prediction
from logca.gpu.prediction.request import Loaded, Source, loaded
from logca.gpu.prediction.tracing import Study, studied, variant
from logca.gpu.stages.blocks import Block
from logca.gpu.stages.launch import Outcome, outcome
from logca.gpu.stages.result import KernelPrediction, Prediction

__all__ = ["predict", "prediction_of", "studied_outcomes"]


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
    found = loaded(
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
        progress=progress,
    )
    progress("tracing")
    return prediction_of(found, tuple(starmap(prediction, studied_outcomes(found))))


def studied_outcomes(found: Loaded) -> list[tuple[Study, Outcome]]:
    """The nests of a program as they were traced, each with what the stages say of it."""
    studies = studied(
        found.load,
        found.choice.nests,
        device=found.device,
        model=found.model,
        block=found.block,
        grid=found.grid,
    )
    return [(each, outcome(variant(each), found.device, found.model)) for each in studies]


def prediction_of(found: Loaded, kernels: tuple[KernelPrediction, ...]) -> Prediction:
    """The prediction of a program from those of its kernels."""
    return Prediction(
        device=found.device.title,
        model=found.model.name,
        kernels=kernels,
        trace_size=found.load.trace_size,
        work_size=found.load.work_size,
        notes=found.choice.notes,
        left_out=found.choice.left_out,
    )
