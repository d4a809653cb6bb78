"""Which loop nests go to the GPU, and how many of their loops become threads.

Directives in the source decide where there are any. Otherwise the hot nests are taken, and in each
of them the outermost loops that carry no dependence.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from logca.trace.errors import RegionError
from logca.trace.nesting import accesses_of, chain_of, loops_of
from logca.trace.program import Loop, Program

__all__ = [
    "MATH_FUNCTIONS",
    "Nest",
    "candidates",
    "computes",
    "directed",
    "iterations",
    "mapped",
    "nest_at",
    "obstacle",
    "uncountable",
    "work",
]

MAX_COLLAPSE = 3
"""A grid has three directions."""

_NARROW = 8
"""Of a loop inside with fewer iterations no threads are made: a warp has 32 [1]."""

_WORTH = 0.01

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
class Nest:
    """A loop nest for the GPU.

    Parameters
    ----------
    loop : int
        Its outermost loop [1].
    collapse : int
        How many loops from there inwards become threads [1].
    reason : str
        Why it was chosen [text].
    """

    loop: int
    collapse: int
    reason: str


def work(program: Program, counts: Sequence[int], loop: int) -> int:
    """Instructions executed in a loop and in those inside it [1]."""
    blocks = program.loops[loop].blocks
    return sum(counts[block] * len(program.blocks[block].instructions) for block in blocks)


def directed(
    program: Program, counts: Sequence[int], function: str | None = None
) -> tuple[Nest, ...]:
    """The nests that directives name, and that were executed.

    Parameters
    ----------
    program : Program
        With calls inlined.
    counts : sequence of int
        Executions of each block [1].
    function : str, optional
        Only those written in this function [text].

    Raises
    ------
    RegionError
        If a directive collapses more loops than are nested, or none was executed.
    """
    marked = [
        loop for loop in program.loops if loop.offload and function in (None, loop.source_function)
    ]
    nests = []
    for loop in marked:
        if iterations(program, counts, loop.id) == 0:
            continue
        depth = len(list(_only_children(program, loop.id))) + 1
        if loop.offload > depth:
            raise RegionError(
                f"{loop.file}:{loop.line}: collapse({loop.offload}) of a nest in which only "
                f"{depth} {'loops are' if depth > 1 else 'loop is'} nested without another beside"
            )
        band = [loop.id, *_only_children(program, loop.id)][: loop.offload]
        for each in (program.loops[number] for number in band):
            why = uncountable(each)
            if why:
                raise RegionError(f"{each.file}:{each.line}: the loop {why}")
        nests.append(Nest(loop=loop.id, collapse=loop.offload, reason="directive in the source"))
    if marked and not nests:
        lines = ", ".join(f"{loop.file}:{loop.line}" for loop in marked)
        raise RegionError(f"no loop with a directive was executed in this run: {lines}")
    inner = {
        each.id for nest in nests for each in loops_of(program, nest.loop) if each.id != nest.loop
    }
    for nest in nests:
        if nest.loop in inner:
            loop = program.loops[nest.loop]
            raise RegionError(
                f"{loop.file}:{loop.line}: a directive inside a loop that another one offloads"
            )
    return tuple(nests)


def candidates(
    program: Program, counts: Sequence[int], function: str | None = None
) -> tuple[int, ...]:
    """The hot outermost loops that a GPU could run, in program order [1].

    They are looked for in a function, if one is named; else between ``#pragma scop`` and
    ``#pragma endscop``, if the sources have these; else everywhere. Where a loop calls what a GPU
    has not, those inside it take its place. Loops with less than a hundredth of the hottest one's
    instructions are left out.

    Parameters
    ----------
    program : Program
        With calls inlined.
    counts : sequence of int
        Executions of each block [1].
    function : str, optional
        The function whose loops are meant [text].

    Raises
    ------
    RegionError
        If there is no such function, or it has no loop that was executed and can be offloaded.
    """
    executed = [loop for loop in program.loops if iterations(program, counts, loop.id)]
    if function is None:
        marked = {
            loop.id
            for loop in executed
            if any(
                loop.file == file and begin < loop.line < end for file, begin, end in program.scops
            )
        }
    else:
        marked = {loop.id for loop in executed if loop.source_function == function}
        _check_function(program, function, marked)
    marked = marked or {loop.id for loop in executed}
    outermost = [
        program.loops[loop]
        for loop in sorted(marked)
        if marked.isdisjoint(chain_of(program.loops, program.loops[loop].parent))
    ]
    reasons = {loop.id: obstacle(program, loop.id) for loop in outermost}
    suited = [loop for loop in outermost if reasons[loop.id] is None]
    suited += _inner_ones(program, counts, [loop for loop in outermost if reasons[loop.id]])
    if not suited:
        where = f"function {function}" if function else "the program"
        told = "; ".join(dict.fromkeys(str(reason) for reason in reasons.values()))
        raise RegionError(
            f"no loop of {where} can be offloaded: {told or 'none was executed'}"
            + ("; mark one with `#pragma logca offload`" if told else "")
        )
    works = {loop.id: work(program, counts, loop.id) for loop in suited}
    least = _WORTH * max(works.values())
    return tuple(sorted(loop for loop, own in works.items() if own >= least))


def mapped(
    program: Program, counts: Sequence[int], top: int, serial: Collection[int]
) -> tuple[tuple[Nest, ...], tuple[int, ...]]:
    """From a loop inwards the first parallel ones, and the innermost loops that are serial.

    Parameters
    ----------
    program : Program
        With calls inlined.
    counts : sequence of int
        Executions of each block [1].
    top : int
        Where to begin [1].
    serial : collection of int
        Loops whose iterations cannot run side by side [1].
    """
    nests: list[Nest] = []
    leaves: list[int] = []
    waiting = [top]
    while waiting:
        loop = waiting.pop()
        if iterations(program, counts, loop) == 0:
            continue
        inside = [each.id for each in program.loops if each.parent == loop]
        if loop not in serial:
            nests.append(nest_at(program, counts, loop, serial, _why(program, loop)))
        elif any(iterations(program, counts, each) for each in inside):
            waiting.extend(reversed(inside))
        else:
            leaves.append(loop)
    return tuple(nests), tuple(leaves)


def nest_at(
    program: Program, counts: Sequence[int], loop: int, serial: Collection[int], reason: str
) -> Nest:
    """The nest of a loop and of those inside it that are parallel and perfectly nested.

    Parameters
    ----------
    program : Program
        With calls inlined.
    counts : sequence of int
        Executions of each block [1].
    loop : int
        Its outermost loop [1].
    serial : collection of int
        Loops whose iterations cannot run side by side [1].
    reason : str
        Why it is chosen [text].
    """
    collapse = 1 + len(list(_band(program, counts, loop, serial)))
    return Nest(loop=loop, collapse=collapse, reason=reason)


def computes(program: Program, counts: Sequence[int], loop: int) -> bool:
    """Whether a loop both reads and writes data in memory that outlives an iteration of it.

    Pointers to rows of an array are no data here.

    Parameters
    ----------
    program : Program
        With calls inlined.
    counts : sequence of int
        Executions of each block [1].
    loop : int
        The loop [1].
    """
    kinds = {
        access.store
        for access in accesses_of(program, loop)
        if counts[access.block] and access.private_to is None and access.type != "ptr"
    }
    return kinds == {True, False}


def iterations(program: Program, counts: Sequence[int], loop: int) -> int:
    """How often the body of a loop came to its end, over all entries [1].

    Parameters
    ----------
    program : Program
        The program.
    counts : sequence of int
        Executions of each block [1].
    loop : int
        The loop [1].
    """
    return sum(counts[latch] for latch in program.loops[loop].latches)


def obstacle(program: Program, loop: int) -> str | None:
    """Why a GPU cannot run a loop: the first call in it that no thread can make [text]."""
    for block in sorted(program.loops[loop].blocks):
        for instruction in program.blocks[block].instructions:
            if instruction.opcode not in ("call", "invoke"):
                continue
            name = instruction.callee
            if name in MATH_FUNCTIONS or name.startswith("llvm."):
                continue
            where = f"{program.blocks[block].file}:{instruction.line}"
            return f"{where} calls {name or 'through a pointer'}"
    return None


def uncountable(loop: Loop) -> str | None:
    """Why the iterations of a loop cannot be numbered as threads [text]; None if they can.

    Parameters
    ----------
    loop : Loop
        The loop.
    """
    if loop.inductions:
        return None
    by = f" (it carries {', '.join(loop.carried)})" if loop.carried else ""
    return (
        f"has no local variable that counts its iterations in equal steps{by}, so that they "
        "cannot be numbered as threads"
    )


def _only_children(program: Program, loop: int) -> Iterator[int]:
    """The loop inside, the one inside that, as long as there is just one."""
    while True:
        inside = [each.id for each in program.loops if each.parent == loop]
        if len(inside) != 1:
            return
        loop = inside[0]
        yield loop


def _band(
    program: Program, counts: Sequence[int], loop: int, serial: Collection[int]
) -> Iterator[int]:
    """Loops inside that are parallel, with nothing but the next one in each body."""
    for number, inner in enumerate(_only_children(program, loop), start=2):
        outer = program.loops[inner].parent
        assert outer is not None
        blocks = program.loops[inner].blocks
        outside = [access for access in accesses_of(program, outer) if access.block not in blocks]
        header = program.loops[outer].header
        wide = iterations(program, counts, inner) >= _NARROW * iterations(program, counts, outer)
        if (
            number > MAX_COLLAPSE
            or inner in serial
            or not wide
            or any(access.store or access.block != header for access in outside)
        ):
            return
        yield inner


def _inner_ones(program: Program, counts: Sequence[int], loops: Sequence[Loop]) -> list[Loop]:
    """The outermost loops inside that can be offloaded."""
    found: list[Loop] = []
    for outer in loops:
        below = [
            each
            for each in program.loops
            if each.parent == outer.id and iterations(program, counts, each.id)
        ]
        suited = [each for each in below if obstacle(program, each.id) is None]
        rest = [each for each in below if each not in suited]
        found += suited + _inner_ones(program, counts, rest)
    return found


def _why(program: Program, loop: int) -> str:
    if program.loops[loop].parent is None:
        return "outermost loop; its iterations do not depend on each other"
    return "its iterations do not depend on each other"


def _check_function(program: Program, function: str, loops: Collection[int]) -> None:
    if loops:
        return
    written = sorted(
        {each.source_name for each in program.functions}
        | {loop.source_function for loop in program.loops}
        | {access.source_function for access in program.accesses}
    )
    looping = sorted({each.source_function for each in program.loops})
    if function not in written:
        raise RegionError(f"there is no function {function!r}; there are {', '.join(written)}")
    raise RegionError(
        f"no loop of function {function!r} was executed; loops are in {', '.join(looping)}"
    )
