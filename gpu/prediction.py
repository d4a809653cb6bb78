"""From C source to GPU time."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path

from logca.gpu.blocks import Block
from logca.gpu.choosing import chosen_nests
from logca.gpu.devices import GpuDevice
from logca.gpu.devices import device as device_named
from logca.gpu.kernels import predicted
from logca.gpu.models import model_named
from logca.gpu.result import Prediction
from logca.gpu.running import Program
from logca.gpu.work_size import ALIGNMENT
from logca.gpu.workload import workload
from logca.trace.alignment import aligned
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
    grid: tuple[int, ...] | None = None,
    block: Block | None = None,
    defines: Mapping[str, object] | None = None,
    args: Sequence[str] = (),
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
        C files, one of them with `main` [text].
    function : str, optional
        Take only loops that are written in this function [text].
    device : str, path or GpuDevice
        A GPU by name, or a TOML file [text].
    model : str
        "paper": the equations of wang2017; "logca": ours; "baseline": the simple one of section 4.2
        [text].
    grid, block : tuple of int, optional
        Blocks of the grid, threads of a block, along x, y and z; "fullest" for the block that fills
        the device best; by default 256, 32 x 32 or 32 x 8 x 4 [1].
    defines : mapping, optional
        Macros for the compiler; None as value defines one without.
    args : sequence of str
        Arguments of the program [text].
    work : mapping of str to int, optional
        Macros at the work size; by default those of `#pragma logca work(...)`, {} for none [1].
    includes, flags : sequence
        Folders of headers; further flags of the compiler [text].
    limits : Limits, optional
        Time, memory and output that a run of the program may take.
    progress : callable, optional
        Called with the name of each step.

    Raises
    ------
    TraceError
        If the program cannot be compiled or run, or has no loop to offload; its message says why.
    DeviceFileError, ModelError, LayoutError, ScalingError
        If an argument makes no sense.
    MissingCompilerError, MissingLibraryError
        If the extra `trace` is not installed.
    """
    gpu, chosen = device_named(device), model_named(model)
    named = [source] if isinstance(source, str | PathLike) else source
    paths = [Path(each) for each in named]
    folders = [Path(each) for each in includes]
    sizes = work_in(paths) if work is None else dict(work)
    given = dict(defines or {})
    trace = traced_sizes(paths, sizes, defines=given, includes=folders, flags=flags)

    def compiled(values: Mapping[str, int]) -> Program:
        built = compile_program(
            paths,
            defines={**given, **values},
            includes=folders,
            flags=flags,
            inline=True,
        )
        return Program(
            compiled=replace(built, ir=aligned(built.ir, ALIGNMENT)),
            arguments=tuple(args),
            limits=limits or Limits(),
        )

    progress("counting")
    load = workload(compiled, trace, sizes)
    progress("choosing loops")
    nests, notes = chosen_nests(load, function)
    progress("tracing")
    kernels = predicted(load, nests, device=gpu, model=chosen, block=block, grid=grid)
    return Prediction(
        device=gpu.title,
        model=chosen.name,
        kernels=kernels,
        trace_size=trace,
        work_size=sizes,
        notes=notes,
    )
