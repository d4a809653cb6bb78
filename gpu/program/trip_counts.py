"""Iterations and entries of loops, from how often blocks and edges were executed."""

from collections.abc import Sequence
from dataclasses import dataclass

from logca.trace.ir.program import Loop, Program

__all__ = ["Trips", "trips"]


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
