"""The times of kernels one after the other: what each launch asks for, and what it finds in L2."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace

from logca.gpu.bounds.heaviest import Heaviest, of_heaviest
from logca.gpu.bounds.instruction_mix import InstructionMix
from logca.gpu.bounds.launch import ResidentLaunch
from logca.gpu.bounds.load_groups import LoadGroups, left_in_kernel
from logca.gpu.bounds.resident_blocks import ResidentBlocks
from logca.gpu.bounds.scattered import scattered_launch, scattered_sites
from logca.gpu.bounds.times import block_counts, launch_bounds
from logca.gpu.bounds.warp_counts import (
    filling_counts,
    sampled_warps,
    sector_behaviours,
    shared_counts,
    site_counts,
)
from logca.gpu.bounds.widened import Widened, widened_launch, widened_mix, widened_sites
from logca.gpu.devices.parameters import GpuDevice, unit_rates
from logca.gpu.stages import Rows
from logca.gpu.stages.launches_in_sequence import KernelTime, LaunchTime, summed
from logca.gpu.stages.stage_rows import grid_rows, occupancy_rows
from logca.gpu.stages.transactions import Behaviour
from logca.gpu.stages.unit_bounds import BOUNDS, ArrayBytes, BlockCounts, LaunchBounds, SiteCounts

__all__ = [
    "CountedKernel",
    "CountedLaunch",
    "KernelLaunches",
    "counted_kernel",
    "histories",
    "kernel_times",
    "times_of_counted",
]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class KernelLaunches:
    """A kernel: its sampled launches, and what its threads execute between their accesses."""

    launches: Iterable[ResidentLaunch]  # made when it is their turn
    mix: InstructionMix  # instructions of a thread
    groups: LoadGroups  # loads that overlap
    number: int  # launches [1]
    widened: Widened | None = None  # several elements for each thread; None if it has one
    # accesses of which it is not known where they go at the work size [1]
    scattered: frozenset[int] = frozenset()
    heaviest: Heaviest | None = None  # its longest warp and heaviest block; None if all are alike


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CountedLaunch:
    """A launch without its accesses, with what was counted of them."""

    launch: ResidentLaunch
    counts: BlockCounts
    memory: tuple[SiteCounts, ...]
    shared: tuple[SiteCounts, ...]
    behaviours: Mapping[int, Behaviour]
    # the same if accesses reach as many sectors as they could; None if it is known what they reach
    scattered: "CountedLaunch | None" = None
    # counts if a thread is as long as it may be; None if it is known how long they are
    uneven: BlockCounts | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CountedKernel:
    """A kernel by the counts of its sampled launches; clock and rates of its GPU are left open.

    What the counts take of the GPU are its multiprocessors and what these hold, and the cycles of
    an access in the pipe of L1.
    """

    launches: tuple[CountedLaunch, ...]
    number: int  # launches [1]
    means: tuple[int, ...] = ()  # lines of loops of which only mean iterations are known [1]


def kernel_times(kernels: Sequence[KernelLaunches], device: GpuDevice) -> tuple[KernelTime, ...]:
    """The time of each kernel, in program order."""
    return times_of_counted([counted_kernel(kernel, device) for kernel in kernels], device)


def counted_kernel(kernel: KernelLaunches, device: GpuDevice) -> CountedKernel:
    """The counts of a kernel's launches."""
    return CountedKernel(
        launches=tuple(_counted(each, kernel, device) for each in kernel.launches),
        number=kernel.number,
        means=() if kernel.heaviest is None else kernel.heaviest.means,
    )


def times_of_counted(
    kernels: Sequence[CountedKernel], device: GpuDevice, *, warm: bool = False
) -> tuple[KernelTime, ...]:
    """The time of each kernel from its counts, in program order; `warm` as in `histories`."""
    results: list[list[LaunchTime]] = [[] for _ in kernels]
    times: list[list[float]] = [[] for _ in kernels]
    most, uneven = [0.0 for _ in kernels], [0.0 for _ in kernels]
    for place, each, before, often in histories(kernels, warm=warm):
        found = _timed(each, before, device)
        results[place].append(found)
        times[place].append(often)
        scattered = found if each.scattered is None else _timed(each.scattered, (), device)
        most[place] += often * max(found.time, scattered.time)
        longest = found if each.uneven is None else _timed(_uneven(each), before, device)
        uneven[place] += often * max(found.time, longest.time)
    return tuple(
        replace(
            _with_longest(
                summed(found, often, device.frequency), kernel, most[place], uneven[place]
            ),
            arrays=_longest_footprint(kernel.launches),
        )
        for place, (kernel, found, often) in enumerate(zip(kernels, results, times, strict=True))
    )


