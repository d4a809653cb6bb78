"""Why iterations of loops cannot run side by side, and inner loops whose iterations can.

``for i { for k for j C[i][j] += ...; }`` has a thread for each ``i``; with its inner loops
interchanged it has one for each ``i`` and ``j``.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod

from logca.gpu.devices.parameters import GpuDevice
from logca.gpu.loops.carried_dependences import Watched
from logca.gpu.nests.nest import Nest, uncountable, work
from logca.gpu.program.workload import Workload, collapsed_loops, extents_of
from logca.gpu.stages.dram import Behaviour
from logca.trace.ir.program import Loop, Program

__all__ = [
    "Serial",
    "deeper_note",
    "left_early",
    "serial_loops",
    "with_deeper",
]

_TO_THE_END = "let all of its iterations run, with a flag in the place of `break` or `return`"


@dataclass(frozen=True, slots=True, kw_only=True)
class Serial:
    """What makes a loop's iterations wait for each other."""

    line: int  # where it begins [1]
    why: str  # the first thing found, in words that follow "the loop"
    fix: str  # what would help, if it can be told
    countable: bool  # whether its iterations can be numbered as threads all the same
    # whether a register passes a value from one to the next that is no plain sum of theirs
    recurrent: bool
    dependences: int  # dependences through memory that were seen [1]

    @property
    def reason(self) -> str:
        """The first thing found, in a sentence."""
        return f"the loop at line {self.line} {self.why}"


def serial_loops(
    program: Program, edge_counts: Sequence[int], watched: Mapping[int, Watched]
) -> dict[int, Serial]:
    """The loops whose iterations cannot run side by side."""
    reasons: dict[int, list[str]] = {}
    seen: dict[int, int] = {}
    fixes: dict[int, str] = {}
    for loop in program.loops:
        why, fix = uncountable(program, loop) or (left_early(program, loop, edge_counts), "")
        if why:
            fixes[loop.id] = fix or _TO_THE_END
            reasons[loop.id] = [why]
        elif loop.carried:
            reasons[loop.id] = [f"carries {', '.join(loop.carried)}"]
    for nest, found in watched.items():
        for each in found.carried:
            array = each.sink.array or each.source.array or "memory"
            reasons.setdefault(each.loop, []).append(
                f"carries {array}, {each.kind} dependence from line {each.source.line} "
                f"to line {each.sink.line}"
            )
            # the last of n iterations has just begun, so that n - 2 were seen whole after another
            n = found.iterations if each.loop == nest else 0
            seen[each.loop] = seen.get(each.loop, 0) + round(
                each.count * ((n - 1) / (n - 2) if n > 2 else 1)
            )
        if not found.decided:
            reasons.setdefault(nest, []).append(
                f"is still in its first iteration after {found.accesses:,} accesses, so that "
                "nothing is known of what it carries"
            )
    return {
        loop: Serial(
            line=program.loops[loop].line,
            why=found[0],
            fix=fixes.get(loop, ""),
            countable=loop not in fixes,
            recurrent=any("recurrence" in each for each in program.loops[loop].carried),
            dependences=seen.get(loop, 0),
        )
        for loop, found in reasons.items()
    }


def left_early(program: Program, loop: Loop, edge_counts: Sequence[int]) -> str | None:
    """Where a run left the loop from its midst, besides where its condition ends it."""
    ends = {loop.header, *loop.latches}
    out = [
        edge
        for edge in program.edges
        if edge.source in loop.blocks and edge.target not in loop.blocks
    ]
    regular = any(edge.source in ends for edge in out)
    for edge in out:
        if edge_counts[edge.id] and edge.source not in ends and (regular or len(out) > 1):
            line = program.blocks[edge.source].last_line
            return f"is left early, at line {line}, which no thread can know"
    return None


_SHARE = 0.25
"""A loop with a smaller share of the kernel's instructions is not worth it [1]."""

_WARP = 32
"""Nor is one with fewer iterations: neighbours in a warp would be in different rows [1]."""


def with_deeper(program: Program, nest: Nest, serial: Mapping[int, Serial]) -> Nest:
    """A nest that knows the outermost loops inside its threads that carry nothing either."""
    own = {loop.id for loop in program.loops_of(nest.loop)}
    last = collapsed_loops(program, nest)[-1]
    found = (loop for loop in _parallel(program, last, serial) if _writes(program, loop, own))
    return replace(nest, deeper=tuple(found))


def deeper_note(
    load: Workload, nest: Nest, device: GpuDevice, behaviours: Mapping[int, Behaviour]
) -> str:
    """What more threads a kernel could have; nothing if it would not matter.

    It matters if the threads do not fill the device, or reach memory uncoalesced in such a loop.
    """
    static, counts = load.static, load.work[: len(load.static.blocks)]
    worth = [
        loop
        for loop in nest.deeper
        if work(static, counts, loop) >= _SHARE * work(static, counts, nest.loop)
        and load.trips(loop).mean >= _WARP
    ]
    if not worth:
        return ""
    loop = max(worth, key=lambda each: work(static, counts, each))
    extents = extents_of(load, nest)
    full = device.multiprocessors * device.max_threads
    few = prod(extents) < full
    uncoalesced = any(
        access.id in behaviours and behaviours[access.id].pattern == "uncoalesced"
        for access in static.accesses_of(loop)
    )
    if not (few or uncoalesced):
        return ""
    share = work(static, counts, loop) / work(static, counts, nest.loop)
    last = collapsed_loops(static, nest)[-1]
    between = static.chain_of(static.loops[loop].parent, last)[1:]
    lines = " and ".join(f"line {static.loops[each].line}" for each in between)
    around = f", with the serial loop at {lines} around it," if lines else ""
    return (
        f"the loop at line {static.loops[loop].line} carries nothing either and has "
        f"{100 * share:.0f} % of the instructions: in a kernel of its own{around} it would have "
        f"{_shape((*extents, load.trips(loop).mean))} threads; now there are {_shape(extents)}"
        + (f", fewer than the {full:,} that the device runs at a time" if few else "")
        + (", and they reach memory uncoalesced there" if uncoalesced else "")
    )


def _shape(extents: Sequence[float]) -> str:
    return " x ".join(f"{round(each):,}" for each in extents)


def _parallel(program: Program, loop: int, serial: Mapping[int, Serial]) -> Iterator[int]:
    """The outermost loops inside that carry nothing, behind no loop of an unknown end."""
    for inner in program.loops:
        if inner.parent != loop:
            continue
        if inner.id not in serial:
            yield inner.id
        elif serial[inner.id].countable:
            yield from _parallel(program, inner.id, serial)


def _writes(program: Program, loop: int, own: Collection[int]) -> bool:
    """Whether a loop writes what is not declared in the body of the nest."""
    return any(
        access.store and access.private_to not in own for access in program.accesses_of(loop)
    )
