"""Notes on a kernel: what its time does not count, and what it is sensitive to."""

from collections.abc import Iterator, Mapping
from math import prod

from logca.common.readable_numbers import count, duration, number_text
from logca.common.sizes import amount
from logca.common.toml import DEFAULT
from logca.gpu.loops.thread_loops import WARP
from logca.gpu.nests.nest import work
from logca.gpu.prediction.nest_samples import (
    ExtendedSample,
    NestSample,
    PlainSample,
    TiledSample,
    counted_accesses,
)
from logca.gpu.prediction.rectangles import grid_shape, rectangle_note
from logca.gpu.prediction.result import (
    understated,
)
from logca.gpu.sampling.plan import EVERYTHING
from logca.gpu.stages.launches_in_sequence import KernelTime, LaunchTime
from logca.gpu.stages.transactions import Behaviour
from logca.gpu.stages.unit_bounds import LAUNCH
from logca.gpu.tiles.barriers import missing_barriers

__all__ = ["empty_launches", "notes_of"]


def notes_of(
    sample: NestSample, time: KernelTime, behaviours: Mapping[int, Behaviour]
) -> tuple[str, ...]:
    """All notes on a kernel, those on its shape and how it was sampled first."""
    if isinstance(sample, TiledSample):
        own = [*_sampling_notes(sample, behaviours), *_tile_notes(sample, time.longest)]
    else:
        own = [
            rectangle_note(sample),
            *_edge_notes(sample, time.longest),
            *_sampling_notes(sample, behaviours, unseen=_unseen(sample, time)),
        ]
    own += [_kept_note(sample), _innermost_note(sample), _launch_note(sample, time)]
    own += [_unknown_note(sample, time), _uneven_note(time), *_bounds_notes(time)]
    return tuple(filter(None, own))


_EDGE = 0.05
"""So near to one DRAM transaction its number is no reason to trust a jump [1]."""


def _edge_notes(sample: NestSample, longest: LaunchTime) -> tuple[str, ...]:
    """Where the printed model jumps, so that the time is sensitive there."""
    printed = sample.model.transactions == "rule" and not sample.model.simple_cache
    if not printed or longest.memory is None:
        return ()
    return tuple(
        f"{each.pattern} accesses have {each.dram:.3f} DRAM transactions on average: their latency "
        "jumps from eq. 1 to eq. 2 of wang2017 where that passes 1: the time is sensitive to it"
        for each in longest.memory.classes
        if each.pattern != "constant" and abs(each.dram - 1) < _EDGE
    )


def empty_launches(sample: NestSample) -> int:
    """Number of launches without a single thread, as far as that is known [1]."""
    plan, seen = sample.seen.plan, sample.seen
    iterations = sum(launch.extents[0] for launch in seen.launches.values())
    if not seen.complete or seen.enough or sample.number != plan.number:
        return 0
    if plan.number == 1 or iterations != round(plan.extents[0] * plan.number):
        return 0
    return plan.number - len(seen.launches)


def _unseen(sample: NestSample, time: KernelTime) -> str:
    """Which accesses are in no sampled launch or region of one; mostly none."""
    seen = {
        each.access for result in time.results if result.memory for each in result.memory.accesses
    }
    if not seen:
        return ""
    sites = [sample.workload.static.accesses[site] for site in sorted(sample.executed.memory)]
    places = [
        f"{'store to' if site.store else 'load of'} {site.array or 'memory'} in line {site.line}"
        for site in sites
        if site.id not in seen
    ]
    return (
        "not among the recorded accesses, and assumed to be like most of them: "
        f"{', '.join(dict.fromkeys(places))}"
        if places
        else ""
    )


def _needed(sample: NestSample) -> str:
    """Number of accesses that show all threads of two batches, as far as known, in words."""
    plan = sample.seen.plan
    if not sample.seen.cut or not plan.executed:
        return ""
    rows = min(1.0, plan.window[0] / plan.extents[0])
    enough = round(rows * sum(plan.executed.values()))
    return f"; {enough:,} recorded accesses, or slightly more, would be enough"


