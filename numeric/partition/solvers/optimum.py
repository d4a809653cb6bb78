"""A partition with its bound, as solvers answer."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from logca.numeric.partition.instance import Instance, InstanceError, area, cost
from logca.numeric.partition.solvers.certificate import Certificate
from logca.numeric.partition.solvers.coupled_certificate import CoupledCertificate

__all__ = ["Optimum", "allowed"]

Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Optimum:
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
    certificate : Certificate or CoupledCertificate
        The proof of the bound, or of a lower one if the bound rests on HiGHS.
    nodes : int
        How many nodes were branched on [1].
    """

    mapped: Mask
    cost: int
    bound: int
    proof: Literal["certificate", "solver"]
    certificate: Certificate | CoupledCertificate
    nodes: int

    @property
    def gap(self) -> float:
        """By what part of its cost the partition can be too dear [1]."""
        return (self.cost - self.bound) / max(1, abs(self.cost))

    @property
    def proven(self) -> bool:
        """Whether the certificate proves that there is none cheaper; HiGHS's word is no proof."""
        return self.bound == self.cost and self.proof == "certificate"


def allowed(instance: Instance, start: Mask) -> Mask:
    """A partition to begin with, if it is one of the instance.

    Parameters
    ----------
    instance : Instance
        The problem.
    start : array of bool
        For each block whether it is on the accelerator.

    Raises
    ------
    InstanceError
        If it maps a pinned block, exceeds the area, or is of another number of blocks.
    """
    begin = np.asarray(start, np.bool_)
    cost(instance, begin)
    if np.any(begin & instance.pinned) or area(instance, begin) > instance.capacity:
        raise InstanceError("the partition to begin with maps a pinned block or exceeds the area")
    return begin
