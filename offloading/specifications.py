"""A GPU by its specification alone: what ISCA 2017, section 4, takes where nothing is measured."""

from logca.common.errors import FileError
from logca.gpu.devices.parameters import GpuDevice, unit_rates
from logca.gpu.loops.detection import LoopChoice
from logca.numeric.generated import gpu_bounds
from logca.offloading.given_accelerator import GivenAccelerator
from logca.offloading.given_host import GivenHost, peak_rate
from logca.trace.ir.program import Program

__all__ = ["by_specification"]

_DOUBLE, _SINGLE = 8, 4  # bytes of an element [B]


def by_specification(
    device: GpuDevice, host: GivenHost, program: Program, choice: LoopChoice, launch_s: float
) -> GivenAccelerator:
    """The accelerator whose A is the ratio of peak rates, and whose o is a launch."""
    rates = unit_rates(device)
    kinds = {access.type for nest in choice.nests for access in program.accesses_of[nest.loop]}
    double = any("double" in kind for kind in kinds)
    peak = peak_rate(host, _DOUBLE if double else _SINGLE)
    assert peak is not None  # else it is refused before anything is measured
    acceleration = gpu_bounds.acceleration_by_peak_rates(
        multiprocessors=device.multiprocessors,
        peak_lanes=rates.fp64_lanes if double else rates.fp32_lanes,
        frequency=device.frequency,
        host_peak_rate=peak,
    )
    if acceleration <= 1:
        raise FileError(
            f"by its specification {device.title} computes no faster than the host's "
            f"{peak / 1e9:.4g} GFLOP/s: A would be {float(acceleration):.3g}"
        )
    return GivenAccelerator(A=float(acceleration), o=launch_s)
