"""Latencies and departure delays of the memory instructions of a thread (wang2017).

By classes of accesses, or with one miss rate for all, as the simple model has it (eqs 24 and
25).
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from logca.gpu.devices.parameters import GpuDevice
from logca.gpu.nests.trace import NestTrace
from logca.gpu.stages.cache import Cache, simulate
from logca.gpu.stages.coalescing import PATTERNS
from logca.gpu.stages.dram import Behaviour, Memory
from logca.gpu.stages.models import Transactions
from logca.numeric.generated import cgpredict

__all__ = [
    "ClassLatency",
    "Latency",
    "baseline_latency",
    "class_counts",
    "latency",
    "mean_latency",
    "program_miss_rate",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassLatency:
    """What a warp instruction of a class costs."""

    pattern: str  # the class, one of `PATTERNS`
    instructions: float  # memory instructions of the class that a thread executes [1]
    # transactions, dram: L2 and DRAM transactions of a warp instruction [1]
    transactions: float
    dram: float
    missing: float  # share of its warp instructions that have DRAM transactions [1]
    hit: float  # L2 transactions of each of the others [1]
    latency: float  # time of its memory access, mem_l of the class [cycles]
    delay: float  # departure delay of its transactions, dep_del of the class [cycles]


@dataclass(frozen=True, slots=True, kw_only=True)
class Latency:
    """What the memory instructions of a thread cost."""

    classes: tuple[ClassLatency, ...]  # one for each class, in the order of `PATTERNS`
    instructions: float  # memory instructions of a thread, no_mem_insts [1]
    cycles: float  # their time, mem_cycles [cycles]
    # latency, delay: means over all of them, mem_l and departure_delay; NaN if there are none
    # [cycles]
    latency: float
    delay: float


def class_counts(found: Memory, executions: Mapping[int, float]) -> dict[str, float]:
    """Memory instructions of each class that a thread executes [1]."""
    shares = {each.access: each.shares for each in found.accesses}
    weights = {each.pattern: each.executions for each in found.classes}
    if not weights and any(executions.values()):
        raise ValueError("no access was traced, so that nothing is known of their classes")
    most = max(weights, key=lambda pattern: weights[pattern], default=PATTERNS[0])
    other = tuple(float(pattern == most) for pattern in PATTERNS)
    counts = dict.fromkeys(PATTERNS, 0.0)
    for access, times in executions.items():
        for pattern, share in zip(PATTERNS, shares.get(access, other), strict=True):
            counts[pattern] += times * share
    return counts


def latency(
    found: Memory,
    counts: Mapping[str, float],
    device: GpuDevice,
    *,
    transactions: Transactions = "rule",
) -> Latency:
    """Cost of the memory instructions of a thread (eqs 1-8)."""
    by_class = {each.pattern: each for each in found.classes}
    return mean_latency(
        tuple(
            _class_latency(pattern, by_class.get(pattern), counts[pattern], device, transactions)
            for pattern in PATTERNS
        )
    )


def mean_latency(classes: tuple[ClassLatency, ...]) -> Latency:
    """Means over the classes (eqs 6-8)."""
    by_name = {each.pattern: each for each in classes}
    counts = {f"instructions_{name}": each.instructions for name, each in by_name.items()}
    latencies = {f"latency_{name}": each.latency for name, each in by_name.items()}
    delays = {f"delay_{name}": each.delay for name, each in by_name.items()}
    total = float(cgpredict.memory_instructions(**counts))
    cycles = float(cgpredict.memory_cycles(**latencies, **counts))
    none = total == 0
    return Latency(
        classes=classes,
        instructions=total,
        cycles=cycles,
        latency=float("nan")
        if none
        else float(cgpredict.memory_latency(cycles_memory=cycles, instructions_memory=total)),
        delay=float("nan") if none else float(cgpredict.departure_delay(**delays, **counts)),
    )


def _class_latency(
    pattern: str,
    behaviour: Behaviour | None,
    instructions: float,
    device: GpuDevice,
    transactions: Transactions,
) -> ClassLatency:
    if behaviour is None:
        return ClassLatency(
            pattern=pattern,
            instructions=0.0,
            transactions=0.0,
            dram=0.0,
            missing=0.0,
            hit=0.0,
            latency=0.0,
            delay=0.0,
        )
    printed = transactions == "rule"
    number = behaviour.ruled_transactions if printed else behaviour.delivered
    latencies = {"latency_L2": device.latency_L2, "latency_dram": device.latency_dram}
    apart = not printed and pattern == "uncoalesced"
    beyond = device.delay_dram_uncoalesced if apart else device.delay_dram
    delays = {"delay_L2": device.delay_L2, "delay_dram": beyond}
    both = {"transactions": number, "dram_transactions": behaviour.dram}
    if pattern == "constant":
        time = cgpredict.constant_access_latency(dram_transactions=behaviour.dram, **latencies)
        delay = cgpredict.constant_access_delay(**both, **delays)
    else:
        delay = cgpredict.access_delay(**both, **delays)
        time = (
            cgpredict.access_latency(**both, **latencies, **delays)
            if printed
            else cgpredict.access_latency_mean(
                dram_transactions=behaviour.dram,
                share_dram=behaviour.missing,
                transactions_hit=behaviour.hit,
                **latencies,
                **delays,
            )
        )
    return ClassLatency(
        pattern=pattern,
        instructions=instructions,
        transactions=number,
        dram=behaviour.dram,
        missing=behaviour.missing,
        hit=behaviour.hit,
        latency=float(time),
        delay=float(delay),
    )


def baseline_latency(counts: Mapping[str, float], miss_rate: float, device: GpuDevice) -> Latency:
    """Cost of the memory instructions of a thread without classes of accesses."""
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
    """Share of the program's own accesses, in its own order, that miss a cache [1]."""
    lines = trace.address >> np.uint64(cache.line.bit_length() - 1)
    return 1.0 - float(simulate(cache, lines).mean())
