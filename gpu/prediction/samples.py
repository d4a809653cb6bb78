"""A nest as it was looked at: plain at the traced size, extended to the work size, or in tiles.

Each gives its launches, one after the other, laid out for the stages.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass

from logca.gpu.affine.extrapolation import trace_at
from logca.gpu.affine.nest import AffineNest
from logca.gpu.devices.parameters import GpuDevice
from logca.gpu.nests.nest import Nest
from logca.gpu.nests.trace import NestTrace, exchanged, of_launch, with_exchanged_loops
from logca.gpu.program.workload import Workload
from logca.gpu.sampling.divergent_regions import GridRegion
from logca.gpu.sampling.plan import SamplePlan
from logca.gpu.sampling.sample import LaunchClass, Seen
from logca.gpu.stages.grid_occupancy import Shape
from logca.gpu.stages.instructions import Instructions
from logca.gpu.stages.launch import Launch, laid_out
from logca.gpu.stages.models import Model
from logca.gpu.tiles.tile import Tile
from logca.gpu.tiles.trace import tiled_launch

__all__ = ["ExtendedSample", "NestSample", "PlainSample", "TiledSample"]


@dataclass(frozen=True, slots=True, kw_only=True)
class NestSample(ABC):
    """A nest, what its threads execute at the work size, and what was traced of it."""

    workload: Workload  # the program and its counts
    model: Model  # the model
    shape: Shape  # the block, and how many of it the device has room for
    seen: Seen  # what was kept of its accesses
    executed: Instructions  # what a thread executes
    trace: NestTrace | None  # its accesses to the memory of the device
    classes: tuple[LaunchClass, ...]  # the launches that were looked at
    number: int  # how often the nest is launched at the work size [1]
    # divergent regions: parts of a launch whose threads do other things than the first ones
    regions: tuple[GridRegion, ...] = ()
    # what was traced of each of them, if they were
    region_traces: tuple[NestTrace | None, ...] = ()

    @property
    def plan(self) -> SamplePlan:
        """What was to be kept."""
        return self.seen.plan

    @property
    def nest(self) -> Nest:
        """The nest."""
        return self.seen.plan.nest

    @property
    def device(self) -> GpuDevice:
        """The GPU."""
        return self.shape.device

    def launches(self) -> Iterator[Launch]:
        """The launches that were looked at, each made when it is its turn."""
        return map(self.launch, range(len(self.classes) * max(1, len(self.regions))))

    @abstractmethod
    def launch(self, place: int) -> Launch:
        """One of them."""

    def _extents(self, which: LaunchClass) -> tuple[int, ...]:
        """Iterations of the collapsed loops at the work size, outermost first [1]."""
        both = zip(self.workload.extents(self.nest), which.extents, strict=True)
        return tuple(max(1, round(extent * factor)) for extent, factor in both)

    def _laid_out(self, which: LaunchClass, number: int, trace: NestTrace | None) -> Launch:
        """A launch by threads of the first batches, or of one of the regions."""
        region = self.regions[number] if self.regions else None
        executed = self.executed if region is None else region.executed(self.executed)
        extents = self._extents(which)
        return laid_out(
            self.shape,
            exchanged(extents) if self.shape.interchanged else extents,
            trace=trace,
            executed=executed.times(which.work),
            times=which.share * self.number * (1.0 if region is None else region.window.share),
        )

    def _trace(self, which: LaunchClass, number: int) -> NestTrace | None:
        """What was traced of a launch, or of one of its regions."""
        trace = of_launch(
            self.region_traces[number] if self.region_traces else self.trace, which.launch
        )
        if trace is None or not self.shape.interchanged:
            return trace
        return with_exchanged_loops(trace)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlainSample(NestSample):
    """A nest by its accesses at the traced size."""

    why_not_extended: str = ""  # why its accesses are not those of the work size

    def launch(self, place: int) -> Launch:
        """One of the launches."""
        index, number = divmod(place, max(1, len(self.regions)))
        which = self.classes[index]
        return self._laid_out(which, number, self._trace(which, number))


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtendedSample(NestSample):
    """A nest by its accesses at the work size, which are affine."""

    affine: AffineNest  # the nest at the work size
    # so many launches at the small sizes it was found from; None for all of them [1]
    fitted_launches: int | None
    # accesses of a launch that are looked at at the work size; what is usual if None [1]
    records: int | None = None

    def launch(self, place: int) -> Launch:
        """One of the launches."""
        index, number = divmod(place, max(1, len(self.regions)))
        which = self.classes[index]
        there = self.launch_there(which)
        if there is None:
            return self._laid_out(which, number, self._trace(which, number))
        trace = trace_at(
            self.affine,
            there,
            self.shape,
            window=self.regions[number].window if self.regions else None,
            records=self.records,
        )
        return self._laid_out(which, number, trace)

    def launch_there(self, which: LaunchClass) -> int | None:
        """The number of a launch at the work size; None if the affine nest has it not [1].

        It may be known of the first launches only; one after them is that of the traced size.
        """
        number = self.number
        place = min(number - 1, round(which.launch / self.plan.number * number))
        first, end = self.affine.launches
        return place if first <= place < end else None


@dataclass(frozen=True, slots=True, kw_only=True)
class TiledSample(NestSample):
    """A nest in tiles: its loops are blocks, and loops inside are the threads."""

    tile: Tile  # how it works in tiles
    whole: NestTrace | None  # all of its accesses, those to shared memory among them

    def launch(self, place: int) -> Launch:
        """One of the launches."""
        which = self.classes[place]
        whole = of_launch(self.whole, which.launch)
        return laid_out(
            self.shape,
            self.tile.merged(self._extents(which)),
            trace=of_launch(self.trace, which.launch),
            executed=self.executed.times(which.work),
            tiled=tiled_launch(self.workload, self.tile, whole, self.executed),
            traced=None if whole is None else whole.extents[0],
            times=which.share * self.number,
        )
