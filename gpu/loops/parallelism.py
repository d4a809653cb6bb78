"""Why iterations of loops cannot run side by side, and inner loops whose iterations can.

``for i { for k for j C[i][j] += ...; }`` has a thread for each ``i``; with its inner loops
interchanged it has one for each ``i`` and ``j``.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from logca.gpu.loops.carried_dependences import Watched
from logca.gpu.loops.evidence import evidence_of
from logca.gpu.loops.privatisation import private_copies
from logca.gpu.loops.reductions import gathered
from logca.gpu.loops.same_values import written_alike
from logca.gpu.loops.thread_loops import iterations, left_early, uncountable
from logca.gpu.nests.nest import Evidence, Nest, PrivateCopy, Reduction
from logca.gpu.nests.thread_dependences import Carried
from logca.gpu.program.workload import Workload
from logca.trace.ir.program import Loop, Program
from logca.trace.ir.subscripts import subscripts

__all__ = [
    "Judged",
    "Serial",
    "judged",
    "with_deeper",
]

_TO_THE_END = "let all of its iterations run, with a flag in the place of `break` or `return`"


@dataclass(frozen=True, slots=True, kw_only=True)
class Serial:
    """The reason why iterations of a loop wait for each other."""

    line: int  # where it begins [1]
    why: str  # the first thing found, in words that follow "the loop"
    fix: str  # what would help, if it can be told
    countable: bool  # whether its iterations can be numbered as threads all the same
    # whether a register passes a value from one to the next that is no plain sum of theirs
    recurrent: bool
    dependences: int  # dependences through memory that were seen [1]
    gathers: bool = False  # whether it carries sums and their kin alone

    @property
    def reason(self) -> str:
        """The first thing found, in a sentence."""
        return f"the loop at line {self.line} {self.why}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """The loops in hot nests as they were judged."""

    serial: Mapping[int, Serial]  # those whose iterations cannot run side by side, and why
    evidence: Mapping[int, Evidence]  # of the others what tells that theirs can
    private: Mapping[int, Sequence[PrivateCopy]]  # what iterations need copies of for that
    # what iterations gather, of the serial loops that carry nothing else
    gathered: Mapping[int, Sequence[Reduction]]
    # stores of several iterations to the same places, of the loops that were seen to write the same
    # values there and carry nothing else [1]
    alike: Mapping[int, frozenset[int]]
    # most, begun: most iterations of one entry of each loop that were recorded, and all of them [1]
    most: Mapping[int, int]
    begun: Mapping[int, int]


def judged(workload: Workload, watched: Mapping[int, Watched]) -> Judged:
    """Evidence on loops: that their iterations can run side by side, or why they cannot."""
    static = workload.static
    counts, edges = workload.traced[: len(static.blocks)], workload.traced[len(static.blocks) :]
    private: dict[int, Sequence[PrivateCopy]] = {}
    for found in watched.values():
        again = {each.loop for each in found.carried if each.kind != "flow"}
        for loop in static.loops_of[found.nest]:
            once = iterations(static, counts, loop.id) and found.most.get(loop.id, 0) < 2
            if once or loop.id in again:
                private[loop.id] = private_copies(workload, found, loop.id)
    serial = _serial_loops(static, edges, watched, private)
    alike = _writing_alike(workload, watched, serial, private)
    serial = {loop: each for loop, each in serial.items() if loop not in alike}
    evidence: dict[int, Evidence] = {}
    for found in watched.values():
        loops = [
            loop.id
            for loop in static.loops_of[found.nest]
            if loop.id not in serial and iterations(static, counts, loop.id)
        ]
        evidence |= evidence_of(workload, found, loops, private)
    for number, told in evidence.items():
        if told.carries:
            serial[number] = Serial(
                line=static.loops[number].line,
                why=told.carries,
                fix="",
                countable=True,
                recurrent=False,
                dependences=1,
            )
    gathers: dict[int, Sequence[Reduction]] = {}
    for found in watched.values():
        loops = [
            loop.id
            for loop in static.loops_of[found.nest]
            if loop.id in serial and serial[loop.id].countable and found.decided
        ]
        gathers |= gathered(workload, found, loops, lambda each: _needless(each, private))
    serial |= {loop: replace(serial[loop], gathers=True) for loop in gathers}
    return Judged(
        serial=serial,
        evidence=evidence,
        private=private,
        gathered=gathers,
        alike=alike,
        most={loop: most for found in watched.values() for loop, most in found.most.items()},
        begun={loop: each for found in watched.values() for loop, each in found.begun.items()},
    )


def _writing_alike(
    workload: Workload,
    watched: Mapping[int, Watched],
    serial: Mapping[int, Serial],
    private: Mapping[int, Sequence[PrivateCopy]],
) -> dict[int, frozenset[int]]:
    """Serial loops that only write places again, always the same values; and those stores."""
    wanted: dict[int, tuple[int, frozenset[int]]] = {}
    for nest, found in watched.items():
        for loop in workload.static.loops_of[nest]:
            if loop.id not in serial or not serial[loop.id].countable or loop.carried:
                continue
            left = [
                each
                for each in found.carried
                if each.loop == loop.id and not _needless(each, private)
            ]
            if left and found.decided and all(each.kind == "output" for each in left):
                sites = frozenset(end.id for each in left for end in (each.source, each.sink))
                if not _repeats(workload, loop, sites):
                    wanted[loop.id] = (nest, sites)
    known = written_alike(workload.executable, wanted)
    return {loop: wanted[loop][1] for loop in known}


def _repeats(workload: Workload, loop: Loop, sites: Collection[int]) -> bool:
    """True if a loop does the same again and again, as one around a benchmark.

    All that its iterations write are places in loops inside, which are the same ones each time.
    """
    static = workload.static
    inside = {each.id for each in static.loops_of[loop.id]}
    stores = [
        each
        for each in static.accesses_of[loop.id]
        if each.store and workload.traced[each.block] and each.private_to not in inside
    ]
    if any(each.id not in sites for each in stores):
        return False
    known = subscripts(workload.executable.compiled.ir, static, sorted(sites))
    level = len(static.chain_of(loop.id)) - 1
    return all(
        site in known and known[site].steps[level] == 0 and any(known[site].steps[level + 1 :])
        for site in sites
    )


def _needless(each: Carried, private: Mapping[int, Sequence[PrivateCopy]]) -> bool:
    """True of a dependence that copies of each iteration's own take away."""
    return each.kind != "flow" and any(
        {each.source.id, each.sink.id} <= copy.accesses for copy in private.get(each.loop, ())
    )


def _serial_loops(
    program: Program,
    edge_counts: Sequence[int],
    watched: Mapping[int, Watched],
    private: Mapping[int, Sequence[PrivateCopy]],
) -> dict[int, Serial]:
    """The loops whose iterations cannot run side by side, as far as was seen."""
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
            if _needless(each, private):
                continue
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


def with_deeper(program: Program, nest: Nest, serial: Mapping[int, Serial]) -> Nest:
    """A nest that knows the outermost loops inside its threads that carry nothing either."""
    own = {loop.id for loop in program.loops_of[nest.loop]}
    found = (
        loop for loop in _parallel(program, nest.loops[-1], serial) if _writes(program, loop, own)
    )
    return replace(nest, deeper=tuple(found))


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
    """True if a loop writes data that are not declared in the body of the nest."""
    return any(
        access.store and access.private_to not in own for access in program.accesses_of[loop]
    )
