"""Cost of a kernel whose threads gather values: trees in blocks, atomic operations on memory.

Each thread takes every so many iterations, in a grid with at most as many blocks as the device
holds, so that a launch has few partial results. Iterations of a thread are what batches are in the
equations of wang2017, which has no such kernels; what is added here is the cost of combining.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from logca.gpu.devices.parameters import GpuDevice
from logca.gpu.nests.nest import Reduction
from logca.gpu.stages.blocks_and_occupancy import Layout, Occupancy
from logca.gpu.stages.timing import Timing
from logca.numeric.generated import cgpredict

__all__ = ["atomic", "combining_cycles", "launches", "with_reductions"]

_ATOMIC = {
    "i32": {"sum", "minimum", "maximum", "extreme", "and", "or", "xor"},
    "i64": {"sum"},
    "float": {"sum"},
}
"""Operations that a GPU of compute capability 3.0 has as one atomic operation, by type (CUDA C++
Programming Guide, "Atomic Functions"); it has none in double precision, which came with 6.0."""


def atomic(reduction: Reduction) -> bool:
    """True if one atomic operation updates memory as a reduction does."""
    return reduction.operation in _ATOMIC.get(reduction.type, ())


def with_reductions(
    result: Timing,
    reductions: Sequence[Reduction],
    updates: Mapping[int, float],
    *,
    grid: Layout,
    occupancy: Occupancy,
    device: GpuDevice,
) -> Timing:
    """The time of a launch with what combining takes, given executions of accesses by a thread."""
    if not reductions:
        return result
    gathering, combining = combining_cycles(
        result.cycles, reductions, updates, grid=grid, occupancy=occupancy, device=device
    )
    bound = "atomic updates" if gathering > result.cycles else result.bound
    cycles = gathering + combining
    return replace(
        result,
        bound="combining" if combining > gathering else bound,
        cycles_combining=combining,
        cycles=cycles,
        time=float(cgpredict.time_of_cycles(cycles_total=cycles, frequency=device.frequency)),
    )


def combining_cycles(
    cycles: float,
    reductions: Sequence[Reduction],
    updates: Mapping[int, float],
    *,
    grid: Layout,
    occupancy: Occupancy,
    device: GpuDevice,
) -> tuple[float, float]:
    """Cycles of a launch, no less than its updates take, and of combining [cycles]."""
    tree = {
        "cycles_per_instruction": device.cycles_per_instruction,
        "latency_shared": device.latency_shared,
        "block_threads": max(device.warp_size, 1 << (grid.threads_per_block - 1).bit_length()),
        "warp_threads": device.warp_size,
    }
    resident = occupancy.active_blocks
    combining = 0.0
    for each in reductions:
        if not each.single:
            continue
        if atomic(each):
            combining += float(
                cgpredict.combining_cycles(
                    **tree,
                    latency_L2=device.latency_L2,
                    delay_atomic=device.delay_atomic,
                    blocks=occupancy.concurrent_blocks,
                    active_blocks=resident,
                )
            )
        else:
            latencies = {"latency_L2": device.latency_L2, "latency_dram": device.latency_dram}
            combining += float(cgpredict.tree_cycles(**tree, active_blocks=resident))
            combining += float(cgpredict.second_launch_cycles(**tree, **latencies))
    hottest = max((_hottest(each, updates) for each in reductions), default=0.0)
    gathering = float(
        cgpredict.contended_cycles(
            delay_atomic=device.delay_atomic,
            updates_hottest=hottest * grid.threads,
            cycles_total=cycles,
        )
    )
    return gathering, combining


def launches(reductions: Sequence[Reduction]) -> int:
    """Kernels of a launch: two where no atomic operation combines what blocks leave [1]."""
    return 1 + any(each.single and not atomic(each) for each in reductions)


def _hottest(reduction: Reduction, updates: Mapping[int, float]) -> float:
    """Updates of the element that is updated most, over the threads of the launch [1]."""
    if reduction.single:
        return 0.0
    return reduction.hottest * sum(updates.get(site, 0.0) for site in reduction.accesses)
