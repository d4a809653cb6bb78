"""From cycles of memory and computation to the time of a launch (wang2017, eqs 13-18).

Equations 16 and 17 are computed as hong2009 has them, from which they were taken over: with MWP - 1
periods of computation, and with the time of one memory access added to the computation. As printed
in wang2017 they can be had too.
"""

from dataclasses import dataclass

from logca.gpu.devices.parameters import GpuDevice
from logca.gpu.stages.grid_occupancy import Occupancy
from logca.gpu.stages.latency import Latency
from logca.numeric.generated import cgpredict

__all__ = ["Timing", "computation_cycles", "timing"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """How long a launch takes, and what decides it."""

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
    bound: str  # "memory" where eq. 16 holds, "computation" where eq. 17 does
    cycles_synchronisation: float  # waiting at barriers, of all batches [cycles]
    cycles: float  # all of the launch [cycles]
    time: float  # the same [s]


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
