"""The time of a kernel: its launches one after another."""

from collections.abc import Iterable
from dataclasses import dataclass

from logca.gpu.stages.launch import Launch, LaunchTime, timed
from logca.gpu.stages.models import Model

__all__ = ["KernelTime", "kernel_time"]


@dataclass(frozen=True, slots=True, kw_only=True)
class KernelTime:
    """The time of a kernel."""

    results: tuple[LaunchTime, ...]  # one for each launch that was looked at
    time_s: float  # time of all launches [s]
    cycles: float  # the same [cycles]

    @property
    def longest(self) -> LaunchTime:
        """The launch that takes longest."""
        return max(self.results, key=lambda each: each.timing.cycles)


def kernel_time(launches: Iterable[Launch], model: Model) -> KernelTime:
    """The time of a kernel whose launches are each made when it is their turn.

    Traces are large: there is never more than one of them.
    """
    results, times = [], []
    for launch in launches:
        results.append(timed(launch, model))
        times.append(launch.times)
        del launch
    return KernelTime(
        results=tuple(results),
        time_s=sum(n * result.time for n, result in zip(times, results, strict=True)),
        cycles=sum(n * result.timing.cycles for n, result in zip(times, results, strict=True)),
    )
