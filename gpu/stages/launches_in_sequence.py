"""Launches, each laid out once, through all stages; the time of a kernel is that of all of them.

A warp issues an instruction if any of its lanes takes part.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from logca.gpu.devices.parameters import GpuDevice
from logca.gpu.nests.nest import NestTrace, Reduction
from logca.gpu.stages import Rows
from logca.gpu.stages.blocks_and_occupancy import Layout, Occupancy, Shape
from logca.gpu.stages.cache import l2_of, physical, simulate
from logca.gpu.stages.instructions import Instructions
from logca.gpu.stages.models import Model
from logca.gpu.stages.reductions import launches, with_reductions
from logca.gpu.stages.shared_memory import TiledLaunch, departures, shared_cost, tiled_timing
from logca.gpu.stages.stage_rows import (
    grid_rows,
    instruction_rows,
    latency_rows,
    memory_rows,
    occupancy_rows,
    pattern_rows,
    shared_rows,
    timing_rows,
    trace_rows,
    warp_rows,
)
from logca.gpu.stages.timing import (
    Timing,
    baseline_latency,
    class_counts,
    computation_cycles,
    latency,
    program_miss_rate,
    timing,
)
from logca.gpu.stages.transactions import PATTERNS, Behaviour, Memory, memory, patterns
from logca.gpu.stages.unit_bounds import ArrayBytes, LaunchBounds
from logca.gpu.stages.warps import warp_trace
from logca.numeric.generated import cgpredict

__all__ = [
    "KernelTime",
    "Launch",
    "LaunchTime",
    "executed_by_warps",
    "kernel_time",
    "summed",
    "timed",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Launch:
    """A launch that was sampled: its grid, what runs of it at a time, and what threads do."""

    shape: Shape  # the block, and how many of it the device has room for
    grid: Layout  # grid and blocks at the work size
    traced: Layout | None  # those of the launch that was traced; None if no access was
    occupancy: Occupancy  # warps and batches at the work size
    trace: NestTrace | None  # accesses of its first threads; None if they make none
    executed: Instructions  # what a thread executes at the work size
    tiled: TiledLaunch | None  # what it has to do with shared memory
    times: float  # for how many launches it stands [1]
    reductions: tuple[Reduction, ...] = ()  # what its threads gather

    def in_tiles(self, tiled: TiledLaunch) -> "Launch":
        """The launch with other tiles in shared memory, which may leave room for fewer blocks."""
        shape = self.shape.with_shared_memory(tiled.size)
        return replace(self, shape=shape, occupancy=shape.occupancy(self.grid), tiled=tiled)


@dataclass(frozen=True, slots=True, kw_only=True)
class LaunchTime:
    """The time of a launch, with what each stage found on the way."""

    layout: Layout  # grid and blocks at the work size
    occupancy: Occupancy  # warps and batches
    executed: Instructions  # what a warp executes
    # how warp instructions behave that access the memory of the device; None if there are none
    memory: Memory | None
    # how those behave that access shared memory; their transactions are X of bank conflicts
    shared: tuple[Behaviour, ...]
    timing: Timing | None  # the time that the kernel executes; None by model bounds
    # the same by eqs 16, 17 and 23 as printed, if the kernel works in tiles
    as_printed: Timing | None
    # that of the launch: its overhead and the bound of the bandwidth are in it if the model has
    # them [s]
    time: float
    # what decides that time: "memory", "computation", "bandwidth", "launch overhead" or what is
    # most of a kernel in tiles
    bound: str
    dram_bytes: float  # what it moves to and from main memory [B]
    behaviours: Mapping[int, Behaviour]  # how each static access behaves
    stages: Mapping[str, Rows]  # what each stage prints
    bounds: LaunchBounds | None = None  # the least time of each unit, by model bounds

    @property
    def of_warps(self) -> Timing:
        """The time that the kernel executes, by MWP and CWP; not of model bounds."""
        assert self.timing is not None
        return self.timing


@dataclass(frozen=True, slots=True, kw_only=True)
class KernelTime:
    """The time of a kernel."""

    results: tuple[LaunchTime, ...]  # one for each sampled launch
    longest: LaunchTime  # the launch that takes longest
    time_s: float  # time of all launches [s]
    cycles: float  # the same [cycles]
    dram_bytes: float  # what they move to and from main memory [B]
    arrays: tuple[ArrayBytes, ...] = ()  # what its launch with most arrays reaches, by model bounds
    # its time, by model bounds, if accesses reached as many sectors as they could of which it is
    # not known where they go at the work size; None without any [s]
    at_most_s: float | None = None
    # lines of loops of a thread, by model bounds, whose iterations may differ between threads, and
    # of which only the mean is known [1]
    means: tuple[int, ...] = ()
    uneven_s: float | None = None  # its time if a thread is as long as it may be; None without [s]


def kernel_time(launches: Iterable[Launch], model: Model) -> KernelTime:
    """The time of a kernel whose launches are each made when it is their turn.

    Traces are large: there is never more than one of them.
    """
    results, times, frequency = [], [], 0.0
    for launch in launches:
        results.append(timed(launch, model))
        times.append(launch.times)
        frequency = launch.shape.device.frequency
        del launch
    return summed(results, times, frequency)


def summed(results: Sequence[LaunchTime], times: Sequence[float], frequency: float) -> KernelTime:
    """The time of a kernel whose sampled launches each stand for so many."""
    time = sum(n * result.time for n, result in zip(times, results, strict=True))
    return KernelTime(
        results=tuple(results),
        longest=max(results, key=lambda each: each.time),
        time_s=time,
        cycles=time * frequency,
        dram_bytes=sum(n * result.dram_bytes for n, result in zip(times, results, strict=True)),
    )


def timed(launch: Launch, model: Model) -> LaunchTime:
    """The time of a launch."""
    device, tiled = launch.shape.device, launch.tiled
    executed, occupancy = launch.executed, launch.occupancy
    found: Memory | None = None
    printed: dict[str, Rows] = {}
    shared: tuple[Behaviour, ...] = ()
    as_printed: Timing | None = None
    if launch.trace is None:
        nothing = Memory(classes=(), accesses=())
        cost = latency(nothing, dict.fromkeys(PATTERNS, 0.0), device)
    else:
        found, printed = _through_cache(launch, launch.trace, model)
        if model.divergent and tiled is None:
            executed = executed_by_warps(executed, found, launch.grid, device.warp_size)
        counts = class_counts(found, executed.memory)
        if model.simple_cache:
            miss_rate = program_miss_rate(launch.trace, l2_of(device, model))
            cost = baseline_latency(counts, miss_rate, device)
        else:
            cost = latency(found, counts, device, transactions=model.transactions)
    if tiled is None:
        result = timing(
            latency=cost,
            cycles_computation=computation_cycles(executed.total, device),
            occupancy=occupancy,
            device=device,
        )
    else:
        if tiled.memory is not None:
            found, printed = _through_cache(launch, tiled.memory, model)
        spent, shared = shared_cost(
            tiled,
            executed,
            traced=launch.traced,
            blocks_per_batch=launch.shape.batch_blocks,
            device=device,
        )
        both = {
            as_is: tiled_timing(
                latency=cost,
                executed=executed,
                shared=spent,
                barriers=tiled.barriers,
                occupancy=occupancy,
                device=device,
                printed=as_is,
            )
            for as_is in (False, True)
        }
        result, as_printed = both[False], both[True]
        if found is not None:
            # Table 5 lets all warps of a batch overlap, but transactions leave one after another:
            # the launch takes the longer of both.
            least = departures(found, executed, occupancy, device, transactions=model.transactions)
            result = max(result, least, key=lambda each: each.cycles)
        printed["shared"] = shared_rows(spent)
    result = with_reductions(
        result,
        launch.reductions,
        launch.executed.memory,
        grid=launch.grid,
        occupancy=occupancy,
        device=device,
    )
    dram_bytes = _dram_bytes(launch.grid, executed, found, device)
    overhead = launches(launch.reductions) * device.launch_overhead
    time = (
        _launch_time(dram_bytes, result, device, overhead)
        if model.beyond_the_kernel
        else result.time
    )
    return LaunchTime(
        layout=launch.grid,
        occupancy=occupancy,
        executed=executed,
        memory=found,
        shared=shared,
        timing=result,
        as_printed=as_printed,
        time=time,
        bound=_bound(time, result, overhead) if model.beyond_the_kernel else result.bound,
        dram_bytes=dram_bytes,
        behaviours={
            each.access: each
            for each in (*shared, *(found.accesses if found else ()))
            if each.access is not None
        },
        stages={
            "threads": grid_rows(launch.grid),
            **printed,
            "instructions": instruction_rows(executed),
            "latency": latency_rows(cost),
            "occupancy": occupancy_rows(occupancy),
            "timing": timing_rows(result),
        },
    )


def _through_cache(
    launch: Launch, trace: NestTrace, model: Model
) -> tuple[Memory, dict[str, Rows]]:
    """Behaviour of the accesses of a trace, and the rows of the stages on the way."""
    assert launch.traced is not None
    device = launch.shape.device
    warps = warp_trace(
        trace,
        launch.traced,
        blocks_per_batch=launch.shape.batch_blocks,
        warp_size=device.warp_size,
    )
    kinds = patterns(warps, line_size=device.l2_line, sector_size=device.l2_sector)
    lines = physical(kinds.line, device.l2_line) if model.scattered else kinds.line
    found = memory(warps, kinds, ~simulate(l2_of(device, model), lines))
    return found, {
        "trace": trace_rows(trace),
        "warps": warp_rows(warps),
        "accesses": pattern_rows(kinds),
        "cache": memory_rows(found),
    }


def executed_by_warps(
    executed: Instructions, found: Memory, grid: Layout, warp_size: int
) -> Instructions:
    """Instructions that a warp executes on average.

    An access that has only half of a warp's lanes in each warp instruction is in twice as many of
    them as a thread makes. Compute instructions follow an access that the same threads make, where
    there is one; others count as a thread executes them on average.
    """
    threads = grid.threads / grid.busy_warps(grid.blocks, warp_size)
    # Behind the first batches warps may be less full than the sampled ones.
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


def _dram_bytes(
    grid: Layout, executed: Instructions, found: Memory | None, device: GpuDevice
) -> float:
    """Bytes that a launch moves to and from main memory [B]."""
    counts = {**executed.memory, **executed.loads}
    lines = sum(
        counts.get(each.access, 0.0) * each.dram
        for each in (found.accesses if found else ())
        if each.access is not None
    )
    return lines * grid.busy_warps(grid.blocks, device.warp_size) * device.l2_line


def _launch_time(dram_bytes: float, result: Timing, device: GpuDevice, overhead: float) -> float:
    """Time of a launch with its overhead, and not below what the bandwidth allows [s]."""
    return float(
        cgpredict.reduction_time(
            frequency=device.frequency,
            bandwidth=device.bandwidth,
            launch_overhead=overhead,
            dram_bytes=dram_bytes,
            cycles_total=result.cycles - result.cycles_combining,
            cycles_combining=result.cycles_combining,
        )
    )


def _bound(time: float, result: Timing, overhead: float) -> str:
    """Bound of a launch: its overhead or the bandwidth, or else that of its kernel."""
    if overhead > max(result.time, time / 2):
        return "launch overhead"
    beyond = time - overhead > result.time * (1 + 1e-9)
    return "bandwidth" if beyond else result.bound
