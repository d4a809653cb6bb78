"""Launches of a sampled nest by the blocks of one multiprocessor, as model bounds takes them.

Where a nest is affine, exactly these blocks are made at the work size, from the middle of the grid;
else those of them that were traced.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from logca.gpu.affine.affine_nest import AffineNest, extents_of
from logca.gpu.affine.synthesis import access_counts, synthesise
from logca.gpu.bounds.array_sizes import ArraySize, array_sizes
from logca.gpu.bounds.first_iterations import shortened
from logca.gpu.bounds.footprint import affine_footprint, array_of, traced_footprint
from logca.gpu.bounds.instruction_mix import InstructionMix, instruction_mix
from logca.gpu.bounds.kernel_code import UNROLLED
from logca.gpu.bounds.kernel_times import KernelLaunches, kernel_times
from logca.gpu.bounds.launch import ResidentLaunch
from logca.gpu.bounds.load_groups import load_groups
from logca.gpu.bounds.resident_blocks import (
    ResidentBlocks,
    block_numbers,
    fullest_blocks,
    multiprocessor_blocks,
    of_blocks,
    threads_of_blocks,
)
from logca.gpu.devices.parameters import GpuDevice
from logca.gpu.nests.nest import NestTrace, exchanged, of_launch, with_exchanged_loops, with_only
from logca.gpu.prediction.heaviest_threads import heaviest
from logca.gpu.prediction.nest_samples import NestSample, TiledSample
from logca.gpu.sampling.sample import LaunchClass
from logca.gpu.stages.blocks_and_occupancy import Layout
from logca.gpu.stages.instructions import executions
from logca.gpu.stages.launches_in_sequence import KernelTime, Launch
from logca.gpu.stages.unit_bounds import ArrayBytes
from logca.gpu.tiles.trace import by_threads, tile_executions, tiled_launch

__all__ = [
    "BlockLaunch",
    "array_lengths",
    "block_launches",
    "bounds_times",
    "kernel_launches",
    "of_traced_blocks",
    "resident",
    "with_groups",
]

_RECORDS = 3 << 20
"""Accesses of the sampled blocks that are made at the work size [1]."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BlockLaunch:
    """A launch by the accesses of the blocks of one multiprocessor, and what all blocks reach."""

    # the launch; its trace, and those of its tiles, have no accesses but those of these blocks
    launch: Launch
    blocks: tuple[int, ...]  # their numbers in the grid that `launch.traced` is [1]
    footprint: tuple[ArrayBytes, ...]  # what all blocks reach, by arrays
    imbalance: float = 1.0  # as in `ResidentLaunch`
    longest: int = 0  # as there


def block_launches(sample: NestSample) -> Iterator[BlockLaunch]:
    """The launches that were sampled, each made when it is its turn."""
    for which in sample.classes:
        known = sample.affine_at(which)
        if known is None:
            yield _traced(sample, which)
        elif isinstance(sample, TiledSample):
            yield _affine_tiles(sample, which, *known)
        else:
            yield _affine(sample, which, *known)


def resident(found: BlockLaunch) -> ResidentLaunch:
    """A launch as model bounds takes it."""
    launch = found.launch
    memory, shared = _traces(launch)
    return ResidentLaunch(
        shape=launch.shape,
        grid=launch.grid,
        occupancy=launch.occupancy,
        executed=launch.executed,
        memory=_rows_of(memory, found),
        shared=_rows_of(shared, found),
        shared_size=0 if launch.tiled is None else launch.tiled.size,
        barriers=0.0 if launch.tiled is None else launch.tiled.barriers,
        footprint=found.footprint,
        imbalance=found.imbalance,
        times=launch.times,
        longest=found.longest,
        reductions=launch.reductions,
    )


def _traces(launch: Launch) -> tuple[NestTrace | None, NestTrace | None]:
    """Accesses to the memory of the device, and to shared memory."""
    if launch.tiled is None:
        return launch.trace, None
    return launch.tiled.memory, launch.tiled.shared