def _sampling_notes(
    sample: NestSample, behaviours: Mapping[int, Behaviour], *, unseen: str = ""
) -> Iterator[str]:
    """Notes on how a nest was sampled."""
    plan, seen, traced = sample.seen.plan, sample.seen, sample.workload.trace_size
    if len(sample.classes) > 1:
        looked, empty = len(sample.classes), empty_launches(sample)
        number = plan.number - empty
        where = ", evenly spaced," if seen.complete else f", among the first {len(seen.launches)},"
        yield (
            f"launches differ: all {number} were sampled"
            if looked == number == sample.number - empty
            else f"launches differ: {looked} of {number} were sampled{where} and stand for "
            f"{sample.number - empty}"
        )
    if sample.nest.deeper:
        yield _deeper_note(sample, behaviours)
    if sample.regions:
        yield (
            "threads differ: besides the first batches others were sampled, in "
            f"{len(sample.regions) - 1} places evenly spaced over the grid; the time is the mean, "
            "MWP and CWP are those of the slowest"
        )
    yield unseen
    if not seen.complete and plan.number > 1:
        yield (
            f"the trace reached its limit in launch {len(seen.launches)} of "
            f"{plan.number}; these stand for all"
        )
    elif not seen.complete and sample.region_traces:
        yield "the trace reached its limit before all of these places were seen"
    elif not seen.complete and not _made_at_work_size(sample):
        yield (
            "the trace reached its limit before all threads of two batches were seen, so that the "
            f"time may be far off{_needed(sample)}"
        )
    if plan.inside < EVERYTHING and not _made_at_work_size(sample):
        yield f"of each thread the first {plan.inside} iterations of its loops were traced"
    if sample.why_not_extended:
        yield f"accesses are those of the traced size: {sample.why_not_extended}"
    elif isinstance(sample, PlainSample) and traced != sample.workload.work_size:
        yield (
            "accesses are those of the traced size, as in wang2017; model logca takes those of the "
            "work size"
        )
    elif isinstance(sample, ExtendedSample) and sample.fitted_launches and len(sample.classes) > 1:
        yield (
            f"accesses of launches after {sample.affine.launches[1] - 1} are those of the traced "
            "size"
        )


def _innermost_note(sample: NestSample) -> str:
    """Note on accesses outside of the innermost loops, where a model leaves these out."""
    counted, made = (each / sample.executed.threads for each in counted_accesses(sample))
    if not made or not understated(counted / made):
        return ""
    return (
        f"model {sample.model.name} looks at innermost loops only, which have "
        f"{number_text(counted)} of the {number_text(made)} accesses to memory by a "
        "thread: the time is too short; model logca counts all"
    )


def _kept_note(sample: NestSample) -> str:
    """Note on variables that not every iteration writes, and that what follows the loop reads.

    The place of an extreme goes with that.
    """
    loops = [sample.workload.static.loops[number] for number in sample.nest.loops]
    names = [
        name
        for loop in loops
        if not any(each.operation == "extreme" for each in loop.gathered)
        for name in loop.kept
        if not any(name == declared for _, _, declared in loop.clauses)
    ]
    if not names:
        return ""
    return (
        f"after the loop {', '.join(dict.fromkeys(names))} is what the last of the iterations that "
        "write it left: threads have to keep the largest iteration with it, which is not in the "
        "time"
    )


_FREE = 0.05
"""Launches that a model leaves out are told from this share of the time on [1]."""


def _launch_note(sample: NestSample, time: KernelTime) -> str:
    """Note on what launches take, where a model leaves it out or a file does not have it."""
    device, overhead = sample.device, sample.device.launch_overhead
    launches = sample.number - empty_launches(sample)
    if sample.model.beyond_the_kernel:
        if device.sources.get("launch_overhead") != DEFAULT:
            return ""
        return (
            f"each launch takes {duration(overhead)} before its kernel begins: the device's file "
            "has no launch_overhead"
        )
    if launches * overhead < _FREE * time.time_s:
        return ""
    many = "the launch" if launches == 1 else f"the {count(launches)} launches"
    return (
        f"model {sample.model.name} has no time for launches: {many} would take "
        f"{duration(launches * overhead)} more; model logca counts that"
    )


def _made_at_work_size(sample: NestSample) -> bool:
    """True if model bounds made the accesses of this nest anew, whatever was traced of it."""
    return sample.model.bounds and sample.known


