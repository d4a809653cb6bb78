"""The nests of directives: loops inside that join them, what threads have of their own and gather.

What a directive leaves open, the run decides, as where none stands.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from logca.gpu.loops.carried_dependences import Watched, watched
from logca.gpu.loops.choice import nest_at, parallel_nests, writing_alike
from logca.gpu.loops.clauses import contradicted, contradicted_in_registers, declared_private
from logca.gpu.loops.directives import KERNELS, Directed
from logca.gpu.loops.offloadable_loops import without_calls
from logca.gpu.loops.parallelism import Judged, Serial, judged, with_deeper
from logca.gpu.loops.reductions import declared
from logca.gpu.loops.same_values import scattering_nests
from logca.gpu.loops.thread_loops import only_children
from logca.gpu.nests.nest import Nest, PrivateCopy, Reduction
from logca.gpu.program.workload import Workload

__all__ = ["DirectedNests", "directed_nests"]


@dataclass(frozen=True, slots=True, kw_only=True)
class DirectedNests:
    """The nests that directives lead to."""

    nests: tuple[Nest, ...]  # in program order
    notes: tuple[str, ...]  # what to say of clauses, and of what threads race for
    serial: Mapping[int, Serial]  # loops of `acc kernels` whose iterations wait for each other


def directed_nests(workload: Workload, marked: Directed) -> DirectedNests:
    """The nests that directives name, with loops inside that nobody forbids to join them."""
    static = workload.static
    own = {nest.loop: declared_private(static, nest) for nest in marked.nests}
    deepened = {
        nest.loop
        for nest in marked.nests
        if nest.loop in marked.open and any(True for _ in only_children(static, nest.loops[-1]))
    }
    scattering = scattering_nests(workload, marked.nests)
    believed = [nest for nest in marked.nests if nest.loop not in marked.ordered]
    racing = scattering_nests(workload, believed, updates=True)
    free = without_calls(static, workload.traced[: len(static.blocks)], marked.free)
    looked_at = [
        nest.loop
        for nest in marked.nests
        if nest.loop in {*deepened, *scattering, *racing} or own[nest.loop]
    ]
    notes = [note for nest in marked.nests for note in contradicted_in_registers(static, nest)]
    if not looked_at and not free:
        return DirectedNests(nests=marked.nests, notes=tuple(notes), serial={})
    seen = watched(workload.executable, sorted({*looked_at, *free}))
    wanted = {*deepened, *scattering, *racing, *free}
    known = judged(workload, {loop: seen[loop] for loop in sorted(wanted)})
    nests: list[Nest] = []
    for nest in marked.nests:
        if own[nest.loop]:
            notes += contradicted(static, nest, seen[nest.loop])
        if nest.loop in racing:
            nest, told = _gathering(workload, nest, known)
            notes += told
        copies = own[nest.loop]
        if nest.loop in deepened:
            nest, more = _deepened(workload, nest, known)
            copies = (*copies, *more)
        nest = replace(nest, private=tuple(dict.fromkeys(copies)))
        nest = writing_alike(static, nest, known)
        nests.append(with_deeper(static, nest, known.serial) if nest.loop in deepened else nest)
    nests += _kernels(workload, free, seen, known)
    return DirectedNests(
        nests=tuple(sorted(nests, key=lambda nest: nest.loop)),
        notes=tuple(notes),
        serial={
            loop.id: known.serial[loop.id]
            for top in free
            for loop in static.loops_of[top]
            if loop.id in known.serial
        },
    )


def _deepened(
    workload: Workload, nest: Nest, known: Judged
) -> tuple[Nest, tuple[PrivateCopy, ...]]:
    """A nest with the loops inside that carry nothing but what it gathers, and their scratch."""
    static = workload.static
    counts, there = (each[: len(static.blocks)] for each in (workload.traced, workload.work))
    unknown = {loop for loop, each in known.evidence.items() if each.kind == "unknown"}
    names = {each.name for each in (*declared(static, nest), *nest.reductions)}
    alike = {loop for loop, own in known.gathered.items() if {each.name for each in own} <= names}
    closed = {*known.serial, *unknown} - {*nest.loops, *alike}
    found = nest_at(static, counts, there, nest.loop, closed, nest.reason, known.evidence)
    more = found.loops[len(nest.loops) :]
    if found.loops[: len(nest.loops)] != nest.loops or not more:
        return nest, ()
    lines = " and ".join(str(static.loops[loop].line) for loop in more)
    nothing = "gathers nothing else" if alike & {*more} else "carries nothing either"
    said = f"with it the loop at line {lines}, which {nothing}"
    copies = tuple(copy for loop in more for copy in known.private.get(loop, ()))
    arrays = sorted({array for copy in copies for array in copy.arrays})
    if arrays:
        said += f"; each thread has its own {', '.join(arrays)}"
    return replace(nest, loops=found.loops, reason=f"{nest.reason}; {said}"), copies


def _gathering(workload: Workload, nest: Nest, known: Judged) -> tuple[Nest, list[str]]:
    """A nest that gathers values in memory, though no clause says so, and a note on that.

    It is left as it is where its iterations pass on something else, too.
    """
    static = workload.static
    if any(loop in known.serial and loop not in known.gathered for loop in nest.loops):
        return nest, []
    said = {site for each in declared(static, nest) for site in each.accesses}
    found: list[Reduction] = [
        each for loop in nest.loops for each in known.gathered.get(loop, ()) if each.accesses - said
    ]
    if not found:
        return nest, []
    names = ", ".join(dict.fromkeys(each.name or "memory" for each in found))
    note = (
        f"the loop at line {static.loops[nest.loop].line} gathers {names} without `reduction` or "
        "`atomic`: threads of a GPU race for it; predicted with atomic operations"
    )
    together = (*declared(static, nest), *found)
    return replace(nest, reductions=tuple(dict.fromkeys(together))), [note]


def _kernels(
    workload: Workload, tops: Sequence[int], seen: Mapping[int, Watched], known: Judged
) -> list[Nest]:
    """The nests in loops of `acc kernels`, of which the compiler is to find out."""
    found: list[Nest] = []
    for top in tops:
        recorded = None if seen[top].complete else seen[top].accesses
        for nest in parallel_nests(workload, top, known, recorded):
            nest = replace(nest, reason=f"in `{KERNELS}`; {nest.reason}")
            found.append(with_deeper(workload.static, nest, known.serial))
    return found
