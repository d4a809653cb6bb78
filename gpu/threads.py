"""Pseudo-threads: how iterations of the collapsed loops become a grid of blocks of threads.

As in the kernels that people write from such loops, the innermost collapsed loop runs along x, the
next one along y, and all that are left along z. Where the last block of a direction is not full,
the threads that would have no iteration do nothing.
"""

from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["DEFAULT_BLOCKS", "Layout", "LayoutError", "layout", "place"]

DEFAULT_BLOCKS: dict[int, tuple[int, int, int]] = {1: (256, 1, 1), 2: (32, 32, 1), 3: (32, 8, 4)}
"""Threads of a block along x, y and z [1], by the number of directions: for one and two as in
section 4.1 of wang2017 (which prints them in the wrong order), for three as many as for two."""


class LayoutError(ValueError):
    """Blocks or extents that no launch can have; the message says what is allowed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """A grid of blocks; made and checked by `layout`.

    Parameters
    ----------
    extents : tuple of int
        Iterations of the collapsed loops, outermost first [1].
    block : tuple of int
        Threads of a block along x, y and z [1].
    """

    extents: tuple[int, ...]
    block: tuple[int, int, int]

    @property
    def shape(self) -> tuple[int, int, int]:
        """Threads along x, y and z [1]."""
        x, y, *rest = (*reversed(self.extents), 1, 1)
        return x, y, prod(rest)

    @property
    def grid(self) -> tuple[int, int, int]:
        """Blocks along x, y and z [1]."""
        x, y, z = (-(-all_ // own) for all_, own in zip(self.shape, self.block, strict=True))
        return x, y, z

    @property
    def threads(self) -> int:
        """Threads that have an iteration [1]."""
        return prod(self.extents)

    @property
    def threads_per_block(self) -> int:
        """Threads of a block, idle ones at the edges included [1]."""
        return prod(self.block)

    @property
    def blocks(self) -> int:
        """Blocks of the grid [1]."""
        return prod(self.grid)

    def warps_per_block(self, warp_size: int) -> int:
        """Warps that a block has room for, idle ones included [1]."""
        return -(-self.threads_per_block // warp_size)

    def busy_warps(self, blocks: int, warp_size: int) -> int:
        """Warps with a thread that has an iteration, of so many blocks, the fullest ones [1].

        A block at the edge of the grid has fewer of them, as has a block that is larger than the
        grid is wide.

        Parameters
        ----------
        blocks : int
            How many; at most those of the grid [1].
        warp_size : int
            Threads of a warp [1].

        Examples
        --------
        >>> layout((32,)).busy_warps(1, 32), layout((300,)).busy_warps(2, 32)
        (1, 10)
        """
        edges = []
        for all_, own in zip(self.shape, self.block, strict=True):
            full, rest = divmod(all_, own)
            edges.append([(own, full)] * (full > 0) + [(rest, 1)] * (rest > 0))
        kinds = [
            (self._busy_in(tuple(own for own, _ in corner), warp_size), prod(n for _, n in corner))
            for corner in product(*edges)
        ]
        found = 0
        for warps, number in sorted(kinds, reverse=True):
            found += warps * min(number, blocks)
            blocks -= min(number, blocks)
        return found

    def _busy_in(self, used: tuple[int, ...], warp_size: int) -> int:
        """Warps with a thread of a block of which only this part along x, y and z is used [1]."""
        x, y, z = (np.arange(each) for each in used)
        wide, high, _ = self.block
        threads = x + wide * (y[:, None] + high * z[:, None, None])
        return len(np.unique(threads // warp_size))

    def rows(self) -> list[dict[str, object]]:
        """What the stage prints."""
        return [
            {
                "iterations": " x ".join(map(str, self.extents)),
                "block": " x ".join(map(str, self.block)),
                "grid": " x ".join(map(str, self.grid)),
                "threads": self.threads,
                "blocks": self.blocks,
            }
        ]


def layout(
    extents: tuple[int, ...],
    block: tuple[int, ...] | None = None,
    *,
    max_threads_per_block: int = 1024,
) -> Layout:
    """The grid for a launch.

    Parameters
    ----------
    extents : tuple of int
        Iterations of the collapsed loops, outermost first; at least 1 each [1].
    block : tuple of int, optional
        Threads of a block along x, y, z; `DEFAULT_BLOCKS` if left out [1].
    max_threads_per_block : int
        What the device allows [1].

    Raises
    ------
    LayoutError
        If a number is below 1, the block has more directions than there are loops or more threads
        than the device allows.

    Examples
    --------
    >>> grid = layout((100, 4096))
    >>> grid.block, grid.grid, grid.blocks
    ((32, 32, 1), (128, 4, 1), 512)
    >>> layout((4096,)).blocks
    16
    """
    if not extents or min(extents) < 1:
        raise LayoutError(f"a launch needs at least one iteration of each loop, not {extents}")
    directions = min(len(extents), 3)
    chosen = DEFAULT_BLOCKS[directions] if block is None else tuple(block)
    while len(chosen) > directions and chosen[-1] == 1:
        chosen = chosen[:-1]
    if not 1 <= len(chosen) <= directions:
        loops = "1 collapsed loop allows" if len(extents) == 1 else f"{len(extents)} loops allow"
        raise LayoutError(
            f"block {chosen} has {len(chosen)} directions; {loops} at most {directions}: "
            "write one number for each"
        )
    if min(chosen) < 1 or prod(chosen) > max_threads_per_block:
        raise LayoutError(
            f"block {chosen} must have from 1 to {max_threads_per_block} threads, "
            f"and at least 1 in each direction"
        )
    x, y, z = (*chosen, 1, 1)[:3]
    return Layout(extents=tuple(extents), block=(x, y, z))


def place(grid: Layout, iterations: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Block, and thread in it, of iterations: columns of the collapsed loops, outermost first.

    Blocks are numbered along x, then y, then z; so are the threads of a block.

    Parameters
    ----------
    grid : Layout
        The launch.
    iterations : array of int
        A row for each thread, a column for each collapsed loop; -1 counts as 0, and more columns
        are not looked at [1].

    Examples
    --------
    >>> block, index = place(layout((64, 64)), np.array([[0, 0], [0, 33], [1, 0], [63, 63]]))
    >>> block.tolist(), index.tolist()
    ([0, 1, 0, 3], [0, 1, 32, 1023])
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
