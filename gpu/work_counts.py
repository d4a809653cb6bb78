"""Executions of every block and edge at the work size: counted there, or carried over and checked.

A counting run does some thousand million instructions in a second. What does no more than that at
the work size is run there, and whatever its counts depend on, they are right. What does more is
carried over from small sizes as polynomials; then the largest run that is affordable must have the
counts that they say, and the code at the work size the numbers that the small sizes lead to.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf, log

import numpy as np

from logca.gpu.code_numbers import code_change, code_of
from logca.gpu.program_sizes import alike, cost_of, depth_of, tile_of, told
from logca.gpu.running import Program, counted
from logca.gpu.scaling import ScalingError, SizeGrid, extrapolated, largest_point, size_grid
from logca.trace.errors import TraceError
from logca.trace.execution import Run
from logca.trace.program import Program as Static

__all__ = ["WorkCounts", "numbers_of", "work_counts"]

_COUNTED = 4e9
"""Instructions of a run that is made to be sure: 0.2 to 1.3 seconds, at the 3 to 20 thousand
million a second that were measured [1]."""

_PATIENT = 2e10
"""Instructions of a run without which there is no prediction [1]."""

_TIME = 20.0
"""What such a run may take, should it do more than was thought [s]."""

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
    depth = depth_of(static)
    grid = size_grid(trace, work, degree=depth, tile=tile_of(static, counts))
    if not any(grid.target):
        return WorkCounts(counts=counts, program=first)
    last = alike(compiled(work), first, work)
    here = cost_of(static, counts)
    highest = _at_most(here, trace, work, depth)
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
        highest = min(highest, cost_of(static, far))
        return _checked(compiled, programs, small, grid, far, last)
    except ScalingError as error:
        if highest > _PATIENT:
            highest = min(highest, _likely(compiled, first, here, grid, depth))
        return _counted_at_last(last, work, highest, error)


def _at_most(cost: float, size: Size, large: Size, degree: float) -> float:
    """What a polynomial of a degree can grow to, if it has no negative coefficients [1]."""
    growth = max(large[name] / size[name] for name in size)
    return float(cost * max(1.0, growth) ** degree)


def _likely(
    compiled: Callable[[Size], Program], first: Program, here: float, grid: SizeGrid, depth: int
) -> float:
    """Instructions at the work size, as they grow up to a run in between; infinity if none is.

    Loops over tiles of fixed size are nested deeper than their counts grow.
    """
    trace, work = grid.sizes[0], grid.size_at(grid.target)
    point = largest_point(
        grid, lambda each: _at_most(here, trace, grid.size_at(each), depth), _COUNTED
    )
    if point is None:
        return inf
    size = grid.size_at(point)
    found = _counts_or_why_not(alike(compiled(size), first, size))
    if isinstance(found, str):
        return inf
    there = cost_of(first.compiled.program, found)
    way = log(_at_most(1.0, trace, size, 1))
    return _at_most(there, size, work, max(0.0, log(there / here) / way)) if way else inf


def _counted_at_last(last: Program, work: Size, highest: float, error: ScalingError) -> WorkCounts:
    """Counts of a program that only a run at the work size can tell."""
    if highest > _PATIENT:
        about = f": there may be {highest:.0e} instructions" if highest < inf else ""
        raise ScalingError(
            f"{error} (it is too long to be counted at {told(work)}{about})"
        ) from error
    found = _counts_or_why_not(last)
    if isinstance(found, str):
        raise ScalingError(f"{error} (it was not counted at {told(work)}: {found})") from error
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
    costs = [np.array([cost_of(static, counts)], object) for counts in small]

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
            failure = failure or f"it could not be run at {told(size)}: {found}"
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
        at = told(grid.size_at(grid.target))
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
        f"{block.file}:{block.first_line}: executed {found[place]:,} times at {told(size)}, where "
        f"smaller sizes lead to {expected[place]:,}, so that nothing is known of "
        f"{told(grid.size_at(grid.target))}: {_remedy(grid)}"
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
