"""What is kept of a nest's trace: threads of the first batches, of launches evenly spaced."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import prod

from logca.gpu.nests.nest import Nest, arguments
from logca.gpu.nests.trace import control_accesses, exchanged
from logca.gpu.program.workload import Workload
from logca.gpu.stages.grid import GridWindow, begin_of, spread_windows
from logca.gpu.stages.occupancy import Shape
from logca.trace.ir.program import Program

__all__ = ["EVERYTHING", "SamplePlan", "looked_at", "plan"]

EVERYTHING = 1 << 30
"""More iterations than any loop is looked at for [1]."""

_KEPT = 1 << 22
"""Accesses of a nest that are kept; of long threads that is only the beginning [1]."""

_LOOKED_AT = 8
"""Of launches that differ so many are looked at, evenly spaced [1]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SamplePlan:
    """What to keep of a nest."""

    static: Program  # the program
    nest: Nest  # the nest
    # arguments, control: accesses that no thread makes: a kernel is given their values, or they
    # only decide whether a collapsed loop goes on [1]
    arguments: frozenset[int]
    control: frozenset[int]
    unmade: frozenset[int]  # both of them together [1]
    launches: frozenset[int]  # launches whose accesses are kept [1]
    # of those launches the iterations of the collapsed loops below this are kept [1]
    window: tuple[int, ...]
    number: int  # launches in all [1]
    extents: tuple[float, ...]  # mean extents of all launches [1]
    # of a thread's own outermost loops the iterations below this are kept [1]
    inside: int = EVERYTHING
    # mean executions of each static access in a launch, if that is known [1]
    executed: Mapping[int, float] | None = None
    # for each access the column of that loop, where it is not the first one behind the collapsed
    # loops for all of them; none for an access in no such loop [1]
    columns: Mapping[int, int] | None = None
    # other windows of that size, after the one at the first iterations
    windows: tuple[GridWindow, ...] = ()
    # first iterations of the collapsed loops in each of these others [1]
    begins: tuple[tuple[int, ...], ...] = ()


def plan(workload: Workload, nest: Nest, shape: Shape, *, spread: bool = False) -> SamplePlan:
    """What to keep of a nest.

    Threads all over the grid are kept too if they are `spread`; of such a nest all launches are
    alike.
    """
    static = workload.static
    extents = workload.extents(nest, at_work_size=False)
    number = workload.launches(nest, at_work_size=False)
    order = exchanged if shape.interchanged else tuple
    grid = shape.grid(order([max(1, round(extent)) for extent in extents]))
    blocks = shape.window_blocks
    # However narrow a grid is, its first blocks have no larger coordinate than their number.
    rows = (blocks,) * 3
    if number == 1 or spread:
        wide, high = grid.grid[0], grid.grid[0] * grid.grid[1]
        rows = (blocks, -(-blocks // wide), -(-blocks // high))
    reach = [row * threads for row, threads in zip(rows, grid.block, strict=True)]
    window = [reach[direction] for direction in range(min(len(extents), 3))]
    # Loops further out than z are not divided into blocks: all of their iterations are kept.
    window += [EVERYTHING] * (len(extents) - len(window))
    launches = looked_at(number)
    last = nest.loops[-1]
    longest = max(
        (
            workload.trips(loop.id, at_work_size=False).mean
            for loop in static.loops
            if loop.parent == last
        ),
        default=0.0,
    )
    of_kernel = arguments(static, nest.loop)
    control = control_accesses(static, nest.loop, nest.collapse)
    unmade = of_kernel | control
    executed = {
        access.id: workload.traced[access.block] / max(1, number)
        for access in static.accesses_of(nest.loop)
        if access.id not in unmade
    }
    accesses = sum(executed.values())
    share = min(1.0, blocks * grid.threads_per_block / max(1.0, prod(extents)))
    windows = spread_windows(grid, blocks)[1:] if spread else ()
    kept = len(launches) * share * accesses * (1 + len(windows))
    room = _KEPT / max(1.0, kept)
    return SamplePlan(
        static=static,
        nest=nest,
        arguments=of_kernel,
        control=control,
        unmade=unmade,
        launches=launches,
        window=order(window[::-1]),
        number=number,
        extents=extents,
        inside=EVERYTHING if room >= 1 else max(1, int(room * longest)),
        executed=executed,
        windows=windows,
        begins=tuple(order(begin_of(each, grid, blocks)) for each in windows),
    )


def looked_at(number: int) -> frozenset[int]:
    """The first launch, and some evenly spaced ones [1].

    Examples
    --------
    >>> sorted(looked_at(80))
    [0, 5, 15, 25, 35, 45, 55, 65, 75]
    """
    step = max(1.0, number / _LOOKED_AT)
    spread = {int(step / 2 + step * each) for each in range(_LOOKED_AT)}
    return frozenset({0, *(each for each in spread if each < number)})
