"""Parts of the body of threads that may be kernels of their own, and what passes between them."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from logca.gpu.loops.thread_loops import (
    MAX_COLLAPSE,
    NARROW,
    left_early,
    only_children,
    uncountable,
)
from logca.gpu.prediction.nest_samples import NestSample
from logca.trace.ir.program import Program
from logca.trace.ir.subscripts import subscripts

__all__ = ["LoopPart", "handed_on", "parts_of", "turned"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopPart:
    """A part of the body of a nest's threads, as a kernel."""

    threads: tuple[int, ...]  # loops that become threads, outermost first [1]
    # its own loops, one in the other, outermost first; none of what stands in no loop [1]
    chain: tuple[int, ...]
    serial: tuple[int, ...]  # those of them that run inside each thread [1]
    blocks: frozenset[int]  # what it executes [1]
    accesses: frozenset[int]  # what it accesses [1]


def turned(part: LoopPart) -> LoopPart:
    """A part with its last two loops of threads exchanged."""
    *outer, second, first = part.threads if len(part.threads) > 1 else (-1, *part.threads)
    return replace(part, threads=tuple(n for n in (*outer, first, second) if n >= 0))


def parts_of(sample: NestSample) -> tuple[LoopPart, ...]:
    """Parts of the body of a nest's threads in program order; none if it has no loops."""
    static, nest = sample.workload.static, sample.nest
    counts = sample.workload.traced
    last = static.loops[nest.loops[-1]]
    inside = [
        loop
        for loop in static.loops
        if loop.parent == last.id and any(counts[latch] for latch in loop.latches)
    ]
    parts = []
    for loop in inside:
        chain = (loop.id, *only_children(static, loop.id))
        threads, serial = _threads(sample, chain)
        parts.append(
            LoopPart(
                threads=threads,
                chain=chain[: _end(static, chain)],
                serial=serial,
                blocks=loop.blocks,
                accesses=frozenset(
                    each.id
                    for each in static.accesses_of[loop.id]
                    if each.id not in sample.seen.plan.unmade
                ),
            )
        )
    rest = static.loops[nest.loop].blocks.difference(*(loop.blocks for loop in inside))
    left = frozenset(
        access.id
        for access in static.accesses_of[nest.loop]
        if access.block in rest and access.id not in sample.seen.plan.unmade
    )
    if parts and left:
        parts.append(LoopPart(threads=nest.loops, chain=(), serial=(), blocks=rest, accesses=left))
    return tuple(parts)


def _end(static: Program, chain: Sequence[int]) -> int:
    """So many loops of a chain have nothing but loads beside the next one [1]."""
    for place, (outer, inner) in enumerate(pairwise(chain), start=1):
        written = {each.array for each in static.accesses_of[inner] if each.store}
        beside = [
            each
            for each in static.accesses_of[outer]
            if each.block not in static.loops[inner].blocks
        ]
        if any(each.store or not each.array or each.array in written for each in beside):
            return place
    return len(chain)


def _threads(sample: NestSample, chain: Sequence[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Loops of a part that become threads with those of the nest; and those that do not."""
    static, nest = sample.workload.static, sample.nest
    usable = chain[: _end(static, chain)]
    edges = sample.workload.traced[len(static.blocks) :]
    own = {each.id for each in static.accesses_of[chain[0]]}
    carried = [each for each in sample.seen.carried if {each.source.id, each.sink.id} <= own]
    tied = {loop for each in carried for loop in (each.loop, *each.inside)}
    free = [
        loop
        for place, loop in enumerate(usable)
        if loop not in tied
        # a value in a register that one loop carries goes through all iterations of those inside
        and not any(static.loops[each].carried for each in usable[: place + 1])
        and uncountable(static, static.loops[loop]) is None
        and left_early(static, static.loops[loop], edges) is None
        and sample.workload.trips(loop, at_work_size=False).mean > 1
        and sample.workload.trips(loop).mean >= NARROW
    ][: MAX_COLLAPSE - nest.collapse]
    return (*nest.loops, *free), tuple(loop for loop in usable if loop not in free)


def _registers_between(static: Program, parts: Sequence[LoopPart]) -> list[str]:
    """Registers that lead from one part to another."""
    function = static.loops[parts[0].threads[0]].function
    found = []
    for value in static.values:
        if value.function != function or value.type == "ptr":
            continue
        home = next((part for part in parts if value.defined_in in part.blocks), None)
        # what a part without loops defines is computed again in each kernel where it is a counter
        if home is None or not home.chain:
            continue
        if any(
            block in part.blocks for part in parts if part is not home for block in value.used_in
        ):
            found.append(value.name.split(".")[0])
    return list(dict.fromkeys(found))


def handed_on(sample: NestSample, parts: Sequence[LoopPart]) -> list[str] | None:
    """Names of what a thread hands from one part to another; None if it cannot well be kept.

    That are registers, and memory of the thread's own. If a serial loop goes through the latter, it
    would do so in the memory of the device, and take a time that is not known here.
    """
    static = sample.workload.static
    own = {*static.chain_of(sample.nest.loops[-1])}
    private = [
        {site for site in part.accesses if static.accesses[site].private_to in own}
        for part in parts
    ]
    users = Counter(name for sites in private for name in {_name(static, site) for site in sites})
    shared = {name for name, number in users.items() if number > 1}
    between = [{site for site in sites if _name(static, site) in shared} for sites in private]
    if any(between):
        ir = sample.workload.executable.compiled.ir
        known = subscripts(ir, static, sorted(set().union(*between)))
        for part, sites in zip(parts, between, strict=True):
            levels = [len(static.chain_of(loop)) - 1 for loop in part.serial]
            if any(known[site].steps[level] != 0 for site in sites for level in levels):
                return None
    names = [*_registers_between(static, parts), *(array for array, _ in sorted(shared))]
    return list(dict.fromkeys(name or "scratch memory" for name in names))


def _name(static: Program, site: int) -> tuple[str, str]:
    return static.accesses[site].array, static.accesses[site].function
