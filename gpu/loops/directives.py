"""Loops that directives make threads: ours, OpenMP's, OpenACC's; and why others are none.

What OpenMP and OpenACC say of a loop is believed. Ours is an order: where it cannot be followed,
that is an error; what the others ask for is passed over with the reason.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from logca.common.errors import RegionError
from logca.gpu.loops.reductions import updates_at
from logca.gpu.loops.thread_loops import (
    MAX_COLLAPSE,
    iterations,
    left_early,
    obstacle,
    only_children,
    perfect,
    uncountable,
)
from logca.gpu.nests.nest import Nest
from logca.trace.ir.program import Loop, Pragma, Program, Synchronisation

__all__ = ["KERNELS", "ON_HOST", "Directed", "directed", "passed_over"]

_OURS = "logca offload"

ON_HOST = "stays on the host"

KERNELS = "acc kernels"
"""Leaves it to the compiler which loops in the statement after it become threads."""

_ONE_BY_ONE = ("critical", "ordered", "single", "master", "masked", "barrier", "task", "sections")
"""Directives in whose place threads of a loop would wait for each other, or only one goes on."""

_NO_LOOPS = {
    "sections": "sections are no loop",
    "task": "tasks are no loop",
    "serial": "one thread runs it",
}
"""Directives that share work out which are not the iterations of a loop, in words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Directed:
    """The nests that directives make threads."""

    nests: tuple[Nest, ...] = ()  # in program order
    # outermost loops of nests that loops inside may join: of those for the host's threads, which
    # are few, and of those where the compiler may choose [1]
    open: tuple[int, ...] = ()
    # outermost loops of nests that an order of ours names [1]
    ordered: frozenset[int] = frozenset()
    # outermost loops of `acc kernels`, in which the compiler may choose the threads [1]
    free: tuple[int, ...] = ()
    # loops that are marked in vain, and why [1]
    refused: Mapping[int, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()  # what is not followed, and what the time leaves out


def directed(
    program: Program,
    counts: Sequence[int],
    edge_counts: Sequence[int],
    function: str | None = None,
) -> Directed:
    """The executed nests that directives name; none if no function has such loops."""
    for each in program.pragmas:
        if not each.loops and not each.before_loop:
            raise RegionError(f"{each.file}:{each.line}: the pragma stands before no loop")
    marks = {loop: each for each in program.pragmas for loop in each.loops}
    free = _in_kernels(program, counts, marks, function)
    for top in free:
        marks.pop(top, None)
    marked = [
        loop
        for loop in program.loops
        if loop.id in marks and function in (None, loop.source_function)
    ]
    refused = {
        loop.id: why for loop in marked if (why := _refused(program, counts, loop, marks[loop.id]))
    }
    able = [loop for loop in marked if loop.id not in refused]
    if free or any(marks[loop.id].device for loop in able):
        for loop in able:
            if not marks[loop.id].device:
                refused[loop.id] = "is for threads of the host: other loops are marked for a GPU"
    nests: dict[int, Nest] = {}
    inside: dict[int, int] = {}
    for loop in able:
        if loop.id in refused:
            continue
        around = [each for each in program.chain_of(loop.parent) if each in nests]
        if not around:
            nests[loop.id] = Nest(loops=_marked(program, loop), reason=_reason(marks[loop.id]))
        elif marks[loop.id].directive == _OURS:
            raise RegionError(
                f"{loop.file}:{loop.line}: a directive inside a loop that another one offloads"
            )
        elif loop.id not in nests[around[0]].loops:
            inside[loop.id] = around[0]
    whole: list[int] = []
    for number, outer in inside.items():
        nest, loop = nests[outer], program.loops[number]
        joined = (*nest.loops, *_marked(program, loop))
        if (
            loop.parent == nest.loops[-1]
            and len(joined) <= MAX_COLLAPSE
            and [number] == list(only_children(program, nest.loops[-1]))[:1]
            and perfect(program, nest.loop, number)
        ):
            said = f"with it the loop at line {loop.line} (`{marks[number].directive}`)"
            nests[outer] = replace(nest, loops=joined, reason=f"{nest.reason}; {said}")
        else:
            whole.append(number)
    ours = [loop for loop in marked if marks[loop.id].directive == _OURS]
    chosen = not nests and not free
    if ours and not nests:
        places = ", ".join(dict.fromkeys(f"{each.file}:{each.line}" for each in marked))
        raise RegionError(f"no loop with a directive was executed in this run: {places}")
    notes = [
        *(
            note
            for nest in nests.values()
            for note in _warnings_of(program, marks, nest, counts, edge_counts)
        ),
        *(note for nest in nests.values() for note in _atomics(program, nest)),
        *(
            _refusal(program.loops[loop], marks[loop], why, chosen=chosen)
            for loop, why in refused.items()
            if marks[loop].directive != _OURS
        ),
        *_repeated(program, marks, whole),
        *_others(program, counts, chosen=chosen),
    ]
    return Directed(
        nests=tuple(nests.values()),
        open=tuple(
            loop
            for loop in nests
            if not marks[loop].device or marks[loop].directive.startswith(KERNELS)
        ),
        ordered=frozenset(loop for loop in nests if marks[loop].directive == _OURS),
        free=free,
        refused=refused,
        notes=tuple(dict.fromkeys(notes)),
    )


def _in_kernels(
    program: Program, counts: Sequence[int], marks: Mapping[int, Pragma], function: str | None
) -> tuple[int, ...]:
    """The outermost executed loops of `acc kernels` that have no directive of their own inside."""
    places = {
        (each.file, each.first, each.last)
        for each in program.synchronisations
        if each.directive == KERNELS
    }
    found: list[int] = []
    for loop in program.loops:
        own = {each.id for each in program.loops_of[loop.id]}
        if (
            (
                (loop.id in marks and marks[loop.id].directive == KERNELS)
                or any(loop.file == file and a <= loop.line <= b for file, a, b in places)
            )
            and function in (None, loop.source_function)
            and iterations(program, counts, loop.id)
            and not {*found} & {*program.chain_of(loop.parent)}
            and not any(each in marks and marks[each].directive != KERNELS for each in own)
        ):
            found.append(loop.id)
    return tuple(found)


def _refusal(loop: Loop, mark: Pragma, why: str, *, chosen: bool) -> str:
    """Note on a loop whose directive is not followed; loops may be chosen by their dependences."""
    if not chosen:
        return f"not threads: the loop at line {loop.line}, marked `{mark.directive}`, {why}"
    head, _, reason = why.partition(f"{ON_HOST}: ")
    because = reason if not head else f"it {why}"
    return f"`{mark.directive}` before the loop at line {loop.line} is not followed: {because}"


def _repeated(program: Program, marks: Mapping[int, Pragma], loops: Sequence[int]) -> Iterator[str]:
    """Note on marked loops inside of which each thread runs all iterations; none without any."""
    for directive in dict.fromkeys(marks[loop].directive for loop in loops):
        lines = dict.fromkeys(
            str(program.loops[loop].line) for loop in loops if marks[loop].directive == directive
        )
        many = "loops at lines" if len(lines) > 1 else "loop at line"
        yield (
            f"not threads: the {many} {', '.join(lines)}, marked `{directive}`, inside loops that "
            "are: each thread runs all iterations there"
        )


def _reason(mark: Pragma) -> str:
    return f"directive in the source{'' if mark.device else f' (`{mark.directive}`)'}"


def _refused(program: Program, counts: Sequence[int], loop: Loop, mark: Pragma) -> str:
    """Why a directive is not followed; no text if it is."""
    if not iterations(program, counts, loop.id):
        return "was not executed in this run"
    if mark.directive == _OURS:
        band = _marked(program, loop)
        return "" if all(iterations(program, counts, each) for each in band) else "was not executed"
    for number in _marked(program, loop):
        inner = program.loops[number]
        if not iterations(program, counts, number):
            return f"has the loop at line {inner.line} in it, which was not executed in this run"
        if why := uncountable(program, inner):
            own = "" if inner is loop else f"has the loop at line {inner.line} in it, which "
            return f"{own}{why[0]}: {why[1]}"
    calls = obstacle(program, loop.id, counts)
    if calls is not None:
        return f"{ON_HOST}: {calls.what}; {calls.fix}"
    waits = next(_inside(program, loop, _ONE_BY_ONE), None)
    if waits is not None:
        return (
            f"{ON_HOST}: it has `{waits.directive}` at line {waits.line}, where threads "
            "wait for each other"
        )
    return ""


def _inside(program: Program, loop: Loop, kinds: Sequence[str]) -> Iterator[Synchronisation]:
    """The directives of some kinds in the text of a loop."""
    for each in program.synchronisations:
        within = each.file == loop.file and loop.line < each.line <= loop.end_line
        if within and each.directive.split()[1] in kinds:
            yield each


def _marked(program: Program, loop: Loop) -> tuple[int, ...]:
    """The loops that a directive makes threads, checked."""
    band = [loop.id, *only_children(program, loop.id)]
    if loop.offload > len(band):
        nested = "loops are" if len(band) > 1 else "loop is"
        raise RegionError(
            f"{loop.file}:{loop.line}: collapse({loop.offload}) of a nest in which only "
            f"{len(band)} {nested} nested without another beside"
        )
    marked = band[: loop.offload]
    for inner in (program.loops[number] for number in marked):
        why = uncountable(program, inner)
        if why and _is_ours(program, loop):
            raise RegionError(f"{inner.file}:{inner.line}: the loop {why[0]}: {why[1]}")
    return tuple(marked)


def _is_ours(program: Program, loop: Loop) -> bool:
    return any(loop.id in each.loops and each.directive == _OURS for each in program.pragmas)


def passed_over(program: Program) -> tuple[str, ...]:
    """Warning where all directives stand in functions that nothing calls; else none."""
    lost = [f"{each.file}:{each.line}" for each in program.pragmas if not each.loops]
    if not lost or any(each.loops for each in program.pragmas):
        return ()
    places = ", ".join(dict.fromkeys(lost))
    return (f"ignored, in functions that are never called: directives at {places}",)


def _warnings_of(
    program: Program,
    marks: Mapping[int, Pragma],
    nest: Nest,
    counts: Sequence[int],
    edge_counts: Sequence[int],
) -> Iterator[str]:
    calls = obstacle(program, nest.loop, counts)
    if calls:
        yield f"called functions are not predicted: {calls.what}"
    for number in nest.loops:
        loop = program.loops[number]
        early = left_early(program, loop, edge_counts)
        if early:
            predicted = "only the executed iterations are predicted"
            yield f"the loop at line {loop.line} {early}: {predicted}"
        mark = marks.get(number)
        if mark is not None and mark.directive != _OURS and not mark.in_parallel:
            sums = [each.partition(" (")[0] for each in loop.carried if "(reduction)" in each]
            lost = [name for name in sums if name not in {*loop.reduction, *loop.private}]
            if lost:
                names = ", ".join(lost)
                yield (
                    f"the loop at line {loop.line} gathers {names} without a clause reduction: "
                    "its threads race for it; predicted as with that clause"
                )


def _atomics(program: Program, nest: Nest) -> Iterator[str]:
    for each in _inside(program, program.loops[nest.loop], ("atomic",)):
        if updates_at(program, nest, each):
            continue
        yield (
            f"`{each.directive}` at line {each.line}: that threads wait for each other there is "
            "not in the time"
        )


def _others(program: Program, counts: Sequence[int], *, chosen: bool) -> Iterator[str]:
    """Notes on directives that share out work, but not the iterations of a loop.

    Where none is followed, loops in their place may be chosen by their dependences.
    """
    left = "is not followed" if chosen else ON_HOST
    for each in program.synchronisations:
        words = each.directive.split()[1:]
        kind = next((_NO_LOOPS[word] for word in words if word in _NO_LOOPS), "")
        if kind and _executed(program, counts, each):
            yield f"`{each.directive}` at line {each.line} {left}: {kind}"
        elif each.before_loop and words == ["parallel"] and each.directive.startswith("omp"):
            yield (
                f"{'not followed' if chosen else 'not threads'}: the loop at line {each.first}, "
                "for `omp parallel` without `for` has every thread run all of it"
            )


def _executed(program: Program, counts: Sequence[int], each: Synchronisation) -> bool:
    return any(
        counts[block.id]
        and block.file == each.file
        and any(each.first <= instruction.line <= each.last for instruction in block.instructions)
        for block in program.blocks
    )
