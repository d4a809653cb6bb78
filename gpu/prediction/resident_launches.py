"""Launches of a sampled nest by the blocks of one multiprocessor, as model bounds takes them.

Where a nest is affine, exactly these blocks are made at the work size, from the middle of the grid;
else those of them that were traced.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from logca.gpu.affine.affine_nest import AffineNest, extents_of
from logca.gpu.affine.synthesis import access_counts, synthesise
from logca.gpu.bounds.first_iterations import shortened
from logca.gpu.bounds.footprint import ArrayBytes, affine_footprint, traced_footprint
from logca.gpu.bounds.instruction_mix import instruction_mix
from logca.gpu.bounds.kernel_code import UNROLLED
from logca.gpu.bounds.kernel_times import KernelLaunches, kernel_times
from logca.gpu.bounds.launch import ResidentLaunch
from logca.gpu.bounds.load_groups import load_groups
from logca.gpu.bounds.resident_blocks import (
    ResidentBlocks,
    block_numbers,
    multiprocessor_blocks,
    of_blocks,
    threads_of_blocks,
)
from logca.gpu.devices.parameters import GpuDevice
from logca.gpu.nests.nest import NestTrace, exchanged, of_launch, with_exchanged_loops, with_only
from logca.gpu.prediction.nest_samples import ExtendedSample, NestSample, TiledSample
from logca.gpu.sampling.sample import LaunchClass
from logca.gpu.stages.blocks_and_occupancy import Layout, Occupancy
from logca.gpu.stages.instructions import Instructions, executions
from logca.gpu.stages.launches_in_sequence import KernelTime
from logca.gpu.tiles.trace import barriers_of_thread, by_threads, tile_executions

__all__ = ["bounds_times", "kernel_launches", "resident_launches"]

_RECORDS = 3 << 20
"""Accesses of the sampled blocks that are made at the work size [1]."""


def resident_launches(sample: NestSample) -> Iterator[ResidentLaunch]:
    """The launches that were sampled, each made when it is its turn."""
    for which in sample.classes:
        yield _launch(sample, which)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Accesses:
    """Accesses of the blocks of one multiprocessor, and what all blocks reach."""

    memory: ResidentBlocks | None = None
    shared: ResidentBlocks | None = None
    footprint: tuple[ArrayBytes, ...] = ()
    imbalance: float = 1.0
    longest: int = 0


def _launch(sample: NestSample, which: LaunchClass) -> ResidentLaunch:
    extents, shape = sample.extents_of(which), sample.shape
    if isinstance(sample, TiledSample):
        extents = sample.tile.merged(extents)
    grid = shape.grid(exchanged(extents) if shape.interchanged else extents)
    occupancy = shape.occupancy(grid)
    executed = sample.executed.times(which.work)
    there = sample.launch_there(which) if isinstance(sample, ExtendedSample) else None
    if isinstance(sample, ExtendedSample) and there is not None:
        made = _affine(sample, there, grid, occupancy)
    elif isinstance(sample, TiledSample) and sample.affine is not None:
        made = _affine_tiles(sample, sample.affine, which, grid, occupancy)
    else:
        made = _traced(sample, which, executed, grid, occupancy)
    tiled = isinstance(sample, TiledSample)
    return ResidentLaunch(
        shape=shape,
        grid=grid,
        occupancy=occupancy,
        executed=executed,
        memory=made.memory,
        shared=made.shared,
        shared_size=sample.tile.arrays.size if isinstance(sample, TiledSample) else 0,
        barriers=(
            barriers_of_thread(sample.workload, sample.tile)
            if isinstance(sample, TiledSample)
            else 0.0
        ),
        footprint=made.footprint,
        imbalance=made.imbalance,
        times=which.share * sample.number,
        longest=made.longest,
        reductions=() if tiled else sample.nest.reductions,
    )


def _affine(sample: ExtendedSample, launch: int, grid: Layout, occupancy: Occupancy) -> _Accesses:
    """Accesses of an affine nest at the work size."""
    nest, multiprocessors = sample.affine, sample.device.multiprocessors
    resident = occupancy.active_blocks
    running, imbalance = resident * multiprocessors, 1.0
    numbers = multiprocessor_blocks(grid.blocks, resident=resident, multiprocessors=multiprocessors)
    if grid.blocks <= running:
        numbers, imbalance = _busiest(nest, launch, sample, grid, numbers)
    threads = _threads(sample, grid, numbers)
    short, longest = shortened(nest, threads, launch=launch, most=_RECORDS)
    trace = synthesise(short, threads, launch=launch)
    if sample.shape.interchanged:
        trace = with_exchanged_loops(trace)
    return _Accesses(
        memory=of_blocks(trace, grid, numbers),
        footprint=affine_footprint(nest, launch, grid, running_blocks=running),
        imbalance=imbalance,
        longest=longest,
    )


def _affine_tiles(
    sample: TiledSample, nest: AffineNest, which: LaunchClass, grid: Layout, occupancy: Occupancy
) -> _Accesses:
    """Accesses of affine tiles at the work size, whose blocks are as threads to the nest."""
    tile, executed, static = sample.tile, sample.executed, sample.workload.static
    multiprocessors, resident = sample.device.multiprocessors, occupancy.active_blocks
    launch = min(max(which.launch, nest.launches[0]), nest.launches[1] - 1)
    extents = extents_of(nest, launch)
    of_blocks_alone = Layout(extents=extents, block=(1, 1, 1))
    numbers = multiprocessor_blocks(grid.blocks, resident=resident, multiprocessors=multiprocessors)
    blocks = threads_of_blocks(of_blocks_alone, numbers)
    short, longest = shortened(nest, blocks, launch=launch, most=_RECORDS, whole=tile.thread_loops)
    made = synthesise(short, blocks, launch=launch)
    whole = by_threads(static, tile, made, blocks=[extents], window=extents)
    parts = [
        with_only(whole, sites) for sites in ({*executed.memory, *executed.loads}, executed.shared)
    ]
    memory, shared = (None if part is None else of_blocks(part, grid, numbers) for part in parts)
    outside = replace(
        nest,
        sites=tuple(site for site in nest.sites if site.access not in executed.shared),
    )
    return _Accesses(
        memory=memory,
        shared=shared,
        footprint=affine_footprint(
            outside, launch, of_blocks_alone, running_blocks=resident * multiprocessors
        ),
        longest=longest,
    )


def _traced(
    sample: NestSample,
    which: LaunchClass,
    executed: Instructions,
    grid: Layout,
    occupancy: Occupancy,
) -> _Accesses:
    """Accesses as they were traced, of those of the blocks that are there."""
    seen = _seen(sample, which)
    if seen is None:
        return _Accesses()
    whole, there = seen
    multiprocessors, resident = sample.device.multiprocessors, occupancy.active_blocks
    present = np.unique(_blocks_of(whole, there))
    numbers = [
        int(present[place])
        for place in multiprocessor_blocks(
            len(present), resident=resident, multiprocessors=multiprocessors
        )
    ]
    both = executed.memory | executed.loads
    memory, shared = with_only(whole, both), with_only(whole, executed.shared)
    return _Accesses(
        memory=None if memory is None else of_blocks(memory, there, numbers),
        shared=None if shared is None else of_blocks(shared, there, numbers),
        footprint=()
        if memory is None
        else traced_footprint(
            memory,
            _blocks_of(memory, there),
            both,
            threads=len(present) * there.threads_per_block,
            blocks=grid.blocks,
            running_blocks=min(resident * multiprocessors, grid.blocks),
        ),
    )


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
    counts = []
    for block in looked:
        threads = _threads(sample, grid, (block,))
        counts.append(
            float(access_counts(nest, threads[len(threads) // 2 :][:1], launch=launch).sum())
            if len(threads)
            else 0.0
        )
    most, mean = max(counts), sum(counts) / len(counts)
    if not mean or most <= mean * _EVEN:
        return numbers, 1.0
    busiest = looked[counts.index(most)]
    return (busiest, *(each for each in numbers[1:] if each != busiest)), most / mean


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
    return KernelLaunches(
        launches=resident_launches(sample),
        mix=mix,
        groups=load_groups(static, nest.loop, unrolled=UNROLLED, ordered=mix.ordered),
        number=sample.number,
    )
