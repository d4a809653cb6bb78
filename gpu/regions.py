"""Loop nests for the GPU: how many of their loops become threads, and how much they execute."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from logca.gpu.arguments import arguments
from logca.trace.nesting import accesses_of
from logca.trace.program import Loop, Program

__all__ = [
    "Nest",
    "computes",
    "iterations",
    "mapped",
    "nest_at",
    "only_children",
    "uncountable",
    "work",
    "writes",
]

MAX_COLLAPSE = 3
"""A grid has three directions."""

_NARROW = 8
"""Of a loop inside with fewer iterations no threads are made: a warp has 32 [1]."""


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
    deeper : tuple of int
        Loops inside that could become threads too if they were in a kernel of their own, see
        `logca.gpu.deeper` [1].
    """

    loop: int
    collapse: int
    reason: str
    deeper: tuple[int, ...] = ()


def work(program: Program, counts: Sequence[int], loop: int) -> int:
    """Instructions executed in a loop and in those inside it [1]."""
    blocks = program.loops[loop].blocks
    return sum(counts[block] * len(program.blocks[block].instructions) for block in blocks)


def mapped(
    program: Program,
    counts: Sequence[int],
    there: Sequence[int],
    top: int,
    serial: Collection[int],
) -> tuple[tuple[Nest, ...], tuple[int, ...]]:
    """From a loop inwards the first parallel ones, and the innermost loops that are serial.

    Parameters
    ----------
    program : Program
        With calls inlined.
    counts, there : sequence of int
        Executions of each block, at the traced size and at the work size [1].
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

    Parameters
    ----------
    program : Program
        With calls inlined.
    counts, there : sequence of int
        Executions of each block, at the traced size and at the work size [1].
    loop : int
        Its outermost loop [1].
    serial : collection of int
        Loops whose iterations cannot run side by side [1].
    reason : str
        Why it is chosen [text].
    """
    collapse = 1 + len(list(_band(program, counts, there, loop, serial)))
    return Nest(loop=loop, collapse=collapse, reason=reason)


def computes(program: Program, counts: Sequence[int], loop: int) -> bool:
    """Whether a loop both reads and writes data in memory that outlives an iteration of it.

    Pointers to rows of an array are no data here, nor is what a kernel is given as an argument.

    Parameters
    ----------
    program : Program
        With calls inlined.
    counts : sequence of int
        Executions of each block [1].
    loop : int
        The loop [1].
    """
    return _kinds(program, counts, loop) == {True, False}


def writes(program: Program, counts: Sequence[int], loop: int) -> bool:
    """Whether a loop writes such data.

    Parameters
    ----------
    program : Program
        With calls inlined.
    counts : sequence of int
        Executions of each block [1].
    loop : int
        The loop [1].
    """
    return True in _kinds(program, counts, loop)


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


def uncountable(program: Program, loop: Loop) -> tuple[str, str] | None:
    """Why the iterations of a loop cannot be numbered as threads, and what to do; None if they can.

    Parameters
    ----------
    program : Program
        The program.
    loop : Loop
        One of its loops.
    """
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
    """The loop inside, the one inside that, as long as there is just one [1].

    Parameters
    ----------
    program : Program
        The program.
    loop : int
        Where to begin [1].
    """
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
        for access in accesses_of(program, loop)
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
            for access in accesses_of(program, outer)
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
