"""The loops of `greedy`: the best block, or the best cluster, is mapped until there is none.

This module imports numba: import it inside functions.
"""

from typing import Any

import numpy as np
from numba.extending import register_jitable

from logca.common.jit import compiled
from logca.numeric.partition.solvers.heuristics.move_loops import best_move, better, flip

__all__ = ["fill_greedily", "fill_with_clusters"]


@register_jitable
def _mark_changed(at: Any, block: int, dirty: Any, width: int) -> None:
    """Mark the chunks of all blocks whose moves a move of this block changes."""
    dirty[block // width] = True
    for place in range(at.other_start[block], at.other_start[block + 1]):
        dirty[at.other[place] // width] = True
    for place in range(at.use_start[block], at.use_start[block + 1]):
        value = at.use_value[place]
        dirty[at.producer[value] // width] = True
        for user in range(at.start[value], at.start[value + 1]):
            dirty[at.consumer[user] // width] = True
    rows = at.rows
    for place in range(rows.occurrence_start[block], rows.occurrence_start[block + 1]):
        row = rows.occurrence[place]
        dirty[rows.block[row] // width] = True
        for entry in range(rows.start[row], rows.start[row + 1]):
            dirty[(rows.entry[entry] >> 3) // width] = True


def _fill_greedily(at: Any, capacity: int) -> None:
    """Map the best block until there is none; the best of each chunk of blocks is remembered."""
    blocks = np.arange(at.mapped.size)
    width = 16 + int(blocks.size**0.5)
    chunks = (blocks.size + width - 1) // width
    best = np.full(chunks, -1)
    dirty = np.ones(chunks, np.bool_)
    while True:
        found = -1
        room = capacity - at.total[1]
        for chunk in range(chunks):
            block = best[chunk]
            if dirty[chunk] or (block >= 0 and at.area[block] > room):
                dirty[chunk] = False
                block = best_move(at, blocks[chunk * width : (chunk + 1) * width], capacity)
                best[chunk] = block
            if block >= 0 and (
                found < 0
                or better(-at.change[block], at.area[block], -at.change[found], at.area[found])
            ):
                found = block
        if found < 0:
            return
        flip(at, found)
        _mark_changed(at, found, dirty, width)


def _fill_with_clusters(at: Any, start: Any, member: Any, capacity: int) -> None:
    """Map the cluster that gains most for its area, all of it together, until there is none.

    A cluster is only tried anew if a move changed one of its blocks.
    """
    clusters = start.size - 1
    gain, size = np.zeros(clusters, np.int64), np.zeros(clusters, np.int64)
    dirty = np.ones(at.mapped.size, np.bool_)
    while True:
        found = -1
        for cluster in range(clusters):
            changed = False
            for place in range(start[cluster], start[cluster + 1]):
                changed = changed or dirty[member[place]]
            if changed:
                _try_cluster(at, start, member, cluster, capacity, gain, size)
            if gain[cluster] <= 0 or at.total[1] + size[cluster] > capacity:
                continue
            if found < 0 or better(gain[cluster], size[cluster], gain[found], size[found]):
                found = cluster
        if found < 0:
            return
        dirty[:] = False
        for place in range(start[found], start[found + 1]):
            block = member[place]
            if at.movable[block] and not at.mapped[block]:
                flip(at, block)
                _mark_changed(at, block, dirty, 1)


@register_jitable
def _try_cluster(
    at: Any, start: Any, member: Any, cluster: int, capacity: int, gain: Any, size: Any
) -> None:
    """What mapping the rest of a cluster would gain, and what area it takes."""
    cost, area = at.total[0], at.total[1]
    first, last = start[cluster], start[cluster + 1]
    rest = 0
    for place in range(first, last):
        if at.movable[member[place]] and not at.mapped[member[place]]:
            rest += at.area[member[place]]
    if area + rest > capacity:
        # it will not fit later either: what is mapped takes as much room as it spares the cluster
        gain[cluster], size[cluster] = 0, rest
        return
    moved = 0
    for place in range(first, last):
        block = member[place]
        if at.movable[block] and not at.mapped[block]:
            flip(at, block)
            # the members that were moved come first, so that they can be moved back
            member[place], member[first + moved] = member[first + moved], block
            moved += 1
    gain[cluster], size[cluster] = cost - at.total[0], at.total[1] - area
    for place in range(first, first + moved):
        flip(at, member[place])


fill_greedily = compiled(_fill_greedily)
fill_with_clusters = compiled(_fill_with_clusters)
