"""From the counts of a launch to its time: each unit of the GPU at its own rate.

Every bound, and how they go together, is a generated function of `logca.derive.gpu_bounds`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from functools import partial
from inspect import signature
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from logca.gpu.bounds.instruction_mix import InstructionMix
from logca.gpu.bounds.l1_cache import SECTOR
from logca.gpu.bounds.launch import ResidentLaunch
from logca.gpu.bounds.main_memory import traffic
from logca.gpu.devices.parameters import GpuDevice, unit_rates
from logca.gpu.devices.unit_rates import UnitRates
from logca.gpu.stages.blocks_and_occupancy import warps_of
from logca.gpu.stages.reductions import combining_cycles, launches
from logca.gpu.stages.unit_bounds import (
    ATOMIC,
    BOUNDS,
    COMBINING,
    LAUNCH,
    ArrayBytes,
    BlockCounts,
    LaunchBounds,
    SiteCounts,
)
from logca.numeric.generated import cgpredict, gpu_bounds

__all__ = ["SHARPNESS", "Times", "block_counts", "launch_bounds", "time_together"]

Times = float | NDArray[np.float64]

SHARPNESS = 2.5
"""Exponent of the soft maximum over the units, as in `time_bounds`; fitted [1]."""


def block_counts(
    launch: ResidentLaunch,
    mix: InstructionMix,
    memory: Sequence[SiteCounts],
    shared: Sequence[SiteCounts],
    device: GpuDevice,
) -> BlockCounts:
    """Counts of a launch but for main memory, which depends on what L2 holds before it."""
    warps = warps_of(launch.grid.threads_per_block, device.warp_size)
    at_a_time = launch.occupancy.active_blocks * device.multiprocessors
    # where all blocks run at a time, the launch takes as long as a full one, which the first is
    alike = 1 if launch.grid.blocks <= at_a_time else launch.grid.blocks
    busy = launch.grid.busy_warps(alike, device.warp_size) / alike
    kinds = {store: [each for each in memory if each.store == store] for store in (False, True)}

    def total(sites: Sequence[SiteCounts], column: str) -> float:
        return float(sum(getattr(each, column) for each in sites))

    accesses = total(memory, "executions") + total(shared, "executions")
    pipes = {
        name: getattr(mix, name) * busy * launch.imbalance
        for name in ("fp32", "integer", "fp64", "conversions", "special")
    }
    issued, rates = sum(pipes.values()), unit_rates(device)
    if rates.conversion_lanes >= rates.int_lanes:  # then they are the same lanes
        pipes["integer"] += pipes["conversions"]
    waited = sum(each.groups for each in shared if not each.store) * device.latency_shared
    limits = {"blocks": float(launch.grid.blocks), "resident_blocks": float(_resident(launch))}
    spread = {**limits, "multiprocessors": float(device.multiprocessors)}
    return BlockCounts(
        loads=total(kinds[False], "executions"),
        stores=total(kinds[True], "executions"),
        load_wavefronts=total(kinds[False], "wavefronts"),
        store_wavefronts=total(kinds[True], "wavefronts"),
        shared_wavefronts=total(shared, "wavefronts"),
        missed_sectors=total(kinds[False], "missed"),
        fresh_sectors=total(kinds[False], "fresh"),
        stored_sectors=total(kinds[True], "sectors"),
        partial_lines=total(kinds[True], "partial"),
        instructions=accesses + issued + mix.control * busy * launch.imbalance,
        **pipes,
        load_groups=total(kinds[False], "groups"),
        missed_groups=total(kinds[False], "missed_groups"),
        dependent_cycles=mix.dependent_cycles * busy * launch.imbalance + waited,
        barriers=launch.barriers * warps,
        warps_of_block=busy,
        **limits,
        busiest_blocks=float(gpu_bounds.blocks_on_busiest(**spread)),
        waves=float(gpu_bounds.waves_of_blocks(**spread)),
        read_bytes=0.0,
        written_bytes=0.0,
        wave_bytes=0.0,
        first_bytes=0.0,
    )


def _resident(launch: ResidentLaunch) -> int:
    """Blocks that a multiprocessor has room for, however few the grid has [1]."""
    return min(launch.shape.limits.values())


def launch_bounds(
    launch: ResidentLaunch,
    counts: BlockCounts,
    device: GpuDevice,
    rates: UnitRates,
    *,
    before: Sequence[Sequence[ArrayBytes]] = (),
) -> LaunchBounds:
    """The time of a launch after the launches `before`, the latest last."""
    moved = traffic(
        launch.footprint,
        before,
        l2_size=device.l2_size / rates.l2_partitions,
        waves=max(1.0, launch.occupancy.batches),
    )
    counts = replace(
        counts,
        read_bytes=moved.read,
        written_bytes=moved.written,
        wave_bytes=moved.wave,
        first_bytes=moved.first,
    )
    numbers = {
        **{each.name: getattr(device, each.name) for each in fields(device)},
        **{each.name: getattr(rates, each.name) for each in fields(rates)},
        **{each.name: getattr(counts, each.name) for each in fields(counts)},
        "warp_threads": device.warp_size,
        "l2_sector": float(SECTOR),
    }
    numbers["main_memory_share"] = _called(gpu_bounds.share_of_main_memory, numbers)
    bounds = {name: _called(getattr(gpu_bounds, f"bound_{name}"), numbers) for name in BOUNDS}
    overhead = launches(launch.reductions) * device.launch_overhead
    exposed = _called(gpu_bounds.exposed_latency, numbers) if launch.barriers else 0.0
    together = partial(
        time_together,
        exposed=exposed,
        overhead=overhead,
        active_blocks=launch.occupancy.active_blocks,
    )
    time = float(together(bounds))
    running = (time - overhead) * device.frequency
    gathering, combining = combining_cycles(
        running,
        launch.reductions,
        launch.executed.memory,
        grid=launch.grid,
        occupancy=launch.occupancy,
        device=device,
    )
    waiting = gathering - running + combining
    extra = float(cgpredict.time_of_cycles(cycles_total=waiting, frequency=device.frequency))
    order = sorted(bounds, key=lambda name: -bounds[name])
    first, second = order[0], order[1]
    bound = BOUNDS[first]
    if extra > time - overhead:
        bound = COMBINING if combining > gathering - running else ATOMIC
    if overhead > time + extra - overhead:
        bound = LAUNCH
    return LaunchBounds(
        counts=counts,
        bounds=bounds,
        overhead_s=overhead,
        combining_s=extra,
        time_s=time + extra,
        bound=bound,
        margin=bounds[first] / bounds[second] if bounds[second] else inf,
        next=BOUNDS[second] if bounds[second] else "",
        without_s=float(together({**bounds, first: 0.0})) + extra,
        found_bytes=moved.found,
        iterations=launch.longest,
    )


def time_together(
    units: Mapping[str, Times],
    *,
    exposed: Times,
    overhead: Times,
    active_blocks: Times,
    sharpness: float = SHARPNESS,
) -> Times:
    """The time of launches by the bounds of their units [s], which are arrays or numbers.

    Between barriers all threads of a block do the same: they wait for what they load, which is the
    `exposed` part of the latency [s], 0 without barriers, and nothing else goes on, unless other
    blocks beside theirs compute or store. So waiting overlaps with nothing where one block is there
    at a time, and with many as it does without barriers.
    """
    sharp = gpu_bounds.time_bounds_sharp
    bounds = {f"time_{name}": time for name, time in units.items()}
    apart = np.minimum(exposed, units["latency"])
    hidden = units["latency"] - apart
    busy = sharp(launch_overhead=0.0, sharpness=sharpness, **{**bounds, "time_latency": hidden})
    rest = {**dict.fromkeys(bounds, 0.0), "time_main_memory": busy, "time_latency": apart}
    alone = sharpness - (sharpness - 1) / active_blocks
    time: Times = sharp(launch_overhead=overhead, sharpness=alone, **rest)
    return time


def _called(function: Callable[..., Any], numbers: Mapping[str, object]) -> float:
    """A generated function of those of the numbers that it takes."""
    taken = signature(function).parameters
    return float(function(**{name: numbers[name] for name in taken}))
