"""Executions of every block and edge at the traced and at the work size, and trips of loops."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from logca.gpu.nests.nest import Nest
from logca.gpu.program.running import Executable
from logca.trace.ir.program import Loop, Program

__all__ = ["NestSize", "Trips", "Workload", "trips"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Trips:
    """How often a loop ran."""

    entries: int  # how often it was entered [1]
    iterations: int  # how often its body was started, over all entries [1]

    @property
    def mean(self) -> float:
        """Iterations of an entry [1]; 0 if it was never entered."""
        return self.iterations / self.entries if self.entries else 0.0


def trips(program: Program, loop: Loop, edge_counts: Sequence[int]) -> Trips:
    """How often a loop ran.

    A loop that tests at its top does so once more than its body runs, so that there the ways from
    the test into the loop are counted.
    """
    into = [edge for edge in program.edges if edge.target == loop.header]
    entered = sum(edge_counts[edge.id] for edge in into if edge.source not in loop.blocks)
    test = _test_at_top(program, loop)
    into_body = [
        edge for edge in program.edges if edge.source == test and edge.target in loop.blocks
    ]
    return Trips(
        entries=entered,
        iterations=sum(edge_counts[edge.id] for edge in (into if test is None else into_body)),
    )


def _test_at_top(program: Program, loop: Loop) -> int | None:
    """The block that decides at the top whether the loop goes on; None if there is none."""
    leaving = {
        block
        for block in loop.blocks - set(loop.latches)
        if not set(program.blocks[block].successors) <= loop.blocks
    }
    if loop.header in leaving:
        return loop.header
    for block in leaving:
        # Both sides of && and || meet in a block that does nothing but decide.
        if {each.opcode for each in program.blocks[block].instructions} <= {"phi", "br"}:
            before = _before(program, loop, block)
            if not before & (leaving | set(loop.latches)):
                return block
    return None


def _before(program: Program, loop: Loop, end: int) -> set[int]:
    """Blocks of a loop on the ways from its header to a block."""
    found: set[int] = set()
    waiting = [loop.header]
    while waiting:
        block = waiting.pop()
        if block != end and block in loop.blocks and block not in found:
            found.add(block)
            waiting += program.blocks[block].successors
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class NestSize:
    """How large a nest is."""

    launches: int  # how often it is entered [1]
    # mean iterations of the collapsed loops of a launch, outermost first [1]
    extents: tuple[float, ...]


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

    def size_of(self, nest: Nest, *, at_work_size: bool = True) -> NestSize:
        """How large a nest is."""
        loops = [self.trips(loop, at_work_size=at_work_size) for loop in nest.loops]
        return NestSize(launches=loops[0].entries, extents=tuple(loop.mean for loop in loops))
