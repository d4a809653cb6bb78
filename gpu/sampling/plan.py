"""Samples of a nest's trace: of launches evenly spaced the threads of the first batches.

Where threads differ, those of windows all over the grid are kept beside them. Windows lie as the
points of Hammersley's set do.

Variables that a nest only reads, and that are no arrays, are arguments of the kernel: a GPU gets
their values with the launch. Nor does a thread make the accesses that only decide whether a loop
goes on whose iterations are threads.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import prod

from logca.gpu.nests.nest import Nest, exchanged
from logca.gpu.program.workload import Workload
from logca.gpu.stages.blocks_and_occupancy import Layout, Shape
from logca.trace.ir.program import Access, Program

__all__ = [
    "DIRECTIONS",
    "EVERYTHING",
    "GridWindow",
    "SamplePlan",
    "arguments",
    "begin_of",
    "box_of",
    "control_accesses",
    "looked_at",
    "made_by_no_thread",
    "plan",
    "spread_windows",
]

EVERYTHING = 1 << 30
"""More iterations than any loop is sampled for [1]."""

_KEPT = 1 << 22
"""Accesses of a nest that are kept; of long threads that is only the beginning [1]."""

_LOOKED_AT = 8
"""Of launches that differ so many are sampled, evenly spaced [1]."""

DIRECTIONS = 3
"""Of nests with more loops as threads there are no windows other than the first blocks [1]."""

_WINDOWS = 8
"""So many windows are sampled besides the first blocks [1]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GridWindow:
    """A place in a grid, whatever its size."""

    place: tuple[float, float, float]  # from 0 to 1 along z, y and x [1]
    share: float  # share of all threads that it stands for [1]


@dataclass(frozen=True, slots=True, kw_only=True)
class SamplePlan:
    """The part of a nest's trace that is to be kept."""

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
    """Plan of the part of a nest's trace to keep.

    Threads all over the grid are kept too if they are `spread`; of such a nest all launches are
    alike.
    """
    static = workload.static
    size = workload.size_of(nest, at_work_size=False)
    extents, number = size.extents, size.launches
    launches = looked_at(number)
    of_kernel = arguments(static, nest.loop)
    control = control_accesses(static, nest.loop, nest.collapse)
    unmade = of_kernel | control
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
    last = nest.loops[-1]
    longest = max(
        (
            workload.trips(loop.id, at_work_size=False).mean
            for loop in static.loops
            if loop.parent == last
        ),
        default=0.0,
    )
    executed = {
        access.id: workload.traced[access.block] / max(1, number)
        for access in static.accesses_of[nest.loop]
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
        inside=EVERYTHING if room >= 1 or not longest else max(1, int(room * longest)),
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


def box_of(grid: Layout, blocks: int) -> tuple[int, int, int]:
    """Blocks along x, y and z of the box that holds the first ones of the grid [1].

    Examples
    --------
    >>> from logca.gpu.stages.blocks_and_occupancy import layout
    >>> box_of(layout((64, 4096)), 4), box_of(layout((4096, 64)), 4)
    ((4, 1, 1), (2, 2, 1))
    """
    found = []
    for number in grid.grid:
        found.append(min(number, blocks))
        blocks = -(-blocks // number)
    return found[0], found[1], found[2]


def spread_windows(grid: Layout, blocks: int) -> tuple[GridWindow, ...]:
    """The first blocks of a grid, and windows all over it."""
    x, y, z = (
        -(-number // own) for number, own in zip(grid.grid, box_of(grid, blocks), strict=True)
    )
    first = 1 / (x * y * z)
    windows = [GridWindow(place=(0.0, 0.0, 0.0), share=first)]
    for number in range(_WINDOWS):
        even = [
            (number + 0.5) / _WINDOWS,
            _inverse(number, 2) + 0.5 / _WINDOWS,
            _inverse(number, 3),
        ]
        place = [even.pop(0) if boxes > 1 else 0.0 for boxes in (z, y, x)]
        windows.append(
            GridWindow(place=(place[0], place[1], place[2]), share=(1 - first) / _WINDOWS)
        )
    return tuple(windows)


def begin_of(window: GridWindow, grid: Layout, blocks: int) -> tuple[int, ...]:
    """First iterations of the collapsed loops in a window, outermost first [1].

    Examples
    --------
    >>> from logca.gpu.stages.blocks_and_occupancy import layout
    >>> begin_of(GridWindow(place=(0.0, 0.5, 0.0), share=1.0), layout((64, 64)), 2)
    (32, 0)
    """
    found = []
    for place, number, own, box in zip(
        window.place,
        reversed(grid.grid),
        reversed(grid.block),
        reversed(box_of(grid, blocks)),
        strict=True,
    ):
        boxes = -(-number // box)
        found.append(own * min(int(place * boxes) * box, number - box))
    return tuple(found[3 - len(grid.extents) :])


def _inverse(number: int, base: int) -> float:
    """The digits of a number mirrored at the point [1]."""
    found, digit = 0.0, 1.0
    while number:
        number, rest = divmod(number, base)
        digit /= base
        found += rest * digit
    return found


def arguments(program: Program, nest: int) -> frozenset[int]:
    """Loads of variables to which nothing in a nest writes [1].

    A variable is a scalar, or a member of a structure that lies in no array. Writes through a
    pointer are taken to go elsewhere; where they do not, loops carry the dependence.
    """
    found = [access for access in program.accesses_of[nest] if access.variable]
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


def control_accesses(program: Program, nest: int, collapse: int) -> frozenset[int]:
    """Accesses that only decide whether a collapsed loop goes on [1].

    They are in the header of a loop whose test stands at its top, as in
    ``for (i = 0; i < n[0]; i++)``, and run once more than the body does.
    """
    depth = program.loops[nest].depth
    headers = {
        loop.header
        for loop in program.loops_of[nest]
        if loop.depth < depth + collapse
        and loop.header not in loop.latches
        and not set(program.blocks[loop.header].successors) <= loop.blocks
    }
    return frozenset(access.id for access in program.accesses if access.block in headers)


def made_by_no_thread(program: Program, nest: int, collapse: int) -> frozenset[int]:
    """Accesses that a C program makes and a kernel does not; a `NestTrace` must not have them [1].

    They load what a kernel is given as an argument, or only decide whether a collapsed loop goes
    on.
    """
    return arguments(program, nest) | control_accesses(program, nest, collapse)
