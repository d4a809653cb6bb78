"""A launch by the blocks of one multiprocessor, and by what all of its blocks reach."""

from dataclasses import dataclass

from logca.gpu.bounds.resident_blocks import ResidentBlocks
from logca.gpu.nests.nest import Reduction
from logca.gpu.stages.blocks_and_occupancy import Layout, Occupancy, Shape
from logca.gpu.stages.instructions import Instructions
from logca.gpu.stages.unit_bounds import ArrayBytes

__all__ = ["ResidentLaunch"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ResidentLaunch:
    """A launch that was sampled by the blocks of one multiprocessor."""

    shape: Shape  # the block, and how many of it the device has room for
    grid: Layout  # grid and blocks at the work size
    occupancy: Occupancy  # warps and batches at the work size
    executed: Instructions  # what a thread executes at the work size
    memory: ResidentBlocks | None  # accesses to the memory of the device; None without any
    shared: ResidentBlocks | None  # those to shared memory; None without any
    shared_size: int  # shared memory of a block [B]
    barriers: float  # barriers that a thread waits at [1]
    footprint: tuple[ArrayBytes, ...]  # what all blocks reach, by arrays
    # how often the busiest block's threads do what those of the mean one do, where all blocks
    # run at a time [1]
    imbalance: float
    times: float  # for how many launches it stands [1]
    longest: int  # iterations that longer loops of a thread were cut to; 0 if none was [1]
    reductions: tuple[Reduction, ...] = ()  # what its threads gather
