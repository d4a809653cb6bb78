"""The paper's greedy: the block that saves most for its area is moved until there is none.

kenter2010, Section II.B: blocks with the highest ratio of estimated speedup to area are moved to
the accelerator one by one, as long as the area of all moved blocks fits. Where the paper is silent:

- What a block saves is estimated anew after each move, with all costs of communication.
- Only blocks that save something are moved; when none is left that does and fits, greedy ends.
- A block that does not fit is passed over; smaller ones after it are still moved.
- A block without area that saves something has an infinite ratio; of several the one that saves
  most comes first.
- Ratios are compared exactly; of equal ones the block with the lowest number comes first.
- What was moved is not moved back.

With memory the rules are the same; what a move saves includes what it changes in the
time of all memory accesses, exactly.

This module imports numba: import it inside functions.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from logca.common.jit import compiled
from logca.numeric.partition.memory.coupling import Coupling
from logca.numeric.partition.problem.costs import with_own_costs
from logca.numeric.partition.problem.instance_and_objective import Instance
from logca.numeric.partition.solvers.heuristics.move_loops import (
    best_move,
    better,
    changed_by,
    flip,
)
from logca.numeric.partition.solvers.heuristics.moves import Moves, moves_from

__all__ = ["fill_greedily", "greedy", "nothing_moved"]


def greedy(instance: Instance, coupling: Coupling | None = None) -> NDArray[np.bool_]:
    """The partition that the paper's greedy finds."""
    at = nothing_moved(instance, coupling)
    fill_greedily(at, instance.capacity)
    return at.mapped


def nothing_moved(instance: Instance, coupling: Coupling | None) -> Moves:
    """A partition with all blocks on the CPU, to begin with."""
    own = with_own_costs(instance, coupling)
    return moves_from(own, np.zeros(own.blocks, np.bool_), coupling=coupling)


def _fill_greedily(at: Any, capacity: int) -> None:
    """Map the best block until there is none; the best of each chunk of blocks is remembered."""
    blocks = np.arange(at.mapped.size)
    width = 16 + int(blocks.size**0.5)
    chunks = (blocks.size + width - 1) // width
    best = np.full(chunks, -1)
    dirty = np.ones(chunks, np.bool_)
    seen, changed = np.zeros(blocks.size, np.bool_), np.empty(blocks.size, np.int64)
    while True:
        # a plain -1 has a type of its own, for which `flip` would be compiled, too
        found: Any = np.int64(-1)
        room = capacity - at.total[1]
        for chunk in range(chunks):
            block = best[chunk]
            if dirty[chunk] or (block >= 0 and at.area[block] > room):
                dirty[chunk] = False
                block = best_move(at, blocks[chunk * width : (chunk + 1) * width], capacity)
                best[chunk] = block
            if block >= 0 and (
                found < 0
                or better(-at.change[block], at.area[block], -at.change[found], at.area[found])
            ):
                found = block
        if found < 0:
            return
        flip(at, found)
        for place in range(changed_by(at, found, seen, changed)):
            dirty[changed[place] // width] = True


fill_greedily = compiled(_fill_greedily)
