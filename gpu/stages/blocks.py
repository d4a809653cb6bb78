"""The shape of blocks: as given, as a given grid needs it, or what fills the device best."""

from collections.abc import Iterator
from itertools import product
from math import prod
from numbers import Integral
from typing import Any, Literal

from logca.gpu.devices.parameters import GpuDevice
from logca.gpu.stages.grid import DEFAULT_BLOCKS, Layout, LayoutError, layout
from logca.gpu.stages.occupancy import OccupancyError, occupancy

__all__ = ["Block", "block_of", "checked_block", "checked_shape", "fullest_layout"]

Block = tuple[int, ...] | Literal["fullest"]
"""Threads of a block along x, y and z [1], or what fills the device best."""


def checked_block(given: Any) -> Block | None:
    """A block as callers give it, before it is known how many loops become threads.

    Examples
    --------
    >>> checked_block([16, 16]), checked_block("fullest")
    ((16, 16), 'fullest')
    """
    if isinstance(given, str) and given == "fullest":
        return "fullest"
    return checked_shape("block", given, other=" or 'fullest'")


def checked_shape(name: str, given: Any, *, other: str = "") -> tuple[int, ...] | None:
    """Numbers along x, y and z as callers give them; None for none [1]."""
    if given is None:
        return None
    allowed = f"{name} must be a tuple of one to three whole numbers from 1 on{other}"
    if isinstance(given, Integral) and not isinstance(given, bool):
        raise LayoutError(f"{allowed}, not {given!r}: write ({given},)")
    numbers = () if isinstance(given, str | bytes) or not hasattr(given, "__iter__") else (*given,)
    if not 1 <= len(numbers) <= 3 or not all(map(_is_count, numbers)):
        raise LayoutError(f"{allowed}, not {given!r}: write (32, 32), x first")
    return tuple(int(number) for number in numbers)


def _is_count(number: object) -> bool:
    return isinstance(number, Integral) and not isinstance(number, bool) and int(number) >= 1


def block_of(
    extents: tuple[int, ...],
    device: GpuDevice,
    *,
    block: Block | None = None,
    grid: tuple[int, ...] | None = None,
) -> tuple[int, ...] | None:
    """Threads of a block along x, y and z for a launch; None for the default [1].

    Examples
    --------
    >>> from logca.gpu.devices.parameters import device
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
            f"grid {grid} must have {len(along)} {'number' if len(along) == 1 else 'numbers'} from "
            f"1 on, one for each direction of {' x '.join(map(str, along))} threads"
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
    `logca.gpu.stages.grid.DEFAULT_BLOCKS` has, or else the longest along x, along which
    neighbouring threads reach neighbouring addresses.

    Examples
    --------
    >>> from logca.gpu.devices.parameters import device
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
