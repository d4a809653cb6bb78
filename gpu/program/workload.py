"""Executions of every block and edge at the traced size and at the work size."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from logca.gpu.nests.nest import Nest
from logca.gpu.program.running import Program, counted
from logca.gpu.program.trip_counts import Trips, trips
from logca.gpu.program.work_counts import numbers_of, work_counts
from logca.trace.execute.run import Run
from logca.trace.ir.program import Program as Static

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
    """How often everything is executed, at the traced size and at the work size."""

    # traced, work: executions of each block, then of each edge [1]
    traced: tuple[int, ...]
    work: tuple[int, ...]
    programs: tuple[Program, ...]  # the program compiled for the traced size
    build: Callable[[Mapping[str, int]], Program]  # the program for other values of the size macros
    # trace_size, work_size: these macros at the traced and at the work size [1]
    trace_size: Mapping[str, int]
    work_size: Mapping[str, int]
    large: Program | None = None  # the program compiled for the work size, if it was run there
    ending: str = ""  # what a reader should know of how the program ended at the traced size

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
) -> Workload:
    """Count executions at the traced and at the work size."""
    first = compiled(trace)
    run = counted(first)
    counts = numbers_of(run)
    there = work_counts(compiled, first, counts, trace, work)
    return Workload(
        traced=counts,
        work=there.counts,
        programs=(first,),
        build=compiled,
        trace_size=trace,
        work_size=work,
        large=there.program,
        ending="; ".join(filter(None, (_ending(run), there.note))),
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
    inside = [loop for loop in static.loops_of(last) if loop.id != last]
    parents = {loop.parent for loop in inside}
    leaves = [loop.blocks for loop in inside if loop.id not in parents]
    return frozenset().union(*leaves) if leaves else None


def launches_of(found: Workload, nest: Nest, *, at_work_size: bool = True) -> int:
    """How often a nest is entered [1]."""
    return found.trips(nest.loop, at_work_size=at_work_size).entries


def _ending(run: Run) -> str:
    """What to say of an exit status that is not 0; many programs return something."""
    if run.status == 0:
        return ""
    lines = run.stderr.decode("utf-8", "replace").strip().splitlines()
    said = f" and said: {lines[-1][:200]}" if lines else ""
    return f"the program ended with exit status {run.status}{said}"
