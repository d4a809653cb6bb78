"""One launch through all stages, and a kernel as the launches that stand for it.

A warp issues an instruction if any of its lanes takes part. A kernel can be changed and then
predicted anew.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial

from logca.gpu.devices.parameters import GpuDevice
from logca.gpu.nests.trace import NestTrace
from logca.gpu.stages.cache import Cache
from logca.gpu.stages.coalescing import PATTERNS, patterns
from logca.gpu.stages.dram import Behaviour, Memory, memory
from logca.gpu.stages.grid import Layout, layout
from logca.gpu.stages.instructions import Instructions
from logca.gpu.stages.latency import baseline_latency, class_counts, latency, program_miss_rate
from logca.gpu.stages.models import Model
from logca.gpu.stages.occupancy import Occupancy, occupancy
from logca.gpu.stages.result import Rows
from logca.gpu.stages.shared_memory import TiledLaunch, departures, shared_cost, tiled_timing
from logca.gpu.stages.timing import Timing, computation_cycles, timing
from logca.gpu.stages.warps import warp_trace
from logca.numeric.generated import cgpredict

__all__ = [
    "BATCHES",
    "LaunchInput",
    "LaunchResult",
    "Outcome",
    "Variant",
    "changed",
    "executed_by_warps",
    "l2_of",
    "launch",
    "outcome",
]


def executed_by_warps(
    executed: Instructions, found: Memory, grid: Layout, warp_size: int
) -> Instructions:
    """What a warp executes, on average.

    An access that has only half of a warp's lanes in each warp instruction is in twice as many of
    them as a thread makes. Compute instructions follow an access that the same threads make, where
    there is one; others count as a thread executes them on average.
    """
    threads = grid.threads / grid.busy_warps(grid.blocks, warp_size)
    # Behind the first batches warps may be less full than those that were looked at.
    waits = {
        each.access: max(1.0, threads / each.lanes)
        for each in found.accesses
        if each.access is not None
    }
    memory = {site: count * waits.get(site, 1.0) for site, count in executed.memory.items()}
    own = sum(executed.computation.values())
    together = sum(
        count * (1.0 if site is None else waits.get(site, 1.0))
        for site, count in executed.computing.items()
    )
    factor = together / own if own and executed.computing else 1.0
    return replace(
        executed,
        memory=memory,
        computation={name: count * factor for name, count in executed.computation.items()},
    )


BATCHES = 2
"""So many batches of threads are looked at: one after the other shows what the cache keeps from the
first for the second (wang2017, section 3.2) [1]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LaunchResult:
    """What the stages found of a launch."""

    layout: Layout  # grid and blocks at the work size
    occupancy: Occupancy  # warps and batches
    executed: Instructions  # what a warp executes
    # how warp instructions behave that access the memory of the device; None if there are none
    memory: Memory | None
    # how those behave that access shared memory; their transactions are X of bank conflicts
    shared: tuple[Behaviour, ...]
    timing: Timing  # the time that the kernel executes
    # the same by eqs 16, 17 and 23 as printed, if the kernel works in tiles
    as_printed: Timing | None
    # that of the launch: its overhead and the bound of the bandwidth are in it if the model has
    # them [s]
    time: float
    stages: Mapping[str, Rows]  # what each stage prints


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
    """The time of a launch."""
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


@dataclass(frozen=True, slots=True, kw_only=True)
class LaunchInput:
    """A launch that was looked at."""

    trace: NestTrace | None  # accesses of its first threads; None if they make none
    executed: Instructions  # what a thread executes at the work size
    extents: tuple[int, ...]  # iterations of the collapsed loops at the work size [1]
    tiled: TiledLaunch | None  # what it has to do with shared memory
    times: float  # for how many launches it stands [1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """A kernel in one form."""

    # for each launch that was looked at what makes its input; traces are large, and there is
    # never more than one of them
    launches: tuple[Callable[[], LaunchInput], ...]
    block: tuple[int, ...] | None  # threads of a block along x, y and z [1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What the stages say of a variant."""

    results: tuple[LaunchResult, ...]  # one for each launch that was looked at
    time_s: float  # time of all launches [s]
    cycles: float  # the same [cycles]

    @property
    def longest(self) -> LaunchResult:
        """The launch that takes longest."""
        return max(self.results, key=lambda each: each.timing.cycles)


def outcome(variant: Variant, device: GpuDevice, model: Model) -> Outcome:
    """Run a variant through the stages."""
    results, times = [], []
    for make in variant.launches:
        each = make()
        times.append(each.times)
        results.append(
            launch(
                each.trace,
                each.executed,
                extents=each.extents,
                block=variant.block,
                device=device,
                model=model,
                tiled=each.tiled,
            )
        )
        del each
    return Outcome(
        results=tuple(results),
        time_s=sum(n * each.time for n, each in zip(times, results, strict=True)),
        cycles=sum(n * each.timing.cycles for n, each in zip(times, results, strict=True)),
    )


def changed(variant: Variant, change: Callable[[LaunchInput], LaunchInput]) -> Variant:
    """A variant whose launches are others."""
    return replace(
        variant, launches=tuple(partial(_changed, make, change) for make in variant.launches)
    )


def _changed(
    make: Callable[[], LaunchInput], change: Callable[[LaunchInput], LaunchInput]
) -> LaunchInput:
    return change(make())
