"""Which accesses of a kernel in tiles are kept: those of the blocks of the first batches."""

from collections.abc import Mapping
from math import prod

from logca.gpu.devices import GpuDevice
from logca.gpu.launches import looked_at
from logca.gpu.occupancy import occupancy
from logca.gpu.sampling import EVERYTHING, Wanted
from logca.gpu.threads import layout
from logca.gpu.tiles import Tile
from logca.gpu.workload import Workload, extents_of, launches_of
from logca.trace.nesting import accesses_of, chain_of
from logca.trace.program import Access, Program

__all__ = ["wanted_of_tile"]

_KEPT = 1 << 21
"""Accesses that are kept; of long threads that is only the beginning [1]."""


def wanted_of_tile(load: Workload, tile: Tile, device: GpuDevice, batches: int) -> Wanted:
    """What to keep of the trace: the blocks of the first batches, of some launches.

    Parameters
    ----------
    load : Workload
        The program and its counts.
    tile : Tile
        The nest.
    device : GpuDevice
        The GPU.
    batches : int
        Batches of blocks that are looked at [1].

    Raises
    ------
    LayoutError
        If a block has more threads than the device allows.
    OccupancyError
        If a block does not fit on the device.
    """
    extents = extents_of(load, tile.nest, at_work_size=False)
    number = launches_of(load, tile.nest, at_work_size=False)
    blocks = tuple(max(1, round(extent)) for extent in extents)
    grid = layout(
        tile.merged(blocks), tile.block, max_threads_per_block=device.max_threads_per_block
    )
    room = occupancy(grid, device, shared_memory=tile.arrays.size).fitting_blocks
    rest, window = batches * room * device.multiprocessors, []
    for extent in reversed(blocks):
        window.append(rest if number > 1 else min(rest, extent))
        rest = -(-rest // extent) if number == 1 else rest
    own = {
        access.id: column
        for access in accesses_of(load.static, tile.nest.loop)
        for column in _own_columns(load.static, tile, access)[:1]
    }
    accesses = sum(
        load.traced[access.block] for access in accesses_of(load.static, tile.nest.loop)
    ) / max(1, prod(extents) * number)
    launches = looked_at(number)
    most = _KEPT / max(1.0, accesses * len(launches) * batches * room * device.multiprocessors)
    return Wanted(
        nest=tile.nest,
        launches=launches,
        window=tuple(reversed(window)),
        number=number,
        extents=extents,
        inside=EVERYTHING if most >= 1 else max(1, int(most * _longest(load, tile, own))),
        own=own,
    )


def _longest(load: Workload, tile: Tile, own: Mapping[int, int]) -> float:
    """Iterations of the longest of the threads' own outermost loops [1]."""
    static = load.static
    loops = {
        chain_of(static.loops, static.accesses[each].loop, tile.nest.loop)[column]
        for each, column in own.items()
    }
    return max((load.trips(loop, at_work_size=False).mean for loop in loops), default=0.0)


def _own_columns(static: Program, tile: Tile, access: Access) -> list[int]:
    """Columns of the loops around an access that a thread runs, outermost first [1]."""
    others = tile.thread_loops.union(tile.blocks)
    chain = chain_of(static.loops, access.loop, tile.nest.loop)
    return [column for column, loop in enumerate(chain) if loop not in others]
