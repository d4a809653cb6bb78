"""The paper's greedy partition: one block after the other, by what it saves for its area.

kenter2010, Section II.B: blocks with the highest ratio of estimated speedup to area are moved to
the accelerator one by one, as long as the area of all moved blocks fits. Where the paper is silent:

- What a block saves is estimated anew after each move, with all costs of communication.
- Only blocks that save something are moved; when none is left that does and fits, greedy ends.
- A block that does not fit is passed over; smaller ones after it are still moved.
- A block without area that saves something has an infinite ratio; of several the one that saves
  most comes first.
- Ratios are compared exactly; of equal ones the block with the lowest number comes first.
- What was moved is not moved back.
"""

import numpy as np
from numpy.typing import NDArray

from logca.numeric.partition.instance import Instance
from logca.numeric.partition.solvers.flips import flips

__all__ = ["greedy"]


def greedy(instance: Instance) -> NDArray[np.bool_]:
    """The partition that the paper's greedy finds.

    Parameters
    ----------
    instance : Instance
        The problem.

    Raises
    ------
    MissingLibraryError
        If numba is not installed.
    """
    at = flips(instance, np.zeros(instance.blocks, np.bool_))
    from logca.numeric.partition.solvers.flip_loops import climb

    climb(at, instance.capacity)
    return at.mapped
