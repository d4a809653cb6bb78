"""How often each edge was taken and each block was started."""

import numpy as np
from numpy.typing import NDArray

from logca.trace.program import Program

__all__ = ["block_counts"]


def block_counts(
    program: Program, edges: NDArray[np.int64], entries: NDArray[np.int64]
) -> NDArray[np.int64]:
    """How often each block was started [1]: over its edges, or as the first of its function.

    Parameters
    ----------
    program : Program
        The program.
    edges : ndarray
        How often each edge was taken [1].
    entries : ndarray
        How often each function was called [1].

    Examples
    --------
    >>> from logca.trace.program import Block, Edge, Function, Program
    >>> def block(n, after):
    ...     return Block(id=n, function="f", name=str(n), file="", first_line=0, last_line=0,
    ...                  instructions=(), successors=after, loop=None)
    >>> program = Program(
    ...     level="O1", blocks=(block(0, (1,)), block(1, ())), loops=(), accesses=(), values=(),
    ...     edges=(Edge(id=0, source=0, target=1),), files=(), functions=(Function(
    ...         name="f", source_name="f", file="", line=0, blocks=(0, 1), irreducible=()),))
    >>> block_counts(program, np.array([3]), np.array([4])).tolist()
    [4, 3]
    """
    counts = np.zeros(len(program.blocks), np.int64)
    np.add.at(counts, [edge.target for edge in program.edges], edges)
    np.add.at(counts, [function.blocks[0] for function in program.functions], entries)
    return counts
