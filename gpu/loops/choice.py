"""From a loop inwards: the loops that become threads, as a person would choose them.

The outermost loops whose iterations do not depend on each other, with those perfectly nested in
them; or loops inside, launched again and again, where those have so many more threads that it
pays.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from math import prod

from logca.gpu.loops.parallelism import Judged
from logca.gpu.loops.thread_loops import (
    MAX_COLLAPSE,
    NARROW,
    WARP,
    iterations,
    only_children,
    perfect,
    uncountable,
)
from logca.gpu.nests.nest import Evidence, Nest, work
from logca.gpu.program.workload import Workload
from logca.trace.ir.program import Program

__all__ = ["nest_at", "parallel_nests", "too_brief", "writing_alike"]

_LAUNCH = 5e-6
"""A launch takes a few microseconds on any GPU [s]."""

_RATE = 3e7
"""Instructions of a thread that waits for its memory, some 30 cycles each [1/s]."""

_FULL = 2048
"""So many threads fill the smallest of GPUs, one multiprocessor [1]."""

_HOST_RATE = 1e9
"""Instructions of a thread of the host [1/s]."""

_PAYS = 4
"""By so much another choice than the outermost loops must be faster by this estimate [1]."""


def parallel_nests(
    workload: Workload, top: int, known: Judged, accesses: int | None = None
) -> tuple[Nest, ...]:
    """From a loop inwards the first parallel ones that a person would take.

    A loop of which nothing is known stands back behind loops inside it that iterated. If not all
    accesses were recorded, so many were.
    """
    serial, evidence = known.serial, known.evidence
    program = workload.static
    counts, there = (each[: len(program.blocks)] for each in (workload.traced, workload.work))
    if iterations(program, counts, top) == 0:
        return ()
    inside = [each.id for each in program.loops if each.parent == top]
    nests = tuple(
        nest for each in inside for nest in parallel_nests(workload, each, known, accesses)
    )
    if top in serial:
        gathering = _gathering(workload, top, known, nests)
        return nests if gathering is None else (gathering,)
    nests = tuple(nest for nest in nests if not nest.reductions)
    unknown = {loop for loop, each in evidence.items() if each.kind == "unknown"}
    own = _told(
        program,
        nest_at(program, counts, there, top, {*serial, *unknown} - {top}, "", evidence),
        known,
        accesses,
    )
    if nests and (top in unknown or _estimate(workload, own, nests)):
        return nests
    return (own,)


def _short(workload: Workload, loop: int) -> bool:
    """True if a loop is entered again and again, for less than a launch of it would take."""
    counts = workload.work[: len(workload.static.blocks)]
    entries = workload.trips(loop).entries
    each_time = work(workload.static, counts, loop) / max(1, entries)
    return entries > 1 and each_time < _PAYS * _LAUNCH * _HOST_RATE


def too_brief(workload: Workload, nest: Nest) -> bool:
    """True if a nest is launched for less than a warp and a few microseconds of the host."""
    threads = prod(workload.trips(loop).mean for loop in nest.loops)
    return threads < WARP and _short(workload, nest.loop)


def _gathering(workload: Workload, top: int, known: Judged, inside: Sequence[Nest]) -> Nest | None:
    """The nest of a serial loop that only gathers values; None where a person would not take it.

    That is where loops inside are threads already, and where it is launched for next to nothing.
    """
    found, program = known.gathered.get(top), workload.static
    if found is None:
        return None
    counts, there = (each[: len(program.blocks)] for each in (workload.traced, workload.work))
    if _short(workload, top):
        return None
    for nest in inside:
        threads = prod(workload.trips(loop).mean for loop in nest.loops)
        if not nest.reductions and threads >= WARP:
            return None
    names = {each.name for each in found}
    joining = {loop for loop, own in known.gathered.items() if {each.name for each in own} <= names}
    nest = nest_at(program, counts, there, top, known.serial.keys() - joining, "", known.evidence)
    recorded = [loop for loop in nest.loops if loop in known.most]
    seen = f": {_seen(known, recorded)}" if recorded else ""
    return replace(
        nest,
        reason=f"its iterations pass on nothing else{seen}",
        private=tuple(known.private.get(top, ())),
        reductions=tuple(found),
    )


def _told(program: Program, nest: Nest, known: Judged, accesses: int | None) -> Nest:
    """A nest with what tells that its loops are independent, and the copies of its threads."""
    evidence = tuple(_evidence(nest, loop, known) for loop in nest.loops)
    private = dict.fromkeys(copy for loop in nest.loops for copy in known.private.get(loop, ()))
    kinds = [each.kind for each in evidence]
    seen = [loop for loop, each in zip(nest.loops, evidence, strict=True) if each.kind == "seen"]
    part = f" of the first {accesses:,} accesses" if accesses is not None else ""
    words = {
        "seen": f"{_seen(known, seen)}{part}" if seen else "",
        "subscripts": "by their subscripts",
        "unknown": "as far as one iteration shows",
    }
    why = ", ".join(words[kind] for kind in dict.fromkeys(kinds) if kind in words)
    first = "outermost loop; " if program.loops[nest.loop].parent is None else ""
    own = sorted({array for copy in private for array in copy.arrays})
    copies = f"; each thread has its own {', '.join(own) or 'scratch memory'}" if private else ""
    if any(copy.last for copy in private):
        copies += ", of which what the last one leaves may be read afterwards"
    return writing_alike(
        program,
        replace(
            nest,
            reason=f"{first}its iterations do not depend on each other: {why}{copies}",
            evidence=evidence,
            private=tuple(private),
        ),
        known,
    )


def _evidence(nest: Nest, loop: int, known: Judged) -> Evidence:
    """The evidence on a loop of a nest; where there is none, it iterates once."""
    found = known.evidence.get(loop)
    if found is None or found.carries or (found.kind == "unknown" and loop != nest.loop):
        return Evidence(kind="once", iterations=1)
    return found


def writing_alike(program: Program, nest: Nest, known: Judged) -> Nest:
    """A nest that tells of places to which several threads write the same values."""
    sites = {site for loop in nest.loops for site in known.alike.get(loop, ())}
    if not sites:
        return nest
    names = dict.fromkeys(program.accesses[site].array or "memory" for site in sorted(sites))
    said = f"several iterations write the same places of {', '.join(names)}, always the same values"
    return replace(nest, reason=f"{nest.reason}; {said}", alike=frozenset(sites))


def _seen(known: Judged, loops: Sequence[int]) -> str:
    """Words on the iterations that were recorded, those along x first; of rows that differ all."""
    most = [f"{known.most[loop]:,}" for loop in reversed(loops)]
    # one row for each loop may have been cut off by the limit of what is recorded, or is cut short
    # by the program
    even = all(
        known.begun[inner] > (known.begun[outer] - 1) * known.most[inner]
        for outer, inner in pairwise(loops)
    )
    if even:
        return f"seen in {' x '.join(most)} iterations"
    return f"seen in {known.begun[loops[-1]]:,} iterations, at most {' x '.join(most)} at a time"


def _estimate(workload: Workload, own: Nest, inside: Sequence[Nest]) -> bool:
    """True if the nests inside are much faster: launches, and what each thread has to do."""
    static = workload.static
    counts = workload.work[: len(static.blocks)]

    def time(nest: Nest) -> float:
        trips = [workload.trips(loop) for loop in nest.loops]
        busy = max(1.0, min(prod(each.mean for each in trips), _FULL))
        return trips[0].entries * _LAUNCH + work(static, counts, nest.loop) / (_RATE * busy)

    rest = work(static, counts, own.loop) - sum(work(static, counts, each.loop) for each in inside)
    return time(own) > _PAYS * (sum(map(time, inside)) + rest / _RATE)


def nest_at(
    program: Program,
    counts: Sequence[int],
    there: Sequence[int],
    loop: int,
    serial: Collection[int],
    reason: str,
    evidence: Mapping[int, Evidence],
) -> Nest:
    """The nest of a loop and of those inside it that are parallel and perfectly nested.

    They must be there at both sizes: the traced one shows what threads do, and at the work size
    there must be enough of them.
    """
    band = _band(program, counts, there, loop, serial, evidence)
    return Nest(loops=(loop, *band), reason=reason)


def _band(
    program: Program,
    counts: Sequence[int],
    there: Sequence[int],
    loop: int,
    serial: Collection[int],
    evidence: Mapping[int, Evidence],
) -> Iterator[int]:
    """Loops inside that are parallel, with nothing but the next one in each body.

    One that iterates once passes nothing on, whatever it writes: it is no end if another follows.
    """
    single: list[int] = []
    for number, inner in enumerate(only_children(program, loop), start=2):
        outer = program.loops[inner].parent
        assert outer is not None
        if (
            number > MAX_COLLAPSE
            or not iterations(program, counts, inner)
            or not perfect(program, loop, inner)
        ):
            return
        rounds = [
            (iterations(program, executed, inner), iterations(program, executed, outer))
            for executed in (there, counts)
        ]
        if all(own == around for own, around in rounds):
            if uncountable(program, program.loops[inner]) is not None:
                return
            single.append(inner)
            continue
        wide, alike = (own >= NARROW * around for own, around in rounds)
        # entries that differ where it was traced, as in the stages of an FFT, differ at the work
        # size, too: one that fills a warp is enough
        if not alike and inner in evidence and evidence[inner].iterations >= WARP:
            wide = True
        if inner in serial or not wide:
            return
        yield from (*single, inner)
        single.clear()
