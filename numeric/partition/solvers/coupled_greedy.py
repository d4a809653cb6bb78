"""Greedy partitions, and improvement by moves and swaps, with memory costs that blocks share.

The rules are those of `greedy` and `clusters`; what a move saves includes what it changes in the
time of all memory accesses, exactly.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from logca.numeric.partition.instance import Instance, InstanceError
from logca.numeric.partition.memory.coupling import Coupling
from logca.numeric.partition.solvers.clusters import sets_of
from logca.numeric.partition.solvers.flips import flips

__all__ = [
    "coupled_cluster_greedy",
    "coupled_greedy",
    "with_own_costs",
]

Mask = NDArray[np.bool_]


def with_own_costs(instance: Instance, coupling: Coupling) -> Instance:
    """The instance with what accesses of each block cost in any case.

    Parameters
    ----------
    instance : Instance
        A problem without costs of memory.
    coupling : Coupling
        What memory costs.

    Raises
    ------
    InstanceError
        If they are of programs with different numbers of blocks.
    """
    if instance.blocks != coupling.blocks:
        raise InstanceError(
            f"memory costs of {coupling.blocks} blocks, and the instance has {instance.blocks}"
        )
    return replace(
        instance,
        cpu=instance.cpu + coupling.cpu,
        accelerator=instance.accelerator + coupling.accelerator,
    )


def coupled_greedy(instance: Instance, coupling: Coupling) -> Mask:
    """The partition that the paper's greedy finds, with memory.

    Parameters
    ----------
    instance : Instance
        The problem, without any costs of memory.
    coupling : Coupling
        What memory costs.

    Raises
    ------
    InstanceError
        If they are of programs with different numbers of blocks.
    MissingLibraryError
        If numba is not installed.
    """
    own = with_own_costs(instance, coupling)
    at = flips(own, np.zeros(own.blocks, np.bool_), coupling=coupling)
    from logca.numeric.partition.solvers.flip_loops import climb

    climb(at, own.capacity)
    return at.mapped


def coupled_cluster_greedy(
    instance: Instance, coupling: Coupling, clusters: Iterable[Sequence[int]]
) -> Mask:
    """Move the cluster, or the block, that saves most for its area, until none does.

    Parameters
    ----------
    instance, coupling
        As for `coupled_greedy`.
    clusters : iterable of sequences of int
        Sets of blocks, for instance those of each loop [1].

    Raises
    ------
    InstanceError
        If a cluster has a block that there is not.
    """
    own = with_own_costs(instance, coupling)
    start, member = sets_of(own, clusters)
    at = flips(own, np.zeros(own.blocks, np.bool_), coupling=coupling)
    from logca.numeric.partition.solvers.flip_loops import climb_clusters

    climb_clusters(at, start, member, own.capacity)
    return at.mapped
