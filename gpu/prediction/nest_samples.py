"""A nest as it was sampled: plain, at the work size, or in tiles.

What is plain stands by its accesses at the traced size; in divergent regions, if the first threads
do other things than those behind them. Each sample gives its launches, one after the other, laid
out for the stages.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from logca.gpu.affine.accesses_at_work_size import trace_at
from logca.gpu.affine.affine_nest import AffineNest
from logca.gpu.devices.parameters import GpuDevice
from logca.gpu.nests.nest import (
    Nest,
    NestTrace,
    exchanged,
    of_launch,
    private_accesses,
    with_exchanged_loops,
)
from logca.gpu.prediction.fitted_launches import (
    in_registers,
    irregular_accesses,
)
from logca.gpu.program.workload import Workload
from logca.gpu.sampling.divergent_regions import GridRegion
from logca.gpu.sampling.sample import LaunchClass, Seen
from logca.gpu.stages.blocks_and_occupancy import Shape
from logca.gpu.stages.instructions import Instructions, instructions
from logca.gpu.stages.launches_in_sequence import Launch
from logca.gpu.stages.models import Model
from logca.gpu.tiles.tile import Tile
from logca.gpu.tiles.trace import (
    tile_instructions,
    tiled_launch,
)

__all__ = ["ExtendedSample", "NestSample", "PlainSample", "TiledSample", "counted_accesses"]


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
