"""The time of a launch that works in tiles (wang2017, section 3.6)."""

from dataclasses import dataclass, replace

import numpy as np

from logca.gpu.accesses import PATTERNS, Patterns, patterns
from logca.gpu.devices import GpuDevice
from logca.gpu.dram import Behaviour, Memory
from logca.gpu.instructions import Instructions
from logca.gpu.latency import Latency, Transactions, class_counts, latency
from logca.gpu.nest import NestTrace
from logca.gpu.occupancy import Occupancy
from logca.gpu.shared_memory import SharedMemory, bank_ways, from_array_start, shared_memory
from logca.gpu.threads import layout
from logca.gpu.timing import Timing, computation_cycles, timing
from logca.gpu.warps import WarpTrace, warp_trace
from logca.numeric.generated import cgpredict

__all__ = ["TiledLaunch", "departures", "shared_behaviour", "shared_cost", "tiled_timing"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TiledLaunch:
    """What a launch in tiles has beyond others.

    Parameters
    ----------
    shared : NestTrace or None
        Its accesses to shared memory; None if it makes none.
    memory : NestTrace or None
        Its accesses to the memory of the device, loads to shared memory among them; None if it
        makes none.
    filling : frozenset of int
        Stores to shared memory that end such a load, and count with it [1].
    size : int
        Shared memory of a block [B].
    barriers : float
        Barriers that a thread waits at [1].
    """

    shared: NestTrace | None
    memory: NestTrace | None
    filling: frozenset[int]
    size: int
    barriers: float


def shared_cost(
    tiled: TiledLaunch,
    executed: Instructions,
    *,
    block: tuple[int, ...] | None,
    occupancy: Occupancy,
    device: GpuDevice,
    batches: int,
) -> tuple[SharedMemory, tuple[Behaviour, ...]]:
    """What shared memory costs a thread, and how its accesses behave.

    A load to shared memory and the store that ends it are one transfer of a fixed latency (eq. 19),
    so that such stores are not among the accesses of eq. 20.

    Parameters
    ----------
    tiled : TiledLaunch
        The launch.
    executed : Instructions
        What a thread executes at the work size.
    block : tuple of int, optional
        Threads of a block along x, y and z [1].
    occupancy : Occupancy
        Blocks on a multiprocessor.
    device : GpuDevice
        The device.
    batches : int
        Batches of blocks that are looked at [1].

    Returns
    -------
    SharedMemory
        The cost.
    tuple of Behaviour
        One for each static access; its transactions are X of its bank conflicts.
    """
    loads = sum(executed.loads.values())
    if tiled.shared is None:
        ones, zeros = dict.fromkeys(PATTERNS, 1.0), dict.fromkeys(PATTERNS, 0.0)
        return SharedMemory(
            ways=ones, instructions=zeros, loads=loads, cycles_load=0.0, cycles=0.0
        ), ()
    grid = layout(
        tiled.shared.extents[0], block, max_threads_per_block=device.max_threads_per_block
    )
    warps = warp_trace(
        from_array_start(tiled.shared),
        [grid],
        blocks_per_batch=occupancy.fitting_blocks * device.multiprocessors,
        batches=batches,
        warp_size=device.warp_size,
    )
    kinds = patterns(warps, line_size=device.l2_line, sector_size=device.l2_sector)
    counted = {site: count for site, count in executed.shared.items() if site not in tiled.filling}
    return (
        shared_memory(warps, kinds, counted, loads, device),
        shared_behaviour(warps, kinds, device),
    )


def shared_behaviour(warps: WarpTrace, kinds: Patterns, device: GpuDevice) -> tuple[Behaviour, ...]:
    """How accesses to shared memory behave, one static access after the other.

    Parameters
    ----------
    warps : WarpTrace
        The accesses; addresses from the start of a segment on [B].
    kinds : Patterns
        Their patterns.
    device : GpuDevice
        The device.
    """
    ways = bank_ways(warps, device)
    found = []
    for access in np.unique(warps.access).tolist():
        mine = np.flatnonzero(warps.access == access)
        shares = np.bincount(kinds.pattern[mine], minlength=len(PATTERNS)) / len(mine)
        strides, counts = np.unique(kinds.stride[mine], return_counts=True)
        most, mean = int(np.argmax(counts)), float(ways[mine].mean())
        found.append(
            Behaviour(
                pattern=PATTERNS[int(np.argmax(shares))],
                access=access,
                executions=len(mine),
                lanes=float(np.diff(warps.start)[mine].mean()),
                transactions=mean,
                ruled_transactions=mean,
                delivered=mean,
                dram=0.0,
                missing=0.0,
                hit=mean,
                stride=int(strides[most]),
                stride_share=float(counts[most] / len(mine)),
                shares=tuple(shares.tolist()),
            )
        )
    return tuple(found)


def tiled_timing(
    *,
    latency: Latency,
    executed: Instructions,
    shared: SharedMemory,
    barriers: float,
    occupancy: Occupancy,
    device: GpuDevice,
    printed: bool,
) -> Timing:
    """The time of a launch in tiles.

    Parameters
    ----------
    latency : Latency
        The memory instructions of a thread, less its loads to shared memory.
    executed : Instructions
        What a thread executes at the work size.
    shared : SharedMemory
        What shared memory costs it.
    barriers : float
        Barriers that a thread waits at [1].
    occupancy : Occupancy
        Warps and batches.
    device : GpuDevice
        The device.
    printed : bool
        Whether by eqs 16, 17 and 23, or so that all warps of a batch overlap, as Table 5 does, see
        `logca.derive.cgpredict_shared`.
    """
    instructions = computation_cycles(executed.total, device)
    found = timing(
        latency=latency,
        cycles_computation=instructions,
        occupancy=occupancy,
        device=device,
        loads_shared=shared.loads,
        cycles_load_shared=shared.cycles_load,
        cycles_shared=shared.cycles,
        barriers=barriers,
    )
    if printed:
        return found
    cycles = float(
        cgpredict.tiled_execution_cycles(
            cycles_memory=found.cycles_memory,
            cycles_computation=found.cycles_computation,
            batch=found.batches,
        )
    )
    parts = {
        "accesses to shared memory": shared.cycles,
        "loads to shared memory": shared.cycles_load,
        "accesses to memory": latency.cycles,
        "instructions": instructions,
    }
    return replace(
        found,
        bound=max(parts, key=lambda part: parts[part]),
        cycles_synchronisation=0.0,
        cycles=cycles,
        time=float(cgpredict.time_of_cycles(cycles_total=cycles, frequency=device.frequency)),
    )


def departures(
    found: Memory,
    executed: Instructions,
    occupancy: Occupancy,
    device: GpuDevice,
    *,
    transactions: Transactions,
) -> Timing:
    """The time of a launch in tiles that only loaded them and made its other accesses to memory.

    Table 5 lets all warps of a batch overlap, and so leaves out that transactions depart one after
    the other; no launch is faster than that.

    Parameters
    ----------
    found : Memory
        How its accesses to the memory of the device behave, loads of tiles among them.
    executed : Instructions
        What a thread executes at the work size.
    occupancy : Occupancy
        Warps and batches.
    device : GpuDevice
        The device.
    transactions : str
        Which count of L2 transactions goes in, see `logca.gpu.latency` [text].
    """
    counts = class_counts(found, {**executed.memory, **executed.loads})
    return timing(
        latency=latency(found, counts, device, transactions=transactions),
        cycles_computation=computation_cycles(sum(counts.values()), device),
        occupancy=occupancy,
        device=device,
    )
