"""A nest that was traced: what is known of it before it goes through the stages."""

from dataclasses import dataclass

from logca.gpu.affine import AffineNest
from logca.gpu.arguments import arguments
from logca.gpu.devices import GpuDevice
from logca.gpu.enlarging import Enlarged
from logca.gpu.instructions import Instructions, instructions
from logca.gpu.launches import LaunchClass, launch_classes
from logca.gpu.models import Model
from logca.gpu.nest import NestTrace, is_private
from logca.gpu.parts import Part
from logca.gpu.regions import Nest
from logca.gpu.sampling import Sample, Wanted
from logca.gpu.tile_instructions import tile_instructions
from logca.gpu.tile_trace import tile_trace
from logca.gpu.tiles import Tile
from logca.gpu.traces import kept_of, trace_of
from logca.gpu.workload import Workload, innermost_blocks, launches_of

__all__ = ["Study", "affine_launch", "study_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Study:
    """A nest, what its threads execute at the work size, and what was traced of it.

    Parameters
    ----------
    load : Workload
        The program and its counts.
    device : GpuDevice
        The GPU.
    model : Model
        The model.
    block : tuple of int or None
        Threads of a block along x, y and z [1].
    wanted : Wanted
        What was to be kept of the trace.
    sample : Sample
        What was.
    executed : Instructions
        What a thread executes.
    trace : NestTrace or None
        Its accesses to the memory of the device, less loads to shared memory.
    tile : Tile or None
        How it works in tiles.
    whole : NestTrace or None
        All of its accesses, if it does.
    classes : tuple of LaunchClass
        The launches that were looked at.
    large : Enlarged or None
        Its accesses at the work size.
    interchanged : bool
        Whether the two innermost collapsed loops change places.
    records : int or None
        Accesses of a launch that are looked at at the work size; what is usual if None [1].
    parts : tuple of Part
        Parts of a launch whose threads do other things than the first ones, if there are any.
    windows : tuple of NestTrace or None
        What was traced of each of these parts, if they were.
    """

    load: Workload
    device: GpuDevice
    model: Model
    block: tuple[int, ...] | None
    wanted: Wanted
    sample: Sample
    executed: Instructions
    trace: NestTrace | None
    tile: Tile | None
    whole: NestTrace | None
    classes: tuple[LaunchClass, ...]
    large: Enlarged | None = None
    interchanged: bool = False
    records: int | None = None
    parts: tuple[Part, ...] = ()
    windows: tuple[NestTrace | None, ...] = ()

    @property
    def nest(self) -> Nest:
        """The nest."""
        return self.wanted.nest

    @property
    def launches(self) -> int:
        """How often it is launched [1]."""
        return launches_of(self.load, self.nest)


def study_of(
    load: Workload,
    wanted: Wanted,
    sample: Sample,
    *,
    tile: Tile | None,
    block: tuple[int, ...] | None,
    device: GpuDevice,
    model: Model,
) -> Study:
    """What was traced of a nest, and what its threads execute.

    Parameters
    ----------
    load : Workload
        The program and its counts.
    wanted : Wanted
        What was to be kept of the trace.
    sample : Sample
        What was.
    tile : Tile or None
        How it works in tiles.
    block : tuple of int or None
        Threads of a block along x, y and z [1].
    device : GpuDevice
        The GPU.
    model : Model
        The model.
    """
    static, nest = load.static, wanted.nest
    if tile is None:
        whole, trace = None, trace_of(static, wanted, sample)
        executed = instructions(
            static,
            nest.loop,
            nest.collapse,
            load.work[: len(static.blocks)],
            private=set()
            if trace is None
            else {access.id for access in static.accesses if is_private(trace, access)},
            registers=arguments(static, nest.loop),
            only=innermost_blocks(static, nest) if model.innermost_only else None,
        )
    else:
        whole = trace = tile_trace(static, tile, wanted, sample)
        executed = tile_instructions(load, tile, loops_only=model.innermost_only)
    return Study(
        load=load,
        device=device,
        model=model,
        block=block,
        wanted=wanted,
        sample=sample,
        executed=executed,
        trace=kept_of(trace, executed.memory),
        tile=tile,
        whole=whole,
        classes=launch_classes(wanted, sample)
        or (LaunchClass(launch=0, share=1.0, extents=(1.0,) * nest.collapse, work=1.0),),
    )


def affine_launch(study: Study, which: LaunchClass) -> tuple[AffineNest | None, int]:
    """The nest at the work size, if it is known of this launch, and the launch's number there.

    Parameters
    ----------
    study : Study
        The nest.
    which : LaunchClass
        The launch.
    """
    affine = None if study.large is None else study.large.affine
    number = study.launches
    place = min(number - 1, round(which.launch / study.wanted.number * number))
    # The affine nest is known of the first launches; one after them is that of the traced size.
    if affine is None or not affine.launches[0] <= place < affine.launches[1]:
        return None, place
    return affine, place
