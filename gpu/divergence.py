"""What a warp executes of what its threads do.

A warp issues an instruction if any of its lanes takes part, so that lanes that wait for others cost
as much as lanes that work. The warps of wang2017 execute what one thread does.
"""

from dataclasses import replace

from logca.gpu.dram import Memory
from logca.gpu.instructions import Instructions
from logca.gpu.threads import Layout

__all__ = ["executed_by_warps"]


def executed_by_warps(
    executed: Instructions, found: Memory, grid: Layout, warp_size: int
) -> Instructions:
    """What a warp executes, on average.

    An access that has only half of a warp's lanes in each warp instruction is in twice as many of
    them as a thread makes. Compute instructions follow an access that the same threads make, where
    there is one; others count as a thread executes them on average.

    Parameters
    ----------
    executed : Instructions
        What a thread executes.
    found : Memory
        How its accesses behave.
    grid : Layout
        The threads.
    warp_size : int
        Threads of a warp [1].
    """
    threads = grid.threads / grid.busy_warps(grid.blocks, warp_size)
    # Behind the first batches warps may be less full than those that were looked at.
    waits = {
        each.access: max(1.0, threads / each.lanes)
        for each in found.accesses
        if each.access is not None
    }
    memory = {site: count * waits.get(site, 1.0) for site, count in executed.memory.items()}
    own = sum(executed.computation.values())
    together = sum(
        count * (1.0 if site is None else waits.get(site, 1.0))
        for site, count in executed.computing.items()
    )
    factor = together / own if own and executed.computing else 1.0
    return replace(
        executed,
        memory=memory,
        computation={name: count * factor for name, count in executed.computation.items()},
    )
