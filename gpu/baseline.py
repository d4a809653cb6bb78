"""The simple model that wang2017 compares with: one miss rate for all accesses (eqs 24 and 25)."""

from collections.abc import Mapping

import numpy as np

from logca.gpu.accesses import PATTERNS
from logca.gpu.cache import Cache, simulate
from logca.gpu.devices import GpuDevice
from logca.gpu.latency import ClassLatency, Latency, mean_latency
from logca.gpu.nest import NestTrace
from logca.numeric.generated import cgpredict

__all__ = ["baseline_latency", "program_miss_rate"]


def baseline_latency(counts: Mapping[str, float], miss_rate: float, device: GpuDevice) -> Latency:
    """Cost of the memory instructions of a thread without classes of accesses.

    Parameters
    ----------
    counts : mapping of str to float
        Memory instructions of each class that a thread executes [1].
    miss_rate : float
        Share of accesses that miss the L2 cache, from 0 to 1 [1].
    device : GpuDevice
        The device.

    Raises
    ------
    ValueError
        If the miss rate is out of range.
    """
    if not 0 <= miss_rate <= 1:
        raise ValueError(f"the miss rate must be from 0 to 1, not {miss_rate}")
    time = float(
        cgpredict.simple_access_latency(
            latency_L2=device.latency_L2, latency_dram=device.latency_dram, miss_rate=miss_rate
        )
    )
    delay = float(
        cgpredict.simple_access_delay(
            delay_L2=device.delay_L2, delay_dram=device.delay_dram, miss_rate=miss_rate
        )
    )
    return mean_latency(
        tuple(
            ClassLatency(
                pattern=pattern,
                instructions=counts[pattern],
                transactions=1.0,
                dram=miss_rate,
                missing=miss_rate,
                hit=1.0,
                latency=time,
                delay=delay,
            )
            for pattern in PATTERNS
        )
    )


def program_miss_rate(trace: NestTrace, cache: Cache) -> float:
    """Share of the program's own accesses, in its own order, that miss a cache [1].

    Parameters
    ----------
    trace : NestTrace
        The accesses; of one that straddles lines, the first line counts.
    cache : Cache
        The cache.
    """
    lines = trace.address >> np.uint64(cache.line.bit_length() - 1)
    return 1.0 - float(simulate(cache, lines).mean())
