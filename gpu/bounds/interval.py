"""The interval around a time: how far measured times lay from predicted ones in the validation.

Residuals are those of kernels that the same unit bounds. A rate of that unit that is only estimated
widens it.
"""

from collections.abc import Mapping
from math import exp, hypot
from typing import Any

from logca.common.toml import packaged
from logca.gpu.devices.parameters import GpuDevice
from logca.gpu.stages.unit_bounds import LaunchBounds

__all__ = ["bounding_unit", "interval", "is_estimated"]

_RATES = {
    "main_memory": ("bandwidth",),
    "l2": ("l2_bandwidth", "frequency"),
    "l2_slices": ("l2_slices", "frequency"),
    "stores": ("store_cycles", "frequency"),
    "l1": ("load_cycles", "frequency"),
    "issue": ("schedulers", "frequency"),
    "pipes": ("fp32_lanes", "int_lanes", "fp64_lanes", "conversion_lanes", "frequency"),
    "latency": ("latency_L2", "latency_dram", "frequency"),
    "launch": ("launch_overhead",),
}
"""Keys of a device that the bound of a unit depends on most."""


def bounding_unit(found: LaunchBounds) -> str:
    """The unit that decides a launch: "launch" where that takes more than all else."""
    if found.overhead_s > found.time_s / 2:
        return "launch"
    return max(found.bounds, key=lambda name: found.bounds[name])


def is_estimated(unit: str, device: GpuDevice) -> bool:
    """True if a number that a unit's bound depends on most is only estimated."""
    return any(device.provenance(key) == "estimated" for key in _RATES[unit])


def interval(found: LaunchBounds, device: GpuDevice) -> tuple[float, float]:
    """Factors of the time between which 95 % of measured times are expected [1]."""
    table: Mapping[str, Any] = packaged(__package__, "residuals.toml")
    unit = bounding_unit(found)
    spread = table["spread"].get(unit, table["spread"]["all"])
    more = float(table["estimated"]["rate"]) if is_estimated(unit, device) else 0.0
    low, high = -hypot(float(spread["low"]), more), hypot(float(spread["high"]), more)
    return exp(low), exp(high)
