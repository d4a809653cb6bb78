"""The optimum with its bound and proof, or the best partition that the time allows."""

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from logca.numeric.partition.memory.coupling import Coupling
from logca.numeric.partition.problem.instance import Instance, InstanceError, area, cost
from logca.numeric.partition.solvers.bounds.integer_program import integer_program_of
from logca.numeric.partition.solvers.certificates.checker import check
from logca.numeric.partition.solvers.certificates.coupled_checker import (
    check_coupled_bound,
    check_coupled_partition,
)
from logca.numeric.partition.solvers.certificates.format import Certificate, CoupledCertificate
from logca.numeric.partition.solvers.certificates.tree import (
    CertificateError,
    check_claim,
    check_partition,
)
from logca.numeric.partition.solvers.heuristics.greedy import (
    cluster_greedy,
    coupled_cluster_greedy,
    improved,
    with_own_costs,
)
from logca.numeric.partition.solvers.search.branch_and_bound import Found, branch_and_bound
from logca.numeric.partition.solvers.search.coupled_search import CoupledSearch

__all__ = [
    "Optimum",
    "allowed",
    "check_coupled",
    "check_optimum",
    "coupled_optimum",
    "optimal",
]

Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Optimum:
    """A partition, and how far from the optimum it can be."""

    mapped: Mask  # for each block whether it is on the accelerator
    cost: int  # what it costs, memory included [scaled cycles]
    bound: int  # what no partition that fits costs less than [scaled cycles]
    # what the bound rests on: "certificate", or "solver" for HiGHS, which computes in floating
    # point and is only asked if memory couples no blocks
    proof: Literal["certificate", "solver"]
    # the proof of the bound, or of a lower one if the bound rests on HiGHS
    certificate: Certificate | CoupledCertificate
    nodes: int  # how many nodes were branched on [1]

    @property
    def gap(self) -> float:
        """By what part of its cost the partition can be too dear [1]."""
        return (self.cost - self.bound) / max(1, abs(self.cost))

    @property
    def proven(self) -> bool:
        """Whether the certificate proves that there is none cheaper; HiGHS's word is no proof."""
        return self.bound == self.cost and self.proof == "certificate"


def allowed(instance: Instance, start: Mask) -> Mask:
    """A partition to begin with, if it is one of the instance."""
    begin = np.asarray(start, np.bool_)
    cost(instance, begin)
    if np.any(begin & instance.pinned) or area(instance, begin) > instance.capacity:
        raise InstanceError("the partition to begin with maps a pinned block or exceeds the area")
    return begin


SHARE = 0.6
"""What part of the time branch and bound has before HiGHS takes over [1]."""

MOST_NODES = 50_000
"""HiGHS is not tried on larger networks than this [1]."""


def optimal(
    instance: Instance,
    *,
    time_limit: float = 60.0,
    start: Mask | None = None,
    clusters: Iterable[Sequence[int]] = (),
) -> Optimum:
    """The optimum with its proof, or the best partition found within a time, with its honest gap.

    Branch and bound first; if it leaves a gap, HiGHS on the blocks that are not settled.
    """
    if not time_limit > 0:
        raise InstanceError(f"the time limit must be positive, not {time_limit}")
    begun = time.monotonic()
    sets = list(clusters)
    begin = None if start is None else allowed(instance, start)
    if sets:
        other = improved(instance, cluster_greedy(instance, sets), rounds=2)
        if begin is None or cost(instance, other) < cost(instance, begin):
            begin = other
    spent = time.monotonic() - begun
    found = branch_and_bound(instance, time_limit=max(0.0, SHARE * time_limit - spent), start=begin)
    left = time_limit - (time.monotonic() - begun)
    if found.certificate.bound < found.cost and left > 0:
        return _finished(instance, found, left)
    return _optimum(found, found.mapped, found.cost, found.certificate.bound)


def check_optimum(instance: Instance, found: Optimum) -> None:
    """Return if partition, cost and certificate are right; what rests on HiGHS is not checked."""
    check_partition(instance, found.mapped, found.cost)
    if not isinstance(found.certificate, Certificate):
        raise CertificateError("the certificate is one of a problem with memory")
    check_claim(found.bound, found.proof, found.certificate.bound)
    check(instance, found.certificate)


def _finished(instance: Instance, found: Found, time_limit: float) -> Optimum:
    """What HiGHS makes of the blocks that are not settled."""
    mapped, least, bound = found.mapped, found.cost, found.certificate.bound
    region = found.region
    if region.network.nodes <= MOST_NODES:
        solved = integer_program_of(
            region.network, instance.blocks, region.capacity, time_limit=time_limit
        )
        if solved.mapped is not None:
            nodes = region.network.node[solved.mapped]
            other = np.zeros(instance.blocks, np.bool_)
            other[region.mapped] = True
            other[nodes[nodes < instance.blocks]] = True
            if area(instance, other) <= instance.capacity and cost(instance, other) < least:
                mapped, least = other, cost(instance, other)
        # what is cheaper than the best of branch and bound lies in its region
        if solved.bound is not None:
            bound = max(bound, min(solved.bound, least))
    return _optimum(found, mapped, least, bound)


def _optimum(found: Found, mapped: Mask, least: int, bound: int) -> Optimum:
    return Optimum(
        mapped=mapped,
        cost=least,
        bound=bound,
        proof="certificate" if bound <= found.certificate.bound else "solver",
        certificate=found.certificate,
        nodes=found.nodes,
    )


def coupled_optimum(
    instance: Instance,
    coupling: Coupling,
    *,
    time_limit: float = 60.0,
    start: Mask | None = None,
    clusters: Iterable[Sequence[int]] = (),
    most_nodes: int | None = None,
) -> Optimum:
    """The optimum with memory, or the best partition found within a time, with its honest gap."""
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
    """Return if partition, cost and certificate are right; what rests on HiGHS is not checked."""
    check_coupled_partition(instance, coupling, found.mapped, found.cost)
    check_claim(found.bound, found.proof, found.certificate.bound)
    check_coupled_bound(instance, coupling, found.certificate)
