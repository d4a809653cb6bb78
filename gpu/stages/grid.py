"""The grid of a launch: blocks and threads of the collapsed loops, and windows all over it.

The innermost collapsed loop runs along x, the next one along y, all others along z. Threads of
the last blocks that have no iteration do nothing. Windows lie as the points of Hammersley's set
do.
"""

from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from logca.common.errors import LogcaError

__all__ = [
    "DEFAULT_BLOCKS",
    "DIRECTIONS",
    "GridWindow",
    "Layout",
    "LayoutError",
    "begin_of",
    "box_of",
    "layout",
    "place",
    "spread_windows",
]

DEFAULT_BLOCKS: dict[int, tuple[int, int, int]] = {1: (256, 1, 1), 2: (32, 32, 1), 3: (32, 8, 4)}
"""Threads of a block along x, y and z [1], by the number of directions: for one and two as in
section 4.1 of wang2017 (which prints them in the wrong order), for three as many as for two."""


class LayoutError(LogcaError, ValueError):
    """Blocks or extents that no launch can have; the message says what is allowed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """A grid of blocks; made and checked by `layout`."""

    extents: tuple[int, ...]  # iterations of the collapsed loops, outermost first [1]
    block: tuple[int, int, int]  # threads of a block along x, y and z [1]

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
        busy = 0
        for warps, number in sorted(kinds, reverse=True):
            busy += warps * min(number, blocks)
            blocks -= min(number, blocks)
        return busy

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


DIRECTIONS = 3
"""Of nests with more loops as threads there are no windows other than the first blocks [1]."""

_WINDOWS = 8
"""So many windows are looked at besides the first blocks [1]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GridWindow:
    """A place in a grid, whatever its size."""

    place: tuple[float, float, float]  # from 0 to 1 along z, y and x [1]
    share: float  # share of all threads that it stands for [1]


def box_of(grid: Layout, blocks: int) -> tuple[int, int, int]:
    """How many blocks of the grid along x, y and z hold its first ones [1].

    Examples
    --------
    >>> box_of(layout((64, 4096)), 4), box_of(layout((4096, 64)), 4)
    ((4, 1, 1), (2, 2, 1))
    """
    found = []
    for number in grid.grid:
        found.append(min(number, blocks))
        blocks = -(-blocks // number)
    return found[0], found[1], found[2]


def spread_windows(grid: Layout, blocks: int) -> tuple[GridWindow, ...]:
    """The first blocks of a grid, and windows all over it."""
    x, y, z = (
        -(-number // own) for number, own in zip(grid.grid, box_of(grid, blocks), strict=True)
    )
    first = 1 / (x * y * z)
    windows = [GridWindow(place=(0.0, 0.0, 0.0), share=first)]
    for number in range(_WINDOWS):
        even = [
            (number + 0.5) / _WINDOWS,
            _inverse(number, 2) + 0.5 / _WINDOWS,
            _inverse(number, 3),
        ]
        place = [even.pop(0) if boxes > 1 else 0.0 for boxes in (z, y, x)]
        windows.append(
            GridWindow(place=(place[0], place[1], place[2]), share=(1 - first) / _WINDOWS)
        )
    return tuple(windows)


def begin_of(window: GridWindow, grid: Layout, blocks: int) -> tuple[int, ...]:
    """First iterations of the collapsed loops in a window, outermost first [1].

    Examples
    --------
    >>> begin_of(GridWindow(place=(0.0, 0.5, 0.0), share=1.0), layout((64, 64)), 2)
    (32, 0)
    """
    found = []
    for place, number, own, box in zip(
        window.place,
        reversed(grid.grid),
        reversed(grid.block),
        reversed(box_of(grid, blocks)),
        strict=True,
    ):
        boxes = -(-number // box)
        found.append(own * min(int(place * boxes) * box, number - box))
    return tuple(found[3 - len(grid.extents) :])


def _inverse(number: int, base: int) -> float:
    """The digits of a number mirrored at the point [1]."""
    found, digit = 0.0, 1.0
    while number:
        number, rest = divmod(number, base)
        digit /= base
        found += rest * digit
    return found
