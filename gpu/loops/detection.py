"""Loop detection: which nests are predicted, by directives or by the dependences they carry."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from logca.common.errors import RegionError
from logca.gpu.loops.carried_dependences import watched
from logca.gpu.loops.choice import nest_at, parallel_nests, too_brief
from logca.gpu.loops.directed_nests import directed_nests
from logca.gpu.loops.directives import directed, passed_over
from logca.gpu.loops.host_parts import ProgramShares, WhyOnHost, shares
from logca.gpu.loops.offloadable_loops import computes, computing, hot, offloadable_loops, reads
from logca.gpu.loops.parallelism import Serial, judged, with_deeper
from logca.gpu.loops.privatisation import with_private_copies
from logca.gpu.loops.reductions import declared, reduction_words, with_hottest
from logca.gpu.loops.thread_loops import WARP, obstacle
from logca.gpu.nests.nest import Nest, whole_work, work
from logca.gpu.program.work_size_extrapolation import ScalingError, program_shape
from logca.gpu.program.workload import Workload
from logca.trace.ir.program import Program

__all__ = [
    "LoopChoice",
    "Loops",
    "chosen_as_before",
    "detected",
]


_ALIKE = 1.25
"""Numbers of dependences are not exact, because of large arrays a share is watched [1]."""


_BEST = {
    True: "this one only gathers values, if in short launches",
    False: "this one carries the fewest of the observed dependences",
}
_BRIEF = (
    "which is entered {:,} times for less than a warp of iterations and 20 µs of the host each time"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopChoice:
    """The nests to predict, and why these, at whatever size."""

    nests: tuple[Nest, ...]  # in program order
    notes: tuple[str, ...]  # what to say of the choice
    why_on_host: WhyOnHost  # why others are not among them
    shape: str  # that of the program, as of `program_shape`


@dataclass(frozen=True, slots=True, kw_only=True)
class Loops:
    """The nests to predict, in a program at a size."""

    workload: Workload  # the program, and how often everything is executed
    choice: LoopChoice  # the nests, and why these
    shares: ProgramShares  # how much of the program they are, and what stays on the host

    @property
    def nests(self) -> tuple[Nest, ...]:
        """The nests, in program order."""
        return self.choice.nests

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes on the choice."""
        return self.choice.notes


def chosen_as_before(workload: Workload, choice: LoopChoice) -> Loops:
    """The nests that were chosen in the same program at another size, but for those not entered.

    A `ScalingError` if it has other blocks or loops here, as a macro chooses between them.
    """
    if program_shape(workload.executable) != choice.shape:
        raise ScalingError(
            "the program has other blocks at this size than where its loops were chosen, because a "
            "macro chooses between pieces of code: look at sizes that have the same"
        )
    static, there = workload.static, workload.work[: len(workload.static.blocks)]
    iterating = tuple(
        nest
        for nest in choice.nests
        if all(
            workload.trips(loop, at_work_size=at).iterations
            for loop in nest.loops
            for at in (True, False)
        )
    )
    choice = replace(choice, nests=iterating)
    return Loops(
        workload=with_private_copies(workload, iterating),
        choice=choice,
        shares=shares(static, there, iterating, choice.why_on_host),
    )


def detected(workload: Workload, function: str | None = None) -> Loops:
    """The nests to predict.

    Loops that only write, or only read, are left out (they prepare data or inspect results) where
    there are others that do both. If none of these others can run its iterations side by
    side, the one that was seen to carry the fewest dependences is predicted as if it could.
    """
    static, ending = workload.static, workload.ending
    counts, edges = workload.traced[: len(static.blocks)], workload.traced[len(static.blocks) :]
    try:
        marked = directed(static, counts, edges, function)
        found = directed_nests(workload, marked) if marked.nests or marked.free else None
        if found is None or not found.nests:
            loops = _hottest(workload, function)
        else:
            loops = _chosen(
                workload, found.nests, found.notes, found.serial, function, marked.refused
            )
    except RegionError as error:
        hint = f"; {ending}; --arg and --stdin give it what it reads" if ending else ""
        raise RegionError(f"{error}{hint}") from None
    notes = [*loops.notes, *marked.notes, workload.executable.compiled.note, ending]
    told = tuple(dict.fromkeys(note for note in notes if note))
    return replace(loops, choice=replace(loops.choice, notes=told))


def _chosen(
    workload: Workload,
    nests: Sequence[Nest],
    notes: Sequence[str],
    serial: Mapping[int, Serial],
    function: str | None,
    refused: Mapping[int, str] | None = None,
    brief: Mapping[int, str] | None = None,
) -> Loops:
    """The choice, with the share that it is of the program at the work size.

    Of directives the loops are to be given that they mark in vain, and else those whose launches
    are too short, each with the reason.
    """
    static = workload.static
    gathering = [
        nest if nest.reductions else replace(nest, reductions=declared(static, nest))
        for nest in nests
    ]
    nests = [
        replace(nest, reason=f"{reduction_words(nest.reductions)}; {nest.reason}")
        if nest.reductions
        else nest
        for nest in with_hottest(workload.executable, gathering)
    ]
    why = WhyOnHost(serial=serial, function=function, refused=refused, brief=brief or {})
    choice = LoopChoice(
        nests=tuple(nests),
        notes=tuple(dict.fromkeys(notes)),
        why_on_host=why,
        shape=program_shape(workload.executable),
    )
    return chosen_as_before(workload, choice)


