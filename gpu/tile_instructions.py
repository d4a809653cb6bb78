"""What a thread of a kernel in tiles executes."""

from collections.abc import Sequence
from dataclasses import replace

from logca.gpu.instructions import Instructions, of_thread
from logca.gpu.tiles import Tile
from logca.trace.program import Loop, Program, ancestors

__all__ = ["barriers_of_thread", "tile_instructions"]


def tile_instructions(
    static: Program, tile: Tile, counts: Sequence[float], *, loops_only: bool
) -> Instructions:
    """Instructions that a thread executes.

    What stands in a thread loop, all threads of the block have done together; everything else in
    the body of a block, each of its threads does.

    Parameters
    ----------
    static : Program
        The program, with calls inlined.
    tile : Tile
        The nest.
    counts : sequence of float
        Executions of each block of the program, at the size that is meant [1].
    loops_only : bool
        Whether to leave out what a thread does once, outside of its loops.
    """
    loops = [*tile.blocks, *(loop for step in tile.threads for loop in step)]
    entered = [_iterations(static.loops[loop], counts) for loop in tile.blocks]
    threads = tile.thread_loops
    times = {}
    for number in static.loops[tile.nest.loop].blocks:
        around = [loop.id for loop in ancestors(static, static.blocks[number].loop)]
        own = [loop for loop in around if loop in threads]
        level = max(place for place, loop in enumerate(tile.blocks) if loop in around)
        runs = entered[level]
        for extent in tile.extents[: len(own)]:
            runs *= extent
        if not loops_only or _in_a_loop(tile, around):
            times[number] = counts[number] / runs
    number = entered[-1]
    for extent in tile.extents:
        number *= extent
    arrays = tile.arrays
    found = of_thread(
        static,
        loops,
        times,
        threads=number,
        private=arrays.own,
        shared=arrays.shared,
        registers=arrays.registers,
    )
    return replace(
        found,
        memory={site: each for site, each in found.memory.items() if site not in arrays.loads},
        loads={site: each for site, each in found.memory.items() if site in arrays.loads},
    )


def barriers_of_thread(static: Program, tile: Tile, counts: Sequence[float]) -> float:
    """Barriers that a thread waits at [1] (no_sync_insts of wang2017, eq. 23).

    Parameters
    ----------
    static : Program
        The program.
    tile : Tile
        The nest.
    counts : sequence of float
        Executions of each block of the program, at the size that is meant [1].
    """
    blocks = _iterations(static.loops[tile.blocks[-1]], counts)
    return sum(_iterations(static.loops[loop], counts) for loop in tile.barriers) / blocks


def _iterations(loop: Loop, counts: Sequence[float]) -> float:
    return sum(float(counts[latch]) for latch in loop.latches)


def _in_a_loop(tile: Tile, around: Sequence[int]) -> bool:
    """Whether a thread goes through a place in a loop of its own."""
    return not tile.thread_loops.union(tile.blocks).issuperset(around)
