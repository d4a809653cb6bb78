"""Shared memory: bank conflicts from real addresses, and the time of launches in tiles.

Successive words of 4 bytes are in successive banks; an X-way conflict takes X times as long
(wang2017, section 2.5, eqs 19-22). Launches in tiles are timed by section 3.6.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from logca.common.jit import compiled
from logca.gpu.devices.parameters import GpuDevice
from logca.gpu.nests.nest import NestTrace
from logca.gpu.stages.blocks_and_occupancy import Layout, Occupancy
from logca.gpu.stages.instructions import Instructions
from logca.gpu.stages.models import Transactions
from logca.gpu.stages.timing import (
    Latency,
    Timing,
    class_counts,
    computation_cycles,
    latency,
    timing,
)
from logca.gpu.stages.transactions import (
    PATTERNS,
    Behaviour,
    Memory,
    Patterns,
    behaviours,
    patterns,
)
from logca.gpu.stages.warps import WarpTrace, warp_trace
from logca.numeric.generated import cgpredict
from logca.trace.ir.program import Program

__all__ = [
    "SharedMemory",
    "TiledLaunch",
    "bank_ways",
    "departures",
    "from_array_start",
    "shared_cost",
    "shared_memory",
    "tile_loads",
    "tiled_timing",
]

_WORD = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedMemory:
    """Cost of shared memory to a thread."""

    ways: dict[str, float]  # mean X of the X-way bank conflicts of each class [1]
    # accesses of each class that a thread makes to shared memory [1]
    instructions: dict[str, float]
    loads: float  # loads from main memory to shared memory that a thread makes [1]
    cycles_load: float  # their time, smem_load_cycles (eq. 19) [cycles]
    cycles: float  # time of the accesses, smem_cycles (eq. 20) [cycles]


def from_array_start(trace: NestTrace) -> NestTrace:
    """The trace with addresses counted from the lowest one of each array [B].

    Arrays in shared memory begin at a segment of their own; where the C program has them does not
    matter.
    """
    names = [(each.function, each.array) for each in trace.accesses]
    numbers = {name: number for number, name in enumerate(dict.fromkeys(names))}
    array = np.array([numbers[name] for name in names])[trace.access]
    low = np.full(len(numbers), np.iinfo(np.uint64).max, np.uint64)
    np.minimum.at(low, array, trace.address)
    return replace(trace, address=trace.address - low[array])


def bank_ways(warps: WarpTrace, device: GpuDevice) -> NDArray[np.int32]:
    """X of each warp instruction: how often a bank must deliver, at most [1]."""
    ways = np.empty(len(warps.access), np.int32)
    compiled(_fill_ways)(
        warps.start, warps.address, warps.size, device.banks, device.banks * device.bank_width, ways
    )
    return ways


def shared_memory(
    warps: WarpTrace,
    found: Patterns,
    executions: Mapping[int, float],
    loads: float,
    device: GpuDevice,
) -> SharedMemory:
    """Bank conflicts and cycles of shared memory (eqs 19 and 20)."""
    each_ways = bank_ways(warps, device)
    ways = dict.fromkeys(PATTERNS, 1.0)
    counts = dict.fromkeys(PATTERNS, 0.0)
    for number, pattern in enumerate(PATTERNS):
        mine = found.pattern == number
        if not mine.any():
            continue
        ways[pattern] = float(each_ways[mine].mean())
        for access, times in executions.items():
            own = warps.access == access
            if own.any():
                counts[pattern] += times * float(mine[own].mean())
    return SharedMemory(
        ways=ways,
        instructions=counts,
        loads=loads,
        cycles_load=float(
            cgpredict.shared_load_cycles(
                instructions_load_shared=loads, latency_load_shared=device.latency_load_shared
            )
        ),
        cycles=float(
            cgpredict.shared_memory_cycles(
                latency_shared=device.latency_shared,
                **{f"bank_ways_{name}": value for name, value in ways.items()},
                **{f"instructions_{name}": value for name, value in counts.items()},
            )
        ),
    )


def tile_loads(program: Program, shared: Collection[int]) -> frozenset[int]:
    """Loads from main memory whose value goes right into shared memory [1]."""
    wanted = set()
    for access in (program.accesses[each] for each in shared):
        instruction = program.blocks[access.block].instructions[access.index]
        if access.store:
            wanted |= {(access.function, use) for use in instruction.uses}
    found = set()
    for access in program.accesses:
        instruction = program.blocks[access.block].instructions[access.index]
        if (access.function, instruction.name) in wanted and not access.store:
            found.add(access.id)
    return frozenset(found - set(shared))


def _fill_ways(
    start: NDArray[np.int64],
    address: NDArray[np.uint64],
    size: NDArray[np.uint32],
    banks: int,
    segment: int,
    ways: NDArray[np.int32],
) -> None:
    wanted = np.empty((banks, 1024), np.int64)
    for w in range(ways.shape[0]):
        counts = np.zeros(banks, np.int32)
        for i in range(start[w], start[w + 1]):
            first = np.int64(address[i])
            for word in range(first // _WORD, (first + np.int64(size[w]) - 1) // _WORD + 1):
                bank = word % banks
                piece = word * _WORD // segment
                known = False
                for other in range(counts[bank]):
                    if wanted[bank, other] == piece:
                        known = True
                        break
                if not known and counts[bank] < wanted.shape[1]:
                    wanted[bank, counts[bank]] = piece
                    counts[bank] += 1
        ways[w] = counts.max() if start[w + 1] > start[w] else 0


@dataclass(frozen=True, slots=True, kw_only=True)
class TiledLaunch:
    """Accesses to shared memory, loads and barriers of a launch in tiles."""

    shared: NestTrace | None  # its accesses to shared memory; None if it makes none
    # its accesses to the memory of the device, loads to shared memory among them; None if it
    # makes none
    memory: NestTrace | None
    filling: frozenset[int]  # stores to shared memory that end such a load, and count with it [1]
    size: int  # shared memory of a block [B]
    barriers: float  # barriers that a thread waits at [1]


def shared_cost(
    tiled: TiledLaunch,
    executed: Instructions,
    *,
    traced: Layout | None,
    blocks_per_batch: int,
    device: GpuDevice,
) -> tuple[SharedMemory, tuple[Behaviour, ...]]:
    """Cost of shared memory to a thread, and the behaviour of its accesses.

    A load to shared memory and the store that ends it are one transfer of a fixed latency (eq. 19),
    so that such stores are not among the accesses of eq. 20.
    """
    loads = sum(executed.loads.values())
    if tiled.shared is None:
        ones, zeros = dict.fromkeys(PATTERNS, 1.0), dict.fromkeys(PATTERNS, 0.0)
        return SharedMemory(
            ways=ones, instructions=zeros, loads=loads, cycles_load=0.0, cycles=0.0
        ), ()
    assert traced is not None
    warps = warp_trace(
        from_array_start(tiled.shared),
        traced,
        blocks_per_batch=blocks_per_batch,
        warp_size=device.warp_size,
    )
    kinds = patterns(warps, line_size=device.l2_line, sector_size=device.l2_sector)
    counted = {site: count for site, count in executed.shared.items() if site not in tiled.filling}
    ways = bank_ways(warps, device)
    columns = np.stack([np.diff(warps.start), ways, ways, ways, np.zeros_like(ways)])
    return (
        shared_memory(warps, kinds, counted, loads, device),
        behaviours(warps, kinds, columns),
    )


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
    """The time of a launch in tiles."""
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
    """
    counts = class_counts(found, {**executed.memory, **executed.loads})
    return timing(
        latency=latency(found, counts, device, transactions=transactions),
        cycles_computation=computation_cycles(sum(counts.values()), device),
        occupancy=occupancy,
        device=device,
    )
