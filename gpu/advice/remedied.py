"""The time of a kernel with a remedy, by the model that predicts it.

Model bounds takes the blocks of one multiprocessor, so that a remedy changes the accesses of these;
what all blocks reach changes with the sectors that they do.
"""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from logca.gpu.advice.results import PartLaunches, RemedyCandidate
from logca.gpu.bounds.footprint import array_of
from logca.gpu.bounds.instruction_mix import VECTOR_BYTES, InstructionMix, instruction_mix
from logca.gpu.bounds.kernel_times import KernelLaunches, kernel_times
from logca.gpu.bounds.l1_cache import SECTOR
from logca.gpu.nests.nest import NestTrace
from logca.gpu.prediction.nest_samples import NestSample
from logca.gpu.prediction.resident_launches import (
    BlockLaunch,
    block_launches,
    kernel_launches,
    of_traced_blocks,
    resident,
    with_groups,
)
from logca.gpu.stages.instructions import Instructions
from logca.gpu.stages.launches_in_sequence import KernelTime, Launch, kernel_time
from logca.gpu.stages.unit_bounds import ArrayBytes

__all__ = ["as_it_is", "with_remedy"]


def as_it_is(sample: NestSample) -> KernelTime:
    """The time of a kernel by itself, before any remedy."""
    if not sample.model.bounds:
        return kernel_time(sample.launches(), sample.model)
    (time,) = kernel_times([kernel_launches(sample)], sample.device)
    return time


def with_remedy(candidate: RemedyCandidate, sample: NestSample) -> KernelTime:
    """The time of a kernel by itself, with a remedy."""
    if not sample.model.bounds:
        return kernel_time(candidate.launches(sample), sample.model)
    if candidate.parts is not None:
        parts = [_part(sample, part) for part in candidate.parts(sample)]
        times = kernel_times(parts, sample.device)
        return KernelTime(
            results=tuple(result for time in times for result in time.results),
            longest=max((time.longest for time in times), key=lambda result: result.time),
            time_s=sum(time.time_s for time in times),
            cycles=sum(time.cycles for time in times),
            dram_bytes=sum(time.dram_bytes for time in times),
        )
    arranged = sample if candidate.arranged is None else candidate.arranged(sample)
    kernel = replace(kernel_launches(arranged), widened=candidate.widened)
    if candidate.change is not None:
        before = list(block_launches(arranged))
        after = [_changed(each, candidate) for each in before]
        kernel = replace(
            kernel,
            launches=map(resident, after),
            mix=_mix(kernel.mix, before[0].launch.executed, after[0].launch),
        )
    (time,) = kernel_times([kernel], sample.device)
    return time


def _changed(before: BlockLaunch, candidate: RemedyCandidate) -> BlockLaunch:
    assert candidate.change is not None
    after = candidate.change(before.launch)
    if after.tiled is not None:  # tiles bring what the threads read without them
        return replace(before, launch=after)
    factors = _factors(before.launch.trace, after.trace)
    return replace(
        before,
        launch=after,
        footprint=tuple(_scaled(each, factors) for each in before.footprint),
    )


_Kind = tuple[str, bool]
"""An array, and whether it is written."""


def _scaled(array: ArrayBytes, factors: Mapping[_Kind, float]) -> ArrayBytes:
    read, written = (factors.get((array.name, store), 1.0) for store in (False, True))
    return replace(
        array,
        read=array.read * read,
        written=array.written * written,
        wave=array.wave * read,
        choice=array.choice * read,
        written_wave=array.written_wave * written,
        written_choice=array.written_choice * written,
    )


def _factors(before: NestTrace | None, after: NestTrace | None) -> dict[_Kind, float]:
    """For each array how many times as many sectors are read, and written, as before [1].

    A layout brings members of structures apart, of which some may be read alone.
    """
    if before is None or after is None:
        return {}
    old, new = _sectors(before), _sectors(after)
    return {kind: new[kind] / old[kind] for kind in old if new.get(kind)}


def _sectors(trace: NestTrace) -> dict[_Kind, int]:
    sites: dict[_Kind, list[int]] = {}
    for site in np.unique(trace.access).tolist():
        access = trace.accesses[site]
        sites.setdefault((array_of(access), access.store), []).append(site)
    return {
        kind: len(np.unique(trace.address[np.isin(trace.access, own)] // np.uint64(SECTOR)))
        for kind, own in sites.items()
    }


def _mix(mix: InstructionMix, before: Instructions, launch: Launch) -> InstructionMix:
    """Instructions of a thread whose accesses go to tiles, which it has to fill step by step.

    A copy moves its addresses on by one addition; a step counts, and compares.
    """
    after, tiled = launch.executed, launch.tiled
    if tiled is None:
        return mix
    moved = before.memory.keys() - after.memory.keys()
    copies = sum(often for site, often in after.shared.items() if site in tiled.filling)
    kept = {site: often for site, often in mix.accesses.items() if site not in moved}
    return replace(
        mix,
        integer=mix.integer + copies + tiled.barriers,
        accesses={**kept, **after.loads},
        outside={site: loop for site, loop in mix.outside.items() if site not in moved},
        elements={**mix.elements, **_elements(tiled.shared)},
    )


def _elements(shared: NestTrace | None) -> dict[int, int]:
    """Elements that one load takes, of accesses whose next iteration is the element beside [1]."""
    found: dict[int, int] = {}
    if shared is None:
        return found
    for site in np.unique(shared.access).tolist():
        first, *more = np.flatnonzero(shared.access == site)[:2].tolist()
        threads = shared.iterations[:, : shared.collapse]
        if not more or (threads[first] != threads[more[0]]).any():
            continue
        size = int(shared.size[first])
        if int(shared.address[more[0]]) - int(shared.address[first]) == size < VECTOR_BYTES:
            found[site] = VECTOR_BYTES // size
    return found


def _part(sample: NestSample, part: PartLaunches) -> KernelLaunches:
    """A part of a kernel's body as a kernel of its own."""
    static = sample.workload.static
    mix = instruction_mix(
        sample.workload.executable.compiled.ir,
        static,
        part.loops,
        part.times,
        registers=sample.seen.plan.arguments,
    )
    return with_groups(sample, mix, map(resident, map(of_traced_blocks, part.launches)))
