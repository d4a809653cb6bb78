"""Remedies of a kernel: which apply, with how many accesses each is tried, and what it gains."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from logca.gpu.advice.arrays import arrays, skews
from logca.gpu.advice.layout_remedies import padded, transposed
from logca.gpu.advice.loop_remedies import DISTRIBUTED, distributed
from logca.gpu.advice.remedied import as_it_is, with_remedy
from logca.gpu.advice.results import Remedy, RemedyCandidate
from logca.gpu.advice.thread_remedies import interchanged, more_work, other_blocks
from logca.gpu.advice.tile_remedies import padded_tiles, tiled
from logca.gpu.prediction.nest_samples import ExtendedSample, NestSample, TiledSample
from logca.gpu.prediction.resident_launches import block_launches
from logca.gpu.prediction.result import KernelPrediction
from logca.gpu.stages.blocks_and_occupancy import OccupancyError
from logca.gpu.stages.launches_in_sequence import KernelTime, LaunchTime
from logca.gpu.stages.models import Model
from logca.gpu.stages.transactions import Behaviour
from logca.gpu.stages.unit_bounds import BOUNDS, LAUNCH

__all__ = ["WORTH_GAIN", "candidates", "tried_remedies"]

WORTH_GAIN = 1.02
"""A remedy that gains less is none [1]."""

_NOTABLE = 0.2
"""Changes of transactions that are told, as a share of them [1]."""

_TRIED = 1 << 20
"""Accesses of a launch at the work size with which remedies are tried, before the ones that gain
are predicted with all [1]."""

_ALIKE = 1.005
"""Of alike remedies a simpler one is taken unless another gains more than this [1]."""


def tried_remedies(
    sample: NestSample,
    now: KernelTime,
    kernel: KernelPrediction,
    kernels: Sequence[KernelPrediction],
) -> Iterator[Remedy]:
    """Of remedies that differ only in how they are done the best."""
    # What launches before it left in L2 is in its time, but not in that of a remedy tried alone.
    whole = as_it_is(sample) if sample.model.bounds else now
    trial, before = sample, whole
    if isinstance(sample, ExtendedSample) or (sample.fitted and sample.known):
        trial = replace(sample, records=_TRIED)
        before = as_it_is(trial)
    best: dict[tuple[object, ...], tuple[float, RemedyCandidate, KernelTime]] = {}
    for candidate in candidates(trial, before):
        then = _predicted(candidate, trial, before)
        if then is None:
            continue
        gain = before.time_s / then.time_s
        key = (candidate.name, candidate.array, candidate.accesses)
        if key not in best or gain > best[key][0] * _ALIKE:
            best[key] = gain, candidate, then
    for gain, candidate, tried in best.values():
        then = (
            _predicted(candidate, sample, whole)
            if gain >= WORTH_GAIN and trial is not sample
            else None
        )
        time = kernel.time_s / (gain if then is None else whole.time_s / then.time_s)
        after = (then or tried).longest
        yield Remedy(
            name=candidate.name,
            array=candidate.array,
            line=sample.workload.static.accesses[candidate.accesses[0]].line
            if candidate.accesses
            else 0,
            what=candidate.what,
            time_s=time,
            gain=kernel.time_s / time,
            bound=after.bound,
            mwp=None if after.timing is None else after.timing.mwp,
            cwp=None if after.timing is None else after.timing.cwp,
            changes=tuple(_changes(sample, (before if then is None else whole).longest, after)),
            conditions=(*candidate.conditions, *_conditions(candidate, kernel, kernels)),
        )


def _predicted(
    candidate: RemedyCandidate, sample: NestSample, now: KernelTime
) -> KernelTime | None:
    """A kernel with a remedy; None if no block fits on the device then, or it cannot be compared.

    That is so where the first batches of other blocks leave out accesses which those of the kernel
    make, as where the first row of threads does something else.
    """
    try:
        then = with_remedy(candidate, sample)
    except OccupancyError:
        return None
    if candidate.name == DISTRIBUTED:
        return then
    comparable = now.longest.behaviours.keys() <= then.longest.behaviours.keys()
    return then if comparable else None


def _conditions(
    candidate: RemedyCandidate, kernel: KernelPrediction, kernels: Sequence[KernelPrediction]
) -> Iterator[str]:
    if candidate.name in ("transposed layout", "longer rows") and candidate.array:
        lines = sorted(
            {
                access.line
                for other in kernels
                if other is not kernel
                for access in other.accesses
                if access.array == candidate.array and not access.shared
            }
        )
        if lines:
            where = f"line{'s' if len(lines) > 1 else ''} {', '.join(map(str, lines))}"
            yield f"{where} of other kernels may reach the array too, which is not counted"
    if kernel.dependences:
        names = ", ".join(dict.fromkeys(each.sink.array or "memory" for each in kernel.dependences))
        yield f"threads depend on each other through {names}, and no remedy may change their order"


def _changes(sample: NestSample, before: LaunchTime, after: LaunchTime) -> Iterator[str]:
    """Accesses that a remedy makes otherwise, or with other transactions: before -> after."""
    old, new = before.behaviours, after.behaviours
    shared = {each.access for each in after.shared} - {each.access for each in before.shared}
    for access, was in old.items():
        at = sample.workload.static.accesses[access]
        name = f"line {at.line}, {at.array or '?'}"
        if access in shared:
            ways = next(each.transactions for each in after.shared if each.access == access)
            how = "no bank conflicts" if ways == 1 else f"{ways:.3g}-way bank conflicts"
            yield f"{name}: {was.pattern} -> shared memory, {how}"
        elif access in new and _differ(was, new[access]):
            both = (_behaviour_words(each, sample.model) for each in (was, new[access]))
            yield f"{name}: {' -> '.join(both)}"


def _differ(was: Behaviour, now: Behaviour) -> bool:
    """True if the pattern of an access differs, or its transactions do notably."""
    pairs = ((was.transactions, now.transactions), (was.dram, now.dram))
    return was.pattern != now.pattern or any(
        abs(one - other) > _NOTABLE * max(one, other, 1) for one, other in pairs
    )


def _behaviour_words(each: Behaviour, model: Model) -> str:
    words = ("sectors", "missed") if model.bounds else ("transactions", "DRAM")
    return f"{each.pattern}, {each.transactions:.3g} {words[0]}, {each.dram:.3g} {words[1]}"


def candidates(sample: NestSample, time: KernelTime) -> Iterator[RemedyCandidate]:
    """The remedies that apply to a kernel; none for memory if computation is the bottleneck."""
    if isinstance(sample, TiledSample):
        yield from padded_tiles(sample, time)
        return
    yield from distributed(sample)
    if sample.model.bounds:
        yield from _for_bounds(sample, time)
        return
    cycles = [result.of_warps.cycles for result in time.results]
    longest = sample.launch(cycles.index(max(cycles)))
    binds = time.longest.of_warps.bound != "computation"
    if binds and longest.trace is not None and sample.trace is not None:
        skewed = skews(sample.trace)
        reached = arrays(longest.trace, skewed)
        memory = time.longest.memory
        behaviours = {
            behaviour.access: behaviour
            for behaviour in (memory.accesses if memory else ())
            if behaviour.access is not None
        }
        yield from transposed(reached, sample.nest.collapse, behaviours, skewed)
        yield from padded(longest.trace, reached, behaviours, skewed, sample.device.l2_line)
        if sample.nest.collapse > 1 and any(
            behaviour.pattern == "uncoalesced" for behaviour in behaviours.values()
        ):
            yield interchanged()
        yield from tiled(sample, skewed)
    yield from other_blocks(time.longest.layout, sample.device)


def _for_bounds(sample: NestSample, time: KernelTime) -> Iterator[RemedyCandidate]:
    """The remedies that apply to a kernel by model bounds, but for those of its loops."""
    longest = time.longest
    if longest.bound == LAUNCH:
        return
    launch = max(block_launches(sample), key=lambda each: each.launch.grid.threads).launch
    if launch.trace is not None and sample.trace is not None:
        skewed = skews(sample.trace)
        reached = arrays(launch.trace, skewed)
        yield from more_work(launch, reached, longest.behaviours)
        if longest.bound != BOUNDS["pipes"]:
            yield from transposed(reached, sample.nest.collapse, longest.behaviours, skewed)
            if sample.nest.collapse > 1 and any(
                behaviour.pattern == "uncoalesced" for behaviour in longest.behaviours.values()
            ):
                yield interchanged()
            yield from tiled(sample, skewed)
    yield from other_blocks(longest.layout, sample.device)
