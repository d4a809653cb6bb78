"""Nests as they were sampled: traced, and plain, at the work size, or in tiles.

What is plain stands by its accesses at the traced size; in divergent regions, if the first threads
do other things than those behind them. Each sample gives its launches, one after the other, laid
out for the stages.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeVar

from logca.gpu.affine.accesses_at_work_size import profile_of, trace_at, windows_at
from logca.gpu.affine.affine_nest import AffineNest
from logca.gpu.affine.small_runs import ExtendedNest, extended, traced_there
from logca.gpu.devices.parameters import GpuDevice
from logca.gpu.loops.detection import Loops
from logca.gpu.nests.nest import (
    Nest,
    NestTrace,
    exchanged,
    of_launch,
    private_accesses,
    with_exchanged_loops,
    with_only,
)
from logca.gpu.prediction.fitted_launches import (
    fitted_launches,
    in_registers,
    irregular_accesses,
    launch_fits,
)
from logca.gpu.program.workload import Workload
from logca.gpu.sampling.divergent_regions import GridRegion, grid_regions, profiles_of
from logca.gpu.sampling.plan import DIRECTIONS, plan
from logca.gpu.sampling.record_limit import check_threads
from logca.gpu.sampling.sample import MOST, LaunchClass, Seen, sampled
from logca.gpu.stages.blocks_and_occupancy import Block, Shape, shape_of
from logca.gpu.stages.instructions import Instructions, innermost_blocks, instructions
from logca.gpu.stages.launches_in_sequence import Launch
from logca.gpu.stages.models import Model
from logca.gpu.tiles.tile import Tile, tiles_of
from logca.gpu.tiles.trace import (
    plan_of_tile,
    shape_of_tile,
    tile_instructions,
    tile_trace,
    tiled_launch,
)

__all__ = [
    "ExtendedSample",
    "NestSample",
    "PlainSample",
    "TiledSample",
    "TracedNests",
    "counted_accesses",
    "rearranged",
    "sampled_nests",
    "traced_nests",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class NestSample:
    """A nest, what its threads execute at the work size, and what was traced of it."""

    workload: Workload  # the program and its counts
    model: Model  # the model
    shape: Shape  # the block, and how many of it the device has room for
    seen: Seen  # what was kept of its accesses
    executed: Instructions  # what a thread executes
    trace: NestTrace | None  # its accesses to the memory of the device
    classes: tuple[LaunchClass, ...]  # the launches that were sampled
    number: int  # how often the nest is launched at the work size [1]
    # divergent regions: parts of a launch whose threads do other things than the first ones
    regions: tuple[GridRegion, ...] = ()
    # what was traced of each of them, if they were
    region_traces: tuple[NestTrace | None, ...] = ()
    # of model bounds, where the traced size is the work size: those launches that are affine
    fitted: Mapping[int, AffineNest] = field(default_factory=dict)
    why_not_extended: str = ""  # why its accesses are not those of the work size; mostly nothing
    # accesses of a launch that are recorded at the work size; what is usual if None [1]
    records: int | None = None

    @property
    def nest(self) -> Nest:
        """The nest."""
        return self.seen.plan.nest

    @property
    def device(self) -> GpuDevice:
        """The GPU."""
        return self.shape.device

    def affine_at(self, which: LaunchClass) -> tuple[AffineNest, int] | None:
        """The affine nest of a launch at the work size, and its number there; None without any."""
        nest = self.fitted.get(which.launch)
        return None if nest is None else (nest, which.launch)

    @property
    def affine_nests(self) -> tuple[AffineNest, ...]:
        """The affine nests of its launches at the work size."""
        return tuple(self.fitted.values())

    @property
    def known(self) -> bool:
        """True if all accesses of all sampled launches are known at the work size."""
        return all(self.affine_at(which) is not None for which in self.classes)

    @property
    def unknown(self) -> frozenset[int]:
        """Accesses of which it is not known where they go at the work size, as they go by data."""
        traced_there = self.workload.trace_size == self.workload.work_size
        return frozenset() if traced_there or self.known else irregular_accesses(self.seen)

    def launches(self) -> Iterator[Launch]:
        """The launches that were sampled, each made when it is its turn."""
        for place in range(len(self.classes) * max(1, len(self.regions))):
            yield self.launch(place)

    def launch(self, place: int) -> Launch:
        """One of them, by threads of the first batches or of one of the regions."""
        index, number = divmod(place, max(1, len(self.regions)))
        which, region = self.classes[index], self.regions[number] if self.regions else None
        extents = self.extents_of(which)
        trace = self._trace(which, number)
        executed = self.executed if region is None else region.executed(self.executed)
        executed = executed.times(which.work)
        grid = self.shape.grid(exchanged(extents) if self.shape.interchanged else extents)
        return Launch(
            shape=self.shape,
            grid=grid,
            traced=None if trace is None else self.shape.grid(trace.extents[0]),
            occupancy=self.shape.occupancy(grid),
            trace=trace,
            executed=executed,
            tiled=None,
            reductions=self.nest.reductions,
            times=which.share * self.number * (1.0 if region is None else region.window.share),
        )

    def _trace(self, which: LaunchClass, number: int) -> NestTrace | None:
        """Trace of a launch, or of one of its regions."""
        trace = of_launch(
            self.region_traces[number] if self.region_traces else self.trace, which.launch
        )
        if trace is None or not self.shape.interchanged:
            return trace
        return with_exchanged_loops(trace)

    def extents_of(self, which: LaunchClass) -> tuple[int, ...]:
        """Iterations of the collapsed loops at the work size, outermost first [1]."""
        both = zip(self.workload.size_of(self.nest).extents, which.extents, strict=True)
        return tuple(max(1, round(extent * factor)) for extent, factor in both)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlainSample(NestSample):
    """A nest by its accesses at the traced size."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtendedSample(NestSample):
    """A nest by its accesses at the work size, which are affine."""

    affine: AffineNest  # the nest at the work size
    # so many launches at the small sizes it was found from; None for all of them [1]
    fitted_launches: int | None

    def affine_at(self, which: LaunchClass) -> tuple[AffineNest, int] | None:
        """The affine nest of a launch at the work size, and its number there; None without any.

        Of the launches that the traced one stands for it is the one in the middle: where launches
        become smaller and smaller, the first would be the largest of them.
        """
        share = self.number / self.seen.plan.number
        place = min(self.number - 1, max(0, round((which.launch + 0.5) * share - 0.5)))
        first, end = self.affine.launches
        return (self.affine, place) if first <= place < end else None

    @property
    def affine_nests(self) -> tuple[AffineNest, ...]:
        """The affine nest at the work size."""
        return (self.affine,)

    def _trace(self, which: LaunchClass, number: int) -> NestTrace | None:
        """Trace at the work size where it is known, or else the one at the traced size."""
        there = self.launch_there(which)
        if there is None:
            return NestSample._trace(self, which, number)
        return trace_at(
            self.affine,
            there,
            self.shape,
            window=self.regions[number].window if self.regions else None,
            records=self.records,
        )

    def launch_there(self, which: LaunchClass) -> int | None:
        """The number of a launch at the work size; None if the affine nest has it not [1].

        It may be known of the first launches only; one after them is that of the traced size.
        """
        number = self.number
        place = min(number - 1, round(which.launch / self.seen.plan.number * number))
        first, end = self.affine.launches
        return place if first <= place < end else None


