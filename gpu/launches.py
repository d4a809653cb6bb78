"""Which launches of a kernel are looked at, and for how many others each of them stands."""

from dataclasses import dataclass
from math import prod

from logca.gpu.devices import GpuDevice
from logca.gpu.kernel import BATCHES
from logca.gpu.occupancy import occupancy
from logca.gpu.regions import Nest
from logca.gpu.sampling import Sample, Wanted
from logca.gpu.threads import layout
from logca.gpu.workload import Workload, extents_of, launches_of

__all__ = ["LaunchClass", "launch_classes", "looked_at", "wanted_of"]

_LOOKED_AT = 8
"""Of launches that differ so many are looked at, evenly spaced [1]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LaunchClass:
    """A launch that was looked at, in the place of others like it.

    Parameters
    ----------
    launch : int
        Its number [1].
    share : float
        Share of all launches that it stands for [1].
    extents : tuple of float
        Its extents over the mean ones of all launches [1].
    work : float
        Memory accesses of its threads over the mean ones of all threads [1].
    """

    launch: int
    share: float
    extents: tuple[float, ...]
    work: float


def wanted_of(
    load: Workload, nest: Nest, block: tuple[int, ...] | None, device: GpuDevice
) -> Wanted:
    """What to keep of a nest's trace: threads of the first batches, of launches evenly spaced."""
    extents = extents_of(load, nest, at_work_size=False)
    number = launches_of(load, nest, at_work_size=False)
    shape = layout(
        tuple(max(1, round(extent)) for extent in extents),
        block,
        max_threads_per_block=device.max_threads_per_block,
    )
    # However narrow a grid is, its first blocks have no larger coordinate than their number.
    blocks = BATCHES * occupancy(shape, device).fitting_blocks * device.multiprocessors
    reach = [blocks * threads for threads in shape.block]
    window = [reach[direction] for direction in range(min(len(extents), 3))]
    window += [1 << 30] * (len(extents) - len(window))
    return Wanted(
        nest=nest,
        launches=looked_at(number),
        window=tuple(reversed(window)),
        number=number,
        extents=extents,
    )


def looked_at(number: int) -> frozenset[int]:
    """The first launch, and some evenly spaced ones [1].

    Parameters
    ----------
    number : int
        How many launches there are [1].

    Examples
    --------
    >>> sorted(looked_at(80))
    [0, 5, 15, 25, 35, 45, 55, 65, 75]
    """
    step = max(1.0, number / _LOOKED_AT)
    spread = {int(step / 2 + step * each) for each in range(_LOOKED_AT)}
    return frozenset({0, *(each for each in spread if each < number)})


def launch_classes(wanted: Wanted, sample: Sample) -> tuple[LaunchClass, ...]:
    """The launches that were looked at, and the share of all launches that each stands for."""
    seen = sample.launches
    kept = sorted(wanted.launches & seen.keys())
    if not kept:
        return ()
    first = seen[kept[0]]
    if all(launch == first for launch in seen.values()):
        ones = (1.0,) * len(first.extents)
        share = 1.0 if len(seen) == 1 else len(seen) / wanted.number
        return (LaunchClass(launch=kept[0], share=share, extents=ones, work=1.0),)
    stands = dict.fromkeys(kept, 0)
    for number in seen:
        stands[min(kept, key=lambda launch: abs(launch - number))] += 1
    accesses = sum(launch.accesses for launch in seen.values())
    threads = sum(prod(launch.extents) for launch in seen.values())
    return tuple(
        LaunchClass(
            launch=launch,
            share=stands[launch] / wanted.number,
            extents=tuple(
                own / mean for own, mean in zip(seen[launch].extents, wanted.extents, strict=True)
            ),
            work=seen[launch].accesses / prod(seen[launch].extents) / (accesses / threads),
        )
        for launch in kept
    )
