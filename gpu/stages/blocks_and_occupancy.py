"""The grid of a launch, and how many of its blocks and warps run at a time (wang2017, eq. 15).

The innermost collapsed loop runs along x, the next one along y, all others along z. Threads of
the last blocks that have no iteration do nothing.

How many blocks fit on a multiprocessor depends on the block alone, so that all launches of a
kernel share one `Shape`.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from math import prod
from typing import Literal

import numpy as np

from logca.common.errors import LogcaError
from logca.gpu.devices.parameters import GpuDevice
from logca.numeric.generated import cgpredict

__all__ = [
    "BATCHES",
    "DEFAULT_BLOCKS",
    "Block",
    "Layout",
    "LayoutError",
    "Occupancy",
    "OccupancyError",
    "Shape",
    "fullest_layout",
    "layout",
    "occupancy",
    "shape_of",
    "warps_of",
]

DEFAULT_BLOCKS: dict[int, tuple[int, int, int]] = {1: (256, 1, 1), 2: (32, 32, 1), 3: (32, 8, 4)}
"""Threads of a block along x, y and z [1], by the number of directions with more than one thread:
for one and two as in section 4.1 of wang2017 (which prints them in the wrong order), for three as
many as for two."""

_HIGHEST = 64
"""Threads of a block along z [1], at most (CUDA C++ Programming Guide, "Technical Specifications
per Compute Capability")."""


class LayoutError(LogcaError, ValueError):
    """Blocks or extents that no launch can have; the message says what is allowed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """A grid of blocks; made and checked by `layout`."""

    extents: tuple[int, ...]  # iterations of the collapsed loops, outermost first [1]
    block: tuple[int, int, int]  # threads of a block along x, y and z [1]
    # What follows from these is no field: predictions as JSON have the fields and nothing else.

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


def warps_of(threads: int, warp_size: int) -> int:
    """Warps of a block of so many threads, idle ones included [1]."""
    return -(-threads // warp_size)


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
    >>> layout((1, 200, 200)).block
    (32, 32, 1)
    """
    if not extents or min(extents) < 1:
        raise LayoutError(f"a launch needs at least one iteration of each loop, not {extents}")
    directions = min(len(extents), 3)
    chosen = _default_block(extents) if block is None else tuple(block)
    while len(chosen) > directions and chosen[-1] == 1:
        chosen = chosen[:-1]
    shown = "x".join(map(str, chosen))
    if not 1 <= len(chosen) <= directions:
        loops = "1 collapsed loop allows" if len(extents) == 1 else f"{len(extents)} loops allow"
        raise LayoutError(
            f"block = {shown} has {len(chosen)} directions; {loops} at most {directions}: "
            "write one number for each"
        )
    if min(chosen) < 1 or prod(chosen) > max_threads_per_block:
        raise LayoutError(
            f"block = {shown} must have from 1 to {max_threads_per_block} threads in all, "
            "and at least 1 in each direction"
        )
    x, y, z = (*chosen, 1, 1)[:3]
    return Layout(extents=tuple(extents), block=(x, y, z))


def _default_block(extents: tuple[int, ...]) -> tuple[int, int, int]:
    """Threads of a block along x, y and z [1]: in no direction more in which there is but one."""
    whole = Layout(extents=extents, block=(1, 1, 1)).shape
    wide = [place for place, threads in enumerate(whole) if threads > 1] or [0]
    chosen = [1, 1, 1]
    for place, threads in zip(wide, DEFAULT_BLOCKS[len(wide)], strict=False):
        chosen[place] = threads
    x, y, z = chosen
    return x, y, min(z, _HIGHEST)


Block = tuple[int, ...] | Literal["fullest"]
"""Threads of a block along x, y and z [1], or what fills the device best."""

BATCHES = 2
"""So many batches of threads are sampled: one after the other shows what the cache keeps from the
first for the second (wang2017, section 3.2) [1]."""

_REGISTERS_OF_A_WARP = 256  # granularity of allocation, CUDA occupancy calculator, Kepler
_BYTES_OF_A_BLOCK = 256  # the same of shared memory


class OccupancyError(LogcaError, ValueError):
    """A block that does not fit on the device; the message says what is too large."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Occupancy:
    """Blocks and warps that run on a multiprocessor at a time, and what limits them."""

    blocks: int  # blocks of the grid [1]
    # how many blocks threads, blocks, shared memory and registers would allow each [1]
    limits: dict[str, int]
    limit: str  # which of them, or "grid", decides
    active_blocks: int  # blocks that run on a multiprocessor at a time, B [1]
    # warps that run on a multiprocessor at a time, N: those of its blocks that have a thread with
    # an iteration, where the grid's fullest blocks run there [1]
    active_warps: int
    concurrent_blocks: int  # blocks that run on the device at a time [1]
    batches: float  # how often the device is filled, not rounded [1]
    warps_share: float  # active warps as a share of those that the device could hold [1]


def occupancy(
    grid: Layout,
    device: GpuDevice,
    *,
    shared_memory: int = 0,
    registers: int = 0,
) -> Occupancy:
    """Blocks, warps and batches of a launch.

    A block takes up threads and registers for all of its warps, but those of them without a single
    thread that has something to do end at once, and are none of the active ones of eqs 13 to 18.

    Examples
    --------
    >>> from logca.gpu.devices.parameters import device
    >>> found = occupancy(layout((1024, 1024)), device("jetson-tk1"))
    >>> found.active_blocks, found.active_warps, found.batches, found.limit
    (2, 64, 512.0, 'threads')
    """
    limits = _limits(
        grid.threads_per_block, device, shared_memory=shared_memory, registers=registers
    )
    return _filled(grid, device, limits)


def _limits(
    threads: int, device: GpuDevice, *, shared_memory: int, registers: int
) -> dict[str, int]:
    """Blocks of so many threads that each resource of a multiprocessor has room for [1]."""
    warps = warps_of(threads, device.warp_size)
    limits = {
        "threads": device.max_threads // (warps * device.warp_size),
        "blocks": device.max_blocks,
    }
    if shared_memory:
        limits["shared memory"] = device.shared_memory // _up(shared_memory, _BYTES_OF_A_BLOCK)
    if registers:
        of_a_warp = _up(registers * device.warp_size, _REGISTERS_OF_A_WARP)
        limits["registers"] = device.registers // of_a_warp // warps
    if threads > device.max_threads_per_block:
        raise OccupancyError(
            f"a block of {threads} threads does not fit on {device.title}: "
            f"at most {device.max_threads_per_block}"
        )
    limit = min(limits, key=limits.__getitem__)
    if limits[limit] < 1:
        needed = {"shared memory": f"{shared_memory} B", "registers": f"{registers} a thread"}
        raise OccupancyError(
            f"no block of {threads} threads fits on a multiprocessor of "
            f"{device.title}: too much of its {limit} ({needed.get(limit, 'threads')})"
        )
    return limits


def _filled(grid: Layout, device: GpuDevice, limits: dict[str, int]) -> Occupancy:
    """Occupancy by a grid where resources allow so many blocks."""
    limit = min(limits, key=limits.__getitem__)
    share = -(-grid.blocks // device.multiprocessors)
    active = min(limits[limit], share)
    concurrent = min(active * device.multiprocessors, grid.blocks)
    busy = grid.busy_warps(active, device.warp_size)
    return Occupancy(
        blocks=grid.blocks,
        limits=limits,
        limit="grid" if share < limits[limit] else limit,
        active_blocks=active,
        active_warps=busy,
        concurrent_blocks=concurrent,
        batches=float(cgpredict.batches(blocks=grid.blocks, active_blocks=concurrent)),
        warps_share=busy * device.warp_size / device.max_threads,
    )


def _up(number: int, step: int) -> int:
    return -(-number // step) * step


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """The block of a kernel, and how many of it a device runs at a time."""

    device: GpuDevice  # the GPU
    block: tuple[int, int, int]  # threads of a block along x, y and z [1]
    limits: dict[str, int]  # how many blocks each resource of a multiprocessor has room for [1]
    # whether the two innermost collapsed loops change places; extents are given with that done
    interchanged: bool = False

    @property
    def batch_blocks(self) -> int:
        """Blocks that the device has room for at a time, however few a grid has [1]."""
        return min(self.limits.values()) * self.device.multiprocessors

    @property
    def window_blocks(self) -> int:
        """Blocks of the sampled batches [1]."""
        return BATCHES * self.batch_blocks

    def grid(self, extents: tuple[int, ...]) -> Layout:
        """The grid of a launch."""
        return Layout(extents=extents, block=self.block)

    def occupancy(self, grid: Layout) -> Occupancy:
        """Blocks, warps and batches of a launch."""
        return _filled(grid, self.device, self.limits)

    def with_shared_memory(self, size: int) -> "Shape":
        """The shape with so much shared memory for each block."""
        limits = _limits(prod(self.block), self.device, shared_memory=size, registers=0)
        return replace(self, limits=limits)


def shape_of(
    extents: tuple[int, ...],
    device: GpuDevice,
    *,
    block: Block | None = None,
    grid: tuple[int, ...] | None = None,
    shared_memory: int = 0,
    interchanged: bool = False,
) -> Shape:
    """The shape of a kernel: its block as given, as a given grid needs it, or the fullest.

    Examples
    --------
    >>> from logca.gpu.devices.parameters import device
    >>> shape_of((1024, 1000), device("jetson-tk1"), grid=(40, 64)).block
    (25, 16, 1)
    """
    if block == "fullest":
        block = fullest_layout(extents, device).block[: len(extents)]
    if grid is not None:
        block = _block_for(grid, extents, block)
    laid_out = layout(extents, block, max_threads_per_block=device.max_threads_per_block)
    return Shape(
        device=device,
        block=laid_out.block,
        limits=_limits(
            laid_out.threads_per_block, device, shared_memory=shared_memory, registers=0
        ),
        interchanged=interchanged,
    )


def _block_for(
    grid: tuple[int, ...], extents: tuple[int, ...], block: tuple[int, ...] | None
) -> tuple[int, ...]:
    """Threads of a block with which a launch has so many blocks along x, y and z [1]."""
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
    `DEFAULT_BLOCKS` has, or else the longest along x, along which
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
            filled = occupancy(grid, device, shared_memory=shared_memory, registers=registers)
        except OccupancyError:
            continue
        idle = grid.blocks * grid.threads_per_block - grid.threads
        order = (-filled.active_warps, idle, grid.block != default, *(-length for length in block))
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
