"""Loop nests as kernels: loops that become threads, what they execute, what forbids it.

Calls that no thread can make are obstacles. Variables that a nest only reads, and that are no
arrays, are arguments of the kernel: a GPU gets their values with the launch, no thread loads
them.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from logca.trace.ir.program import Access, Instruction, Loop, Program

__all__ = [
    "MATH_FUNCTIONS",
    "Nest",
    "Obstacle",
    "arguments",
    "computes",
    "iterations",
    "left_early",
    "obstacle",
    "only_children",
    "uncountable",
    "work",
    "writes",
]


def arguments(program: Program, nest: int) -> frozenset[int]:
    """Loads of variables to which nothing in a nest writes [1].

    A variable is a scalar, or a member of a structure that lies in no array. Writes through a
    pointer are taken to go elsewhere; where they do not, loops carry the dependence.
    """
    found = [access for access in program.accesses_of(nest) if access.variable]
    written: dict[str, set[tuple[int, float]]] = {}
    for access in found:
        if access.store:
            written.setdefault(access.variable, set()).add(_range(access))
    return frozenset(
        access.id
        for access in found
        if not access.store
        and not any(_overlap(_range(access), other) for other in written.get(access.variable, ()))
    )


def _range(access: Access) -> tuple[int, float]:
    """First byte in its variable, and the one behind the last [B]."""
    return access.offset, access.offset + access.size if access.size else float("inf")


def _overlap(one: tuple[int, float], other: tuple[int, float]) -> bool:
    return one[0] < other[1] and other[0] < one[1]


_REAL_FUNCTIONS = (
    "acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp2 "
    "expm1 fabs fdim floor fma fmax fmin fmod hypot ldexp lgamma log log10 log1p log2 "
    "llrint llround lrint lround nearbyint pow remainder rint round sin sincos sinh sqrt tan "
    "tanh tgamma trunc "
)
MATH_FUNCTIONS = frozenset(
    {"abs", "labs", "llabs"}
    | {name + suffix for name in _REAL_FUNCTIONS.split() for suffix in ("", "f", "l")}
)
"""Functions of the C library that threads of a GPU can call."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Obstacle:
    """What no thread of a GPU can do, or of which no time is known."""

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
    """What a call is, and what to do about it."""
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
    calls: dict[str, set[str]] = {name: set() for name in names}
    for block in program.blocks:
        calls[block.function] |= {each.callee for each in block.instructions} & names.keys()
    found = set()
    for name in calls:
        seen: set[str] = set()
        waiting = [*calls[name]]
        while waiting:
            callee = waiting.pop()
            if callee not in seen:
                seen.add(callee)
                waiting += calls[callee]
        if name in seen:
            found.add(name)
    return frozenset(found)


@dataclass(frozen=True, slots=True, kw_only=True)
class Nest:
    """A loop nest for the GPU."""

    loops: tuple[int, ...]  # its loops that become threads, outermost first [1]
    reason: str  # why it was chosen
    # loops inside that could become threads too if they were in a kernel of their own, see
    # `logca.gpu.loops.parallelism` [1]
    deeper: tuple[int, ...] = ()

    @property
    def loop(self) -> int:
        """Its outermost loop [1]."""
        return self.loops[0]

    @property
    def collapse(self) -> int:
        """How many loops from there inwards become threads [1]."""
        return len(self.loops)


def work(program: Program, counts: Sequence[int], loop: int) -> int:
    """Instructions executed in a loop and in those inside it [1]."""
    blocks = program.loops[loop].blocks
    return sum(counts[block] * len(program.blocks[block].instructions) for block in blocks)


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


def computes(program: Program, counts: Sequence[int], loop: int) -> bool:
    """Whether a loop both reads and writes data in memory that outlives an iteration of it.

    Pointers to rows of an array are no data here, nor is what a kernel is given as an argument.
    """
    return _kinds(program, counts, loop) == {True, False}


def writes(program: Program, counts: Sequence[int], loop: int) -> bool:
    """Whether a loop writes such data."""
    return True in _kinds(program, counts, loop)


def iterations(program: Program, counts: Sequence[int], loop: int) -> int:
    """How often the body of a loop came to its end, over all entries [1]."""
    return sum(counts[latch] for latch in program.loops[loop].latches)


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


def only_children(program: Program, loop: int) -> Iterator[int]:
    """The loop inside, the one inside that, as long as there is just one [1]."""
    while True:
        inside = [each.id for each in program.loops if each.parent == loop]
        if len(inside) != 1:
            return
        loop = inside[0]
        yield loop


def _kinds(program: Program, counts: Sequence[int], loop: int) -> set[bool]:
    """Whether accesses to data write, for all of a loop that were executed."""
    given = arguments(program, loop)
    return {
        access.store
        for access in program.accesses_of(loop)
        if counts[access.block]
        and access.private_to is None
        and access.type != "ptr"
        and access.id not in given
    }
