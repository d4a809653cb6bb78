"""Executions of every block and edge at the traced size and at the work size."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from logca.gpu.nests.nest import Nest
from logca.gpu.program.running import Executable, counted, ending_words
from logca.gpu.program.trip_counts import Trips, trips
from logca.gpu.program.work_counts import numbers_of, work_counts
from logca.trace.ir.program import Program

__all__ = ["Workload", "workload"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Workload:
    """How often everything is executed, at the traced size and at the work size."""

    # traced, work: executions of each block, then of each edge [1]
    traced: tuple[int, ...]
    work: tuple[int, ...]
    executable: Executable  # the program compiled for the traced size
    static: Program  # what the compiler says of it
    # the program for other values of the size macros
    build: Callable[[Mapping[str, int]], Executable]
    # trace_size, work_size: these macros at the traced and at the work size [1]
    trace_size: Mapping[str, int]
    work_size: Mapping[str, int]
    large: Executable | None = None  # the program compiled for the work size, if it was run there
    ending: str = ""  # what a reader should know of how the program ended at the traced size

    def trips(self, loop: int, *, at_work_size: bool = True) -> Trips:
        """How often a loop runs."""
        counts = self.work if at_work_size else self.traced
        static = self.static
        return trips(static, static.loops[loop], counts[len(static.blocks) :])

    def extents(self, nest: Nest, *, at_work_size: bool = True) -> tuple[float, ...]:
        """Mean iterations of the collapsed loops of a launch, outermost first [1]."""
        return tuple(self.trips(loop, at_work_size=at_work_size).mean for loop in nest.loops)

    def launches(self, nest: Nest, *, at_work_size: bool = True) -> int:
        """How often a nest is entered [1]."""
        return self.trips(nest.loop, at_work_size=at_work_size).entries


def workload(
    build: Callable[[Mapping[str, int]], Executable],
    trace: Mapping[str, int],
    work: Mapping[str, int],
) -> Workload:
    """Count executions at the traced and at the work size."""
    first = build(trace)
    run = counted(first)
    ending = ending_words(run)
    counts = numbers_of(run)
    there = work_counts(build, first, counts, trace, work)
    return Workload(
        traced=counts,
        work=there.counts,
        executable=first,
        static=first.compiled.program,
        build=build,
        trace_size=trace,
        work_size=work,
        large=there.program,
        ending="; ".join(filter(None, (ending, there.note))),
    )
