"""Measured times of kernels on GPUs, with the conditions under which they were taken.

Rows are in tables/*.csv, one file for each data set; conditions.toml says where they are from, what
holds of all times of a data set or of a GPU in it, and how each kernel was launched.
"""

import csv
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from logca.common.toml import with_unit
from logca.gpu.devices.parameters import GpuDevice, device, unit_rates

__all__ = ["HERE", "Row", "conditions", "rows"]

HERE = Path(__file__).parent
DATA_SETS = ("kpp", "nvb", "pbr")


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A measured time, and what it is the time of."""

    data_set: str  # where it is from, a key of conditions.toml
    gpu: str  # name of the device
    kernel: str  # name in the table
    size: int  # value of the macro N [1]
    measured: float  # [s]

    @property
    def launched(self) -> Mapping[str, Any]:
        """How the kernel was launched."""
        found: Mapping[str, Any] = conditions()[self.data_set]["kernels"][self.kernel]
        return found

    @property
    def file(self) -> Path:
        """The kernel in C."""
        return HERE / "kernels" / f"{self.launched.get('file', self.kernel)}.c"

    @property
    def family(self) -> str:
        """Kernels that are alike."""
        families: Mapping[str, list[str]] = conditions()["families"]
        return next(name for name, kernels in families.items() if self.file.stem in kernels)

    @property
    def block(self) -> tuple[int, ...] | None:
        """Threads of a block along x and y; None for what the source or the default says [1]."""
        blocks = self.launched.get("blocks", {})
        found = blocks.get(str(self.size), self.launched.get("block"))
        return None if found is None else tuple(found)

    @property
    def defines(self) -> dict[str, int]:
        """Macros that the kernel is compiled with [1]."""
        return dict(self.launched.get("defines", {}))

    @property
    def work(self) -> dict[str, int]:
        """Macros at the work size [1]."""
        return {"N": self.size, **self.launched.get("work", {})}

    @property
    def program(self) -> tuple[object, ...]:
        """What rows have in common that need one trace."""
        return (self.file, tuple(self.defines.items()), tuple(self.work.items()), self.block)

    @property
    def warm(self) -> bool:
        """Whether L2 holds what the launch before it left there."""
        return bool(conditions()[self.data_set]["l2"] == "warm")

    @property
    def first(self) -> float:
        """Time in each measurement besides its launches [s]."""
        return _number(conditions()[self.data_set]["first"], "s")

    @property
    def above_floor(self) -> bool:
        """Whether it took long enough to say something about more than the launch."""
        return self.measured >= _number(conditions()[self.data_set]["floor"], "s")

    @property
    def device(self) -> GpuDevice:
        """The GPU under the conditions of the measurement."""
        found = device(self.gpu)
        said = conditions()[self.data_set]["devices"].get(self.gpu, {})
        values = {}
        for key, value in said.items():
            if value == "launch_synchronised":
                if self.launched.get("waits") != "once":
                    values[key] = unit_rates(found).launch_synchronised
            elif key != "source":
                values[key] = _number(value, _UNITS[key])
        sources = {**found.sources, **{key: f"measured: {said['source']}" for key in values}}
        return replace(found, **values, sources=sources)


_UNITS = {"frequency": "Hz", "bandwidth": "B/s", "launch_overhead": "s"}


def _number(text: str, unit: str) -> float:
    """A number with its unit, in the base unit."""
    found = with_unit(text, unit)
    if found is None:
        raise ValueError(f"conditions.toml: {text!r} has no unit of {unit}")
    return float(found[0]) * found[1]


@cache
def conditions() -> Mapping[str, Any]:
    """The contents of conditions.toml."""
    return tomllib.loads((HERE / "conditions.toml").read_text())


def rows() -> tuple[Row, ...]:
    """All measured times, by data sets in the order of their tables."""
    found = []
    for data_set in DATA_SETS:
        with (HERE / "tables" / f"{data_set}.csv").open() as file:
            found += [
                Row(
                    data_set=data_set,
                    gpu=each["gpu"],
                    kernel=each["kernel"],
                    size=int(each["size"]),
                    measured=float(each["measured_ms"]) * 1e-3,
                )
                for each in csv.DictReader(file)
            ]
    return tuple(found)
