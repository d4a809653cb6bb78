"""Runs of a program that trace its nests, and the sample of each nest that a model asks for."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

from logca.gpu.affine.accesses_at_work_size import profile_of, windows_at
from logca.gpu.affine.small_runs import ExtendedNest, extended, traced_there
from logca.gpu.devices.parameters import GpuDevice
from logca.gpu.loops.detection import Loops
from logca.gpu.nests.nest import (
    private_accesses,
    with_only,
)
from logca.gpu.prediction.fitted_launches import (
    fitted_launches,
    in_registers,
    launch_fits,
)
from logca.gpu.prediction.nest_samples import (
    ExtendedSample,
    NestSample,
    PlainSample,
    TiledSample,
)
from logca.gpu.program.workload import Workload
from logca.gpu.sampling.divergent_regions import grid_regions, profiles_of
from logca.gpu.sampling.plan import DIRECTIONS, plan
from logca.gpu.sampling.record_limit import check_threads
from logca.gpu.sampling.sample import MOST, Seen, sampled
from logca.gpu.stages.blocks_and_occupancy import Block, Shape, shape_of
from logca.gpu.stages.instructions import innermost_blocks, instructions
from logca.gpu.stages.models import Model
from logca.gpu.tiles.tile import Tile, tiles_of
from logca.gpu.tiles.trace import (
    plan_of_tile,
    shape_of_tile,
    tile_instructions,
    tile_trace,
)

__all__ = ["TracedNests", "neglected", "rearranged", "sampled_nests", "traced_nests"]

AnySample = TypeVar("AnySample", bound=NestSample)


@dataclass(frozen=True, slots=True, kw_only=True)
class TracedNests:
    """Traces of the nests, whatever the model, by their outermost loops."""

    loops: Loops  # the nests, and how often everything is executed
    device: GpuDevice  # the GPU
    # block, grid: threads of a block, blocks of the grid, as they were asked for [1]
    block: Block | None
    grid: tuple[int, ...] | None
    tiles: Mapping[int, Tile]  # how those of them work that do so in tiles
    shapes: Mapping[int, Shape]  # their blocks, and how many of these the device has room for
    seen: Mapping[int, Seen]  # what was kept of their accesses
    fits: bool  # whether affine functions were searched for


def traced_nests(
    loops: Loops,
    device: GpuDevice,
    *,
    block: Block | None = None,
    grid: tuple[int, ...] | None = None,
    fits: bool = False,
) -> TracedNests:
    """Run a program and keep the accesses of the sampled threads.

    With `fits`, which model bounds needs, affine functions of all accesses are searched for too.
    """
    workload = loops.workload
    # Only directives make tiles; those of sizes stand in most programs and do not.
    marked = any(directive.name not in ("work", "size") for directive in workload.static.directives)
    tiles = tiles_of(workload, loops.nests) if marked else {}
    shapes, plans = {}, {}
    for nest in loops.nests:
        tile = tiles.get(nest.loop)
        if tile is None:
            shape = shape_of(
                tuple(max(1, round(extent)) for extent in workload.size_of(nest).extents),
                device,
                block=block,
                grid=grid,
            )
            plans[nest.loop] = plan(workload, nest, shape)
        else:
            tile.check_request(block, grid)
            shape = shape_of_tile(tile, device)
            plans[nest.loop] = plan_of_tile(workload, tile, shape)
        shapes[nest.loop] = shape
    seen = sampled(
        workload.executable,
        list(plans.values()),
        (lambda each: launch_fits(workload, each, tiles.get(each.nest.loop))) if fits else None,
    )
    if any(each.cut for each in seen.values()):
        first = {loop: 1 if loop in tiles else device.warp_size for loop in seen}
        check_threads(workload.executable, seen, first, MOST)
    return TracedNests(
        loops=loops,
        device=device,
        block=block,
        grid=grid,
        tiles=tiles,
        shapes=shapes,
        seen=seen,
        fits=fits,
    )


def sampled_nests(traced: TracedNests, model: Model) -> tuple[NestSample, ...]:
    """Samples of nests: their traces, and what their threads execute at the work size."""
    loops, tiles, shapes, seen = traced.loops, traced.tiles, traced.shapes, traced.seen
    workload = loops.workload
    samples: list[NestSample] = [
        _plain(workload, model, shapes[nest.loop], seen[nest.loop])
        if nest.loop not in tiles
        else _tiled(workload, model, shapes[nest.loop], seen[nest.loop], tiles[nest.loop])
        for nest in loops.nests
    ]
    samples = _with_divergent_regions(samples)
    plain = [sample for sample in samples if model.bounds or isinstance(sample, PlainSample)]
    if not (plain and model.at_work_size and workload.trace_size != workload.work_size):
        return tuple(samples)
    kept = {
        sample.nest.loop: frozenset(
            {*sample.executed.memory, *sample.executed.loads, *sample.executed.shared}
        )
        for sample in plain
    }
    there = traced_there(workload, loops.nests)
    differ = any(len(sample.classes) > 1 for sample in plain)
    larger = {} if there and differ else extended(workload, [sample.nest for sample in plain], kept)
    if there and (differ or any(nest.reason for nest in larger.values())):
        again = traced_nests(
            replace(loops, workload=there),
            traced.device,
            block=traced.block,
            grid=traced.grid,
            fits=traced.fits,
        )
        return sampled_nests(again, model)
    return tuple(
        _at_work_size(sample, larger[sample.nest.loop])
        if isinstance(sample, PlainSample)
        else _tiles_at_work_size(sample, larger[sample.nest.loop])
        if isinstance(sample, TiledSample) and sample.nest.loop in larger
        else sample
        for sample in samples
    )


def _tiles_at_work_size(sample: TiledSample, larger: ExtendedNest) -> TiledSample:
    return replace(sample, affine=larger.affine, why_not_extended=larger.reason)


def rearranged(
    sample: AnySample, *, block: tuple[int, ...] | None = None, interchanged: bool = False
) -> AnySample:
    """A nest, not in tiles, in other blocks or with its two innermost directions exchanged.

    It is traced again only if other threads are to be sampled: the program runs for that.
    """
    workload, nest, plan_before = sample.workload, sample.nest, sample.seen.plan
    shape = shape_of(
        (1,) * nest.collapse,
        sample.device,
        block=sample.shape.block if block is None else block,
        interchanged=interchanged,
    )
    changed = replace(sample, shape=shape)
    if sample.model.bounds and (isinstance(sample, ExtendedSample) or sample.known):
        return changed  # it makes the accesses of whichever threads are asked for
    if sample.region_traces:
        planned = plan(workload, nest, shape, spread=True)
        return _in_regions(changed, sampled(workload.executable, [planned])[nest.loop])
    planned = plan(workload, nest, shape)
    ends = zip(planned.window, plan_before.window, planned.extents, strict=True)
    if all(new <= old or (planned.number == 1 and end <= old) for new, old, end in ends):
        return changed
    return _seen_anew(changed, sampled(workload.executable, [planned])[nest.loop])


def _plain(workload: Workload, model: Model, shape: Shape, seen: Seen) -> PlainSample:
    """Sample of a nest: its trace, and what its threads execute."""
    static, nest = workload.static, seen.plan.nest
    classes, trace = seen.classes(), seen.trace()
    executed = instructions(
        static,
        nest.loops,
        workload.work[: len(static.blocks)],
        private=private_accesses(trace),
        registers=in_registers(workload, nest, seen.plan.arguments),
        only=innermost_blocks(static, nest.loops[-1]) if model.innermost_only else None,
    )
    return PlainSample(
        workload=workload,
        model=model,
        shape=shape,
        seen=seen,
        executed=executed,
        trace=with_only(trace, executed.memory),
        classes=classes,
        number=workload.size_of(nest).launches,
        fitted=fitted_launches(seen) if model.bounds else {},
    )


def _tiled(workload: Workload, model: Model, shape: Shape, seen: Seen, tile: Tile) -> TiledSample:
    """Sample of a nest in tiles: its trace, and what its threads execute."""
    whole = tile_trace(tile, seen)
    executed = tile_instructions(workload, tile, loops_only=model.innermost_only)
    classes = seen.classes()
    return TiledSample(
        workload=workload,
        model=model,
        shape=shape,
        seen=seen,
        executed=executed,
        trace=with_only(whole, executed.memory),
        classes=classes,
        fitted=fitted_launches(seen) if model.bounds else {},
        number=workload.size_of(tile.nest).launches,
        tile=tile,
        whole=whole,
    )


def _with_divergent_regions(samples: Sequence[NestSample]) -> list[NestSample]:
    """The samples; where the first threads neglect accesses, by threads all over the grid."""
    again = {
        sample.nest.loop: plan(sample.workload, sample.nest, sample.shape, spread=True)
        for sample in samples
        if isinstance(sample, PlainSample) and _neglects(sample)
    }
    if not again:
        return list(samples)
    seen = sampled(samples[0].workload.executable, list(again.values()))
    return [
        _in_regions(sample, seen[sample.nest.loop])
        if isinstance(sample, PlainSample) and sample.nest.loop in again
        else sample
        for sample in samples
    ]


def _neglects(sample: PlainSample) -> bool:
    """True if the first threads of alike launches neglect accesses that others make."""
    seen, planned = sample.seen, sample.seen.plan
    if sample.fitted and sample.known:
        return False
    whole = all(last >= end for last, end in zip(planned.window, planned.extents, strict=True))
    if whole or len(sample.classes) > 1 or not seen.complete or planned.nest.collapse > DIRECTIONS:
        return False
    workload = sample.workload
    accesses = workload.static.accesses
    executions = {site: workload.traced[accesses[site].block] for site in sample.executed.memory}
    return bool(neglected(dict(enumerate(seen.executed[0].tolist())), executions))


_MATTERS = 0.01
"""An access matters if it is this share of all accesses [1]."""

_FEWER = 0.5
"""It is neglected if its share in the sampled threads is so much smaller [1]."""


def neglected(seen: Mapping[int, float], executed: Mapping[int, float]) -> tuple[int, ...]:
    """Accesses that matter, but that the sampled threads make seldom or never [1].

    Examples
    --------
    >>> neglected({0: 32.0}, {0: 16.0, 1: 16.0, 2: 0.1})
    (1,)
    """
    all_seen, all_executed = sum(seen.get(site, 0.0) for site in executed), sum(executed.values())
    return tuple(
        site
        for site, often in executed.items()
        if often >= _MATTERS * all_executed
        and seen.get(site, 0.0) * all_executed < _FEWER * often * all_seen
    )


def _seen_anew(sample: AnySample, seen: Seen) -> AnySample:
    """A sample of which other threads were traced."""
    anew = _plain(sample.workload, sample.model, sample.shape, seen)
    return replace(
        sample,
        seen=seen,
        executed=anew.executed,
        trace=anew.trace,
        classes=anew.classes,
    )


def _in_regions(sample: AnySample, seen: Seen) -> AnySample:
    """A sample of which threads all over the grid were traced, as far as the trace went."""
    anew = replace(_seen_anew(sample, seen), regions=(), region_traces=())
    if len(anew.classes) > 1:
        return anew
    numbers, windows, profiles = zip(*profiles_of(seen), strict=True)
    memory = anew.executed.memory
    return replace(
        anew,
        regions=grid_regions(windows, profiles, memory),
        region_traces=tuple(with_only(seen.trace(number), memory) for number in numbers),
    )


def _at_work_size(sample: PlainSample, larger: ExtendedNest) -> PlainSample | ExtendedSample:
    """A nest at the work size, in regions if the first threads neglect accesses there."""
    if larger.affine is None:
        return replace(sample, why_not_extended=larger.reason)
    there = ExtendedSample(
        workload=sample.workload,
        model=sample.model,
        shape=sample.shape,
        seen=sample.seen,
        executed=sample.executed,
        trace=sample.trace,
        classes=sample.classes,
        number=sample.number,
        regions=sample.regions,
        region_traces=sample.region_traces,
        affine=larger.affine,
        fitted_launches=larger.launches,
    )
    launch = there.launch_there(there.classes[0])
    if launch is None or len(there.classes) > 1 or there.nest.collapse > DIRECTIONS:
        return there
    windows = windows_at(there.affine, launch, there.shape)
    known = partial(profile_of, there.affine, launch, shape=there.shape)
    first = known(windows[0])
    if first is None:
        return there
    if windows[0].share == 1 or not neglected(first, there.executed.memory):
        return replace(there, regions=(), region_traces=())
    profiles = [profile for profile in map(known, windows) if profile is not None]
    if len(profiles) < len(windows):
        return there
    regions = grid_regions(windows, profiles, there.executed.memory)
    return replace(there, regions=regions, region_traces=())
