"""Nests traced and completed: plain samples, divergent regions, accesses at the work size."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

from logca.gpu.affine.extrapolation import profile_of, windows_at
from logca.gpu.affine.small_runs import ExtendedNest, extended, traced_there
from logca.gpu.loops.detection import Loops
from logca.gpu.nests.trace import private_accesses, with_only
from logca.gpu.prediction.request import Request
from logca.gpu.prediction.samples import ExtendedSample, NestSample, PlainSample, TiledSample
from logca.gpu.program.workload import Workload
from logca.gpu.sampling.divergent_regions import grid_regions, neglected, profiles_of
from logca.gpu.sampling.plan import DIRECTIONS, plan
from logca.gpu.sampling.record_limit import check_threads
from logca.gpu.sampling.sample import MOST, Seen, sampled
from logca.gpu.stages.grid_occupancy import Shape, shape_of
from logca.gpu.stages.instructions import innermost_blocks, instructions
from logca.gpu.stages.models import Model
from logca.gpu.tiles.tile import Tile, tiles_of
from logca.gpu.tiles.trace import plan_of_tile, shape_of_tile, tile_instructions, tile_trace

__all__ = ["TracedNests", "rearranged", "sampled_nests", "traced_nests"]

AnySample = TypeVar("AnySample", bound=NestSample)


@dataclass(frozen=True, slots=True, kw_only=True)
class TracedNests:
    """What was traced of the nests, whatever the model, by their outermost loops."""

    loops: Loops  # the nests, and how often everything is executed
    tiles: Mapping[int, Tile]  # how those of them work that do so in tiles
    shapes: Mapping[int, Shape]  # their blocks, and how many of these the device has room for
    seen: Mapping[int, Seen]  # what was kept of their accesses


def traced_nests(loops: Loops, request: Request) -> TracedNests:
    """Run a program and keep the accesses of the threads that are looked at."""
    workload = loops.workload
    # Only directives make tiles; those of sizes stand in most programs and do not.
    marked = any(directive.name != "work" for directive in workload.static.directives)
    tiles = tiles_of(workload, loops.nests) if marked else {}
    shapes, plans = {}, {}
    for nest in loops.nests:
        tile = tiles.get(nest.loop)
        if tile is None:
            shape = shape_of(
                tuple(max(1, round(extent)) for extent in workload.extents(nest)),
                request.device,
                block=request.block,
                grid=request.grid,
            )
            plans[nest.loop] = plan(workload, nest, shape)
        else:
            tile.check_request(request.block, request.grid)
            shape = shape_of_tile(tile, request.device)
            plans[nest.loop] = plan_of_tile(workload, tile, shape)
        shapes[nest.loop] = shape
    seen = sampled(workload.executable, list(plans.values()))
    if any(each.cut for each in seen.values()):
        first = {loop: 1 if loop in tiles else request.device.warp_size for loop in seen}
        check_threads(workload.executable, seen, first, MOST)
    return TracedNests(loops=loops, tiles=tiles, shapes=shapes, seen=seen)


def sampled_nests(traced: TracedNests, request: Request) -> tuple[NestSample, ...]:
    """What the threads of nests execute at the work size, and what was traced of them."""
    loops, tiles, shapes, seen = traced.loops, traced.tiles, traced.shapes, traced.seen
    workload, model = loops.workload, request.model
    samples: list[NestSample] = [
        _plain(workload, model, shapes[nest.loop], seen[nest.loop])
        if nest.loop not in tiles
        else _tiled(workload, model, shapes[nest.loop], seen[nest.loop], tiles[nest.loop])
        for nest in loops.nests
    ]
    samples = _with_divergent_regions(samples)
    plain = [sample for sample in samples if isinstance(sample, PlainSample)]
    if not (plain and model.at_work_size and workload.trace_size != workload.work_size):
        return tuple(samples)
    kept = {sample.nest.loop: frozenset(sample.executed.memory) for sample in plain}
    there = traced_there(workload, loops.nests)
    differ = any(len(sample.classes) > 1 for sample in plain)
    larger = {} if there and differ else extended(workload, [sample.nest for sample in plain], kept)
    if there and (differ or any(nest.reason for nest in larger.values())):
        return sampled_nests(traced_nests(replace(loops, workload=there), request), request)
    return tuple(
        _at_work_size(sample, larger[sample.nest.loop])
        if isinstance(sample, PlainSample)
        else sample
        for sample in samples
    )


def rearranged(
    sample: AnySample, *, block: tuple[int, ...] | None = None, interchanged: bool = False
) -> AnySample:
    """A nest, not in tiles, in other blocks or with its two innermost directions exchanged.

    It is traced again only if other threads are to be looked at: the program runs for that.
    """
    workload, nest, plan_before = sample.workload, sample.nest, sample.plan
    shape = shape_of(
        (1,) * nest.collapse,
        sample.device,
        block=sample.shape.block if block is None else block,
        interchanged=interchanged,
    )
    changed = replace(sample, shape=shape)
    if sample.region_traces:
        planned = plan(workload, nest, shape, spread=True)
        return _in_regions(changed, sampled(workload.executable, [planned])[nest.loop])
    planned = plan(workload, nest, shape)
    ends = zip(planned.window, plan_before.window, planned.extents, strict=True)
    if all(new <= old or (planned.number == 1 and end <= old) for new, old, end in ends):
        return changed
    return _seen_anew(changed, sampled(workload.executable, [planned])[nest.loop])


def _plain(workload: Workload, model: Model, shape: Shape, seen: Seen) -> PlainSample:
    """What was traced of a nest, and what its threads execute."""
    static, nest = workload.static, seen.plan.nest
    classes, trace = seen.classes(), seen.trace()
    executed = instructions(
        static,
        nest.loop,
        nest.collapse,
        workload.work[: len(static.blocks)],
        private=private_accesses(trace),
        registers=seen.plan.arguments,
        only=innermost_blocks(static, nest.loop, nest.collapse) if model.innermost_only else None,
    )
    return PlainSample(
        workload=workload,
        model=model,
        shape=shape,
        seen=seen,
        executed=executed,
        trace=with_only(trace, executed.memory),
        classes=classes,
        number=workload.launches(nest),
    )


def _tiled(workload: Workload, model: Model, shape: Shape, seen: Seen, tile: Tile) -> TiledSample:
    """What was traced of a nest in tiles, and what its threads execute."""
    whole = tile_trace(tile, seen)
    executed = tile_instructions(workload, tile, loops_only=model.innermost_only)
    return TiledSample(
        workload=workload,
        model=model,
        shape=shape,
        seen=seen,
        executed=executed,
        trace=with_only(whole, executed.memory),
        classes=seen.classes(),
        number=workload.launches(tile.nest),
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
    """Whether the first threads of alike launches neglect accesses that others make."""
    seen, planned = sample.seen, sample.seen.plan
    whole = all(last >= end for last, end in zip(planned.window, planned.extents, strict=True))
    if whole or len(sample.classes) > 1 or not seen.complete or planned.nest.collapse > DIRECTIONS:
        return False
    workload = sample.workload
    accesses = workload.static.accesses
    executions = {site: workload.traced[accesses[site].block] for site in sample.executed.memory}
    return bool(neglected(dict(enumerate(seen.executed[0].tolist())), executions))


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
