"""From accesses to the time of a launch: latencies of memory instructions, MWP, CWP (wang2017).

Latencies and departure delays are those of classes of accesses (eqs 1-8), or come from one miss
rate for all, as the simple model has it (eqs 24 and 25).

Of the time (eqs 13-18) equations 16 and 17 are computed as hong2009 has them, from which they were
taken over: with MWP - 1 periods of computation, and with the time of one memory access added to
the computation. As printed in wang2017 they can be had too.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from logca.gpu.devices.parameters import GpuDevice
from logca.gpu.nests.nest import NestTrace
from logca.gpu.stages.blocks_and_occupancy import Occupancy
from logca.gpu.stages.cache import Cache, simulate
from logca.gpu.stages.models import Transactions
from logca.gpu.stages.transactions import PATTERNS, Behaviour, Memory
from logca.numeric.generated import cgpredict

__all__ = [
    "ClassLatency",
    "Latency",
    "Timing",
    "baseline_latency",
    "class_counts",
    "computation_cycles",
    "latency",
    "mean_latency",
    "program_miss_rate",
    "timing",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassLatency:
    """Cost of a warp instruction of a class; nothing of one that no access is of."""

    pattern: str  # the class, one of `PATTERNS`
    instructions: float = 0.0  # memory instructions of the class that a thread executes [1]
    # transactions, dram: L2 and DRAM transactions of a warp instruction [1]
    transactions: float = 0.0
    dram: float = 0.0
    missing: float = 0.0  # share of its warp instructions that have DRAM transactions [1]
    hit: float = 0.0  # L2 transactions of each of the others [1]
    latency: float = 0.0  # time of its memory access, mem_l of the class [cycles]
    delay: float = 0.0  # departure delay of its transactions, dep_del of the class [cycles]


@dataclass(frozen=True, slots=True, kw_only=True)
class Latency:
    """Cost of the memory instructions of a thread."""

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
        _class_latency(pattern, by_class.get(pattern), counts[pattern], device, transactions)
        for pattern in PATTERNS
    )


def mean_latency(each_class: Iterable[ClassLatency]) -> Latency:
    """Means over the classes (eqs 6-8)."""
    classes = tuple(each_class)
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
        return ClassLatency(pattern=pattern)
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


def program_miss_rate(trace: NestTrace, cache: Cache) -> float:
    """Share of the program's own accesses, in its own order, that miss a cache [1]."""
    lines = trace.address >> np.uint64(cache.line.bit_length() - 1)
    return 1.0 - float(simulate(cache, lines).mean())


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """Duration of a launch, and what decides it."""

    # cycles_memory, cycles_computation: memory and computation of a warp, what shared memory adds
    # included [cycles]
    cycles_memory: float
    cycles_computation: float
    # mwp, cwp: memory and computation warp parallelism, at most the active warps [1]
    mwp: float
    cwp: float
    # mwp_full, cwp_full: the same without that bound [1]
    mwp_full: float
    cwp_full: float
    active_warps: int  # N [1]
    batches: float  # how often the device is filled [1]
    # "memory" where eq. 16 holds, "computation" where eq. 17 does; "atomic updates" or "combining"
    # where threads gather values and that takes longer
    bound: str
    cycles_synchronisation: float  # waiting at barriers, of all batches [cycles]
    cycles: float  # all of the launch [cycles]
    time: float  # the same [s]
    cycles_combining: float = 0.0  # those of them for partial results of its threads [cycles]


def computation_cycles(instructions: float, device: GpuDevice) -> float:
    """Cycles of the instructions of a warp [cycles] (eq. 12).

    Parameters
    ----------
    instructions : float
        All instructions of a thread, those of memory among them [1].
    device : GpuDevice
        The device.
    """
    return float(
        cgpredict.computation_cycles(
            cycles_per_instruction=device.cycles_per_instruction, instructions_total=instructions
        )
    )


def timing(
    *,
    latency: Latency,
    cycles_computation: float,
    occupancy: Occupancy,
    device: GpuDevice,
    loads_shared: float = 0.0,
    cycles_load_shared: float = 0.0,
    cycles_shared: float = 0.0,
    barriers: float = 0.0,
    printed: bool = False,
) -> Timing:
    """The time of a launch."""
    warps = occupancy.active_warps
    memory = float(
        cgpredict.memory_cycles_with_shared(
            cycles_memory=latency.cycles, cycles_load_shared=cycles_load_shared
        )
    )
    computation = float(
        cgpredict.computation_cycles_with_shared(
            cycles_computation=cycles_computation, cycles_shared=cycles_shared
        )
    )
    count = latency.instructions + loads_shared
    mean = memory / count if loads_shared else latency.latency
    mwp, mwp_full, cwp, cwp_full = float(warps), float("inf"), 1.0, 1.0
    if latency.instructions:
        delays = {"latency_mean": mean, "delay_mean": latency.delay}
        mwp_full = float(cgpredict.memory_warp_parallelism_full(**delays))
        mwp = float(cgpredict.memory_warp_parallelism(**delays, active_warps=warps))
    if count:
        both = {"cycles_memory": memory, "cycles_computation": computation}
        cwp_full = float(cgpredict.computation_warp_parallelism_full(**both))
        cwp = float(cgpredict.computation_warp_parallelism(**both, active_warps=warps))
    run = cgpredict.execution_cycles_printed if printed else cgpredict.execution_cycles
    cycles = float(
        run(
            cycles_memory=memory,
            cycles_computation=computation,
            latency_mean=mean if count else 0.0,
            instructions_memory=count,
            active_warps=warps,
            mwp=mwp,
            # no access leaves eq. 17, also where one warp has MWP = CWP = 1
            cwp=cwp if count else 0.0,
            batch=occupancy.batches,
        )
    )
    waiting = 0.0
    if barriers and latency.instructions:
        waiting = float(
            cgpredict.synchronisation_cycles(
                delay_mean=latency.delay,
                mwp=mwp,
                instructions_synchronisation=barriers,
                active_blocks=occupancy.active_blocks,
                batch=occupancy.batches,
            )
        )
    total = float(
        cgpredict.execution_cycles_with_synchronisation(
            cycles_total=cycles, cycles_synchronisation=waiting
        )
    )
    return Timing(
        cycles_memory=memory,
        cycles_computation=computation,
        mwp=mwp,
        cwp=cwp,
        mwp_full=mwp_full,
        cwp_full=cwp_full,
        active_warps=warps,
        batches=occupancy.batches,
        bound="memory" if count and cwp >= mwp else "computation",
        cycles_synchronisation=waiting,
        cycles=total,
        time=float(cgpredict.time_of_cycles(cycles_total=total, frequency=device.frequency)),
    )
