"""Hot loops that compute: where kernels are looked for, if no directive says.

A loop that reads and writes computes. Loops beside these that only write prepare data, and those
that only read look at results, or flush the caches.
"""

from collections.abc import Collection, Sequence

from logca.common.errors import RegionError
from logca.gpu.loops.thread_loops import iterations, obstacle
from logca.gpu.nests.nest import work
from logca.gpu.sampling.plan import arguments
from logca.trace.ir.program import Loop, Program

__all__ = [
    "computes",
    "computing",
    "hot",
    "offloadable_loops",
    "only_reading",
    "outermost",
    "reads",
    "without_calls",
    "writes",
]


def outermost(
    program: Program, counts: Sequence[int], function: str | None = None
) -> tuple[int, ...]:
    """The outermost loops that were executed, in program order [1].

    They are looked for in a function, if one is named; else between ``#pragma scop`` and
    ``#pragma endscop``, if the sources have these; else everywhere.
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
    return tuple(
        loop
        for loop in sorted(marked)
        if marked.isdisjoint(program.chain_of(program.loops[loop].parent))
    )


def offloadable_loops(
    program: Program, counts: Sequence[int], function: str | None = None
) -> tuple[int, ...]:
    """The outermost loops that a GPU could run, in program order [1].

    Where a loop calls what a GPU has not, those inside it take its place.
    """
    tops = [program.loops[loop] for loop in outermost(program, counts, function)]
    reasons = {loop.id: obstacle(program, loop.id) for loop in tops}
    found = without_calls(program, counts, [loop.id for loop in tops])
    if not found:
        where = f"function {function}" if function else "the program"
        told = dict.fromkeys(f"{each.what}: {each.fix}" for each in reasons.values() if each)
        raise RegionError(
            f"no loop of {where} can be offloaded: {'; '.join(told) or 'none was executed'}"
        )
    return found


def without_calls(program: Program, counts: Sequence[int], loops: Sequence[int]) -> tuple[int, ...]:
    """The loops that a GPU could run, and in the place of others those inside that it could [1]."""
    able = [loop for loop in loops if obstacle(program, loop) is None]
    rest = [program.loops[loop] for loop in loops if loop not in able]
    return tuple(sorted([*able, *(loop.id for loop in _inner_ones(program, counts, rest))]))


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


_WORTH = 0.01
"""Loops with a smaller share of the hottest one's instructions are left out [1]."""

_COMPUTING = 0.1
"""Loops that read and write are what a program is for, if they do this share of the work [1]."""


def hot(program: Program, counts: Sequence[int], loops: Sequence[int]) -> tuple[int, ...]:
    """The loops with at least a hundredth of the instructions of the hottest one that computes [1].

    Where none reads and writes, of the hottest one.
    """
    works = {loop: work(program, counts, loop) for loop in loops}
    busy = [loop for loop in loops if computes(program, counts, loop)]
    least = _WORTH * max(works[loop] for loop in busy or loops)
    return tuple(loop for loop, own in works.items() if own >= least)


def computing(program: Program, counts: Sequence[int], loops: Sequence[int]) -> tuple[int, ...]:
    """The loops that read and write, and those beside them in their functions [1].

    All of the loops, if those that read and write have less than a tenth of the instructions of
    those that write. How much the others have does not matter: nothing comes out of them but a
    number.
    """
    busy = {loop for loop in loops if computes(program, counts, loop)}
    writing = [loop for loop in loops if writes(program, counts, loop)]
    if not busy or _share(program, counts, busy, writing) < _COMPUTING:
        return tuple(loops)
    functions = {program.loops[loop].source_function for loop in busy} - {"main"}
    return tuple(
        loop for loop in loops if loop in busy or program.loops[loop].source_function in functions
    )


def only_reading(program: Program, counts: Sequence[int], loops: Sequence[int]) -> tuple[int, ...]:
    """The loops that only read, if those that read and write have less than a tenth of all."""
    busy = {loop for loop in loops if computes(program, counts, loop)}
    if _share(program, counts, busy, loops) >= _COMPUTING:
        return ()
    return tuple(loop for loop in loops if not writes(program, counts, loop))


def _share(program: Program, counts: Sequence[int], some: set[int], loops: Sequence[int]) -> float:
    """The share of some of these loops in the instructions of all of them [1]."""
    works = {loop: work(program, counts, loop) for loop in loops}
    return sum(works[loop] for loop in some) / max(1, sum(works.values()))


def computes(program: Program, counts: Sequence[int], loop: int) -> bool:
    """True if a loop both reads and writes data in memory that outlives an iteration of it.

    Pointers to rows of an array are no data here, nor is what a kernel is given as an argument.
    """
    return _kinds(program, counts, loop) == {True, False}


def writes(program: Program, counts: Sequence[int], loop: int) -> bool:
    """True if a loop writes such data."""
    return True in _kinds(program, counts, loop)


def reads(program: Program, counts: Sequence[int], loop: int) -> bool:
    """True if a loop reads such data."""
    return False in _kinds(program, counts, loop)


def _kinds(program: Program, counts: Sequence[int], loop: int) -> set[bool]:
    """Kinds of executed accesses of a loop to data: True if one writes, False if one reads."""
    given = arguments(program, loop)
    return {
        access.store
        for access in program.accesses_of[loop]
        if counts[access.block]
        and access.private_to is None
        and access.type != "ptr"
        and access.id not in given
    }
