"""The time of a launch that works in tiles (wang2017, section 3.6)."""

from collections.abc import Collection
from dataclasses import dataclass, replace

import numpy as np

from logca.gpu.accesses import PATTERNS, Patterns, patterns
from logca.gpu.devices import GpuDevice
from logca.gpu.dram import Behaviour
from logca.gpu.instructions import Instructions
from logca.gpu.latency import Latency
from logca.gpu.nest import NestTrace
from logca.gpu.occupancy import Occupancy
from logca.gpu.shared_memory import SharedMemory, bank_ways, from_array_start, shared_memory
from logca.gpu.threads import Layout
from logca.gpu.timing import Timing, computation_cycles, timing
from logca.gpu.warps import WarpTrace, warp_trace
from logca.numeric.generated import cgpredict

__all__ = ["TiledLaunch", "shared_behaviour", "shared_cost", "tiled_timing"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TiledLaunch:
    """What a launch in tiles has beyond others.

    Parameters
    ----------
    shared : NestTrace or None
        Its accesses to shared memory; None if it makes none.
    loads : NestTrace or None
        Its loads to shared memory; None if it makes none.
    filling : frozenset of int
        Stores to shared memory that end such a load, and count with it [1].
    size : int
        Shared memory of a block [B].
    barriers : float
        Barriers that a thread waits at [1].
    """

    shared: NestTrace | None
    loads: NestTrace | None
    filling: frozenset[int]
    size: int
    barriers: float
