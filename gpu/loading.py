"""A program read, compiled, counted, and its loops chosen: what comes before they are traced."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path

from logca.gpu.choosing import chosen_nests
from logca.gpu.devices import GpuDevice
from logca.gpu.devices import device as device_named
from logca.gpu.models import Model, model_named
from logca.gpu.regions import Nest
from logca.gpu.running import Program
from logca.gpu.work_size import ALIGNMENT
from logca.gpu.workload import Workload, workload
from logca.trace.alignment import aligned
from logca.trace.compilation import compile_program
from logca.trace.directives import work_in
from logca.trace.limits import Limits
from logca.trace.macros import traced_sizes

__all__ = ["Loaded", "Source", "loaded"]

Source = str | PathLike[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """A program, and where it is to run.

    Parameters
    ----------
    device : GpuDevice
        The GPU.
    model : Model
        The model.
    load : Workload
        The program and its counts.
    nests : tuple of Nest
        The loops that become threads.
    notes : tuple of str
        What to say of the choice [text].
    """

    device: GpuDevice
    model: Model
    load: Workload
    nests: tuple[Nest, ...]
    notes: tuple[str, ...]


def loaded(
    source: Source | Sequence[Source],
    function: str | None = None,
    *,
    device: str | PathLike[str] | GpuDevice,
    model: str,
    defines: Mapping[str, object] | None,
    args: Sequence[str],
    work: Mapping[str, int] | None,
    includes: Sequence[Source],
    flags: Sequence[str],
    limits: Limits | None,
    progress: Callable[[str], None],
) -> Loaded:
    """Compile a program, count what it executes, and choose its loops.

    Parameters are those of `logca.gpu.predict`.
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
    return Loaded(device=gpu, model=chosen, load=load, nests=nests, notes=notes)