def _hottest(workload: Workload, function: str | None) -> Loops:
    """The hottest loops that compute, as far as their iterations can run side by side."""
    static = workload.static
    counts = workload.traced[: len(static.blocks)]
    there = workload.work[: len(static.blocks)]
    offloadable = offloadable_loops(static, counts, function)
    tops = hot(static, there, offloadable)
    seen = watched(workload.executable, tops)
    known = judged(workload, seen)
    serial = known.serial
    main = computing(static, there, tops)
    within: dict[int, tuple[Nest, ...]] = {}
    told: dict[int, str] = {}
    for top in tops:
        recorded = None if seen[top].complete else seen[top].accesses
        found = parallel_nests(workload, top, known, recorded)
        own = with_private_copies(workload, found).static
        within[top] = tuple(with_deeper(own, nest, serial) for nest in found)
    nests = _worth(static, there, within, main)
    brief = [nest for nest in nests if too_brief(workload, nest)]
    kept = {static.chain_of(nest.loop)[0] for nest in nests if nest not in brief}
    # beside others in the same loop its data are on the GPU already
    brief = [nest for nest in brief if static.chain_of(nest.loop)[0] not in kept]
    if len(brief) < len(nests):
        nests = tuple(nest for nest in nests if nest not in brief)
        told = {nest.loop: _BRIEF.format(workload.trips(nest.loop).entries) for nest in brief}
    beside = _beside(static, there, offloadable, tops)
    if not nests:
        nests = (_least_serial(workload, main, serial),)
    beside += _allocating(static, nests)
    return _chosen(workload, nests, beside, serial, function, brief=told)


def _worth(
    static: Program,
    counts: Sequence[int],
    within: Mapping[int, Sequence[Nest]],
    main: Collection[int],
) -> tuple[Nest, ...]:
    """The nests in loops that compute; or of every loop, if all gather.

    A loop that reads and leaves nothing but a sum inspects results where others compute, be they
    serial; where none does, it is what the program is for, and loops that only write prepare its
    data.
    """
    nests = [nest for top in main for nest in within[top]]
    gathering = [nest for inside in within.values() for nest in inside if nest.reductions]
    if (
        gathering
        and not any(computes(static, counts, top) for top in main)
        and not any(reads(static, counts, nest.loop) for nest in nests if not nest.reductions)
    ):
        nests = gathering
    return tuple(sorted(nests, key=lambda nest: nest.loop))


def _beside(
    static: Program, counts: Sequence[int], every: Sequence[int], tops: Sequence[int]
) -> list[str]:
    """Notes on loops too small to be predicted, and on directives before no loop that runs."""
    told = list(passed_over(static))
    small = [loop for loop in computing(static, counts, every) if loop not in tops]
    if small:
        told.append(_too_small(static, counts, small))
    return told


def _allocating(static: Program, nests: Sequence[Nest]) -> Iterator[str]:
    """Notes on loops around that could be threads but for the memory that they ask for."""
    around = {loop: None for nest in nests for loop in static.chain_of(nest.loop)[:-1]}
    for loop in around:
        calls = obstacle(static, loop)
        if calls is not None and calls.allocates:
            line = static.loops[loop].line
            yield f"not threads: the loop at line {line}, as {calls.what}; {calls.fix}"


def _too_small(static: Program, counts: Sequence[int], loops: Sequence[int]) -> str:
    """Note on loops that execute next to nothing."""
    executed = sum(work(static, counts, loop) for loop in loops)
    share = 100 * executed / whole_work(static, counts)
    places = ", ".join(dict.fromkeys(f"line {static.loops[loop].line}" for loop in loops))
    many = "1 loop is" if len(loops) == 1 else f"{len(loops)} loops are"
    return (
        f"{many} left out, with less than 1 % of the hottest one's instructions and {share:.2g} % "
        f"of all: {places}"
    )


def _least_serial(workload: Workload, tops: Sequence[int], serial: Mapping[int, Serial]) -> Nest:
    """The loop that carries the fewest dependences of those in which most of the work is."""
    static = workload.static
    counts, there = (
        executions[: len(static.blocks)] for executions in (workload.traced, workload.work)
    )
    order = sorted(
        tops,
        key=lambda top: (not computes(static, there, top), -work(static, there, top)),
    )
    for top in order:
        most = work(static, there, top) / 2
        within = [
            loop.id
            for loop in static.loops_of[top]
            if loop.id in serial
            and serial[loop.id].countable
            and work(static, there, loop.id) >= most
        ]
        if within:
            trips = {loop: workload.trips(loop).mean for loop in within}
            wide = [loop for loop in within if trips[loop] >= WARP] or within
            plain = [loop for loop in wide if not serial[loop].recurrent] or wide
            few = _ALIKE * min(serial[loop].dependences for loop in plain)
            alike = [loop for loop in plain if serial[loop].dependences <= few]
            best = min(alike, key=lambda loop: static.loops[loop].depth)
            worse = serial.keys() - set(alike)
            return nest_at(
                static,
                counts,
                there,
                best,
                worse,
                f"no loop has independent iterations; {_BEST[serial[best].gathers]}",
                {},
            )
    reasons = [serial[top] for top in tops if top in serial]
    raise RegionError(
        "no loop can become threads: "
        + "; ".join(
            dict.fromkeys(each.reason + (f": {each.fix}" if each.fix else "") for each in reasons)
        )
    )
