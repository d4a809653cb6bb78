"""The shape of blocks: as given, as a given grid needs it, or what fills the device best."""

from collections.abc import Iterator
from itertools import product
from math import prod
from typing import Literal

from logca.gpu.devices import GpuDevice
from logca.gpu.occupancy import OccupancyError, occupancy
from logca.gpu.threads import DEFAULT_BLOCKS, Layout, LayoutError, layout

__all__ = ["Block", "block_of", "fullest_layout"]

Block = tuple[int, ...] | Literal["fullest"]
"""Threads of a block along x, y and z [1], or what fills the device best [text]."""


def block_of(
    extents: tuple[int, ...],
    device: GpuDevice,
    *,
    block: Block | None = None,
    grid: tuple[int, ...] | None = None,
) -> tuple[int, ...] | None:
    """Threads of a block along x, y and z for a launch; None for the default [1].

    Parameters
    ----------
    extents : tuple of int
        Iterations of the collapsed loops, outermost first [1].
    device : GpuDevice
        The device.
    block : tuple of int or "fullest", optional
        The block [1].
    grid : tuple of int, optional
        Blocks along x, y and z; the block is as large as it must be then [1].

    Raises
    ------
    LayoutError
        If a grid has other directions than the launch, a number below 1, or does not fit the block.

    Examples
    --------
    >>> from logca.gpu.devices import device
    >>> block_of((1024, 1000), device("jetson-tk1"), grid=(40, 64))
    (25, 16)
    """
    if block == "fullest":
        block = fullest_layout(extents, device).block[: len(extents)]
    if grid is None:
        return block
    along = [*reversed(extents)][:2] + [prod(extents[:-2])] * (len(extents) > 2)
    if len(grid) != len(along) or min(grid) < 1:
        raise LayoutError(
            f"grid {grid} must have {len(along)} numbers from 1 on, one for each direction of "
            f"{' x '.join(map(str, along))} threads"
        )
    needed = tuple(-(-threads // blocks) for threads, blocks in zip(along, grid, strict=True))
    if block is None:
        return needed
    own = (*block, *(1,) * (len(along) - len(block)))
    fitting = tuple(-(-threads // size) for threads, size in zip(along, own, strict=False))
    if fitting != tuple(grid):
        raise LayoutError(
            f"grid {grid} of blocks {tuple(block)} does not fit {' x '.join(map(str, along))} "
            f"threads, which take a grid {fitting}; leave out one of grid and block"
        )
    return tuple(block)


def fullest_layout(
    extents: tuple[int, ...], device: GpuDevice, *, shared_memory: int = 0, registers: int = 0
) -> Layout:
    """The grid with the most active warps.

    Of all blocks with powers of two along their directions, from one warp to as many threads as the
    device allows, those are taken that keep the most warps active on a multiprocessor. Among them
    the ones with the fewest idle threads at the edges count; then the one that
    `logca.gpu.threads.DEFAULT_BLOCKS` has, or else the longest along x, along which neighbouring
    threads reach neighbouring addresses.

    Parameters
    ----------
    extents : tuple of int
        Iterations of the collapsed loops, outermost first [1].
    device : GpuDevice
        The device.
    shared_memory : int
        Shared memory of a block, whatever its shape [B].
    registers : int
        Registers of a thread; 0 if they are not known [1].

    Raises
    ------
    OccupancyError
        If no block fits on the device.

    Examples
    --------
    >>> from logca.gpu.devices import device
    >>> fullest_layout((4096, 4096), device("jetson-tk1")).block
    (32, 32, 1)
    >>> fullest_layout((4096, 8), device("jetson-tk1")).block
    (8, 128, 1)
    """
    best: tuple[tuple[float, ...], Layout] | None = None
    default = DEFAULT_BLOCKS[min(len(extents), 3)]
    for block in _shapes(min(len(extents), 3), device):
        grid = layout(extents, block, max_threads_per_block=device.max_threads_per_block)
        try:
            found = occupancy(grid, device, shared_memory=shared_memory, registers=registers)
        except OccupancyError:
            continue
        idle = grid.blocks * grid.threads_per_block - grid.threads
        order = (-found.active_warps, idle, grid.block != default, *(-each for each in block))
        if best is None or order < best[0]:
            best = order, grid
    if best is None:
        raise OccupancyError(
            f"no block of at least {device.warp_size} threads fits on {device.title} with "
            f"{shared_memory} B of shared memory and {registers} registers a thread"
        )
    return best[1]


def _shapes(directions: int, device: GpuDevice) -> Iterator[tuple[int, ...]]:
    lengths = [1 << bits for bits in range(device.max_threads_per_block.bit_length())]
    for block in product(lengths, repeat=directions):
        if device.warp_size <= prod(block) <= device.max_threads_per_block:
            yield block
