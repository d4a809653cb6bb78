"""A program read, compiled, counted, and its loops chosen: what comes before they are traced."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike

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
from logca.common.errors import FileError
from logca.common.limits import Limits
from logca.gpu.affine.extrapolation import ALIGNMENT
from logca.gpu.devices.parameters import GpuDevice
from logca.gpu.devices.parameters import device as device_named
from logca.gpu.loops.detection import Choice, chosen_nests
from logca.gpu.program.running import Program
from logca.gpu.program.workload import Workload, workload
from logca.gpu.stages.blocks import Block, checked_block, checked_shape
from logca.gpu.stages.models import Model, model_named
from logca.trace.compile.driver import compile_program
from logca.trace.compile.machine_code import aligned
from logca.trace.source.pragmas import work_in
from logca.trace.source.preprocessor import pragma_lines, traced_sizes

__all__ = ["Loaded", "Source", "loaded"]

Source = str | PathLike[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """A program, and where it is to run."""

    device: GpuDevice  # the GPU
    model: Model  # the model
    # block, grid: threads of a block, blocks of the grid, as they were asked for [1]
    block: Block | None
    grid: tuple[int, ...] | None
    load: Workload  # the program and its counts
    choice: Choice  # the loops that become threads


def loaded(
    source: Source | Sequence[Source],
    function: str | None = None,
    *,
    device: str | PathLike[str] | GpuDevice,
    model: str,
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
) -> Loaded:
    """Compile a program, count what it executes, and choose its loops.

    Parameters are those of `logca.gpu.predict`.
    """
    if not isinstance(device, str | PathLike | GpuDevice):
        raise FileError(f"device must be a name, a path or a GpuDevice, not {device!r}")
    gpu, chosen = device_named(device), model_named(checked_text("model", model))
    threads, blocks = checked_block(block), checked_shape("grid", grid)
    if function is not None:
        checked_text("function", function)
    paths = checked_paths("source", source)
    folders = checked_folders(includes)
    given, flags = checked_macros(defines), checked_texts("flags", flags)
    arguments, typed = checked_arguments(args), checked_input(stdin)
    allowed = Limits() if limits is None else checked_limits(limits)
    if work is None:
        sizes = work_in(pragma_lines(paths, defines=given, includes=folders, flags=flags))
    else:
        sizes = checked_sizes("work", work)
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
            arguments=arguments,
            stdin=typed,
            limits=allowed,
        )

    progress("counting")
    load = workload(compiled, trace, sizes)
    progress("choosing loops")
    choice = chosen_nests(load, function)
    return Loaded(
        device=gpu,
        model=chosen,
        block=threads,
        grid=blocks,
        load=load,
        choice=choice,
    )
