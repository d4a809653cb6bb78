"""The bottleneck of a kernel, and the access that costs most of it.

Where memory hides the computation, the time is as many departure delays as there are memory
instructions, and no latencies (`departure_bound_cycles` of `logca.derive.cgpredict.crossover`);
only where there are too few warps for that are latencies what is waited for.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from logca.common.readable_numbers import duration
from logca.gpu.devices.parameters import GpuDevice
from logca.gpu.stages.launches_in_sequence import LaunchTime
from logca.gpu.stages.models import Model
from logca.gpu.stages.timing import ClassLatency, latency
from logca.gpu.stages.transactions import PATTERNS, Behaviour, Memory
from logca.gpu.stages.unit_bounds import ATOMIC, COMBINING, LAUNCH, LaunchBounds
from logca.numeric.generated import cgpredict

__all__ = ["Binding", "Cost", "binding"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """Cost of a static access to a warp."""

    access: int  # the static access [1]
    # delay, latency: departure delays and latencies of all of its executions [cycles]
    delay: float
    latency: float
    # whether its departure delay is that of main memory rather than that of the L2 cache
    dram: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Binding:
    """The bottleneck of a launch, and the access that costs most of it."""

    # "computation", "latency", "DRAM departures", "L2 departures", "bandwidth", "launch overhead"
    # or, of a kernel in tiles, "tiles"; by model bounds the words of its bound
    kind: str
    words: str  # the same in a sentence
    access: int | None  # the static access that costs most of it [1]
    share: float  # its share: of the departure delays, of the latencies or of the bytes [1]
    of: str  # of which of them


def binding(result: LaunchTime, device: GpuDevice, model: Model) -> Binding:
    """The bottleneck of a launch."""
    if result.bounds is not None:
        return _of_units(result.bounds)
    timing = result.of_warps
    counts = {**result.executed.memory, **result.executed.loads}
    costs = _costs(result.memory, counts, device, model)
    if timing.bound not in ("memory", "computation"):
        most = max(result.shared, key=lambda each: each.transactions, default=None)
        conflicts = most is not None and most.transactions > 1
        words = str(timing.bound)
        if conflicts and most is not None:
            words += f"; banks conflict, {most.transactions:.3g} at a time"
        return Binding(
            kind="tiles",
            words=words,
            access=most.access if conflicts and most is not None else None,
            share=1.0 if conflicts else 0.0,
            of="bank conflicts",
        )
    if result.bound == "launch overhead":
        return _without("launch overhead", "the launch itself takes longer than the kernel")
    if result.bound == "bandwidth":
        access, share = _most({each.access: _bytes(result, counts, each) for each in costs})
        words = f"bandwidth of main memory: its bytes at {device.bandwidth / 1e9:.4g} GB/s"
        return Binding(kind="bandwidth", words=words, access=access, share=share, of="bytes")
    if timing.bound == "computation" or not costs:
        return _without("computation", _computation_words(result))
    if timing.mwp >= timing.active_warps:
        access, share = _most({each.access: each.latency for each in costs})
        words = (
            f"latency of memory: all {timing.active_warps} active warps wait at once, and memory "
            f"could serve {timing.mwp_full:.4g} (MWP is N)"
        )
        return Binding(kind="latency", words=words, access=access, share=share, of="latencies")
    access, share = _most({each.access: each.delay for each in costs})
    behind = sum(each.delay for each in costs if each.dram)
    dram = 2 * behind >= sum(each.delay for each in costs)
    return Binding(
        kind="DRAM departures" if dram else "L2 departures",
        words=_departure_words(result, counts, costs, dram),
        access=access,
        share=share,
        of="departure delays",
    )


_ASKED = {
    "main_memory": ("missed", "missed sectors"),
    "l2": ("missed", "missed sectors"),
    "l2_slices": ("sectors", "sectors"),
    "stores": ("sectors", "stored sectors"),
    "l1": ("wavefronts", "cycles of L1"),
    "latency": ("missed_groups", "waits for L2"),
}
"""Demand of accesses on each unit: a column of `SiteCounts`, and its words."""


def _of_units(found: LaunchBounds) -> Binding:
    """The bottleneck of a launch by the unit that takes longest, and the most it can gain."""
    if found.bound in (LAUNCH, COMBINING, ATOMIC):
        words = {
            LAUNCH: "the launch itself takes longer than the kernel",
            COMBINING: "combining the partial results of the threads",
            ATOMIC: "updates of the same element, one after the other",
        }[found.bound]
        return _without(found.bound, words)
    unit, least = max(found.bounds.items(), key=lambda pair: pair[1])
    words = (
        f"{found.bound}: {duration(least)} of {duration(found.time_s)}; without this bound "
        f"{duration(found.without_s)}, {found.time_s / found.without_s:.3g} times as fast"
        + (f", bound by {found.next}" if found.next else "")
    )
    column, of = _ASKED.get(unit, ("", ""))
    stored = unit == "stores"
    costs = {
        site.access: getattr(site, column)
        for site in found.sites
        if column and (not stored or site.store)
    }
    access, share = _most(costs)
    return Binding(kind=found.bound, words=words, access=access, share=share, of=of)


def _costs(
    found: Memory | None, counts: Mapping[int, float], device: GpuDevice, model: Model
) -> tuple[Cost, ...]:
    costs = []
    for each in found.accesses if found else ():
        count = counts.get(each.access, 0.0) if each.access is not None else 0.0
        if not count or each.access is None:
            continue
        own = _alone(each, count, device, model)
        cached = _alone(replace(each, dram=0.0, missing=0.0), count, device, model)
        costs.append(
            Cost(
                access=each.access,
                delay=count * own.delay,
                latency=count * own.latency,
                dram=own.delay > cached.delay,
            )
        )
    return tuple(costs)


def _alone(each: Behaviour, count: float, device: GpuDevice, model: Model) -> ClassLatency:
    """An access as a class of its own."""
    memory = Memory(classes=(each,), accesses=(each,))
    counts = dict.fromkeys(PATTERNS, 0.0) | {each.pattern: count}
    found = latency(memory, counts, device, transactions=model.transactions)
    return next(own for own in found.classes if own.pattern == each.pattern)


def _bytes(result: LaunchTime, counts: Mapping[int, float], cost: Cost) -> float:
    found = result.memory.accesses if result.memory else ()
    return sum(counts[cost.access] * each.dram for each in found if each.access == cost.access)


def _most(costs: Mapping[int, float]) -> tuple[int | None, float]:
    total = sum(costs.values())
    if not total:
        return None, 0.0
    access = max(costs, key=lambda each: costs[each])
    return access, costs[access] / total


def _without(kind: str, words: str) -> Binding:
    return Binding(kind=kind, words=words, access=None, share=0.0, of="")


def _computation_words(result: LaunchTime) -> str:
    timing = result.of_warps
    return (
        f"computation: other warps compute while one waits for memory (CWP {timing.cwp:.4g} is "
        f"below MWP {timing.mwp:.4g})"
    )


def _departure_words(
    result: LaunchTime, counts: Mapping[int, float], costs: tuple[Cost, ...], dram: bool
) -> str:
    timing = result.of_warps
    count = sum(counts.values())
    mean = timing.cycles_memory / count
    delay = mean / timing.mwp  # eq. 13; MWP is less than N here
    threshold = float(
        cgpredict.crossover_delay(
            latency_mean=mean,
            cycles_memory=timing.cycles_memory,
            cycles_computation=timing.cycles_computation,
        )
    )
    share = (
        float(
            cgpredict.departure_bound_cycles(
                instructions_memory=count,
                active_warps=timing.active_warps,
                latency_mean=mean,
                delay_mean=delay,
                cycles_computation=0.0,
                batch=timing.batches,
            )
        )
        / timing.cycles
    )
    where = "main memory" if dram else "the L2 cache"
    return (
        f"transactions of {where}: each access delays the next warp's by {delay:.4g} "
        f"cycles (departure delay), so that {timing.mwp:.4g} of {timing.active_warps} warps are "
        f"served at a time. These delays are {share:.0%} of the time; below {threshold:.3g} cycles "
        "computation would be the bottleneck"
    )
