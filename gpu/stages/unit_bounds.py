"""The time of a launch by the bounds of a GPU's units, and the counts that they come from."""

from collections.abc import Mapping
from dataclasses import dataclass

__all__ = [
    "ATOMIC",
    "BOUNDS",
    "COMBINING",
    "LAUNCH",
    "ArrayBytes",
    "BlockCounts",
    "LaunchBounds",
    "SiteCounts",
]

LAUNCH = "launch overhead"
COMBINING = "combining"
ATOMIC = "atomic updates"

BOUNDS = {
    "main_memory": "bandwidth of main memory",
    "l2": "bandwidth of L2",
    "l2_slices": "slices of L2",
    "stores": "stores",
    "l1": "L1 and shared memory",
    "issue": "issue of instructions",
    "pipes": "arithmetic",
    "latency": "latency",
}
"""Words for the bounds, by the names of their formulas."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArrayBytes:
    """Bytes of an array that a launch reaches, in whole sectors."""

    name: str  # what the source calls it
    read: float  # bytes that are read, each counted once [B]
    written: float  # bytes that are written [B]
    wave: float  # of those that are read, what the blocks reach that run at a time [B]
    # bytes that accesses choose from which go anywhere; 0 if each block reads its own, or what all
    # blocks read at the same time [B]
    choice: float = 0.0
    # the same two of bytes that are written: what the blocks write that run at a time, and what
    # stores choose from [B]
    written_wave: float = 0.0
    written_choice: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockCounts:
    """Demands of a launch on a GPU: means of a block, then numbers of the launch."""

    # loads, stores: warp instructions that load from, and store to, the memory of the device [1]
    loads: float
    stores: float
    # load_wavefronts, store_wavefronts, shared_wavefronts: cycles of the pipe of L1 and shared
    # memory that loads, stores and accesses to shared memory take [cycles]
    load_wavefronts: float
    store_wavefronts: float
    shared_wavefronts: float
    # missed_sectors, stored_sectors, partial_lines: sectors of 32 B that L1 has not, those that are
    # stored, and lines of 128 B with one that is stored in part only [1]
    missed_sectors: float
    # of these those that none of the blocks on the multiprocessor has loaded before [1]
    fresh_sectors: float
    stored_sectors: float
    partial_lines: float
    # instructions, fp32, integer, fp64, conversions, special: instructions of warps: all of them,
    # and those of each pipe [1]
    instructions: float
    fp32: float
    integer: float
    fp64: float
    conversions: float
    special: float
    # load_groups, missed_groups: groups of loads that overlap, summed over the warps, and those
    # that wait for L2 [1]
    load_groups: float
    missed_groups: float
    # arithmetic and shared memory that are waited for, summed over the warps [cycles]
    dependent_cycles: float
    # barriers, summed over the warps [1]
    barriers: float
    # warps of a block [1]
    warps_of_block: float
    # blocks, busiest_blocks, resident_blocks: blocks of the launch, on the busiest multiprocessor,
    # and at a time on one [1]
    blocks: float
    busiest_blocks: float
    resident_blocks: float
    # how often the busiest multiprocessor is filled [1]
    waves: float
    # read_bytes, written_bytes: bytes that a launch reads from, and writes to, main memory [B]
    read_bytes: float
    written_bytes: float
    # wave_bytes, first_bytes: bytes that blocks read which run at a time, and of those of the first
    # ones what L2 does not have [B]
    wave_bytes: float
    first_bytes: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteCounts:
    """Demands of a static access on L1 and L2, mean of a block of all of a launch."""

    access: int  # the static access [1]
    store: bool  # whether it writes
    executions: float  # warp instructions [1]
    wavefronts: float  # cycles of the pipe of L1 and shared memory [cycles]
    groups: float  # groups of loads that overlap, of those whose first load this is [1]
    sectors: float = 0.0  # sectors that they touch [1]
    partial: float = 0.0  # lines with a sector that is stored, but covered only in part [1]
    lines: float = 0.0  # lines that they touch [1]
    missed: float = 0.0  # sectors that L1 has not, of loads [1]
    # of these those that no block on the multiprocessor has loaded before [1]
    fresh: float = 0.0
    missed_groups: float = 0.0  # of the groups those that wait for L2 or what lies beyond [1]


@dataclass(frozen=True, slots=True, kw_only=True)
class LaunchBounds:
    """The time of a launch by the bounds of all units."""

    # what the launch asks for
    counts: BlockCounts
    # least time of each unit, by the names of `BOUNDS` [s]
    bounds: Mapping[str, float]
    # time of the launch itself [s]
    overhead_s: float
    # time that combining partial results takes, or updates of the same element beyond all else [s]
    combining_s: float
    # time of the launch, all of this together [s]
    time_s: float
    # what decides it: the largest bound, or "launch overhead", "combining", "atomic updates"
    bound: str
    # how much longer the largest bound is than the next; infinite if there is none [1]
    margin: float
    # the next bound; empty if there is none
    next: str
    # its time if the largest bound of a unit were 0 [s]
    without_s: float
    # bytes that it finds in L2, left there by launches before it [B]
    found_bytes: float
    # iterations of a thread's longer loops that were followed; 0 if all were [1]
    iterations: int
    # what each static access asks for: those to the memory of the device, then to shared memory
    sites: tuple[SiteCounts, ...] = ()