@dataclass(frozen=True, slots=True, kw_only=True)
class TiledSample(NestSample):
    """A nest in tiles: its loops are blocks, and loops inside are the threads."""

    tile: Tile  # how it works in tiles
    whole: NestTrace | None  # all of its accesses, those to shared memory among them
    # its blocks at the work size as if each were a thread, if they are affine; of model bounds
    affine: AffineNest | None = None

    def affine_at(self, which: LaunchClass) -> tuple[AffineNest, int] | None:
        """The affine nest of its blocks in a launch at the work size, and the launch's number."""
        if self.affine is None:
            return NestSample.affine_at(self, which)
        first, end = self.affine.launches
        return self.affine, min(max(which.launch, first), end - 1)

    @property
    def affine_nests(self) -> tuple[AffineNest, ...]:
        """The affine nests of its blocks at the work size."""
        return tuple(self.fitted.values()) if self.affine is None else (self.affine,)

    def launch(self, place: int) -> Launch:
        """One of the launches."""
        which = self.classes[place]
        whole = of_launch(self.whole, which.launch)
        grid = self.shape.grid(self.tile.merged(self.extents_of(which)))
        return Launch(
            shape=self.shape,
            grid=grid,
            traced=None if whole is None else self.shape.grid(whole.extents[0]),
            occupancy=self.shape.occupancy(grid),
            trace=of_launch(self.trace, which.launch),
            executed=self.executed.times(which.work),
            tiled=tiled_launch(self.workload, self.tile, whole, self.executed),
            times=which.share * self.number,
        )


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


def counted_accesses(sample: NestSample) -> tuple[float, float]:
    """Accesses of all threads that the model counts, and all that they make [1]."""
    executed, workload = sample.executed, sample.workload
    if not sample.model.innermost_only:
        whole = executed
    elif isinstance(sample, TiledSample):
        whole = tile_instructions(workload, sample.tile, loops_only=False)
    else:
        whole = instructions(
            workload.static,
            sample.nest.loops,
            workload.work[: len(workload.static.blocks)],
            private=private_accesses(sample.seen.trace()),
            registers=in_registers(workload, sample.nest, sample.seen.plan.arguments),
        )
    counted, made = (
        each.threads * sum((*each.memory.values(), *each.loads.values()))
        for each in (executed, whole)
    )
    return counted, made


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
