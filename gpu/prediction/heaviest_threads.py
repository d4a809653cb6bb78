"""The longest warp, and the heaviest block, of a launch against the mean ones."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from logca.gpu.bounds.heaviest import Heaviest
from logca.gpu.bounds.instruction_mix import InstructionMix, instruction_mix
from logca.gpu.bounds.kernel_code import KernelCode, kernel_code
from logca.gpu.bounds.longest_thread import Executed, Threads, executed_by, uneven_loops
from logca.gpu.bounds.resident_blocks import block_numbers, threads_of_blocks
from logca.gpu.nests.nest import exchanged
from logca.gpu.prediction.nest_samples import NestSample, TiledSample
from logca.gpu.stages.blocks_and_occupancy import Layout
from logca.gpu.stages.instructions import executions

__all__ = ["heaviest"]

_THREADS = 1 << 18
"""Threads that are evaluated, at most: of more those at both ends, and blocks in between [1]."""

_MATTERS = 0.1
"""A loop matters if it has this share of the instructions of a thread [1]."""


def heaviest(sample: NestSample) -> Heaviest | None:
    """The longest warp and the heaviest block against mean ones; None if all threads do alike.

    Nor is it known of kernels in tiles, and of nests whose launches differ.
    """
    if isinstance(sample, TiledSample) or len(sample.classes) > 1:
        return None
    workload, static, loops = sample.workload, sample.workload.static, sample.nest.loops
    blocks = len(static.blocks)
    times, threads = executions(static, loops, workload.work[:blocks])
    code = kernel_code(workload.executable.compiled.ir, static, loops, times)
    uneven = uneven_loops(code)
    if not uneven:
        return None
    ir = workload.executable.compiled.ir
    if workload.trace_size != workload.work_size:
        large = workload.large or workload.build(workload.work_size)
        if len(large.compiled.program.blocks) != blocks:
            return None
        ir = large.compiled.ir
        code = kernel_code(ir, static, loops, times)
    first = code.index.first_block
    edges = {
        (edge.source - first, edge.target - first): often / threads
        for edge, often in zip(static.edges, workload.work[blocks:], strict=True)
    }
    grid = _grid(sample)
    numbers = _blocks(grid)
    places = threads_of_blocks(grid, numbers)
    shown = exchanged(range(places.shape[1])) if sample.shape.interchanged else None
    headers = tuple(static.loops[loop].header - first for loop in loops)
    found = executed_by(
        code,
        Threads(
            loops=headers,
            iterations=places if shown is None else places[:, shown],
            whole=len(numbers) == grid.blocks,
        ),
        edges,
    )
    unknown = _that_matter(sample, code, uneven if found is None else found.unknown)
    if found is None and not unknown:
        return None

    def mix(own: Mapping[int, float]) -> InstructionMix:
        there = {each + first: often for each, often in own.items()}
        return instruction_mix(ir, static, loops, {**times, **there}, registers=_registers(sample))

    mean = mix({})
    longest: dict[int, float] = {}
    result = Heaviest()
    if found is not None:
        number, place = block_numbers(places, grid)
        warp = number * -(-grid.threads_per_block // sample.device.warp_size)
        warp += place // sample.device.warp_size
        longest, block = _chosen(code, found, number, warp)
        result = replace(
            _over(mix(longest), mean), instructions=_ratio(_computed(mix(block)), _computed(mean))
        )
    if not unknown:
        return result
    every = {header: code.trips(header) * threads for header in unknown}
    limits = every | _limits(sample, code, unknown, {} if found is None else found.limits)
    most = _longest_there_may_be(code, {**code.times, **longest}, limits, threads)
    lines = {loop.line for loop in static.loops if loop.header - first in unknown}
    return replace(
        result,
        most=replace(_over(mix(most), mean), instructions=result.instructions),
        means=tuple(sorted(lines)),
    )


def _over(one: InstructionMix, mean: InstructionMix) -> Heaviest:
    return Heaviest(
        cycles=_ratio(one.dependent_cycles, mean.dependent_cycles),
        accesses={
            site: _ratio(one.accesses.get(site, 0.0), often)
            for site, often in mean.accesses.items()
        },
    )


def _limits(
    sample: NestSample, code: KernelCode, headers: Iterable[int], known: Mapping[int, float]
) -> dict[int, float]:
    """Most iterations of an entry of loops, by their ends or as they were seen in the trace [1]."""
    found, trace = {}, sample.trace
    for header in headers:
        if header in known:
            found[header] = known[header]
            continue
        seen = 0
        for loop in sample.workload.static.loops:
            if trace is None or loop.header != header + code.index.first_block:
                continue
            chain = trace.chain_of(loop.id)
            sites = [site for site, each in enumerate(trace.accesses) if each.loop == loop.id]
            rows = np.isin(trace.access, sites)
            if rows.any():
                seen = int(trace.iterations[rows, len(chain) - 1].max()) + 1
        if seen:
            found[header] = max(float(seen), code.trips(header))
    return found


def _longest_there_may_be(
    code: KernelCode, times: Mapping[int, float], limits: Mapping[int, float], threads: float
) -> dict[int, float]:
    """Executions of blocks by a thread with the most iterations there may be.

    Without a limit these are all iterations of the launch.
    """
    found = dict(times)
    for header, most in limits.items():
        entries = code.entered[header]
        factor = max(1.0, entries) / entries * most / max(code.trips(header), 1e-9)
        for block in code.index.shape.loops[header].blocks:
            if block in found:
                found[block] *= min(max(1.0, factor), threads)
    return found


def _computed(mix: InstructionMix) -> float:
    return mix.total - mix.loads - mix.stores - mix.shared


def _ratio(one: float, mean: float) -> float:
    return one / mean if mean else 1.0


def _registers(sample: NestSample) -> frozenset[int]:
    return frozenset(
        access.id
        for access in sample.workload.static.accesses_of[sample.nest.loop]
        if access.id not in sample.executed.memory
    )


def _grid(sample: NestSample) -> Layout:
    extents = sample.extents_of(sample.classes[0])
    return sample.shape.grid(exchanged(extents) if sample.shape.interchanged else extents)


def _blocks(grid: Layout) -> tuple[int, ...]:
    """Blocks that are looked at: all, or the first and last ones and some in between [1]."""
    most = max(4, _THREADS // grid.threads_per_block)
    if grid.blocks <= most:
        return tuple(range(grid.blocks))
    part = most // 4
    between = np.linspace(part, grid.blocks - part - 1, 2 * part).astype(np.int64).tolist()
    ends = (*range(part), *range(grid.blocks - part, grid.blocks))
    return tuple(sorted({*ends, *between}))


def _that_matter(sample: NestSample, code: KernelCode, headers: Iterable[int]) -> tuple[int, ...]:
    """Loops that a thread spends time in, of those whose iterations are means [1]."""
    sizes = {
        block: often * len(code.index.body.blocks[block].statements)
        for block, often in code.times.items()
    }
    made = {site.block for site in code.sites}
    found = []
    for header in headers:
        inside = code.index.shape.loops[header].blocks
        share = sum(sizes.get(each, 0.0) for each in inside) / sum(sizes.values())
        # of an affine nest it is known how often each thread makes its accesses
        if share >= _MATTERS and not (sample.known and made & inside):
            found.append(header)
    return tuple(sorted(found))


def _chosen(
    code: KernelCode, found: Executed, number: NDArray[np.int64], warp: NDArray[np.int64]
) -> tuple[dict[int, float], dict[int, float]]:
    """Executions of each block of code by the longest thread, and by a warp of a heavy block."""
    work = np.zeros(len(number))
    for block, often in found.times.items():
        work = work + often * len(code.index.body.blocks[block].statements)
    order = np.lexsort((-work, warp))
    leads = order[np.unique(warp[order], return_index=True)[1]]
    blocks, which = np.unique(number[leads], return_inverse=True)
    most = int(np.argmax(np.bincount(which, weights=work[leads], minlength=len(blocks))))
    inside = leads[which == most]
    longest = int(np.argmax(work))
    times = {block: np.broadcast_to(each, work.shape) for block, each in found.times.items()}
    return (
        {block: float(each[longest]) for block, each in times.items()},
        {block: float(each[inside].mean()) for block, each in times.items()},
    )