def _with_longest(
    time: KernelTime, kernel: CountedKernel, scattered: float, uneven: float
) -> KernelTime:
    """The time of a kernel with what it may be at most."""
    differs = uneven > _EVEN * time.time_s
    return replace(
        time,
        at_most_s=scattered if any(each.scattered for each in kernel.launches) else None,
        means=kernel.means if differs else (),
        uneven_s=uneven if differs else None,
    )


_EVEN = 1.1
"""That threads may differ is told where their kernel may take this many times as long [1]."""


def _uneven(each: CountedLaunch) -> CountedLaunch:
    """A launch whose longest thread is as long as it may be."""
    return each if each.uneven is None else replace(each, counts=each.uneven)


def histories(
    kernels: Sequence[CountedKernel], *, warm: bool = False
) -> Iterator[tuple[int, CountedLaunch, Sequence[Sequence[ArrayBytes]], float]]:
    """The launches, each with its kernel's number, the launches before it, and how often it is so.

    Kernels next to each other with equally many launches take turns. With `warm`, L2 holds what the
    program itself left there before, as where it is run again and again; else it begins empty.
    """
    footprints = [_longest_footprint(kernel.launches) for kernel in kernels]
    for place, kernel in enumerate(kernels):
        first, last = _turns([each.number for each in kernels], place)
        before = [*footprints, *footprints[:place]] if warm else footprints[:place]
        again = [*before, *footprints[place:last], *footprints[first:place]]
        cold = 1 / kernel.number if kernel.number else 0.0
        for each in kernel.launches:
            for share, history in ((cold, before), (1 - cold, again)):
                if share:
                    yield place, each, history, each.launch.times * share


def _turns(numbers: Sequence[int], place: int) -> tuple[int, int]:
    """The first and the end of the kernels that take turns with one of them [1].

    Examples
    --------
    >>> _turns([1, 500, 500, 1], 2), _turns([1, 1], 1)
    ((1, 3), (1, 2))
    """
    first, last = place, place + 1
    while numbers[place] > 1 and first > 0 and numbers[first - 1] == numbers[place]:
        first -= 1
    while numbers[place] > 1 and last < len(numbers) and numbers[last] == numbers[place]:
        last += 1
    return first, last


def _longest_footprint(counted: Sequence[CountedLaunch]) -> tuple[ArrayBytes, ...]:
    return max((each.launch.footprint for each in counted), key=len, default=())


def _counted(launch: ResidentLaunch, kernel: KernelLaunches, device: GpuDevice) -> CountedLaunch:
    """The counts of a launch."""
    rates, mix = unit_rates(device), kernel.mix
    resident = launch.occupancy.active_blocks
    made = launch.executed.memory | launch.executed.loads
    executions = {
        site: launch.imbalance * (min(often, mix.accesses[site]) if site in mix.outside else often)
        for site, often in made.items()
        if site in mix.accesses
    }
    memory: tuple[SiteCounts, ...] = ()
    shared: tuple[SiteCounts, ...] = ()
    found: dict[int, Behaviour] = {}
    reached = _left(launch.memory, mix)
    if reached is not None:
        sample = sampled_warps(
            reached,
            kernel.groups,
            resident=resident,
            l1_size=max(0, rates.l1_size - resident * launch.shared_size),
            warp_size=device.warp_size,
        )
        waves = max(1.0, launch.occupancy.batches)
        memory = site_counts(sample, executions, rates, waves=waves)
        found |= sector_behaviours(sample)
    in_shared = _left(launch.shared, mix)
    if in_shared is not None:
        shared, ways = shared_counts(
            in_shared,
            launch.executed.shared,
            mix.elements,
            kernel.groups,
            device,
            rates,
            resident=resident,
        )
        shared += filling_counts(launch, shared, rates, device)
        found |= ways
    if kernel.widened is not None:
        launch, mix = widened_launch(launch, kernel.widened), widened_mix(mix, kernel.widened)
        memory = widened_sites(memory, kernel.widened, rates)
    accesses = () if launch.memory is None else launch.memory.trace.accesses
    launch = replace(launch, memory=None, shared=None)
    most = None if kernel.heaviest is None else kernel.heaviest.most
    counted = CountedLaunch(
        launch=launch,
        uneven=None if most is None else _block_counts(launch, mix, memory, shared, device, most),
        counts=_block_counts(launch, mix, memory, shared, device, kernel.heaviest),
        memory=memory,
        shared=shared,
        behaviours=found,
    )
    if kernel.scattered.isdisjoint(each.access for each in memory):
        return counted
    sites = scattered_sites(memory, kernel.scattered, launch, rates)
    there = replace(
        counted,
        launch=scattered_launch(launch, sites, kernel.scattered, accesses),
        counts=_block_counts(launch, mix, sites, shared, device, kernel.heaviest),
        memory=sites,
    )
    return replace(counted, scattered=there)


