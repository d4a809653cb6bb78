"""Loops that become threads: parallel ones from a loop inwards.

With what forbids it: iterations that cannot be numbered, and calls that no thread can make.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from logca.gpu.sampling.plan import arguments
from logca.gpu.stages.instructions import MATH_FUNCTIONS
from logca.trace.ir.control_flow import in_cycles
from logca.trace.ir.program import Instruction, Loop, Program

__all__ = [
    "MAX_COLLAPSE",
    "NARROW",
    "WARP",
    "Obstacle",
    "iterations",
    "left_early",
    "obstacle",
    "only_children",
    "perfect",
    "uncountable",
]

MAX_COLLAPSE = 3
"""A grid has three directions."""

NARROW = 8
"""Of a loop inside with fewer iterations no threads are made [1]."""

WARP = 32
"""Threads of a warp, which loops with fewer iterations do not fill [1]."""

COMPLEX = re.compile(r"__(?:mul|div)[hsdxt]c3")
"""Compilers' helpers for products and quotients of complex numbers."""


def perfect(program: Program, top: int, inner: int) -> bool:
    """True if beside a loop nothing in the one around it writes, or reads but to count it.

    What a kernel of the top one is given as arguments does not matter.
    """
    outer = program.loops[inner].parent
    assert outer is not None
    given, blocks = arguments(program, top), program.loops[inner].blocks
    header = program.loops[outer].header
    return not any(
        access.store or access.block != header
        for access in program.accesses_of[outer]
        if access.block not in blocks and access.id not in given
    )


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
    allocates: bool = False  # whether it asks for memory, or gives it back


def obstacle(program: Program, loop: int, counts: Sequence[int] | None = None) -> Obstacle | None:
    """Why a GPU cannot run a loop: the first call in it that no thread can make; None if none.

    With executions only of those that were made.
    """
    for block in sorted(program.loops[loop].blocks):
        if counts is not None and not counts[block]:
            continue
        for instruction in program.blocks[block].instructions:
            if instruction.opcode not in ("call", "invoke", "callbr"):
                continue
            name = instruction.callee
            if name in MATH_FUNCTIONS or name.startswith("llvm."):
                continue
            what, fix = _told(program, instruction)
            where = f"{program.blocks[block].file}:{instruction.line}"
            return Obstacle(what=f"{where} {what}", fix=fix, allocates=name in _ALLOCATING)
    return None


_ALLOCATING = {"malloc", "calloc", "realloc", "aligned_alloc", "posix_memalign", "free"}


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
    if COMPLEX.fullmatch(call.callee):
        return (
            f"calls {call.callee}, complex arithmetic that minds infinities",
            "do without them: --flag=-fcx-limited-range, or --flag=-ffast-math",
        )
    if call.callee in _ALLOCATING:
        return (
            f"calls {call.callee}",
            "declare an array of fixed size in the loop, or take the call out of it",
        )
    return f"calls {call.callee}", "take the call out of the loop, or give its source too"


def _recursive(program: Program, names: Mapping[str, str]) -> frozenset[str]:
    """Functions that call themselves, be it through others."""
    return in_cycles(
        (block.function, each.callee)
        for block in program.blocks
        for each in block.instructions
        if each.callee in names
    )
