"""A device file from micro-benchmarks: their source in CUDA C, and the reader of their output."""

from logca.common.errors import FileError
from logca.common.toml import packaged_text
from logca.gpu.devices.parameters import GpuDevice, device_of

__all__ = ["MEASURED", "PROPERTIES", "benchmarks", "device_file"]

_ARCHITECTURES = {
    "7.0": "volta",
    "7.5": "turing",
    "8.0": "ampere-ga100",
    "8.6": "ampere-ga10x",
    "8.9": "ada",
    "9.0": "hopper",
}
"""Architectures by compute capability."""

_DESCRIBED = ("title", "capability")
PROPERTIES = ("multiprocessors", "l2_size")
"""Keys that the micro-benchmarks ask the GPU for."""

MEASURED = (
    "frequency",
    "bandwidth",
    "l2_bandwidth",
    "l2_slices",
    "load_cycles",
    "line_cycles",
    "store_cycles",
    "partial_store",
    "latency_L1",
    "latency_L2",
    "latency_dram",
    "latency_shared",
    "launch_overhead",
    "launch_synchronised",
)
"""Keys that they measure."""

_SAID = (*_DESCRIBED, *PROPERTIES, *MEASURED)


def benchmarks() -> str:
    """Source of the six micro-benchmarks, in CUDA C."""
    return packaged_text(__package__, "calibrate.cu")


def device_file(output: str, file: str, *, name: str) -> tuple[str, GpuDevice]:
    """Device file that follows from what the micro-benchmarks printed, and the device it describes.

    What they do not measure is from the architecture, which the compute capability tells.
    """
    said = _said(output, file)
    capability = said["capability"]
    if capability not in _ARCHITECTURES:
        known = ", ".join(f"{number} {name}" for number, name in _ARCHITECTURES.items())
        raise FileError(
            f"{file}: compute capability {capability} is of no architecture that is known "
            f"({known}); write the file by hand, as docs/gpu-devices.md says"
        )
    title = said["title"].replace("\\", "").replace('"', "")
    lines = [
        f'title = "{title}"',
        f'architecture = "{_ARCHITECTURES[capability]}"',
        "",
        *(f"{key} = {said[key]}" for key in (*PROPERTIES, *MEASURED)),
        "",
        "[sources]",
        *(f'{key} = "documented: properties of the device"' for key in PROPERTIES),
        *(f'{key} = "measured: logca gpu calibrate on this GPU"' for key in MEASURED),
        "",
    ]
    text = "\n".join(lines)
    return text, device_of(text, file, name=name)


def _said(output: str, file: str) -> dict[str, str]:
    """Values by key, one a line, all of them there once and no others."""
    said: dict[str, str] = {}
    for number, line in enumerate(output.splitlines(), 1):
        key, _, value = line.strip().partition(" ")
        if not key:
            continue
        if key not in _SAID or not value:
            raise FileError(
                f"{file}: line {number} is none that the micro-benchmarks print, which are a key "
                "and its value, such as `bandwidth 9e+11`"
            )
        if key not in _DESCRIBED and not _is_number(value):
            raise FileError(f"{file}: line {number}: {key} must be a number, not {value!r}")
        if key in said:
            raise FileError(
                f"{file}: line {number} gives {key} again: keep what one run of the "
                "micro-benchmarks prints"
            )
        said[key] = value.strip()
    missing = [key for key in _SAID if key not in said]
    if missing:
        raise FileError(
            f"{file}: missing {', '.join(missing)}: keep all that the micro-benchmarks print"
        )
    return said


def _is_number(text: str) -> bool:
    try:
        return abs(float(text)) < float("inf")
    except ValueError:
        return False
