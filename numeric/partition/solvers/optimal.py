"""The optimum, or the best partition that the time allows, with its bound and its proof."""

import time
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from logca.numeric.partition.instance import Instance, InstanceError, area, cost
from logca.numeric.partition.solvers.branch import Found, branch_and_bound
from logca.numeric.partition.solvers.certificate import Certificate
from logca.numeric.partition.solvers.checking import check
from logca.numeric.partition.solvers.checking_cost import CertificateError, check_partition
from logca.numeric.partition.solvers.checking_tree import check_claim
from logca.numeric.partition.solvers.clusters import cluster_greedy, improved
from logca.numeric.partition.solvers.milp import integer_program_of
from logca.numeric.partition.solvers.optimum import Optimum, allowed

__all__ = ["check_optimum", "optimal"]

Mask = NDArray[np.bool_]

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

    Parameters
    ----------
    instance : Instance
        The problem.
    time_limit : float
        When to end, more than 0 [s]. Making the first bound and the certificate may take longer.
    start : array of bool, optional
        A partition to begin with.
    clusters : iterable of sequences of int, optional
        Sets of blocks, as for `cluster_greedy`, from which another beginning is made [1].

    Raises
    ------
    InstanceError
        If the time is not positive, the partition to begin with is none of this instance, or costs
        are too large for 64 bits.
    MissingLibraryError
        If OR-tools or numba is not installed.
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
    """Return if partition, cost and certificate are right; what rests on HiGHS is not checked.

    Parameters
    ----------
    instance : Instance
        The problem.
    found : Optimum
        Its optimum.

    Raises
    ------
    CertificateError
        If one of them is wrong.
    """
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
