"""The cheapest partition that fits, by branch and bound, with a proof."""

import time
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from logca.numeric.partition.instance import Instance
from logca.numeric.partition.solvers.certificate import Certificate
from logca.numeric.partition.solvers.regions import Region
from logca.numeric.partition.solvers.search import Search

__all__ = ["Found", "branch_and_bound"]

Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Found:
    """What a search found.

    Parameters
    ----------
    mapped : array of bool
        The best partition.
    cost : int
        What it costs [scaled cycles].
    certificate : Certificate
        The proof that none costs less than its bound.
    nodes : int
        How many nodes were branched on [1].
    region : Region
        The blocks that were not settled before the first branch: every partition that is cheaper
        than the best one maps and leaves the others as it does.
    """

    mapped: Mask
    cost: int
    certificate: Certificate
    nodes: int
    region: Region


def branch_and_bound(
    instance: Instance,
    *,
    time_limit: float = 60.0,
    start: Mask | None = None,
    most_nodes: int | None = None,
) -> Found:
    """The cheapest partition that fits, or the best one found when the time is over.

    Parameters
    ----------
    instance : Instance
        The problem.
    time_limit : float
        When to end the search [s].
    start : array of bool, optional
        A partition that is known.
    most_nodes : int, optional
        After how many nodes to end it [1].

    Raises
    ------
    InstanceError
        If costs are too large for 64 bits.
    MissingLibraryError
        If OR-tools or numba is not installed.
    """
    search = Search(instance, start, time.monotonic() + time_limit)
    bound = search.run(most_nodes)
    return Found(
        mapped=search.best.mapped,
        cost=search.best.cost,
        certificate=search.tree.certificate(bound),
        nodes=search.branched,
        region=search.region,
    )
