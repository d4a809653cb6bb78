"""Loop detection: which nests are predicted, by directives or by the dependences they carry.

The hottest loop is named where it stays on the host.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from logca.common.errors import RegionError
from logca.gpu.loops.carried_dependences import Watched, watched
from logca.gpu.loops.choice import nest_at, parallel_nests
from logca.gpu.loops.directives import Directed, directed, passed_over
from logca.gpu.loops.offloadable_loops import (
    computes,
    computing,
    hot,
    offloadable_loops,
    only_reading,
    outermost,
)
from logca.gpu.loops.parallelism import Serial, judged, with_deeper
from logca.gpu.loops.privatisation import with_private_copies
from logca.gpu.loops.thread_loops import (
    iterations,
    obstacle,
    only_children,
)
from logca.gpu.nests.nest import Nest, PrivateCopy, work
from logca.gpu.program.workload import Workload
from logca.trace.ir.program import Program

__all__ = [
    "HostLoop",
    "Loops",
    "detected",
    "left_out",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class HostLoop:
    """A loop that stays on the host and executes more than all that goes to the GPU."""

    loop: int  # the loop [1]
    share: float  # its share of all executed instructions of the program [1]
    offloaded: float  # that of the loops that go to the GPU [1]
    note: str  # where it is, why it stays, and what can be done

    @property
    def words(self) -> str:
        """Words to print behind the kernels' time."""
        return (
            f"they execute {100 * self.offloaded:.2g} % of the instructions: the hottest loop "
            "stays on the host"
        )


def left_out(
    program: Program,
    counts: Sequence[int],
    nests: Sequence[Nest],
    tops: Collection[int],
    serial: Mapping[int, Serial],
    function: str | None = None,
) -> HostLoop | None:
    """The hottest loop that stays on the host, if it executes more than all nests; else None."""
    works = {nest.loop: work(program, counts, nest.loop) for nest in nests}
    inside = {
        loop.id: [n for n in works if program.loops[n].header in loop.blocks]
        for loop in program.loops
    }

    def rest(loop: int) -> int:
        return work(program, counts, loop) - sum(works[nest] for nest in inside[loop])

    calling = {
        loop
        for loop in outermost(program, counts, function)
        if obstacle(program, loop) and computes(program, counts, loop)
    }
    loop = max({*tops, *calling}, key=rest, default=None)
    if loop is None or rest(loop) <= sum(works.values()):
        return None
    while inside[loop]:
        within = [
            each.id
            for each in program.loops
            if each.parent == loop and iterations(program, counts, each.id) and each.id not in works
        ]
        if not within:
            break
        loop = max(within, key=rest)
    whole = sum(
        count * len(block.instructions)
        for count, block in zip(counts, program.blocks, strict=False)
    )
    share = rest(loop) / whole
    return HostLoop(
        loop=loop,
        share=share,
        offloaded=sum(works.values()) / whole,
        note=_left_out_words(program, loop, share, nests, serial, function),
    )


def _left_out_words(
    program: Program,
    number: int,
    share: float,
    nests: Sequence[Nest],
    serial: Mapping[int, Serial],
    function: str | None,
) -> str:
    loop = program.loops[number]
    found, calls = serial.get(number), obstacle(program, number)
    if found is not None:
        why, fix = f"it {found.why}", found.fix
    elif calls is not None:
        why, fix = calls.what, calls.fix
    else:
        why, fix = "its iterations cannot run in parallel", ""
    functions = {program.loops[nest.loop].source_function for nest in nests}
    if found is not None and found.countable:
        own = loop.source_function
        alone = function is None and own not in functions and not program.scops
        named = (
            f"`--function {own}`"
            if alone
            else "`#pragma logca offload` before the loop that is to be threads"
        )
        fix = f"{named} predicts it despite its dependences"
    return (
        f"the hottest loop, at line {loop.line} in {loop.source_function}, has "
        f"{100 * share:.3g} % of the executed instructions and stays on the host, which these "
        f"times leave out: {why}" + (f"; {fix}" if fix else "")
    )


_ALIKE = 1.25
"""Numbers of dependences are not exact, because of large arrays a share is watched [1]."""


