"""Which launches of a kernel are looked at, and for how many others each of them stands."""

from dataclasses import dataclass
from math import prod

from logca.gpu.devices.parameters import GpuDevice
from logca.gpu.nests.nest import Nest
from logca.gpu.nests.trace import exchanged, made_by_no_thread
from logca.gpu.program.workload import Workload, collapsed_loops, extents_of, launches_of
from logca.gpu.sampling.sample import EVERYTHING, Sample, Wanted
from logca.gpu.stages.grid import begin_of, layout, spread_windows
from logca.gpu.stages.launch import BATCHES
from logca.gpu.stages.occupancy import occupancy

__all__ = ["LaunchClass", "launch_classes", "looked_at", "wanted_of"]

_KEPT = 1 << 22
"""Accesses of a nest that are kept; of long threads that is only the beginning [1]."""

_LOOKED_AT = 8
"""Of launches that differ so many are looked at, evenly spaced [1]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LaunchClass:
    """A launch that was looked at, in the place of others like it."""

    launch: int  # its number [1]
    share: float  # share of all launches that it stands for [1]
    extents: tuple[float, ...]  # its extents over the mean ones of all launches [1]
    work: float  # memory accesses of its threads over the mean ones of all threads [1]


def wanted_of(
    load: Workload,
    nest: Nest,
    block: tuple[int, ...] | None,
    device: GpuDevice,
    *,
    interchanged: bool = False,
    spread: bool = False,
) -> Wanted:
    """What to keep of a nest's trace: threads of the first batches, of launches evenly spaced.

    Parameters ---------- load : Workload The program and its counts. nest : Nest The nest. block :
    tuple of int or None Threads of a block along x, y and z [1]. device : GpuDevice The GPU.
    interchanged : bool Whether the two innermost collapsed loops change places. spread : bool
    Whether threads all over the grid are kept too, see `logca.gpu.stages.grid`; of such a nest all
    launches are alike.
    """
    extents = extents_of(load, nest, at_work_size=False)
    number = launches_of(load, nest, at_work_size=False)
    order = exchanged if interchanged else tuple
    shape = layout(
        order(max(1, round(extent)) for extent in extents),
        block,
        max_threads_per_block=device.max_threads_per_block,
    )
    blocks = BATCHES * occupancy(shape, device).fitting_blocks * device.multiprocessors
    # However narrow a grid is, its first blocks have no larger coordinate than their number.
    rows = (blocks,) * 3
    if number == 1 or spread:
        wide, high = shape.grid[0], shape.grid[0] * shape.grid[1]
        rows = (blocks, -(-blocks // wide), -(-blocks // high))
    reach = [own * threads for own, threads in zip(rows, shape.block, strict=True)]
    window = [reach[direction] for direction in range(min(len(extents), 3))]
    window += [1 << 30] * (len(extents) - len(window))
    launches = looked_at(number)
    executed = _executed(load, nest, max(1, number))
    accesses = sum(executed.values())
    share = min(1.0, blocks * shape.threads_per_block / max(1.0, prod(extents)))
    windows = spread_windows(shape, blocks)[1:] if spread else ()
    kept = len(launches) * share * accesses * (1 + len(windows))
    return Wanted(
        nest=nest,
        launches=launches,
        window=order(reversed(window)),
        number=number,
        extents=extents,
        inside=_inside(load, nest, _KEPT / max(1.0, kept)),
        executed=executed,
        windows=windows,
        begins=tuple(order(begin_of(window, shape, blocks)) for window in windows),
    )


def _executed(load: Workload, nest: Nest, launches: int) -> dict[int, float]:
    """Executions of each static access by all threads of a launch, in the traced run [1]."""
    unmade = made_by_no_thread(load.static, nest.loop, nest.collapse)
    return {
        access.id: load.traced[access.block] / launches
        for access in load.static.accesses_of(nest.loop)
        if access.id not in unmade
    }


def _inside(load: Workload, nest: Nest, share: float) -> int:
    """So many iterations of the loops that a thread runs make up a share of them [1]."""
    last = collapsed_loops(load.static, nest)[-1]
    own = (loop.id for loop in load.static.loops if loop.parent == last)
    longest = max((load.trips(loop, at_work_size=False).mean for loop in own), default=0.0)
    return EVERYTHING if share >= 1 else max(1, int(share * longest))


def looked_at(number: int) -> frozenset[int]:
    """The first launch, and some evenly spaced ones [1].

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
    addresses = {launch.addresses for launch in seen.values()} - {None}
    alike = (first.extents, first.accesses)
    if len(addresses) < 2 and all((one.extents, one.accesses) == alike for one in seen.values()):
        ones = (1.0,) * len(first.extents)
        whole = len(seen) == 1 or not sample.complete
        share = 1.0 if whole else len(seen) / wanted.number
        return (LaunchClass(launch=kept[0], share=share, extents=ones, work=1.0),)
    number = wanted.number if sample.complete else len(seen)
    means = [
        mean if sample.complete else sum(own) / len(seen)
        for mean, own in zip(
            wanted.extents, zip(*(each.extents for each in seen.values()), strict=True), strict=True
        )
    ]
    stands = dict.fromkeys(kept, 0)
    for one in seen:
        stands[min(kept, key=lambda launch: abs(launch - one))] += 1
    accesses = sum(launch.accesses for launch in seen.values())
    threads = sum(prod(launch.extents) for launch in seen.values())
    return tuple(
        LaunchClass(
            launch=launch,
            share=stands[launch] / number,
            extents=tuple(
                own / mean for own, mean in zip(seen[launch].extents, means, strict=True)
            ),
            work=seen[launch].accesses / prod(seen[launch].extents) / (accesses / threads),
        )
        for launch in kept
    )
