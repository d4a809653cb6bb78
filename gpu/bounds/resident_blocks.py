"""The blocks that one multiprocessor runs: every so many of the grid, as many at a time as fit.

Blocks go to the multiprocessors in turn, so that with S of them one gets b, b + S, ... until it is
full, and with what follows once these end. Two such waves from the middle of the grid are looked
at, where the first shows how a cold L1 fares and the second what it keeps.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from logca.gpu.nests.nest import NestTrace
from logca.gpu.stages.blocks_and_occupancy import BATCHES, Layout

__all__ = [
    "ResidentBlocks",
    "block_numbers",
    "fullest_blocks",
    "multiprocessor_blocks",
    "of_blocks",
    "threads_of_blocks",
]

Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ResidentBlocks:
    """Accesses of the blocks that one multiprocessor runs in two waves."""

    trace: NestTrace  # the accesses, as if these blocks were the whole grid
    grid: Layout  # that grid: the blocks in a row
    threads: tuple[int, ...]  # threads of each block that are inside of the program's loops [1]


def multiprocessor_blocks(blocks: int, *, resident: int, multiprocessors: int) -> tuple[int, ...]:
    """Numbers of the blocks of two waves of a multiprocessor; fewer if the grid has fewer [1].

    Examples
    --------
    >>> multiprocessor_blocks(4096, resident=2, multiprocessors=60)
    (2060, 2120, 2180, 2240)
    >>> multiprocessor_blocks(100, resident=2, multiprocessors=60)
    (20, 80)
    """
    wanted = BATCHES * resident
    # A grid that was traced at a smaller size has no blocks so far apart.
    far = blocks > multiprocessors * (resident - 1)
    step = multiprocessors if far else max(1, blocks // resident)
    there = min(wanted, -(-blocks // step))
    first = max(0, (blocks // 2 // step) * step) if blocks > wanted * step else 0
    start = min(first + step // 3, blocks - 1 - step * (there - 1))
    return tuple(range(max(0, start), blocks, step)[:there])


def fullest_blocks(grid: Layout, chosen: Sequence[int], there: Sequence[int]) -> tuple[int, ...]:
    """As many blocks as are chosen, but of those that are there only ones with the most threads.

    Where all blocks run at a time, the launch takes as long as these.

    Examples
    --------
    >>> from logca.gpu.stages.blocks_and_occupancy import layout
    >>> fullest_blocks(layout((257,), (256, 1)), [1], range(2))
    (0,)
    >>> fullest_blocks(layout((1000,), (256, 1)), [1, 3], range(4))
    (0, 1)
    """
    numbers = rest = np.array(there, np.int64)
    threads = np.ones(len(numbers), np.int64)
    for own, number, end in zip(grid.block, grid.grid, grid.shape, strict=True):
        rest, place = np.divmod(rest, number)
        threads *= np.minimum(own, end - place * own)
    full = numbers[threads == threads.max()].tolist()
    kept = [block for block in chosen if block in full]
    others = [block for block in full if block not in kept]
    return tuple(sorted([*kept, *others][: len(chosen)]))


def block_numbers(coordinates: Integers, grid: Layout) -> tuple[Integers, Integers]:
    """Block of each thread, and its place there, from its iterations, outermost loop first [1]."""
    depth = len(grid.extents)
    x = coordinates[:, depth - 1]
    y = coordinates[:, depth - 2] if depth > 1 else np.zeros_like(x)
    z = np.zeros_like(x)
    for level in range(depth - 2):
        z = z * grid.extents[level] + coordinates[:, level]
    wide, high, deep = grid.block
    columns, rows, _ = grid.grid
    block = (z // deep * rows + y // high) * columns + x // wide
    return block, (z % deep * high + y % high) * wide + x % wide


def threads_of_blocks(grid: Layout, blocks: Sequence[int]) -> Integers:
    """Iterations of the collapsed loops of all threads of these blocks, outermost first [1].

    Examples
    --------
    >>> from logca.gpu.stages.blocks_and_occupancy import layout
    >>> threads_of_blocks(layout((3, 40), (32, 2)), [1])[[0, 1, -1]].tolist()
    [[0, 32], [0, 33], [1, 39]]
    """
    block = np.repeat(np.array(blocks, np.int64), grid.threads_per_block)
    thread = np.tile(np.arange(grid.threads_per_block), len(blocks))
    coordinates = []
    for own, number in zip(grid.block, grid.grid, strict=True):
        block, place = np.divmod(block, number)
        thread, inside = np.divmod(thread, own)
        coordinates.append(place * own + inside)
    kept = np.all([at < end for at, end in zip(coordinates, grid.shape, strict=True)], axis=0)
    x, y, z = (column[kept] for column in coordinates)
    outer = np.unravel_index(z, grid.extents[:-2] or (1,))
    return np.stack([*outer, y, x][-len(grid.extents) :], axis=1).astype(np.int64)


def of_blocks(trace: NestTrace, grid: Layout, blocks: Sequence[int]) -> ResidentBlocks | None:
    """The accesses of these blocks, as if they were the whole grid and lay in a row.

    None if they make none.
    """
    block, thread = block_numbers(trace.iterations[:, : trace.collapse].astype(np.int64), grid)
    order = np.argsort(np.array(blocks, np.int64), kind="stable")
    known = np.array(blocks, np.int64)[order]
    place = np.searchsorted(known, block)
    kept = known[np.minimum(place, len(known) - 1)] == block
    if not kept.any():
        return None
    threads = grid.threads_per_block
    extents = (*(1,) * (trace.collapse - 1), len(blocks) * threads)
    part = trace.where(kept)
    iterations = part.iterations.copy()
    iterations[:, : trace.collapse] = 0
    iterations[:, trace.collapse - 1] = order[place[kept]] * threads + thread[kept]
    return ResidentBlocks(
        trace=replace(
            part, iterations=iterations.astype(np.int32), extents=(extents,) * len(part.launches)
        ),
        grid=Layout(extents=extents, block=(threads, 1, 1)),
        threads=tuple(len(threads_of_blocks(grid, [each])) for each in blocks),
    )
