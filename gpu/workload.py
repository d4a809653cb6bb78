"""Executions of every block and edge at the work size, from runs at small sizes."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import lcm

import numpy as np

from logca.gpu.regions import Nest
from logca.gpu.running import Program, counted
from logca.gpu.scaling import ScalingError, SizeGrid, extrapolated, size_grid
from logca.gpu.trips import Trips, trips
from logca.trace.execution import Run
from logca.trace.nesting import chain_of, loops_of
from logca.trace.program import Program as Static

__all__ = [
    "Workload",
    "collapsed_loops",
    "extents_of",
    "innermost_blocks",
    "launches_of",
    "workload",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Workload:
    """How often everything is executed, at the traced size and at the work size.

    Parameters
    ----------
    traced, work : tuple of int
        Executions of each block, then of each edge [1].
    grid : SizeGrid
        The sizes at which that was counted; a single one if the program was traced as it is.
    programs : tuple of Program
        The program compiled for each of these sizes.
    build : callable
        The program for other values of the size macros.
    trace_size, work_size : mapping of str to int
        These macros at the traced and at the work size [1].
    ending : str
        What a reader should know of how the program ended at the traced size [text].
    """

    traced: tuple[int, ...]
    work: tuple[int, ...]
    grid: SizeGrid
    programs: tuple[Program, ...]
    build: Callable[[Mapping[str, int]], Program]
    trace_size: Mapping[str, int]
    work_size: Mapping[str, int]
    ending: str = ""

    @property
    def static(self) -> Static:
        """The program, as compiled for the traced size."""
        return self.programs[0].compiled.program

    def executions(self, block: int) -> int:
        """Executions of a block at the work size [1]."""
        return self.work[block]

    def trips(self, loop: int, *, at_work_size: bool = True) -> Trips:
        """How often a loop runs."""
        counts = self.work if at_work_size else self.traced
        static = self.static
        return trips(static, static.loops[loop], counts[len(static.blocks) :])


def workload(
    compiled: Callable[[Mapping[str, int]], Program],
    trace: Mapping[str, int],
    work: Mapping[str, int],
    done: Callable[[], None] = lambda: None,
) -> Workload:
    """Count executions along the way from the traced to the work size.

    Parameters
    ----------
    compiled : callable
        The program for the values of the size macros.
    trace, work : mapping of str to int
        The macros at the traced and at the work size; both empty if there are none [1].
    done : callable
        Called after each run.

    Raises
    ------
    ScalingError
        If counts are no polynomials of the sizes.
    """
    first = compiled(trace)
    run = counted(first)
    done()
    found, ending = [_numbers(run)], _ending(run)
    depths = _depths(first.compiled.program)
    grid = size_grid(
        trace,
        work,
        degree=max(depths.values(), default=0),
        tile=_tile(first.compiled.program, found[0]),
    )
    programs = (first, *(compiled(sizes) for sizes in grid.sizes[1:]))
    for program in programs[1:]:
        if _shape(program) != _shape(first):
            raise ScalingError(
                "the program has other blocks at other sizes, because a macro chooses between "
                "pieces of code: trace it at the work size itself"
            )
        run = counted(program)
        found.append(_numbers(run))
        ending = ending or _ending(run)
        done()
    return Workload(
        traced=found[0],
        work=tuple(extrapolated([np.array(counts, np.int64) for counts in found], grid)),
        grid=grid,
        programs=programs,
        build=compiled,
        trace_size=trace,
        work_size=work,
        ending=ending,
    )


def collapsed_loops(static: Static, nest: Nest) -> tuple[int, ...]:
    """The loops of a nest that become threads, outermost first [1]."""
    loops = [nest.loop]
    while len(loops) < nest.collapse:
        (inside,) = (loop.id for loop in static.loops if loop.parent == loops[-1])
        loops.append(inside)
    return tuple(loops)


def extents_of(found: Workload, nest: Nest, *, at_work_size: bool = True) -> tuple[float, ...]:
    """Mean iterations of the collapsed loops of a launch, outermost first [1]."""
    loops = collapsed_loops(found.static, nest)
    return tuple(found.trips(loop, at_work_size=at_work_size).mean for loop in loops)


def innermost_blocks(static: Static, nest: Nest) -> frozenset[int] | None:
    """Blocks of the innermost loops that a thread runs [1]; None if it runs none."""
    last = collapsed_loops(static, nest)[-1]
    inside = [loop for loop in loops_of(static, last) if loop.id != last]
    parents = {loop.parent for loop in inside}
    leaves = [loop.blocks for loop in inside if loop.id not in parents]
    return frozenset().union(*leaves) if leaves else None


def launches_of(found: Workload, nest: Nest, *, at_work_size: bool = True) -> int:
    """How often a nest is entered [1]."""
    return found.trips(nest.loop, at_work_size=at_work_size).entries


def _depths(static: Static) -> dict[int, int]:
    """For each loop those around it and itself, less the threads of blocks.

    So many iterations may each grow with the size; a block has as many threads at every size.
    """
    depth: dict[int | None, int] = {None: 0}
    left: dict[int | None, int] = {None: 0}
    for loop in static.loops:
        threads = loop.threads or left[loop.parent]
        depth[loop.id] = depth[loop.parent] + (threads == 0)
        left[loop.id] = max(0, threads - 1)
    return {loop.id: depth[loop.id] for loop in static.loops}


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


def _numbers(run: Run) -> tuple[int, ...]:
    return (*map(int, run.block_counts), *map(int, run.edge_counts))


def _ending(run: Run) -> str:
    """What to say of an exit status that is not 0; many programs return something."""
    if run.status == 0:
        return ""
    lines = run.stderr.decode("utf-8", "replace").strip().splitlines()
    said = f" and said: {lines[-1][:200]}" if lines else ""
    return f"the program ended with exit status {run.status}{said}"


def _shape(program: Program) -> Sequence[object]:
    static = program.compiled.program
    return [
        [(block.function, block.name, block.successors) for block in static.blocks],
        [(access.block, access.index) for access in static.accesses],
        [chain_of(static.loops, loop.id) for loop in static.loops],
    ]
