"""The optimum with memory costs that blocks share, or the best partition that the time allows."""

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from logca.numeric.partition.instance import Instance, InstanceError, area, cost
from logca.numeric.partition.memory.coupling import Coupling
from logca.numeric.partition.solvers.certificate import Certificate
from logca.numeric.partition.solvers.checking_cost import CertificateError
from logca.numeric.partition.solvers.checking_rows import check_coupled_partition
from logca.numeric.partition.solvers.coupled_certificate import CoupledCertificate
from logca.numeric.partition.solvers.coupled_checking import check_coupled_bound
from logca.numeric.partition.solvers.coupled_greedy import coupled_cluster_greedy, with_own_costs
from logca.numeric.partition.solvers.coupled_search import CoupledSearch
from logca.numeric.partition.solvers.optimal import optimal

__all__ = ["CoupledOptimum", "check_coupled", "coupled_optimum"]

Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CoupledOptimum:
    """A partition, and how far from the optimum it can be.

    Parameters
    ----------
    mapped : array of bool
        For each block whether it is on the accelerator.
    cost : int
        What it costs, memory included [scaled cycles].
    bound : int
        What no partition that fits costs less than [scaled cycles].
    proof : str
        What the bound rests on: "certificate", or "solver" for HiGHS, which computes in floating
        point and is only asked if memory couples no blocks.
    certificate : CoupledCertificate or Certificate
        The proof of the bound, or of a lower one if the bound rests on HiGHS.
    nodes : int
        How many nodes were branched on [1].
    """

    mapped: Mask
    cost: int
    bound: int
    proof: Literal["certificate", "solver"]
    certificate: CoupledCertificate | Certificate
    nodes: int

    @property
    def gap(self) -> float:
        """By what part of its cost the partition can be too dear [1]."""
        return (self.cost - self.bound) / max(1, abs(self.cost))


def coupled_optimum(
    instance: Instance,
    coupling: Coupling,
    *,
    time_limit: float = 60.0,
    start: Mask | None = None,
    clusters: Iterable[Sequence[int]] = (),
    most_nodes: int | None = None,
) -> CoupledOptimum:
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
        plain = optimal(own, time_limit=time_limit, start=start, clusters=sets)
        return CoupledOptimum(
            mapped=plain.mapped,
            cost=plain.cost,
            bound=plain.bound,
            proof=plain.proof,
            certificate=plain.certificate,
            nodes=plain.nodes,
        )
    begin: tuple[Mask, ...] = () if start is None else (_allowed(own, start),)
    if sets:
        begin += (coupled_cluster_greedy(instance, coupling, sets),)
    search = CoupledSearch(own, coupling, begin, begun + time_limit)
    bound = search.run(most_nodes)
    return CoupledOptimum(
        mapped=search.best.mapped,
        cost=search.best.cost,
        bound=bound,
        proof="certificate",
        certificate=search.certificate(bound),
        nodes=search.branched,
    )


def check_coupled(instance: Instance, coupling: Coupling, found: CoupledOptimum) -> None:
    """Return if partition, cost and certificate are right; what rests on HiGHS is not checked.

    Parameters
    ----------
    instance : Instance
        The problem, without any costs of memory.
    coupling : Coupling
        What memory costs.
    found : CoupledOptimum
        Its optimum.

    Raises
    ------
    CertificateError
        If one of them is wrong.
    """
    check_coupled_partition(instance, coupling, found.mapped, found.cost)
    if found.proof == "certificate" and found.bound > found.certificate.bound:
        raise CertificateError(
            f"the bound is {found.bound}, and the certificate proves {found.certificate.bound}"
        )
    check_coupled_bound(instance, coupling, found.certificate)


def _allowed(instance: Instance, start: Mask) -> Mask:
    begin = np.asarray(start, np.bool_)
    cost(instance, begin)
    if np.any(begin & instance.pinned) or area(instance, begin) > instance.capacity:
        raise InstanceError("the partition to begin with maps a pinned block or exceeds the area")
    return begin
