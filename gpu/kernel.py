"""One launch of a kernel through all stages: from the accesses of its threads to its time."""

from collections.abc import Mapping
from dataclasses import dataclass

from logca.gpu.accesses import PATTERNS, patterns
from logca.gpu.baseline import baseline_latency, program_miss_rate
from logca.gpu.cache import Cache
from logca.gpu.devices import GpuDevice
from logca.gpu.divergence import executed_by_warps
from logca.gpu.dram import Behaviour, Memory, memory
from logca.gpu.instructions import Instructions
from logca.gpu.latency import class_counts, latency
from logca.gpu.models import Model
from logca.gpu.nest import NestTrace
from logca.gpu.occupancy import Occupancy, occupancy
from logca.gpu.result import Rows
from logca.gpu.threads import Layout, layout
from logca.gpu.tiled import TiledLaunch, departures, shared_cost, tiled_timing
from logca.gpu.timing import Timing, computation_cycles, timing
from logca.gpu.warps import warp_trace
from logca.numeric.generated import cgpredict

__all__ = ["BATCHES", "LaunchResult", "l2_of", "launch"]

BATCHES = 2
"""So many batches of threads are looked at: one after the other shows what the cache keeps from the
first for the second (wang2017, section 3.2) [1]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LaunchResult:
    """What the stages found of a launch.

    Parameters
    ----------
    layout : Layout
        Grid and blocks at the work size.
    occupancy : Occupancy
        Warps and batches.
    executed : Instructions
        What a warp executes.
    memory : Memory or None
        How warp instructions behave that access the memory of the device; None if there are none.
    shared : tuple of Behaviour
        How those behave that access shared memory; their transactions are X of bank conflicts.
    timing : Timing
        The time that the kernel executes.
    as_printed : Timing or None
        The same by eqs 16, 17 and 23 as printed, if the kernel works in tiles.
    time : float
        That of the launch: its overhead and the bound of the bandwidth are in it if the model has
        them [s].
    stages : mapping of str to rows
        What each stage prints.
    """

    layout: Layout
    occupancy: Occupancy
    executed: Instructions
    memory: Memory | None
    shared: tuple[Behaviour, ...]
    timing: Timing
    as_printed: Timing | None
    time: float
    stages: Mapping[str, Rows]


def l2_of(device: GpuDevice, model: Model) -> Cache:
    """The L2 cache as a model has it."""
    return Cache(
        size=device.l2_size,
        line=device.l2_line,
        ways=device.l2_ways,
        index="hashed" if model.scattered else device.l2_index,
    )


def launch(
    trace: NestTrace | None,
    executed: Instructions,
    *,
    extents: tuple[int, ...],
    block: tuple[int, ...] | None,
    device: GpuDevice,
    model: Model,
    tiled: TiledLaunch | None = None,
) -> LaunchResult:
    """The time of a launch.

    Parameters
    ----------
    trace : NestTrace or None
        Accesses of the threads of the first batches, of this launch only; None if it makes none.
    executed : Instructions
        What a thread executes at the work size.
    extents : tuple of int
        Iterations of the collapsed loops at the work size [1].
    block : tuple of int, optional
        Threads of a block along x, y and z [1].
    device : GpuDevice
        The GPU.
    model : Model
        The model.
    tiled : TiledLaunch, optional
        What it has to do with shared memory.
    """
    grid = layout(extents, block, max_threads_per_block=device.max_threads_per_block)
    full = occupancy(grid, device, shared_memory=0 if tiled is None else tiled.size)
    stages: dict[str, Rows] = {"threads": grid.rows()}
    found: Memory | None = None
    shared: tuple[Behaviour, ...] = ()
    as_printed: Timing | None = None
    if trace is None:
        nothing = Memory(classes=(), accesses=(), transactions=0, misses=0)
        cost = latency(nothing, dict.fromkeys(PATTERNS, 0.0), device)
    else:
        found, rows = _through_cache(trace, block, full, device, model)
        if model.divergent and tiled is None:
            executed = executed_by_warps(executed, found, grid, device.warp_size)
        counts = class_counts(found, executed.memory)
        if model.simple_cache:
            cost = baseline_latency(counts, program_miss_rate(trace, l2_of(device, model)), device)
        else:
            cost = latency(found, counts, device, transactions=model.transactions)
        stages |= rows
    if tiled is None:
        result = timing(
            latency=cost,
            cycles_computation=computation_cycles(executed.total, device),
            occupancy=full,
            device=device,
        )
    else:
        if tiled.memory is not None:
            found, rows = _through_cache(tiled.memory, block, full, device, model)
            stages |= rows
        spent, shared = shared_cost(
            tiled, executed, block=block, occupancy=full, device=device, batches=BATCHES
        )
        both = {
            printed: tiled_timing(
                latency=cost,
                executed=executed,
                shared=spent,
                barriers=tiled.barriers,
                occupancy=full,
                device=device,
                printed=printed,
            )
            for printed in (False, True)
        }
        result, as_printed = both[False], both[True]
        if found is not None:
            least = departures(found, executed, full, device, transactions=model.transactions)
            result = max(result, least, key=lambda each: each.cycles)
        stages["shared"] = spent.rows()
    stages |= {
        "instructions": executed.rows(),
        "latency": cost.rows(),
        "occupancy": full.rows(),
        "timing": result.rows(),
    }
    return LaunchResult(
        layout=grid,
        occupancy=full,
        executed=executed,
        memory=found,
        shared=shared,
        timing=result,
        as_printed=as_printed,
        time=_launch_time(grid, executed, found, result, device)
        if model.beyond_the_kernel
        else result.time,
        stages=stages,
    )


def _through_cache(
    trace: NestTrace,
    block: tuple[int, ...] | None,
    full: Occupancy,
    device: GpuDevice,
    model: Model,
) -> tuple[Memory, dict[str, Rows]]:
    """How the accesses of a trace behave, and what the stages on the way print."""
    traced = layout(trace.extents[0], block, max_threads_per_block=device.max_threads_per_block)
    warps = warp_trace(
        trace,
        [traced],
        blocks_per_batch=full.fitting_blocks * device.multiprocessors,
        batches=BATCHES,
        warp_size=device.warp_size,
    )
    kinds = patterns(warps, line_size=device.l2_line, sector_size=device.l2_sector)
    found = memory(warps, kinds, l2_of(device, model), scattered=model.scattered)
    return found, {
        "trace": trace.rows(),
        "warps": warps.rows(),
        "accesses": kinds.rows(),
        "cache": found.rows(),
    }


def _launch_time(
    grid: Layout,
    executed: Instructions,
    found: Memory | None,
    result: Timing,
    device: GpuDevice,
) -> float:
    """Time of a launch with its overhead, and not below what the bandwidth allows [s]."""
    counts = {**executed.memory, **executed.loads}
    lines = sum(
        counts.get(each.access, 0.0) * each.dram
        for each in (found.accesses if found else ())
        if each.access is not None
    )
    return float(
        cgpredict.launch_time(
            frequency=device.frequency,
            bandwidth=device.bandwidth,
            launch_overhead=device.launch_overhead,
            dram_bytes=lines * grid.busy_warps(grid.blocks, device.warp_size) * device.l2_line,
            cycles_total=result.cycles,
        )
    )
