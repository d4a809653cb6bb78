"""A kernel as it goes into the stages, so that it can be changed and predicted anew."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from logca.gpu.devices import GpuDevice
from logca.gpu.instructions import Instructions
from logca.gpu.kernel import LaunchResult, launch
from logca.gpu.models import Model
from logca.gpu.nest import NestTrace
from logca.gpu.tiled import TiledLaunch

__all__ = ["LaunchInput", "Outcome", "Variant", "changed", "outcome"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LaunchInput:
    """A launch that was looked at.

    Parameters
    ----------
    trace : NestTrace or None
        Accesses of its first threads; None if they make none.
    executed : Instructions
        What a thread executes at the work size.
    extents : tuple of int
        Iterations of the collapsed loops at the work size [1].
    tiled : TiledLaunch or None
        What it has to do with shared memory.
    times : float
        For how many launches it stands [1].
    """

    trace: NestTrace | None
    executed: Instructions
    extents: tuple[int, ...]
    tiled: TiledLaunch | None
    times: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """A kernel in one form.

    Parameters
    ----------
    launches : tuple of callable
        For each launch that was looked at what makes its input; traces are large, and there is
        never more than one of them.
    block : tuple of int or None
        Threads of a block along x, y and z [1].
    """

    launches: tuple[Callable[[], LaunchInput], ...]
    block: tuple[int, ...] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What the stages say of a variant.

    Parameters
    ----------
    results : tuple of LaunchResult
        One for each launch that was looked at.
    time_s : float
        Time of all launches [s].
    cycles : float
        The same [cycles].
    """

    results: tuple[LaunchResult, ...]
    time_s: float
    cycles: float

    @property
    def longest(self) -> LaunchResult:
        """The launch that takes longest."""
        return max(self.results, key=lambda each: each.timing.cycles)


def outcome(variant: Variant, device: GpuDevice, model: Model) -> Outcome:
    """Run a variant through the stages.

    Parameters
    ----------
    variant : Variant
        The kernel.
    device : GpuDevice
        The GPU.
    model : Model
        The model.
    """
    results, times = [], []
    for make in variant.launches:
        each = make()
        times.append(each.times)
        results.append(
            launch(
                each.trace,
                each.executed,
                extents=each.extents,
                block=variant.block,
                device=device,
                model=model,
                tiled=each.tiled,
            )
        )
        del each
    return Outcome(
        results=tuple(results),
        time_s=sum(n * each.time for n, each in zip(times, results, strict=True)),
        cycles=sum(n * each.timing.cycles for n, each in zip(times, results, strict=True)),
    )


def changed(variant: Variant, change: Callable[[LaunchInput], LaunchInput]) -> Variant:
    """A variant whose launches are others.

    Parameters
    ----------
    variant : Variant
        The kernel.
    change : callable
        The launch that takes the place of a launch.
    """
    return replace(
        variant, launches=tuple(partial(_changed, make, change) for make in variant.launches)
    )


def _changed(
    make: Callable[[], LaunchInput], change: Callable[[LaunchInput], LaunchInput]
) -> LaunchInput:
    return change(make())
