"""The optimum with its bound and proof, or the best partition that the work allows."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from logca.numeric.partition.memory.coupling import Coupling
from logca.numeric.partition.problem.costs import with_own_costs
from logca.numeric.partition.problem.instance_and_objective import (
    Instance,
    InstanceError,
    area,
    cost,
)
from logca.numeric.partition.solvers.bounds.integer_program import integer_program_of
from logca.numeric.partition.solvers.bounds.work import Work, work_of
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
from logca.numeric.partition.solvers.heuristics.incumbent import improved
from logca.numeric.partition.solvers.search.branch_and_bound import Search
from logca.numeric.partition.solvers.search.flow_bound import SearchResult, branch_and_bound
from logca.numeric.partition.solvers.search.linear_bound import LinearBound

__all__ = ["Optimum", "allowed", "check_optimum", "optimal"]

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
    # whether the clock ended the search before its work was done: another run may find more
    out_of_time: bool = False

    @property
    def gap(self) -> float:
        """By what part of its cost the partition can be too dear [1]."""
        return (self.cost - self.bound) / max(1, abs(self.cost))

    @property
    def proven(self) -> bool:
        """True if the certificate proves that there is none cheaper; HiGHS's word is no proof."""
        return self.bound == self.cost and self.proof == "certificate"


def allowed(instance: Instance, start: Mask) -> Mask:
    """A partition to begin with, if it is one of the instance."""
    begin = np.asarray(start, np.bool_)
    cost(instance, begin)
    if np.any(begin & instance.pinned) or area(instance, begin) > instance.capacity:
        raise InstanceError("the partition to begin with maps a pinned block or exceeds the area")
    return begin


SHARE = 0.6
"""Share of the work that branch and bound has before HiGHS takes over [1]."""

MOST_NODES = 50_000
"""HiGHS is not tried on larger networks than this [1]."""


def optimal(
    instance: Instance,
    coupling: Coupling | None = None,
    *,
    time_limit: float = 60.0,
    start: Mask | None = None,
    clusters: Iterable[Sequence[int]] = (),
    most_nodes: int | None = None,
) -> Optimum:
    """The optimum with its proof, or the best partition found with some work, with its honest gap.

    The work is what an idle core does within `time_limit` [s], by fixed rates.

    Where memory couples no blocks, and branch and bound leaves a gap, HiGHS looks at the blocks
    that are not settled.
    """
    from logca.numeric.partition.solvers.heuristics.greedy_loop_clusters import cluster_greedy

    if not time_limit > 0:
        raise InstanceError(f"the time limit must be positive, not {time_limit}")
    work = work_of(time_limit)
    own = with_own_costs(instance, coupling)
    sets = list(clusters)
    begin: tuple[Mask, ...] = () if start is None else (allowed(own, start),)
    if coupling is None or not coupling.rows:
        if sets:
            begin += (improved(own, cluster_greedy(own, sets), rounds=2),)
        best = min(begin, key=lambda mapped: cost(own, mapped), default=None)
        return _uncoupled(own, best, work, most_nodes)
    if sets:
        begin += (cluster_greedy(instance, sets, coupling),)
    bounds = LinearBound(own, coupling, begin, work)
    search = Search(bounds)
    bound = search.run(most_nodes)
    return Optimum(
        mapped=bounds.best.mapped,
        cost=bounds.best.cost,
        bound=bound,
        proof="certificate",
        certificate=bounds.certificate(bound),
        nodes=search.branched,
        out_of_time=work.out_of_time,
    )


def check_optimum(instance: Instance, optimum: Optimum, coupling: Coupling | None = None) -> None:
    """Return if partition, cost and certificate are right; what rests on HiGHS is not checked."""
    certificate = optimum.certificate
    if coupling is None:
        check_partition(instance, optimum.mapped, optimum.cost)
    else:
        check_coupled_partition(instance, coupling, optimum.mapped, optimum.cost)
    check_claim(optimum.bound, optimum.proof, certificate.bound)
    if coupling is not None:
        check_coupled_bound(instance, coupling, certificate)
    elif isinstance(certificate, Certificate):
        check(instance, certificate)
    else:
        raise CertificateError("the certificate is one of a problem with memory")


def _uncoupled(
    instance: Instance,
    start: Mask | None,
    work: Work,
    most_nodes: int | None,
) -> Optimum:
    """The optimum of blocks that share no memory costs: branch and bound, then HiGHS."""
    kept_s = (1 - SHARE) * work.left_s
    work.left_s -= kept_s
    result = branch_and_bound(instance, work=work, start=start, most_nodes=most_nodes)
    if result.certificate.bound < result.cost and not work.out_of_time:
        work.left_s = kept_s
        return _finished(instance, result, work)
    return _optimum(result, result.mapped, result.cost, result.certificate.bound, work)


def _finished(instance: Instance, result: SearchResult, work: Work) -> Optimum:
    """Optimum after HiGHS has tried the blocks that are not settled."""
    mapped, least, bound = result.mapped, result.cost, result.certificate.bound
    region = result.region
    if region.network.nodes <= MOST_NODES:
        solved = integer_program_of(
            region.network,
            instance.blocks,
            region.capacity,
            time_limit=work.seconds_to_fuse(),
            most_nodes=work.tree_nodes(region.network.nodes + len(region.network.tail)),
        )
        work.over()
        if solved.mapped is not None:
            nodes = region.network.node[solved.mapped]
            other = np.zeros(instance.blocks, np.bool_)
            other[region.mapped] = True
            other[nodes[nodes < instance.blocks]] = True
            if area(instance, other) <= instance.capacity and cost(instance, other) < least:
                mapped, least = other, cost(instance, other)
        # what is cheaper than the best of branch and bound lies in its region: HiGHS's bound is
        # one of those partitions only, and all others cost at least the best one's
        if solved.bound is not None:
            bound = max(bound, min(solved.bound, least))
    return _optimum(result, mapped, least, bound, work)


def _optimum(result: SearchResult, mapped: Mask, least: int, bound: int, work: Work) -> Optimum:
    return Optimum(
        mapped=mapped,
        cost=least,
        bound=bound,
        proof="certificate" if bound <= result.certificate.bound else "solver",
        certificate=result.certificate,
        nodes=result.nodes,
        out_of_time=work.out_of_time,
    )
