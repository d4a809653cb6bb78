"""The loops of a program among which those for the GPU are looked for, where no directive says."""

from collections.abc import Collection, Sequence

from logca.gpu.calls import obstacle
from logca.gpu.regions import iterations
from logca.trace.errors import RegionError
from logca.trace.nesting import chain_of
from logca.trace.program import Loop, Program

__all__ = ["outermost", "suited"]


def outermost(
    program: Program, counts: Sequence[int], function: str | None = None
) -> tuple[int, ...]:
    """The outermost loops that were executed, in program order [1].

    They are looked for in a function, if one is named; else between ``#pragma scop`` and
    ``#pragma endscop``, if the sources have these; else everywhere.

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
        If there is no such function, or it has no loop that was executed.
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
        if marked.isdisjoint(chain_of(program.loops, program.loops[loop].parent))
    )


def suited(program: Program, counts: Sequence[int], function: str | None = None) -> tuple[int, ...]:
    """The outermost loops that a GPU could run, in program order [1].

    Where a loop calls what a GPU has not, those inside it take its place.

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
    tops = [program.loops[loop] for loop in outermost(program, counts, function)]
    reasons = {loop.id: obstacle(program, loop.id) for loop in tops}
    found = [loop for loop in tops if reasons[loop.id] is None]
    found += _inner_ones(program, counts, [loop for loop in tops if reasons[loop.id]])
    if not found:
        where = f"function {function}" if function else "the program"
        told = dict.fromkeys(f"{each.what}: {each.fix}" for each in reasons.values() if each)
        raise RegionError(
            f"no loop of {where} can be offloaded: {'; '.join(told) or 'none was executed'}"
        )
    return tuple(sorted(loop.id for loop in found))


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
