"""Rows that each stage prints, from the grid to the time: mappings of column to value."""

from collections.abc import Sequence
from math import prod

import numpy as np

from logca.gpu.nests.nest import NestTrace
from logca.gpu.stages import Rows
from logca.gpu.stages.blocks_and_occupancy import Layout, Occupancy
from logca.gpu.stages.instructions import Instructions
from logca.gpu.stages.shared_memory import SharedMemory
from logca.gpu.stages.timing import Latency, Timing
from logca.gpu.stages.transactions import PATTERNS, Memory, Patterns
from logca.gpu.stages.warps import WarpTrace

__all__ = [
    "grid_rows",
    "instruction_rows",
    "latency_rows",
    "memory_rows",
    "occupancy_rows",
    "pattern_rows",
    "shared_rows",
    "timing_rows",
    "trace_rows",
    "warp_rows",
]


def grid_rows(grid: Layout) -> Rows:
    """The grid and its blocks."""
    return [
        {
            "iterations": _along_x_first(grid.extents),
            "block": " x ".join(map(str, grid.block)),
            "grid": " x ".join(map(str, grid.grid)),
            "threads": prod(grid.extents),
            "blocks": grid.blocks,
        }
    ]


def _along_x_first(extents: Sequence[int]) -> str:
    """Extents of loops, outermost first, in the order of threads."""
    return " x ".join(map(str, reversed(extents)))


def trace_rows(trace: NestTrace) -> Rows:
    """One row for each launch."""
    starts = np.searchsorted(trace.launch, trace.launches)
    counts = np.diff(starts, append=len(trace.launch))
    return [
        {"launch": launch, "threads": _along_x_first(extents), "accesses": int(count)}
        for launch, extents, count in zip(trace.launches, trace.extents, counts, strict=True)
    ]


def warp_rows(warps: WarpTrace) -> Rows:
    """One row for each static access."""
    lanes = np.diff(warps.start)
    found = []
    for access in np.unique(warps.access).tolist():
        mine = warps.access == access
        found.append(
            {
                "access": access,
                "warp instructions": int(mine.sum()),
                "active lanes": float(lanes[mine].mean()),
                "divergent": float(np.mean(lanes[mine] < warps.warp_size)),
            }
        )
    return found


def pattern_rows(found: Patterns) -> Rows:
    """One row for each class of accesses that occurs."""
    transactions = np.diff(found.start)
    classes = ((name, found.pattern == number) for number, name in enumerate(PATTERNS))
    return [
        {
            "pattern": name,
            "warp instructions": int(mine.sum()),
            "transactions": float(transactions[mine].mean()),
            "transactions by rule": float(found.ruled[mine].mean()),
        }
        for name, mine in classes
        if mine.any()
    ]


def memory_rows(found: Memory) -> Rows:
    """One row for each static access, then one for each class."""
    return [
        {
            "access": "all" if each.access is None else each.access,
            "pattern": each.pattern,
            "warp instructions": each.executions,
            "lanes": each.lanes,
            "stride": each.stride,
            "transactions": each.transactions,
            "DRAM transactions": each.dram,
        }
        for each in (*found.accesses, *found.classes)
    ]


def shared_rows(shared: SharedMemory) -> Rows:
    """One row for each class of accesses that occurs, then the loads."""
    classes: list[dict[str, object]] = [
        {"pattern": name, "instructions": count, "bank ways": shared.ways[name]}
        for name, count in shared.instructions.items()
        if count
    ]
    total = {"cycles": shared.cycles, "cycles of loads": shared.cycles_load}
    return [*classes, {"pattern": "loads", "instructions": shared.loads, **total}]


def instruction_rows(executed: Instructions) -> Rows:
    """One row for each PTX instruction."""
    memory: dict[str, float] = {"ld, st": sum(executed.memory.values())}
    if executed.loads:
        memory["ld to shared memory"] = sum(executed.loads.values())
    if executed.shared:
        memory["ld.shared, st.shared"] = sum(executed.shared.values())
    return [
        {"PTX": name, "kind": kind, "per warp": count}
        for kind, counts in (("memory", memory), ("compute", executed.computation))
        for name, count in counts.items()
    ]


def latency_rows(found: Latency) -> Rows:
    """One row for each class of accesses that occurs, then the mean."""
    classes: list[dict[str, object]] = [
        {
            "pattern": each.pattern,
            "instructions": each.instructions,
            "transactions": each.transactions,
            "DRAM transactions": each.dram,
            "share with DRAM": each.missing,
            "transactions without DRAM": each.hit,
            "latency": each.latency,
            "departure delay": each.delay,
        }
        for each in found.classes
        if each.instructions
    ]
    mean = {"latency": found.latency, "departure delay": found.delay}
    return [*classes, {"pattern": "mean", "instructions": found.instructions, **mean}]


def occupancy_rows(occupancy: Occupancy) -> Rows:
    """The row of blocks and warps that run at a time, and of what limits them."""
    return [
        {
            "blocks": occupancy.blocks,
            "active blocks B": occupancy.active_blocks,
            "active warps N": occupancy.active_warps,
            "batches": occupancy.batches,
            "limited by": occupancy.limit,
        }
    ]


def timing_rows(found: Timing) -> Rows:
    """The time, and what it is made of."""
    return [
        {
            "memory": found.cycles_memory,
            "computation": found.cycles_computation,
            "MWP": found.mwp,
            "CWP": found.cwp,
            "N": found.active_warps,
            "batches": found.batches,
            "bound": found.bound,
            **({"combining": found.cycles_combining} if found.cycles_combining else {}),
            "cycles": found.cycles,
            "time": found.time,
        }
    ]
