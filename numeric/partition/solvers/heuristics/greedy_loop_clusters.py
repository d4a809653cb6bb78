"""Greedy that moves clusters of blocks, such as whole loops, beside single blocks.

The paper's greedy fails where several blocks must be moved before any of them saves something, as
those of a complex loop (kenter2010, Section II.B). Here such sets are given, and moved together.

This module imports numba: import it inside functions.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from logca.common.jit import compiled, register_jitable
from logca.numeric.partition.memory.coupling import Coupling
from logca.numeric.partition.problem.instance_and_objective import Instance, InstanceError
from logca.numeric.partition.solvers.heuristics.greedy import nothing_moved
from logca.numeric.partition.solvers.heuristics.move_loops import better, changed_by, flip

__all__ = ["cluster_greedy"]


def cluster_greedy(
    instance: Instance, clusters: Iterable[Sequence[int]], coupling: Coupling | None = None
) -> NDArray[np.bool_]:
    """Move the cluster, or the block, that saves most for its area, until none does.

    What is pinned or mapped already does not count; otherwise as in `greedy`. Clusters come before
    single blocks where ratios are equal.
    """
    start, member = _sets_of(instance, clusters)
    order = np.argsort(member, kind="stable")
    within = np.repeat(np.arange(len(start) - 1), np.diff(start))[order]
    count = np.bincount(member, minlength=instance.blocks)
    within_start = np.concatenate((np.zeros(1, np.int64), np.cumsum(count)))
    at = nothing_moved(instance, coupling)
    fill_with_clusters(at, start, member, within_start, within, instance.capacity)
    return at.mapped


def _sets_of(
    instance: Instance, clusters: Iterable[Sequence[int]]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Where the members of each cluster begin, and the members; single blocks come last."""
    given = [sorted(set(cluster)) for cluster in clusters]
    for cluster in given:
        if cluster and not 0 <= cluster[0] <= cluster[-1] < instance.blocks:
            raise InstanceError(
                f"a cluster has the blocks {cluster}, and blocks are 0 to {instance.blocks - 1}"
            )
    every = [*given, *([block] for block in range(instance.blocks))]
    start = np.cumsum([0, *map(len, every)]).astype(np.int64)
    return start, np.array([block for cluster in every for block in cluster], np.int64)


def _fill_with_clusters(
    at: Any, start: Any, member: Any, within_start: Any, within: Any, capacity: int
) -> None:
    """Map the cluster that gains most for its area, all of it together, until there is none.

    A cluster is only tried anew if a move changed one of its blocks, and the best of each chunk of
    clusters is remembered.
    """
    clusters = start.size - 1
    gain, size = np.zeros(clusters, np.int64), np.zeros(clusters, np.int64)
    stale = np.ones(clusters, np.bool_)
    width = 16 + int(clusters**0.5)
    chunks = (clusters + width - 1) // width
    best = np.full(chunks, -1)
    dirty = np.ones(chunks, np.bool_)
    seen, changed = np.zeros(at.mapped.size, np.bool_), np.empty(at.mapped.size, np.int64)
    while True:
        found = -1
        room = capacity - at.total[1]
        for chunk in range(chunks):
            cluster = best[chunk]
            if dirty[chunk] or (cluster >= 0 and size[cluster] > room):
                dirty[chunk] = False
                cluster = -1
                for each in range(chunk * width, min((chunk + 1) * width, clusters)):
                    if stale[each]:
                        stale[each] = False
                        _try_cluster(at, start, member, each, capacity, gain, size)
                    if gain[each] <= 0 or size[each] > room:
                        continue
                    if cluster < 0 or better(gain[each], size[each], gain[cluster], size[cluster]):
                        cluster = each
                best[chunk] = cluster
            if cluster >= 0 and (
                found < 0 or better(gain[cluster], size[cluster], gain[found], size[found])
            ):
                found = cluster
        if found < 0:
            return
        for place in range(start[found], start[found + 1]):
            block = member[place]
            if not at.movable[block] or at.mapped[block]:
                continue
            flip(at, block)
            for number in range(changed_by(at, block, seen, changed)):
                other = changed[number]
                for which in range(within_start[other], within_start[other + 1]):
                    stale[within[which]] = True
                    dirty[within[which] // width] = True


@register_jitable
def _try_cluster(
    at: Any, start: Any, member: Any, cluster: int, capacity: int, gain: Any, size: Any
) -> None:
    """Write the gain of mapping the rest of a cluster, and the area it takes."""
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


fill_with_clusters = compiled(_fill_with_clusters)
