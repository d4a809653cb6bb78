"""Greedy that moves loops as a whole, and improvement of a partition by moves and swaps.

The paper's greedy fails where several blocks must be moved before any of them saves something, as
those of a complex loop (kenter2010, Section II.B). Here such sets are given, and moved together.
"""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from logca.numeric.partition.instance import Instance, InstanceError
from logca.numeric.partition.solvers.flips import flips

__all__ = ["cluster_greedy", "improved", "sets_of"]

Mask = NDArray[np.bool_]

LOG = 200
"""How many moves one attempt to improve a partition may take [1]."""


def cluster_greedy(instance: Instance, clusters: Iterable[Sequence[int]]) -> Mask:
    """Move the cluster, or the block, that saves most for its area, until none does.

    What is pinned or mapped already does not count; otherwise as in `greedy`. Clusters come before
    single blocks where ratios are equal.

    Parameters
    ----------
    instance : Instance
        The problem.
    clusters : iterable of sequences of int
        Sets of blocks, for instance those of each loop [1].

    Raises
    ------
    InstanceError
        If a cluster has a block that there is not.
    """
    start, member = sets_of(instance, clusters)
    at = flips(instance, np.zeros(instance.blocks, np.bool_))
    from logca.numeric.partition.solvers.flip_loops import climb_clusters

    climb_clusters(at, start, member, instance.capacity)
    return at.mapped


def sets_of(
    instance: Instance, clusters: Iterable[Sequence[int]]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Where the members of each cluster begin, and the members; single blocks come last.

    Parameters
    ----------
    instance : Instance
        The problem.
    clusters : iterable of sequences of int
        Sets of blocks [1].

    Raises
    ------
    InstanceError
        If a cluster has a block that there is not.
    """
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

    Parameters
    ----------
    instance : Instance
        The problem.
    mapped : array of bool
        A partition; if it takes too much area, blocks are first taken from the accelerator.
    rounds : int
        How often all blocks are tried, as long as it helps [1].
    """
    at = flips(instance, mapped & ~instance.pinned)
    from logca.numeric.partition.solvers.flip_loops import climb, improve, mend

    every = np.arange(instance.blocks)
    mend(at, instance.capacity)
    climb(at, instance.capacity)
    improve(at, every, instance.capacity, np.zeros(LOG, np.int64), rounds)
    return at.mapped
