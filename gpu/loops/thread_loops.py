"""Loops that become threads: those that directives name, or parallel ones from a loop inwards.

With what forbids it: iterations that cannot be numbered, and calls that no thread can make.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from logca.common.errors import RegionError
from logca.gpu.nests.nest import Nest
from logca.gpu.sampling.plan import arguments
from logca.gpu.stages.instructions import MATH_FUNCTIONS
from logca.trace.ir.control_flow import in_cycles
from logca.trace.ir.program import Instruction, Loop, Program

__all__ = [
    "Obstacle",
    "directed",
    "iterations",
    "left_early",
    "nest_at",
    "obstacle",
    "only_children",
    "parallel_nests",
    "passed_over",
    "uncountable",
    "warnings",
]

_MAX_COLLAPSE = 3
"""A grid has three directions."""

_NARROW = 8
"""Of a loop inside with fewer iterations no threads are made: a warp has 32 [1]."""


def directed(
    program: Program, counts: Sequence[int], function: str | None = None
) -> tuple[Nest, ...]:
    """The executed nests that directives name; none if no function has such loops."""
    for each in program.pragmas:
        if not each.loops and not each.before_loop:
            raise RegionError(f"{each.file}:{each.line}: the pragma stands before no loop")
    marked = [
        loop for loop in program.loops if loop.offload and function in (None, loop.source_function)
    ]
    nests = []
    for loop in marked:
        if iterations(program, counts, loop.id) == 0:
            continue
        loops = _marked(program, loop)
        if all(iterations(program, counts, each) for each in loops):
            nests.append(Nest(loops=loops, reason="directive in the source"))
    if marked and not nests:
        places = ", ".join(dict.fromkeys(f"{each.file}:{each.line}" for each in marked))
        raise RegionError(f"no loop with a directive was executed in this run: {places}")
    inner = {
        each.id for nest in nests for each in program.loops_of[nest.loop] if each.id != nest.loop
    }
    for nest in nests:
        if nest.loop in inner:
            loop = program.loops[nest.loop]
            raise RegionError(
                f"{loop.file}:{loop.line}: a directive inside a loop that another one offloads"
            )
    return tuple(nests)


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
        if why:
            raise RegionError(f"{inner.file}:{inner.line}: the loop {why[0]}: {why[1]}")
    return tuple(marked)


def warnings(
    program: Program, nests: Sequence[Nest], edge_counts: Sequence[int]
) -> tuple[str, ...]:
    """Warnings about nests that directives name."""
    return tuple(
        dict.fromkeys(words for nest in nests for words in _warnings_of(program, nest, edge_counts))
    )


def passed_over(program: Program) -> tuple[str, ...]:
    """Warning where all directives stand in functions that nothing calls; else none."""
    lost = [f"{each.file}:{each.line}" for each in program.pragmas if not each.loops]
    if not lost or any(each.loops for each in program.pragmas):
        return ()
    places = ", ".join(dict.fromkeys(lost))
    return (f"ignored, in functions that are never called: directives at {places}",)


def _warnings_of(program: Program, nest: Nest, edge_counts: Sequence[int]) -> Iterator[str]:
    calls = obstacle(program, nest.loop)
    if calls:
        yield f"called functions are not predicted: {calls.what}"
    for number in nest.loops:
        loop = program.loops[number]
        early = left_early(program, loop, edge_counts)
        if early:
            predicted = "only the executed iterations are predicted"
            yield f"the loop at line {loop.line} {early}: {predicted}"
        if loop.carried:
            sums = any("(reduction)" in each for each in loop.carried)
            yield (
                f"predicted despite its dependences: the loop at line {loop.line} carries "
                + ", ".join(loop.carried)
                + ("; combining the threads' partial results is not in the time" if sums else "")
            )


def parallel_nests(
    program: Program,
    counts: Sequence[int],
    there: Sequence[int],
    top: int,
    serial: Collection[int],
) -> tuple[tuple[Nest, ...], tuple[int, ...]]:
    """From a loop inwards the first parallel ones, and the innermost loops that are serial."""
    nests: list[Nest] = []
    leaves: list[int] = []
    waiting = [top]
    while waiting:
        loop = waiting.pop()
        if iterations(program, counts, loop) == 0:
            continue
        inside = [each.id for each in program.loops if each.parent == loop]
        if loop not in serial:
            nests.append(nest_at(program, counts, there, loop, serial, _why(program, loop)))
        elif any(iterations(program, counts, each) for each in inside):
            waiting.extend(reversed(inside))
        else:
            leaves.append(loop)
    return tuple(nests), tuple(leaves)


def nest_at(
    program: Program,
    counts: Sequence[int],
    there: Sequence[int],
    loop: int,
    serial: Collection[int],
    reason: str,
) -> Nest:
    """The nest of a loop and of those inside it that are parallel and perfectly nested.

    They must be there at both sizes: the traced one shows what threads do, and at the work size
    there must be enough of them.
    """
    return Nest(loops=(loop, *_band(program, counts, there, loop, serial)), reason=reason)


def _band(
    program: Program,
    counts: Sequence[int],
    there: Sequence[int],
    loop: int,
    serial: Collection[int],
) -> Iterator[int]:
    """Loops inside that are parallel, with nothing but the next one in each body."""
    given = arguments(program, loop)
    for number, inner in enumerate(only_children(program, loop), start=2):
        outer = program.loops[inner].parent
        assert outer is not None
        blocks = program.loops[inner].blocks
        outside = [
            access
            for access in program.accesses_of[outer]
            if access.block not in blocks and access.id not in given
        ]
        header = program.loops[outer].header
        wide = iterations(program, there, inner) >= _NARROW * iterations(program, there, outer)
        if (
            number > _MAX_COLLAPSE
            or inner in serial
            or not wide
            or not iterations(program, counts, inner)
            or any(access.store or access.block != header for access in outside)
        ):
            return
        yield inner


def _why(program: Program, loop: int) -> str:
    if program.loops[loop].parent is None:
        return "outermost loop; its iterations do not depend on each other"
    return "its iterations do not depend on each other"


def iterations(program: Program, counts: Sequence[int], loop: int) -> int:
    """Completed iterations of a loop's body, over all entries [1]."""
    return sum(counts[latch] for latch in program.loops[loop].latches)