def _rows_of(trace: NestTrace | None, found: BlockLaunch) -> ResidentBlocks | None:
    if trace is None or found.launch.traced is None:
        return None
    return of_blocks(trace, found.launch.traced, found.blocks)


def _launch(
    sample: NestSample,
    which: LaunchClass,
    grid: Layout,
    traced: Layout | None,
    whole: NestTrace | None,
) -> Launch:
    """A launch of all the accesses of some of its threads."""
    executed = sample.executed.times(which.work)
    both = {*executed.memory, *executed.loads}
    tiled = isinstance(sample, TiledSample)
    return Launch(
        shape=sample.shape,
        grid=grid,
        traced=traced,
        occupancy=sample.shape.occupancy(grid),
        trace=None if whole is None else with_only(whole, both),
        executed=executed,
        tiled=tiled_launch(sample.workload, sample.tile, whole, executed)
        if isinstance(sample, TiledSample)
        else None,
        times=which.share * sample.number,
        reductions=() if tiled else sample.nest.reductions,
    )


def _grid(sample: NestSample, which: LaunchClass) -> Layout:
    extents = sample.extents_of(which)
    if isinstance(sample, TiledSample):
        extents = sample.tile.merged(extents)
    return _grid_of(sample, extents)


def _grid_of(sample: NestSample, extents: tuple[int, ...]) -> Layout:
    return sample.shape.grid(exchanged(extents) if sample.shape.interchanged else extents)


def _affine(sample: NestSample, which: LaunchClass, nest: AffineNest, number: int) -> BlockLaunch:
    """An affine nest at the work size."""
    grid = _grid_of(sample, _own_extents(sample, which, nest, number))
    multiprocessors = sample.device.multiprocessors
    blocks_at_a_time = sample.shape.occupancy(grid).active_blocks
    running, imbalance = blocks_at_a_time * multiprocessors, 1.0
    numbers = multiprocessor_blocks(
        grid.blocks, resident=blocks_at_a_time, multiprocessors=multiprocessors
    )
    if grid.blocks <= running:
        numbers = fullest_blocks(grid, numbers, range(grid.blocks))
        numbers, imbalance = _busiest(nest, number, sample, grid, numbers)
    threads = _threads(sample, grid, numbers)
    short, longest = shortened(nest, threads, launch=number, most=sample.records or _RECORDS)
    trace = synthesise(short, threads, launch=number)
    if sample.shape.interchanged:
        trace = with_exchanged_loops(trace)
    return BlockLaunch(
        launch=_launch(sample, which, grid, grid, trace),
        blocks=numbers,
        footprint=affine_footprint(nest, number, grid, running_blocks=running),
        imbalance=imbalance,
        longest=longest,
    )


def _own_extents(
    sample: NestSample, which: LaunchClass, nest: AffineNest, number: int
) -> tuple[int, ...]:
    """Iterations of the collapsed loops of one launch, which may be more or less than in others.

    Those of an affine nest are the box around its threads: only how it grows is taken from it.
    """
    own, ends = extents_of(nest, number), (nest.launches[0], nest.launches[1] - 1)
    if ends[0] == ends[1]:
        return sample.extents_of(which)
    boxes = [extents_of(nest, end) for end in ends]
    means = sample.workload.size_of(sample.nest).extents
    return tuple(
        max(1, min(extent, round(mean * 2 * extent / max(1, first + last))))
        for extent, mean, first, last in zip(own, means, *boxes, strict=True)
    )


def _affine_tiles(
    sample: TiledSample, which: LaunchClass, nest: AffineNest, number: int
) -> BlockLaunch:
    """Affine tiles at the work size, whose blocks are as threads to the nest."""
    tile, executed, static = sample.tile, sample.executed, sample.workload.static
    grid, multiprocessors = _grid(sample, which), sample.device.multiprocessors
    blocks_at_a_time = sample.shape.occupancy(grid).active_blocks
    extents = extents_of(nest, number)
    of_blocks_alone = Layout(extents=extents, block=(1, 1, 1))
    numbers = multiprocessor_blocks(
        grid.blocks, resident=blocks_at_a_time, multiprocessors=multiprocessors
    )
    blocks = threads_of_blocks(of_blocks_alone, numbers)
    short, longest = shortened(nest, blocks, launch=number, most=_RECORDS, whole=tile.thread_loops)
    made = synthesise(short, blocks, launch=number)
    whole = by_threads(static, tile, made, blocks=[extents], window=extents)
    outside = replace(
        nest,
        sites=tuple(site for site in nest.sites if site.access not in executed.shared),
    )
    return BlockLaunch(
        launch=_launch(sample, which, grid, grid, whole),
        blocks=numbers,
        footprint=affine_footprint(
            outside, number, of_blocks_alone, running_blocks=blocks_at_a_time * multiprocessors
        ),
        longest=longest,
    )


