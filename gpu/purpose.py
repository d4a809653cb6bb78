"""What loops are for: computing, or preparing data and looking at results.

A loop that reads and writes computes. Loops beside these that only write prepare data, and those
that only read look at results, or flush the caches, as PolyBench does before it takes the time.
"""

from collections.abc import Sequence

from logca.gpu.regions import computes, work, writes
from logca.trace.program import Program

__all__ = ["computing", "hot", "only_reading"]

_WORTH = 0.01
"""Loops with a smaller share of the hottest one's instructions are left out [1]."""

_COMPUTING = 0.1
"""Loops that read and write are what a program is for, if they do this share of the work [1]."""


def hot(program: Program, counts: Sequence[int], loops: Sequence[int]) -> tuple[int, ...]:
    """The loops with at least a hundredth of the instructions of the hottest one that computes [1].

    Where none reads and writes, of the hottest one.

    Parameters
    ----------
    program : Program
        With calls inlined.
    counts : sequence of int
        Executions of each block [1].
    loops : sequence of int
        The loops, none in another one [1].
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

    Parameters
    ----------
    program : Program
        With calls inlined.
    counts : sequence of int
        Executions of each block [1].
    loops : sequence of int
        The loops, none in another one [1].
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
    """The loops that only read, where those that read and write have less than a tenth of all [1].

    Parameters
    ----------
    program : Program
        With calls inlined.
    counts : sequence of int
        Executions of each block [1].
    loops : sequence of int
        The loops, none in another one [1].
    """
    busy = {loop for loop in loops if computes(program, counts, loop)}
    if _share(program, counts, busy, loops) >= _COMPUTING:
        return ()
    return tuple(loop for loop in loops if not writes(program, counts, loop))


def _share(program: Program, counts: Sequence[int], some: set[int], loops: Sequence[int]) -> float:
    """The share of some of these loops in the instructions of all of them [1]."""
    works = {loop: work(program, counts, loop) for loop in loops}
    return sum(works[loop] for loop in some) / max(1, sum(works.values()))