def only_children(program: Program, loop: int) -> Iterator[int]:
    """The loop inside, the one inside that, as long as there is just one [1]."""
    while True:
        inside = [each.id for each in program.loops if each.parent == loop]
        if len(inside) != 1:
            return
        loop = inside[0]
        yield loop


def uncountable(program: Program, loop: Loop) -> tuple[str, str] | None:
    """Reason why iterations cannot be numbered as threads, and the fix; None if they can."""
    if loop.inductions:
        return None
    by = f" (it carries {', '.join(loop.carried)})" if loop.carried else ""
    types = {
        each.type
        for each in program.blocks[loop.header].instructions
        if each.opcode == "phi" and each.type != "i1"
    }
    fix = (
        "keep the pointers in an array and go through that by an index"
        if types == {"ptr"}
        else "let an integer count its iterations, as in `for (int k = 0; k < n; k++)`, and "
        "compute the other values from it"
    )
    return (
        f"has no local variable that counts its iterations in equal steps{by}, so that they "
        "cannot be numbered as threads"
    ), fix


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Obstacle:
    """A call that no thread of a GPU can make, or of which no time is known."""

    what: str  # where it stands, and what it is
    fix: str  # what can be done about it


def obstacle(program: Program, loop: int) -> Obstacle | None:
    """Why a GPU cannot run a loop: the first call in it that no thread can make; None if none."""
    for block in sorted(program.loops[loop].blocks):
        for instruction in program.blocks[block].instructions:
            if instruction.opcode not in ("call", "invoke", "callbr"):
                continue
            name = instruction.callee
            if name in MATH_FUNCTIONS or name.startswith("llvm."):
                continue
            what, fix = _told(program, instruction)
            where = f"{program.blocks[block].file}:{instruction.line}"
            return Obstacle(what=f"{where} {what}", fix=fix)
    return None


def _told(program: Program, call: Instruction) -> tuple[str, str]:
    """Description of a call, and the remedy."""
    names = {each.name: each.source_name for each in program.functions}
    if call.assembly:
        return "has inline assembly", "write it in C"
    if not call.callee:
        return "calls through a pointer", "call the function by its name"
    if call.callee in _recursive(program, names):
        return (
            f"calls {names[call.callee]}, which is recursive",
            "write it with loops, or take the call out of the loop",
        )
    if call.callee in names:
        return f"calls {names[call.callee]}", "take the call out of the loop"
    return f"calls {call.callee}", "take the call out of the loop, or give its source too"


def _recursive(program: Program, names: Mapping[str, str]) -> frozenset[str]:
    """Functions that call themselves, be it through others."""
    return in_cycles(
        (block.function, each.callee)
        for block in program.blocks
        for each in block.instructions
        if each.callee in names
    )
