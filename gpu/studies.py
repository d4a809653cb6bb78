"""Nests as they are looked at before they are predicted: what was traced, what threads execute."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from logca.gpu.blocks import Block, block_of
from logca.gpu.devices import GpuDevice
from logca.gpu.enlarging import Enlarged, enlarged, trace_at
from logca.gpu.instructions import Instructions, instructions
from logca.gpu.interchange import exchanged, with_exchanged_loops
from logca.gpu.kernel import BATCHES
from logca.gpu.launches import LaunchClass, launch_classes, wanted_of
from logca.gpu.models import Model
from logca.gpu.nest import NestTrace, is_private
from logca.gpu.regions import Nest
from logca.gpu.sampling import Sample, Wanted, sampled
from logca.gpu.tile_instructions import tile_instructions
from logca.gpu.tile_trace import tile_trace, tiled_launch
from logca.gpu.tile_window import wanted_of_tile
from logca.gpu.tiles import Tile, tiles_of
from logca.gpu.traces import kept_of, launch_of, trace_of
from logca.gpu.variants import LaunchInput, Variant
from logca.gpu.workload import Workload, extents_of, innermost_blocks, launches_of

__all__ = ["Study", "rearranged", "studied", "variant"]


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

    @property
    def nest(self) -> Nest:
        """The nest."""
        return self.wanted.nest

    @property
    def launches(self) -> int:
        """How often it is launched [1]."""
        return launches_of(self.load, self.nest)


def studied(
    load: Workload,
    nests: Sequence[Nest],
    *,
    device: GpuDevice,
    model: Model,
    block: Block | None = None,
    grid: tuple[int, ...] | None = None,
) -> tuple[Study, ...]:
    """Trace nests, and see what their threads execute.

    Parameters
    ----------
    load : Workload
        The program and its counts.
    nests : sequence of Nest
        The nests.
    device : GpuDevice
        The GPU.
    model : Model
        The model.
    block, grid : tuple of int, optional
        Threads of a block, blocks of the grid along x, y and z, see `logca.gpu.blocks` [1].
    """
    tiles = tiles_of(load, nests)
    blocks = {
        nest.loop: tiles[nest.loop].checked_block(block, grid)
        if nest.loop in tiles
        else block_of(
            tuple(max(1, round(extent)) for extent in extents_of(load, nest)),
            device,
            block=block,
            grid=grid,
        )
        for nest in nests
    }
    wanted = [
        wanted_of_tile(load, tiles[nest.loop], device, BATCHES)
        if nest.loop in tiles
        else wanted_of(load, nest, blocks[nest.loop], device)
        for nest in nests
    ]
    samples = sampled(load.programs[0], wanted)
    found = [
        _study(
            load,
            each,
            samples[each.nest.loop],
            tile=tiles.get(each.nest.loop),
            block=blocks[each.nest.loop],
            device=device,
            model=model,
        )
        for each in wanted
    ]
    plain = [each for each in found if each.tile is None]
    if not (plain and model.at_work_size and load.trace_size != load.work_size):
        return tuple(found)
    kept = {each.nest.loop: frozenset(each.executed.memory) for each in plain}
    large = enlarged(load, [each.nest for each in plain], kept)
    return tuple(replace(each, large=large.get(each.nest.loop)) for each in found)


def rearranged(
    study: Study, *, block: tuple[int, ...] | None = None, interchanged: bool = False
) -> Study:
    """A nest, not in tiles, in other blocks or with its two innermost directions exchanged.

    It is traced again if other threads are to be looked at.

    Parameters
    ----------
    study : Study
        The nest.
    block : tuple of int, optional
        Threads of a block along x, y and z; as before if left out [1].
    interchanged : bool
        Whether x and y change places.
    """
    load, nest = study.load, study.nest
    block = study.block if block is None else block
    wanted = wanted_of(load, nest, block, study.device)
    if interchanged:
        *outer, second, first = wanted.window
        wanted = replace(wanted, window=(*outer, first, second))
    ends = zip(wanted.window, study.wanted.window, wanted.extents, strict=True)
    if all(new <= old or (wanted.number == 1 and end <= old) for new, old, end in ends):
        return replace(study, block=block, interchanged=interchanged)
    found = _study(
        load,
        wanted,
        sampled(load.programs[0], [wanted])[nest.loop],
        tile=None,
        block=block,
        device=study.device,
        model=study.model,
    )
    return replace(found, large=study.large, interchanged=interchanged, records=study.records)


def variant(study: Study) -> Variant:
    """What goes into the stages.

    Parameters
    ----------
    study : Study
        The nest.
    """
    return Variant(
        launches=tuple(partial(_input, study, each) for each in study.classes), block=study.block
    )


def _input(study: Study, which: LaunchClass) -> LaunchInput:
    own = zip(extents_of(study.load, study.nest), which.extents, strict=True)
    loops = tuple(max(1, round(extent * factor)) for extent, factor in own)
    tile = study.tile
    if tile is not None:
        loops = tile.merged(loops)
    return LaunchInput(
        trace=_trace_for(study, which),
        executed=study.executed.times(which.work),
        extents=exchanged(loops) if study.interchanged else loops,
        tiled=tiled_launch(study.load, tile, study.whole, study.executed, which.launch),
        times=which.share * study.launches,
    )


def _trace_for(study: Study, which: LaunchClass) -> NestTrace | None:
    affine = None if study.large is None else study.large.affine
    number = study.launches
    place = min(number - 1, round(which.launch / study.wanted.number * number))
    # The affine nest is known of the first launches; one after them is that of the traced size.
    if affine is None or not affine.launches[0] <= place < affine.launches[1]:
        if study.trace is None:
            return None
        found = launch_of(study.trace, which.launch)
        if found is None or not study.interchanged:
            return found
        return with_exchanged_loops(found)
    return trace_at(
        affine,
        place,
        block=study.block,
        device=study.device,
        interchanged=study.interchanged,
        records=study.records,
    )


def _study(
    load: Workload,
    wanted: Wanted,
    sample: Sample,
    *,
    tile: Tile | None,
    block: tuple[int, ...] | None,
    device: GpuDevice,
    model: Model,
) -> Study:
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
