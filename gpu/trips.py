"""Iterations and entries of loops, from how often blocks and edges were executed."""

from collections.abc import Sequence
from dataclasses import dataclass

from logca.trace.program import Loop, Program

__all__ = ["Trips", "trips"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Trips:
    """How often a loop ran.

    Parameters
    ----------
    entries : int
        How often it was entered [1].
    iterations : int
        How often its body was started, over all entries [1].
    """

    entries: int
    iterations: int

    @property
    def mean(self) -> float:
        """Iterations of an entry [1]; 0 if it was never entered."""
        return self.iterations / self.entries if self.entries else 0.0


def trips(program: Program, loop: Loop, edge_counts: Sequence[int]) -> Trips:
    """How often a loop ran.

    A loop that tests at its top visits its header once more than its body, so that there the ways
    from the header into the loop are counted.

    Parameters
    ----------
    program : Program
        The program.
    loop : Loop
        One of its loops.
    edge_counts : sequence of int
        Executions of each of the program's edges [1].
    """
    into = [edge for edge in program.edges if edge.target == loop.header]
    entered = sum(edge_counts[edge.id] for edge in into if edge.source not in loop.blocks)
    out = [edge for edge in program.edges if edge.source == loop.header]
    inside = [edge for edge in out if edge.target in loop.blocks]
    tests_at_top = len(inside) < len(out) and loop.header not in loop.latches
    return Trips(
        entries=entered,
        iterations=sum(edge_counts[edge.id] for edge in (inside if tests_at_top else into)),
    )
