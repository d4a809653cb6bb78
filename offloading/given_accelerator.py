"""An accelerator of which two numbers are given: how much faster it computes, and its overhead."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf

from logca.common.errors import FileError
from logca.common.readable_numbers import duration, number_text
from logca.common.toml import UNITS
from logca.numeric.generated import speedup
from logca.offloading.gpu_times import GpuTime, LoopOnGpu
from logca.offloading.named_numbers import named_numbers

__all__ = ["GivenAccelerator", "given_accelerator"]

_FORM = "write A=20 or A=20,o=5us: A how many times as fast as the host, more than 1, o per launch"


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenAccelerator:
    """An FPGA, a DSP or an NPU as LogCA has it (ISCA 2017, eq. 1)."""

    A: float  # acceleration: peak speedup of what it computes over the host [1]
    o: float = 0.0  # overhead of a launch [s]

    @property
    def title(self) -> str:
        """Words on it."""
        overhead = f", {duration(self.o)} a launch" if self.o else ""
        return f"an accelerator {number_text(self.A)} times as fast as the host{overhead}"

    def time_of(self, known: GpuTime, host_s: Sequence[float]) -> GpuTime:
        """The time of the loops, each of which takes so long on the host; copies as known."""
        kernels = tuple(
            self._kernel(kernel, time) for kernel, time in zip(known.kernels, host_s, strict=True)
        )
        time = sum(kernel.time_s for kernel in kernels)
        return replace(
            known,
            time_s=time,
            interval_s=(time, time),
            launching_s=sum(kernel.launching_s for kernel in kernels),
            bound="acceleration",
            kernels=kernels,
            notes=(),
        )

    def _kernel(self, known: LoopOnGpu, host_s: float) -> LoopOnGpu:
        launching = known.launches * self.o
        time = float(speedup.T1(1.0, o=launching, L=0.0, C=host_s, A=self.A))
        return replace(known, time_s=time, interval_s=(time, time), launching_s=launching)


def given_accelerator(text: object) -> GivenAccelerator | None:
    """The accelerator that a text gives the numbers of; None if it is no such text.

    Examples
    --------
    >>> given_accelerator("A=20,o=5ms"), given_accelerator("rtx-4090")
    (GivenAccelerator(A=20.0, o=0.005), None)
    """
    if not isinstance(text, str) or "=" not in text:
        return None
    try:
        found = named_numbers(text, {"A": {"": 1.0}, "o": UNITS["s"]})
    except ValueError:
        raise FileError(f"device {text!r}: {_FORM}") from None
    if not 1 < found.get("A", 0.0) < inf or not 0 <= found.get("o", 0.0) < inf:
        raise FileError(f"device {text!r}: {_FORM}")
    return GivenAccelerator(**found)