def _traced(sample: NestSample, which: LaunchClass) -> BlockLaunch:
    """A nest by its accesses as they were traced, of those of the blocks that are there."""
    grid = _grid(sample, which)
    seen = _seen(sample, which)
    if seen is None:
        return BlockLaunch(launch=_launch(sample, which, grid, None, None), blocks=(), footprint=())
    whole, there = seen
    known, growth = array_lengths(sample)
    sizes = {name: each.size for name, each in known.items()}
    return of_traced_blocks(_launch(sample, which, grid, there, whole), sizes, growth)


def array_lengths(sample: NestSample) -> tuple[Mapping[str, ArraySize], Mapping[str, float]]:
    """Memory of the arrays at the work size, and how many times as many bytes as in the trace.

    Where the code does not tell, an array is taken to grow as the threads do.
    """
    workload, nest = sample.workload, sample.nest
    here = array_sizes(workload.executable.compiled.ir, workload.static, nest.loop)
    if workload.trace_size == workload.work_size:
        return here, {}
    large = workload.large or workload.build(workload.work_size)
    there = array_sizes(large.compiled.ir, large.compiled.program, nest.loop)
    both = (workload.size_of(nest, at_work_size=at) for at in (True, False))
    threads, traced = (prod(size.extents) for size in both)
    names = map(array_of, workload.static.accesses_of[nest.loop])
    growth = {
        name: there[name].size / here[name].size
        if name in here and here[name].size and name in there
        else threads / max(traced, 1.0)
        for name in names
    }
    return there, growth


def of_traced_blocks(
    launch: Launch,
    sizes: Mapping[str, int] = MappingProxyType({}),
    growth: Mapping[str, float] = MappingProxyType({}),
) -> BlockLaunch:
    """A launch by those of the traced blocks that one multiprocessor runs.

    `sizes` and `growth` of arrays are as in `traced_footprint`.
    """
    memory, shared = _traces(launch)
    present = np.zeros(0, np.int64)
    there = launch.traced
    if there is not None:
        parts = [_blocks_of(each, there) for each in (memory, shared) if each is not None]
        present = np.unique(np.concatenate(parts)) if parts else present
    if there is None or not len(present):
        return BlockLaunch(launch=launch, blocks=(), footprint=())
    multiprocessors = launch.shape.device.multiprocessors
    blocks_at_a_time = launch.occupancy.active_blocks
    places = multiprocessor_blocks(
        len(present), resident=blocks_at_a_time, multiprocessors=multiprocessors
    )
    numbers = tuple(int(present[place]) for place in places)
    running = min(blocks_at_a_time * multiprocessors, launch.grid.blocks)
    if launch.tiled is None and running == launch.grid.blocks:
        numbers = fullest_blocks(there, numbers, present.tolist())
    footprint: tuple[ArrayBytes, ...] = ()
    if memory is not None:
        footprint = traced_footprint(
            memory,
            _blocks_of(memory, there),
            launch.executed.memory | launch.executed.loads,
            threads=len(threads_of_blocks(there, present.tolist())),
            blocks=launch.grid.blocks,
            running_blocks=running,
            sizes=sizes,
            growth=growth,
        )
    return BlockLaunch(launch=launch, blocks=numbers, footprint=footprint)


def _blocks_of(trace: NestTrace, grid: Layout) -> NDArray[np.int64]:
    return block_numbers(trace.iterations[:, : trace.collapse].astype(np.int64), grid)[0]


