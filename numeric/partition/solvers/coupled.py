"""The optimum with memory costs that depend on which blocks are together."""

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from logca.numeric.partition.instance import Instance, InstanceError, cost
from logca.numeric.partition.memory.coupling import Coupling, coupling_cost
from logca.numeric.partition.solvers.certificate import Certificate
from logca.numeric.partition.solvers.checking import check
from logca.numeric.partition.solvers.checking_cost import CertificateError
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
        point.
    certificate : Certificate
        The proof of the bound, or of a lower one if the bound rests on HiGHS.
    nodes : int
        How many nodes were branched on [1].
    """

    mapped: Mask
    cost: int
    bound: int
    proof: Literal["certificate", "solver"]
    certificate: Certificate
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
) -> CoupledOptimum:
    """The optimum with memory, or the best partition found within a time, with its honest gap."""
    if not time_limit > 0:
        raise InstanceError(f"the time limit must be positive, not {time_limit}")
    begun = time.monotonic()
    own = replace(
        instance,
        cpu=instance.cpu + coupling.cpu,
        accelerator=instance.accelerator + coupling.accelerator,
    )
    found = optimal(own, time_limit=time_limit, start=start, clusters=clusters)
    assert time.monotonic() >= begun
    tried = [np.zeros(instance.blocks, np.bool_), found.mapped]
    if start is not None:
        tried.append(np.asarray(start, np.bool_))
    costs = [cost(instance, each) + coupling_cost(coupling, each) for each in tried]
    best = int(np.argmin(costs))
    return CoupledOptimum(
        mapped=tried[best],
        cost=costs[best],
        bound=found.bound,
        proof=found.proof,
        certificate=found.certificate,
        nodes=found.nodes,
    )


def check_coupled(instance: Instance, coupling: Coupling, found: CoupledOptimum) -> None:
    """Return if partition, cost and certificate are right; what rests on HiGHS is not checked."""
    total = cost(instance, found.mapped) + coupling_cost(coupling, found.mapped)
    if total != found.cost:
        raise CertificateError(f"the partition costs {total}, not {found.cost}")
    own = replace(
        instance,
        cpu=instance.cpu + coupling.cpu,
        accelerator=instance.accelerator + coupling.accelerator,
    )
    if found.proof == "certificate" and found.bound > found.certificate.bound:
        raise CertificateError(
            f"the bound is {found.bound}, and the certificate proves {found.certificate.bound}"
        )
    check(own, found.certificate)
