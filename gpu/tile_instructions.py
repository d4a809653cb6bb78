"""What a thread of a kernel in tiles executes."""

from collections.abc import Sequence
from dataclasses import replace
from math import prod

from logca.gpu.arguments import arguments
from logca.gpu.instructions import Instructions, of_thread
from logca.gpu.tiles import Tile
from logca.gpu.workload import Workload
from logca.trace.nesting import chain_of

__all__ = ["barriers_of_thread", "tile_instructions"]


def tile_instructions(load: Workload, tile: Tile, *, loops_only: bool) -> Instructions:
    """Instructions that a thread executes.

    What stands in a thread loop, all threads of the block have done together; everything else in
    the body of a block, each of its threads does.

    Parameters
    ----------
    load : Workload
        The program and its counts.
    tile : Tile
        The nest.
    loops_only : bool
        Whether to leave out what a thread does once, outside of its loops.
    """
    static = load.static
    loops = [*tile.blocks, *(loop for step in tile.threads for loop in step)]
    entered = [load.trips(loop).iterations for loop in tile.blocks]
    threads = tile.thread_loops
    times = {}
    for number in static.loops[tile.nest.loop].blocks:
        around = chain_of(static.loops, static.blocks[number].loop)
        own = [loop for loop in around if loop in threads]
        level = max(place for place, loop in enumerate(tile.blocks) if loop in around)
        runs = entered[level] * prod(tile.extents[: len(own)])
        if not loops_only or _in_a_loop(tile, around):
            times[number] = load.executions(number) / runs
    arrays = tile.arrays
    found = of_thread(
        static,
        loops,
        times,
        threads=float(entered[-1] * prod(tile.extents)),
        private=arrays.own,
        shared=arrays.shared,
        registers=arrays.registers | arguments(static, tile.nest.loop),
    )
    return replace(
        found,
        memory={site: each for site, each in found.memory.items() if site not in arrays.loads},
        loads={site: each for site, each in found.memory.items() if site in arrays.loads},
    )


def barriers_of_thread(load: Workload, tile: Tile) -> float:
    """Barriers that a thread waits at [1] (no_sync_insts of wang2017, eq. 23).

    Parameters
    ----------
    load : Workload
        The program and its counts.
    tile : Tile
        The nest.
    """
    blocks = load.trips(tile.blocks[-1]).iterations
    return sum(load.trips(loop).iterations for loop in tile.barriers) / blocks


def _in_a_loop(tile: Tile, around: Sequence[int]) -> bool:
    """Whether a thread goes through a place in a loop of its own."""
    return not tile.thread_loops.union(tile.blocks).issuperset(around)
