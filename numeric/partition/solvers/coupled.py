"""The optimum with memory costs that blocks share, or the best partition that the time allows."""

import time
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from logca.numeric.partition.instance import Instance, InstanceError
from logca.numeric.partition.memory.coupling import Coupling
from logca.numeric.partition.solvers.checking_rows import check_coupled_partition
from logca.numeric.partition.solvers.checking_tree import check_claim
from logca.numeric.partition.solvers.coupled_checking import check_coupled_bound
from logca.numeric.partition.solvers.coupled_greedy import coupled_cluster_greedy, with_own_costs
from logca.numeric.partition.solvers.coupled_search import CoupledSearch
from logca.numeric.partition.solvers.optimal import optimal
from logca.numeric.partition.solvers.optimum import Optimum, allowed

__all__ = ["check_coupled", "coupled_optimum"]

Mask = NDArray[np.bool_]


def coupled_optimum(
    instance: Instance,
    coupling: Coupling,
    *,
    time_limit: float = 60.0,
    start: Mask | None = None,
    clusters: Iterable[Sequence[int]] = (),
    most_nodes: int | None = None,
) -> Optimum:
    """The optimum with memory, or the best partition found within a time, with its honest gap.

    Parameters
    ----------
    instance : Instance
        The problem, without any costs of memory.
    coupling : Coupling
        What memory costs.
    time_limit : float
        When to end, more than 0 [s]. Making the first bound and the certificate may take longer.
    start : array of bool, optional
        A partition to begin with.
    clusters : iterable of sequences of int, optional
        Sets of blocks, as for `coupled_cluster_greedy`, from which another beginning is made [1].
    most_nodes : int, optional
        After how many nodes to end [1].

    Raises
    ------
    InstanceError
        If the time is not positive, the partition to begin with is none of this instance, costs are
        too large for 64 bits, or instance and coupling are of different programs.
    MissingLibraryError
        If OR-tools or numba is not installed.
    """
    if not time_limit > 0:
        raise InstanceError(f"the time limit must be positive, not {time_limit}")
    begun = time.monotonic()
    own = with_own_costs(instance, coupling)
    sets = list(clusters)
    if not coupling.rows:
        return optimal(own, time_limit=time_limit, start=start, clusters=sets)
    begin: tuple[Mask, ...] = () if start is None else (allowed(own, start),)
    if sets:
        begin += (coupled_cluster_greedy(instance, coupling, sets),)
    search = CoupledSearch(own, coupling, begin, begun + time_limit)
    bound = search.run(most_nodes)
    return Optimum(
        mapped=search.best.mapped,
        cost=search.best.cost,
        bound=bound,
        proof="certificate",
        certificate=search.certificate(bound),
        nodes=search.branched,
    )


def check_coupled(instance: Instance, coupling: Coupling, found: Optimum) -> None:
    """Return if partition, cost and certificate are right; what rests on HiGHS is not checked.

    Parameters
    ----------
    instance : Instance
        The problem, without any costs of memory.
    coupling : Coupling
        What memory costs.
    found : Optimum
        Its optimum.

    Raises
    ------
    CertificateError
        If one of them is wrong.
    """
    check_coupled_partition(instance, coupling, found.mapped, found.cost)
    check_claim(found.bound, found.proof, found.certificate.bound)
    check_coupled_bound(instance, coupling, found.certificate)