def _unknown_note(sample: NestSample, time: KernelTime) -> str:
    """Note on accesses that go elsewhere at the work size; empty if it is known where they go."""
    if time.at_most_s is None:
        return ""
    sites = [sample.workload.static.accesses[site] for site in sorted(sample.unknown)]
    places = [f"{each.array or 'memory'} in line {each.line}" for each in sites]
    return (
        f"where threads reach {' and '.join(dict.fromkeys(places))} depends on data, of which the "
        "traced size does not show those of the work size: if each thread reached a sector of its "
        f"own, and no cache held any, the kernel would take {duration(time.at_most_s)}, which the "
        "interval includes"
    )


def _uneven_note(time: KernelTime) -> str:
    """Note on loops that may be longer in some threads; empty if it is known how long they are."""
    if time.uneven_s is None:
        return ""
    several = len(time.means) > 1
    lines = f"{'lines' if several else 'line'} {' and '.join(map(str, time.means))}"
    return (
        f"the iterations of the {'loops' if several else 'loop'} at {lines} are a mean of all "
        "threads; if threads differ, the longest one decides: the kernel would take up to "
        f"{duration(time.uneven_s)}, which the interval includes"
    )


def _bounds_notes(time: KernelTime) -> Iterator[str]:
    """Notes on a time by model bounds: what was sampled, what L2 held, the floor of a launch."""
    found = time.longest.bounds
    if found is None:
        return
    if found.iterations:
        yield (
            f"loops of a thread were followed for {found.iterations} iterations at the work size; "
            "the second half of them stands for all that follow"
        )
    if found.found_bytes:
        yield (
            f"{amount(round(found.found_bytes))} of its data are found in L2, where the launches "
            "before it left them"
        )
    if found.bound == LAUNCH:
        yield (
            f"below the launch floor: the kernel itself would take "
            f"{duration(found.time_s - found.overhead_s)}, the launch {duration(found.overhead_s)}"
        )


def _tile_notes(sample: TiledSample, longest: LaunchTime) -> tuple[str, ...]:
    """Notes on barriers that a block lacks, and on the time by the paper's equations as printed."""
    if sample.whole is None:
        return ()
    missing = missing_barriers(sample.workload.static, sample.tile, sample.whole)
    printed = longest.as_printed
    if printed is None or printed == longest.timing:
        return missing
    return (
        *missing,
        "shared memory: the warps of a batch overlap, as the estimates of Table 5 of wang2017 have "
        f"it; by its eqs 16, 17 and 23 as printed a launch takes {printed.time * 1e3:.4g} ms",
    )


_SHARE = 0.25
"""A loop with a smaller share of the kernel's instructions is not worth it [1]."""


def _deeper_note(sample: NestSample, behaviours: Mapping[int, Behaviour]) -> str:
    """Note on loops that would give a kernel more threads; empty if it would not matter.

    It matters if the threads do not fill the device, or reach memory uncoalesced in such a loop.
    """
    workload, nest, device = sample.workload, sample.nest, sample.device
    static, counts = workload.static, workload.work[: len(workload.static.blocks)]
    worth = [
        loop
        for loop in nest.deeper
        if work(static, counts, loop) >= _SHARE * work(static, counts, nest.loop)
        and workload.trips(loop).mean >= WARP
    ]
    if not worth:
        return ""
    loop = max(worth, key=lambda each: work(static, counts, each))
    extents = workload.size_of(nest).extents
    full = device.multiprocessors * device.max_threads
    few = prod(extents) < full
    uncoalesced = any(
        access.id in behaviours and behaviours[access.id].pattern == "uncoalesced"
        for access in static.accesses_of[loop]
    )
    if not (few or uncoalesced):
        return ""
    share = work(static, counts, loop) / work(static, counts, nest.loop)
    between = static.chain_of(static.loops[loop].parent, nest.loops[-1])[1:]
    lines = " and ".join(f"line {static.loops[each].line}" for each in between)
    around = f", with the serial loop at {lines} around it," if lines else ""
    return (
        f"the loop at line {static.loops[loop].line} carries no dependence either and has "
        f"{100 * share:.0f} % of the instructions: in a kernel of its own{around} it would have "
        f"{grid_shape((*extents, workload.trips(loop).mean))} threads; now there are "
        f"{grid_shape(extents)}"
        + (f", fewer than the {full:,} that the device runs at a time" if few else "")
        + (", and they reach memory uncoalesced there" if uncoalesced else "")
    )
