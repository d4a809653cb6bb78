"""Executions of every block and edge at the work size: counted there, or carried over and checked.

A counting run does some thousand million instructions in a second. What does no more than that at
the work size is run there, and whatever its counts depend on, they are right. What does more is
carried over from small sizes as polynomials; then the largest run that is affordable must have the
counts that they say, and the code at the work size the numbers that the small sizes lead to.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import lcm

import numpy as np

from logca.gpu.code_numbers import code_change, code_of
from logca.gpu.running import Program, counted
from logca.gpu.scaling import ScalingError, SizeGrid, extrapolated, largest_point, size_grid
from logca.gpu.trips import trips
from logca.trace.errors import TraceError
from logca.trace.execution import Run
from logca.trace.nesting import chain_of
from logca.trace.program import Program as Static

__all__ = ["WorkCounts", "alike", "numbers_of", "work_counts"]

_COUNTED = 4e9
"""Instructions of a run that is made to be sure: 0.2 to 1.3 seconds, at the 3 to 20 thousand million
a second that were measured [1]."""

_PATIENT = 2e10
"""Instructions of a run without which there is no prediction [1]."""

_TIME = 20.0
"""What such a run may take, should it do more than was thought [s]."""

_CALL = 50
"""Instructions that a call of a library stands for [1]."""

_ATTEMPTS = 3

Size = Mapping[str, int]
Counts = tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkCounts:
    """Counts at the work size.

    Parameters
    ----------
    counts : tuple of int
        Executions of each block, then of each edge [1].
    program : Program or None
        The program there, if that is where it was counted.
    note : str
        What a reader should know of them [text].
    """

    counts: Counts
    program: Program | None = None
    note: str = ""


def numbers_of(run: Run) -> Counts:
    """Executions of each block, then of each edge [1]."""
    return (*map(int, run.block_counts), *map(int, run.edge_counts))


def work_counts(
    compiled: Callable[[Size], Program], first: Program, counts: Counts, trace: Size, work: Size
) -> WorkCounts:
    """Counts at the work size.

    Parameters
    ----------
    compiled : callable
        The program for the values of the size macros.
    first : Program
        The program at the traced size.
    counts : tuple of int
        Its counts [1].
    trace, work : mapping of str to int
        The macros at the traced and at the work size [1].

    Raises
    ------
    ScalingError
        If the program is another one at the work size, or it is too long to be counted there and
        its counts do not follow from those of smaller sizes.
    """
    static = first.compiled.program
    depth = _depth(static)
    grid = size_grid(trace, work, degree=depth, tile=_tile(static, counts))
    if not any(grid.target):
        return WorkCounts(counts=counts, program=first)
    last = alike(compiled(work), first, work)
    # No polynomial of this degree grows faster.
    growth = max(1.0, *(work[name] / trace[name] for name in trace)) ** depth
    highest = _cost(static, counts) * growth
    if highest <= _COUNTED:
        found = _counts_or_why_not(last)
        if not isinstance(found, str):
            return WorkCounts(counts=found, program=last)
    programs = [
        first,
        *(alike(compiled(sizes), first, sizes) for sizes in grid.sizes[1:]),
    ]
    small = [counts, *(numbers_of(counted(program)) for program in programs[1:])]
    try:
        far = _extrapolated(small, grid)
        highest = min(highest, _cost(static, far))
        return _checked(compiled, programs, small, grid, far, last)
    except ScalingError as error:
        return _counted_at_last(last, work, highest, error)


def _counted_at_last(last: Program, work: Size, highest: float, error: ScalingError) -> WorkCounts:
    """Counts of a program that only a run at the work size can tell."""
    if highest > _PATIENT:
        raise ScalingError(
            f"{error} (it is too long to be counted at {_told(work)}: there may be "
            f"{highest:.0e} instructions)"
        ) from error
    found = _counts_or_why_not(last)
    if isinstance(found, str):
        raise ScalingError(f"{error} (it was not counted at {_told(work)}: {found})") from error
    return WorkCounts(counts=found, program=last)


def _checked(
    compiled: Callable[[Size], Program],
    programs: Sequence[Program],
    small: Sequence[Counts],
    grid: SizeGrid,
    far: Counts,
    last: Program,
) -> WorkCounts:
    """Counts at the work size, after a run that is as near to it as can be afforded."""
    first = programs[0]
    static = first.compiled.program
    costs = [np.array([_cost(static, counts)], object) for counts in small]

    def cost(point: tuple[int, ...]) -> float:
        return float(extrapolated(costs, grid, point)[0])

    failure, most = "", _COUNTED
    for _ in range(_ATTEMPTS):
        point = largest_point(grid, cost, most)
        if point is None:
            break
        size = grid.size_at(point)
        program = last if point == grid.target else alike(compiled(size), first, size)
        found = _counts_or_why_not(program)
        if isinstance(found, str):
            failure = failure or f"it could not be run at {_told(size)}: {found}"
            most = cost(point) / 8
            continue
        if point == grid.target:
            return WorkCounts(counts=found, program=last)
        expected = _extrapolated(small, grid, point)
        if found != expected:
            raise ScalingError(_difference(static, found, expected, grid, size))
        failure = ""
        break
    codes = [code_of(program.compiled.ir) for program in programs]
    change = code_change(codes, code_of(last.compiled.ir), grid)
    if change:
        at = _told(grid.size_at(grid.target))
        raise ScalingError(
            f"at {at} the code has {change}, so that nothing is known of its counts: "
            f"{_remedy(grid)}"
        )
    return WorkCounts(
        counts=far,
        note=f"counts follow from small sizes and were compared with no larger one: {failure}"
        if failure
        else "",
    )


def _difference(static: Static, found: Counts, expected: Counts, grid: SizeGrid, size: Size) -> str:
    """What the first and largest difference is."""
    blocks = len(static.blocks)
    wrong = [
        place for place, pair in enumerate(zip(found, expected, strict=True)) if len({*pair}) > 1
    ]
    where = [place for place in wrong if place < blocks]
    place = max(where, key=lambda each: abs(found[each] - expected[each]), default=wrong[0])
    block = static.blocks[place if place < blocks else static.edges[place - blocks].source]
    return (
        f"{block.file}:{block.first_line}: executed {found[place]:,} times at {_told(size)}, where "
        f"smaller sizes lead to {expected[place]:,}, so that nothing is known of "
        f"{_told(grid.size_at(grid.target))}: {_remedy(grid)}"
    )


def _remedy(grid: SizeGrid) -> str:
    """What to do about counts that cannot be carried over."""
    names = " and ".join(grid.steps)
    return (
        f"trace it at larger {names} (-D), beyond the size at which the program changes, or at "
        "the work size itself, without --work"
    )


def _extrapolated(
    small: Sequence[Counts], grid: SizeGrid, point: tuple[int, ...] | None = None
) -> Counts:
    return tuple(extrapolated([np.array(counts, np.int64) for counts in small], grid, point))


def _counts_or_why_not(program: Program) -> Counts | str:
    limits = replace(program.limits, time_s=min(program.limits.time_s, _TIME))
    try:
        return numbers_of(counted(replace(program, limits=limits)))
    except TraceError as error:
        return str(error)


def alike(program: Program, first: Program, size: Size) -> Program:
    """The program, unless macros made another one of it than at the traced size.

    Parameters
    ----------
    program : Program
        The program at some size.
    first : Program
        The program at the traced size.
    size : mapping of str to int
        That size [1].

    Raises
    ------
    ScalingError
        If its blocks, accesses or loops are others.
    """
    if _shape(program) == _shape(first):
        return program
    raise ScalingError(
        f"at {_told(size)} the program has other blocks than at the traced size, because a macro "
        "chooses between pieces of code: trace it at a size that has those of the work size, or "
        "at the work size itself, without --work"
    )


def _told(size: Size) -> str:
    return ", ".join(f"{name} = {value}" for name, value in size.items())


def _cost(static: Static, counts: Counts) -> int:
    """Instructions executed, with what they call [1]."""
    return sum(
        counts[block.id]
        * sum(
            _CALL if each.opcode == "call" and not each.callee.startswith("llvm.") else 1
            for each in block.instructions
        )
        for block in static.blocks
    )


def _depth(static: Static) -> int:
    """Most loops in each other, less the threads of blocks.

    So many iterations may each grow with the size; a block has as many threads at every size.
    """
    depth: dict[int | None, int] = {None: 0}
    left: dict[int | None, int] = {None: 0}
    for loop in static.loops:
        threads = loop.threads or left[loop.parent]
        depth[loop.id] = depth[loop.parent] + (threads == 0)
        left[loop.id] = max(0, threads - 1)
    return max(depth.values())


def _tile(static: Static, counts: Sequence[int]) -> int:
    """What divides into the threads of all blocks along every direction; 0 without such loops."""
    found, left = 0, dict.fromkeys((None, *range(len(static.loops))), 0)
    for loop in static.loops:
        threads = loop.threads or left[loop.parent]
        left[loop.id] = max(0, threads - 1)
        extent = round(trips(static, loop, counts[len(static.blocks) :]).mean) if threads else 0
        if extent:
            found = lcm(found or 1, extent)
    return found


def _shape(program: Program) -> Sequence[object]:
    static = program.compiled.program
    return [
        [(block.function, block.name, block.successors) for block in static.blocks],
        [(access.block, access.index) for access in static.accesses],
        [chain_of(static.loops, loop.id) for loop in static.loops],
    ]
