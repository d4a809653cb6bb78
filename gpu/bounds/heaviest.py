"""A launch by its longest warp and its heaviest block, where threads do not all do the same.

Whatever runs beside it, a launch takes no less than its longest warp waits and computes, and a
multiprocessor no less than the instructions of one block. Means of all threads say nothing of
either.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from logca.gpu.devices.parameters import GpuDevice
from logca.gpu.devices.unit_rates import UnitRates
from logca.gpu.stages.unit_bounds import BlockCounts, SiteCounts

__all__ = ["Heaviest", "of_heaviest"]

_EVEN = 1.1
"""Threads are alike if the longest does not do more than the mean one, times this [1]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Heaviest:
    """The longest warp and the heaviest block, by what they execute over what mean ones do."""

    cycles: float = 1.0  # arithmetic that the longest warp waits for [1]
    accesses: Mapping[int, float] = field(default_factory=dict)  # its accesses, by site [1]
    instructions: float = 1.0  # computing instructions of the heaviest block [1]
    # the longest warp there may be where only mean iterations are known; None if all are known
    most: "Heaviest | None" = None
    means: tuple[int, ...] = ()  # lines of these loops [1]


def of_heaviest(
    counts: BlockCounts,
    memory: Sequence[SiteCounts],
    found: Heaviest,
    device: GpuDevice,
    rates: UnitRates,
    *,
    imbalance: float,
) -> BlockCounts:
    """Counts of a launch that waits for its longest warp and issues its heaviest block at least.

    `imbalance` is what the counts have as a factor already.
    """
    loads = [each for each in memory if not each.store]
    ratios = [found.accesses.get(each.access, 1.0) / imbalance for each in loads]
    alone = {
        "load_groups": sum(x.groups * r for x, r in zip(loads, ratios, strict=True)),
        "missed_groups": sum(x.missed_groups * r for x, r in zip(loads, ratios, strict=True)),
        "dependent_cycles": counts.dependent_cycles * found.cycles / imbalance,
    }
    miss = device.latency_L2 - rates.latency_L1
    weights = {"load_groups": rates.latency_L1, "missed_groups": miss, "dependent_cycles": 1.0}
    mean = sum(getattr(counts, name) * weight for name, weight in weights.items())
    longest = sum(alone[name] * weight for name, weight in weights.items())
    if longest > _EVEN * mean * counts.waves:
        counts = replace(counts, **{name: each / counts.waves for name, each in alone.items()})
    more = found.instructions / imbalance / counts.busiest_blocks
    if more > _EVEN:
        pipes = ("fp32", "integer", "fp64", "conversions", "special")
        computed = counts.instructions - counts.loads - counts.stores
        counts = replace(
            counts,
            instructions=counts.instructions + (more - 1) * computed,
            **{pipe: getattr(counts, pipe) * more for pipe in pipes},
        )
    return counts