_WARP = 32
"""Of loops that cannot run side by side anyway, one with fewer iterations fills no warp [1]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Loops:
    """The nests to predict, and why these."""

    workload: Workload  # the program, and how often everything is executed
    nests: tuple[Nest, ...]  # in program order
    notes: tuple[str, ...]  # what to say of the choice
    # the hottest loop, if it stays on the host and executes more than all nests; the first note
    # is about it
    left_out: HostLoop | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _LoopsInside:
    """The parallel nests in a hot loop, and its innermost serial loops."""

    top: int
    nests: tuple[Nest, ...]
    leaves: tuple[int, ...]


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
        loops = _directed(workload, marked) if marked.nests else _hottest(workload, function)
    except RegionError as error:
        raise RegionError(f"{error}; {ending}" if ending else str(error)) from None
    notes = [*loops.notes, *marked.notes, workload.executable.compiled.note, ending]
    return replace(loops, notes=tuple(dict.fromkeys(note for note in notes if note)))


def _directed(workload: Workload, marked: Directed) -> Loops:
    """The nests that directives name, with loops inside that nobody forbids to join them."""
    static = workload.static
    counts = workload.traced[: len(static.blocks)]
    there = workload.work[: len(static.blocks)]
    declared = {nest.loop: _declared_private(static, nest) for nest in marked.nests}
    deepened = {
        nest.loop
        for nest in marked.nests
        if nest.loop in marked.open and any(True for _ in only_children(static, nest.loops[-1]))
    }
    looked_at = [n.loop for n in marked.nests if n.loop in deepened or declared[n.loop]]
    if not looked_at:
        return Loops(workload=workload, nests=marked.nests, notes=())
    seen = watched(workload.executable, looked_at)
    known = judged(workload, {loop: seen[loop] for loop in deepened})
    unknown = {loop for loop, each in known.evidence.items() if each.kind == "unknown"}
    nests: list[Nest] = []
    notes: list[str] = []
    for nest in marked.nests:
        found = nest
        if nest.loop in deepened:
            closed = {*known.serial, *unknown} - set(nest.loops)
            found = nest_at(static, counts, there, nest.loop, closed, nest.reason)
        more = found.loops[len(nest.loops) :]
        if found.loops[: len(nest.loops)] == nest.loops and more:
            lines = " and ".join(str(static.loops[loop].line) for loop in more)
            said = f"with it the loop at line {lines}, which carries nothing either"
            nest = replace(nest, loops=found.loops, reason=f"{nest.reason}; {said}")
        if declared[nest.loop]:
            notes += _contradicted(static, nest, declared[nest.loop], seen[nest.loop])
        nest = replace(nest, private=declared[nest.loop])
        nests.append(with_deeper(static, nest, known.serial) if nest.loop in deepened else nest)
    return Loops(
        workload=with_private_copies(workload, nests), nests=tuple(nests), notes=tuple(notes)
    )


def _declared_private(static: Program, nest: Nest) -> tuple[PrivateCopy, ...]:
    """Memory that clauses of the directives make private, which is believed."""
    names = {name for loop in nest.loops for name in static.loops[loop].private}
    found = []
    for name in sorted(names):
        accesses = [each for each in static.accesses_of[nest.loop] if each.array == name]
        if accesses:
            found.append(
                PrivateCopy(
                    accesses=frozenset(each.id for each in accesses),
                    arrays=(name,),
                    size=0,
                    last=False,
                )
            )
    return tuple(found)


def _contradicted(
    static: Program, nest: Nest, private: Sequence[PrivateCopy], seen: Watched
) -> Iterator[str]:
    """Notes where the run passes on in a private variable what the clause says is not."""
    for copy in private:
        flows = [
            each
            for each in seen.carried
            if each.kind == "flow"
            and each.loop in nest.loops
            and {each.source.id, each.sink.id} <= copy.accesses
        ]
        for each in flows[:1]:
            yield (
                f"private({copy.arrays[0]}) at line {static.loops[nest.loop].line} is believed, "
                f"but line {each.sink.line} reads what another iteration wrote at line "
                f"{each.source.line}"
            )


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
    inside_tops = []
    for top in tops:
        recorded = None if seen[top].complete else seen[top].accesses
        found = parallel_nests(workload, top, known, recorded)
        own = with_private_copies(workload, found.nests).static
        inside = tuple(with_deeper(own, nest, serial) for nest in found.nests)
        inside_tops.append(_LoopsInside(top=top, nests=inside, leaves=found.leaves))
    main = computing(static, there, tops)
    kept = [loops for loops in inside_tops if loops.top in main]
    nests = tuple(nest for loops in kept for nest in loops.nests)
    beside = _beside(static, there, offloadable, inside_tops, main)
    if not nests:
        nest = _least_serial(workload, main, serial)
        reason = f"predicted despite its dependences: {serial[nest.loop].reason}"
        return Loops(workload=workload, nests=(nest,), notes=(reason, *beside))
    hosts = {*main, *only_reading(static, there, tops)}
    missing = left_out(static, there, nests, hosts, serial, function)
    notes = [] if missing is None else [missing.note]
    notes += [
        f"stays on the host: {serial[leaf].reason}"
        for loops in kept
        for leaf in loops.leaves
        if missing is None or serial[leaf].why not in missing.note
    ]
    return Loops(
        workload=with_private_copies(workload, nests),
        nests=nests,
        notes=tuple(dict.fromkeys([*notes, *beside])),
        left_out=missing,
    )


def _beside(
    static: Program,
    counts: Sequence[int],
    every: Sequence[int],
    found: Sequence[_LoopsInside],
    main: Sequence[int],
) -> list[str]:
    """Notes on parallel loops not predicted, and on directives if none is on a loop that runs."""
    told = list(passed_over(static))
    left = [nest.loop for each in found if each.top not in main for nest in each.nests]
    if left:
        told.append(
            "left out as preparation of data or inspection of results: loops at "
            + _places(static, left)
        )
    tops = {each.top for each in found}
    small = [loop for loop in computing(static, counts, every) if loop not in tops]
    if small:
        told.append(_too_small(static, counts, small))
    return told


def _places(static: Program, loops: Sequence[int]) -> str:
    return ", ".join(dict.fromkeys(f"line {static.loops[loop].line}" for loop in loops))


def _too_small(static: Program, counts: Sequence[int], loops: Sequence[int]) -> str:
    """Note on loops that execute next to nothing."""
    whole = sum(
        count * len(block.instructions) for count, block in zip(counts, static.blocks, strict=True)
    )
    share = 100 * sum(work(static, counts, loop) for loop in loops) / whole
    many = "1 loop is" if len(loops) == 1 else f"{len(loops)} loops are"
    return (
        f"{many} left out, with less than 1 % of the hottest one's instructions and {share:.2g} % "
        f"of all: {_places(static, loops)}"
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
            wide = [loop for loop in within if trips[loop] >= _WARP] or within
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
                "no loop has independent iterations; this one carries the fewest of the observed "
                "dependences",
            )
    reasons = [serial[top] for top in tops if top in serial]
    raise RegionError(
        "no loop can become threads: "
        + "; ".join(
            dict.fromkeys(each.reason + (f": {each.fix}" if each.fix else "") for each in reasons)
        )
    )