def _threads(sample: NestSample, grid: Layout, numbers: tuple[int, ...]) -> NDArray[np.int64]:
    """Iterations of the collapsed loops of the threads of these blocks, as the program has them."""
    threads = threads_of_blocks(grid, numbers)
    if sample.shape.interchanged:
        return threads[:, exchanged(range(threads.shape[1]))]
    return threads


_COMPARED = 64
"""Blocks whose accesses are counted to find the busiest [1]."""


def _busiest(
    nest: AffineNest,
    launch: int,
    sample: NestSample,
    grid: Layout,
    numbers: tuple[int, ...],
) -> tuple[tuple[int, ...], float]:
    """Blocks that begin with the busiest one, and how much more its threads do than others.

    Where all blocks run at a time, the launch takes as long as that one.
    """
    looked = np.unique(np.linspace(0, grid.blocks - 1, _COMPARED).astype(np.int64)).tolist()
    accesses, sizes = [], []
    for block in looked:
        threads = _threads(sample, grid, (block,))
        middle = threads[len(threads) // 2 :][:1]
        own = access_counts(nest, middle, launch=launch).sum() if len(threads) else 0.0
        accesses.append(float(own))
        sizes.append(len(threads))
    each, size = np.array(accesses), np.array(sizes)
    mean = float((each * size).sum() / max(1, size.sum()))
    # the last block may have the longest threads, but few of them
    place = int(np.argmax(each * size))
    if not mean or each[place] <= mean * _EVEN:
        return numbers, 1.0
    busiest = looked[place]
    return (busiest, *(other for other in numbers[1:] if other != busiest)), each[place] / mean


_EVEN = 1.1
"""Blocks are alike if the busiest does not do more than the mean one, times this [1]."""


def _seen(sample: NestSample, which: LaunchClass) -> tuple[NestTrace, Layout] | None:
    """The trace of a launch, and the grid it had there."""
    if isinstance(sample, TiledSample):
        trace = of_launch(sample.whole, which.launch)
    else:
        traces = sample.region_traces
        trace = of_launch(traces[len(traces) // 2] if traces else sample.trace, which.launch)
        trace = trace or of_launch(sample.trace, which.launch)
        if trace is not None and sample.shape.interchanged:
            trace = with_exchanged_loops(trace)
    if trace is None:
        return None
    return trace, sample.shape.grid(trace.extents[0])


def bounds_times(samples: Sequence[NestSample], device: GpuDevice) -> tuple[KernelTime, ...]:
    """The time of each kernel by model bounds, in program order."""
    return kernel_times([kernel_launches(sample) for sample in samples], device)


def kernel_launches(sample: NestSample) -> KernelLaunches:
    """The launches of a kernel, and what its threads execute between their accesses."""
    workload, nest = sample.workload, sample.nest
    static, arguments = workload.static, sample.seen.plan.arguments
    if isinstance(sample, TiledSample):
        arrays = sample.tile.arrays
        loops = sample.tile.loops
        times, _ = tile_executions(workload, sample.tile)
        shared, registers = arrays.shared, arrays.registers | arrays.own | arguments
    else:
        loops = nest.loops
        times, _ = executions(static, loops, workload.work[: len(static.blocks)])
        shared = frozenset()
        registers = frozenset(
            access.id
            for access in static.accesses_of[nest.loop]
            if access.id not in sample.executed.memory
        )
    mix = instruction_mix(
        workload.executable.compiled.ir,
        static,
        loops,
        times,
        shared=shared,
        registers=registers,
    )
    return with_groups(sample, mix, map(resident, block_launches(sample)))


def with_groups(
    sample: NestSample, mix: InstructionMix, launches: Iterable[ResidentLaunch]
) -> KernelLaunches:
    """A kernel of these launches, with the loads of the nest that are under way together."""
    return KernelLaunches(
        launches=launches,
        mix=mix,
        groups=load_groups(
            sample.workload.static, sample.nest.loop, unrolled=UNROLLED, ordered=mix.ordered
        ),
        number=sample.number,
        scattered=sample.unknown,
        heaviest=heaviest(sample),
    )