def _block_counts(
    launch: ResidentLaunch,
    mix: InstructionMix,
    memory: Sequence[SiteCounts],
    shared: Sequence[SiteCounts],
    device: GpuDevice,
    heaviest: Heaviest | None,
) -> BlockCounts:
    counts = block_counts(launch, mix, memory, shared, device)
    if heaviest is None:
        return counts
    rates = unit_rates(device)
    return of_heaviest(counts, memory, heaviest, device, rates, imbalance=launch.imbalance)


def _left(blocks: ResidentBlocks | None, mix: InstructionMix) -> ResidentBlocks | None:
    """The accesses that a compiler leaves in the kernel; None if there are none."""
    if blocks is None:
        return None
    trace = left_in_kernel(blocks.trace, mix.never, mix.outside)
    return None if trace is None else replace(blocks, trace=trace)


def _timed(
    each: CountedLaunch, before: Sequence[Sequence[ArrayBytes]], device: GpuDevice
) -> LaunchTime:
    launch = each.launch
    bounds = replace(
        launch_bounds(launch, each.counts, device, unit_rates(device), before=before),
        sites=(*each.memory, *each.shared),
    )
    return LaunchTime(
        layout=launch.grid,
        occupancy=launch.occupancy,
        executed=launch.executed,
        memory=None,
        shared=tuple(
            each.behaviours[own.access] for own in each.shared if own.access in each.behaviours
        ),
        timing=None,
        as_printed=None,
        time=bounds.time_s,
        bound=bounds.bound,
        dram_bytes=bounds.counts.read_bytes + bounds.counts.written_bytes,
        behaviours=each.behaviours,
        stages={
            "threads": grid_rows(launch.grid),
            "occupancy": occupancy_rows(launch.occupancy),
            "accesses": _site_rows(each.memory),
            "shared": _site_rows(each.shared),
            "counts": _count_rows(bounds.counts),
            "bounds": _bound_rows(bounds),
        },
        bounds=bounds,
    )


def _site_rows(sites: Sequence[SiteCounts]) -> Rows:
    """One row for each static access, of a block."""
    return [
        {
            "access": each.access,
            "warp instructions": each.executions,
            "wavefronts": each.wavefronts,
            "lines": each.lines,
            "sectors": each.sectors,
            "partial lines": each.partial,
            "missed sectors": each.missed,
            "fresh sectors": each.fresh,
            "groups": each.groups,
            "missed groups": each.missed_groups,
        }
        for each in sites
    ]


def _count_rows(counts: BlockCounts) -> Rows:
    """One row for each count."""
    return [
        {"count": name.replace("_", " "), "value": value} for name, value in asdict(counts).items()
    ]


def _bound_rows(found: LaunchBounds) -> Rows:
    """One row for each bound, longest first, then the launch and what combining takes."""
    rows: list[dict[str, object]] = [
        {"bound": BOUNDS[name], "time": time, "share": time / found.time_s}
        for name, time in sorted(found.bounds.items(), key=lambda pair: -pair[1])
    ]
    rows.append(
        {"bound": "launch", "time": found.overhead_s, "share": found.overhead_s / found.time_s}
    )
    if found.combining_s:
        rows.append(
            {
                "bound": "combining",
                "time": found.combining_s,
                "share": found.combining_s / found.time_s,
            }
        )
    return [*rows, {"bound": "all", "time": found.time_s, "share": 1.0}]
