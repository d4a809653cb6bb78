"""Loop nests as kernels: loops that become threads, what they execute, what forbids it.

Calls that no thread can make are obstacles. Variables that a nest only reads, and that are no
arrays, are arguments of the kernel: a GPU gets their values with the launch, no thread loads
them.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from logca.common.errors import RegionError
from logca.trace.ir.program import Access, Instruction, Loop, Program

__all__ = [
    "MATH_FUNCTIONS",
    "Nest",
    "Obstacle",
    "arguments",
    "computes",
    "directed",
    "iterations",
    "left_early",
    "nest_at",
    "obstacle",
    "only_children",
    "parallel_nests",
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


MAX_COLLAPSE = 3
"""A grid has three directions."""

_NARROW = 8
"""Of a loop inside with fewer iterations no threads are made: a warp has 32 [1]."""


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
        nests.append(Nest(loops=_marked(program, loop), reason="directive in the source"))
    if marked and not nests:
        places = ", ".join(dict.fromkeys(f"{each.file}:{each.line}" for each in marked))
        raise RegionError(f"no loop with a directive was executed in this run: {places}")
    inner = {
        each.id for nest in nests for each in program.loops_of(nest.loop) if each.id != nest.loop
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
            for access in program.accesses_of(outer)
            if access.block not in blocks and access.id not in given
        ]
        header = program.loops[outer].header
        wide = iterations(program, there, inner) >= _NARROW * iterations(program, there, outer)
        if (
            number > MAX_COLLAPSE
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
