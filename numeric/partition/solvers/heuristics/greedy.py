"""Greedy partitions: the paper's, and one that moves loops as a whole; with and without memory.

kenter2010, Section II.B: blocks with the highest ratio of estimated speedup to area are moved to
the accelerator one by one, as long as the area of all moved blocks fits. Where the paper is silent:

- What a block saves is estimated anew after each move, with all costs of communication.
- Only blocks that save something are moved; when none is left that does and fits, greedy ends.
- A block that does not fit is passed over; smaller ones after it are still moved.
- A block without area that saves something has an infinite ratio; of several the one that saves
  most comes first.
- Ratios are compared exactly; of equal ones the block with the lowest number comes first.
- What was moved is not moved back.

The paper's greedy fails where several blocks must be moved before any of them saves something, as
those of a complex loop (kenter2010, Section II.B). Here such sets are given, and moved together.

With memory the rules are the same; what a move saves includes what it changes in the
time of all memory accesses, exactly.
"""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from logca.numeric.partition.memory.coupling import Coupling
from logca.numeric.partition.problem.costs import with_own_costs
from logca.numeric.partition.problem.instance import Instance, InstanceError
from logca.numeric.partition.solvers.heuristics.incumbent import LOG
from logca.numeric.partition.solvers.heuristics.moves import Moves, moves_from

__all__ = ["cluster_greedy", "greedy", "improved", "sets_of"]


Mask = NDArray[np.bool_]


def greedy(instance: Instance, coupling: Coupling | None = None) -> Mask:
    """The partition that the paper's greedy finds."""
    from logca.numeric.partition.solvers.heuristics.greedy_loops import fill_greedily

    at = _from_nothing(instance, coupling)
    fill_greedily(at, instance.capacity)
    return at.mapped


def cluster_greedy(
    instance: Instance, clusters: Iterable[Sequence[int]], coupling: Coupling | None = None
) -> Mask:
    """Move the cluster, or the block, that saves most for its area, until none does.

    What is pinned or mapped already does not count; otherwise as in `greedy`. Clusters come before
    single blocks where ratios are equal.
    """
    from logca.numeric.partition.solvers.heuristics.greedy_loops import fill_with_clusters

    start, member = sets_of(instance, clusters)
    at = _from_nothing(instance, coupling)
    fill_with_clusters(at, start, member, instance.capacity)
    return at.mapped


def _from_nothing(instance: Instance, coupling: Coupling | None) -> Moves:
    own = with_own_costs(instance, coupling)
    return moves_from(own, np.zeros(own.blocks, np.bool_), coupling=coupling)


def sets_of(
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


def improved(instance: Instance, mapped: Mask, *, rounds: int = 10) -> Mask:
    """A partition that fits and costs no more, found by moving blocks, one or several at a time.

    Each block in turn changes its side; then blocks that least pay for their area leave the
    accelerator until it fits, and others that pay come. What does not lower the cost is undone.
    """
    from logca.numeric.partition.solvers.heuristics.greedy_loops import fill_greedily
    from logca.numeric.partition.solvers.heuristics.move_loops import improve, repair

    at = moves_from(instance, mapped & ~instance.pinned)
    every = np.arange(instance.blocks)
    repair(at, instance.capacity)
    fill_greedily(at, instance.capacity)
    improve(at, every, instance.capacity, np.zeros(LOG, np.int64), rounds)
    return at.mapped
