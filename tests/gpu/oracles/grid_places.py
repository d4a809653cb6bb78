"""Where the threads of a grid are, written out."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from logca.gpu.stages.blocks_and_occupancy import Layout


def place(grid: Layout, iterations: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Block, and thread in it, of iterations: columns of the collapsed loops, outermost first.

    Blocks are numbered along x, then y, then z; so are the threads of a block.
    """
    coordinates = np.zeros((3, len(iterations)), np.int64)
    depth = len(grid.extents)
    for level, extent in enumerate(grid.extents):
        direction = min(depth - 1 - level, 2)
        coordinates[direction] = coordinates[direction] * extent + np.maximum(
            iterations[:, level], 0
        )
    block = np.zeros(len(iterations), np.int64)
    index = np.zeros(len(iterations), np.int64)
    for coordinate, own, blocks in reversed(
        list(zip(coordinates, grid.block, grid.grid, strict=True))
    ):
        block = block * blocks + coordinate // own
        index = index * own + coordinate % own
    return block, index
