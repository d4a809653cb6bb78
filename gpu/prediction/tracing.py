"""Nests as they are looked at before they are predicted: what was traced, what threads execute."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from logca.gpu.affine.extrapolation import trace_at
from logca.gpu.affine.small_runs import enlarged, traced_there
from logca.gpu.devices.parameters import GpuDevice
from logca.gpu.nests.nest import Nest
from logca.gpu.nests.trace import NestTrace, exchanged, with_exchanged_loops
from logca.gpu.prediction.study import (
    Study,
    affine_launch,
    at_work_size,
    in_parts,
    looked_at_again,
    spread_wanted,
    study_of,
)
from logca.gpu.program.workload import Workload, extents_of
from logca.gpu.sampling.launches import LaunchClass, wanted_of
from logca.gpu.sampling.record_limit import check_threads
from logca.gpu.sampling.sample import MOST, sampled
from logca.gpu.sampling.traces import launch_of
from logca.gpu.stages.blocks import Block, block_of
from logca.gpu.stages.launch import BATCHES, LaunchInput, Variant
from logca.gpu.stages.models import Model
from logca.gpu.tiles.tile import tiles_of
from logca.gpu.tiles.trace import tiled_launch, wanted_of_tile

__all__ = ["Study", "rearranged", "studied", "variant"]


def studied(
    load: Workload,
    nests: Sequence[Nest],
    *,
    device: GpuDevice,
    model: Model,
    block: Block | None = None,
    grid: tuple[int, ...] | None = None,
) -> tuple[Study, ...]:
    """Trace nests, and see what their threads execute."""
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
    whole = {nest.loop: 1 if nest.loop in tiles else device.warp_size for nest in nests}
    check_threads(load.programs[0], wanted, samples, whole, MOST)
    found = [
        study_of(
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
    found = looked_at_again(found)
    plain = [each for each in found if each.tile is None]
    if not (plain and model.at_work_size and load.trace_size != load.work_size):
        return tuple(found)
    kept = {each.nest.loop: frozenset(each.executed.memory) for each in plain}
    there = traced_there(load, nests)
    differ = any(len(each.classes) > 1 for each in plain)
    large = {} if there and differ else enlarged(load, [each.nest for each in plain], kept)
    if there and (differ or any(each.reason for each in large.values())):
        return studied(there, nests, device=device, model=model, block=block, grid=grid)
    return tuple(at_work_size(each, large.get(each.nest.loop)) for each in found)


def rearranged(
    study: Study, *, block: tuple[int, ...] | None = None, interchanged: bool = False
) -> Study:
    """A nest, not in tiles, in other blocks or with its two innermost directions exchanged.

    It is traced again if other threads are to be looked at.
    """
    load, nest = study.load, study.nest
    block = study.block if block is None else block
    changed = replace(study, block=block, interchanged=interchanged)
    if study.windows:
        wanted = spread_wanted(changed)
        return in_parts(changed, wanted, sampled(load.programs[0], [wanted])[nest.loop])
    wanted = wanted_of(load, nest, block, study.device, interchanged=interchanged)
    ends = zip(wanted.window, study.wanted.window, wanted.extents, strict=True)
    if all(new <= old or (wanted.number == 1 and end <= old) for new, old, end in ends):
        return changed
    found = study_of(
        load,
        wanted,
        sampled(load.programs[0], [wanted])[nest.loop],
        tile=None,
        block=block,
        device=study.device,
        model=study.model,
    )
    return replace(
        found,
        large=study.large,
        interchanged=interchanged,
        records=study.records,
        parts=study.parts,
    )


def variant(study: Study) -> Variant:
    """What goes into the stages."""
    parts = range(len(study.parts)) if study.parts else (None,)
    return Variant(
        launches=tuple(
            partial(_input, study, each, part) for each in study.classes for part in parts
        ),
        block=study.block,
    )


def _input(study: Study, which: LaunchClass, number: int | None) -> LaunchInput:
    own = zip(extents_of(study.load, study.nest), which.extents, strict=True)
    loops = tuple(max(1, round(extent * factor)) for extent, factor in own)
    tile = study.tile
    if tile is not None:
        loops = tile.merged(loops)
    part = None if number is None else study.parts[number]
    executed = study.executed if part is None else part.executed(study.executed)
    return LaunchInput(
        trace=_trace_for(study, which, number),
        executed=executed.times(which.work),
        extents=exchanged(loops) if study.interchanged else loops,
        tiled=tiled_launch(study.load, tile, study.whole, study.executed, which.launch),
        times=which.share * study.launches * (1.0 if part is None else part.window.share),
    )


def _trace_for(study: Study, which: LaunchClass, part: int | None) -> NestTrace | None:
    affine, place = affine_launch(study, which)
    if affine is None:
        trace = study.windows[part] if part is not None and study.windows else study.trace
        found = None if trace is None else launch_of(trace, which.launch)
        if found is None or not study.interchanged:
            return found
        return with_exchanged_loops(found)
    return trace_at(
        affine,
        place,
        None if part is None else study.parts[part].window,
        block=study.block,
        device=study.device,
        interchanged=study.interchanged,
        records=study.records,
    )
