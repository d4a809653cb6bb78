"""The cheapest partition by HiGHS, a solver of mixed-integer programs, in floating point.

Each block is a variable that is 0 or 1; each arc of the network (see `network`) one that is at
least its tail less its head, and so are the two nodes of each value variables. What HiGHS proves it
proves within its tolerances: its bound is no certificate.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from ctypes import CDLL
from dataclasses import dataclass
from math import ceil

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csr_array, hstack, identity

from logca.numeric.partition.problem.instance_and_objective import Instance, area, cost
from logca.numeric.partition.solvers.bounds.network import (
    Network,
    build,
    contract,
    couplings,
    with_pinned_blocks,
)

__all__ = ["IntegerSolution", "integer_program", "integer_program_of"]

Mask = NDArray[np.bool_]

TOLERANCE = 1e-6
"""By what part of all costs the bound is lowered: HiGHS takes numbers this close as equal [1]."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class IntegerSolution:
    """Solution that HiGHS found, and its bound."""

    # the best set of blocks or nodes that fits; nothing if the time was too short
    mapped: Mask | None
    bound: int | None  # what no partition costs less than, as far as HiGHS is right [scaled cycles]
    closed: bool  # whether HiGHS says that none is cheaper


def integer_program(instance: Instance, *, time_limit: float = 60.0) -> IntegerSolution:
    """The cheapest partition of an instance."""
    network = with_pinned_blocks(instance, build(instance, couplings(instance)))
    found = integer_program_of(network, instance.blocks, instance.capacity, time_limit=time_limit)
    if found.mapped is None:
        return found
    mapped = np.zeros(instance.blocks, np.bool_)
    nodes = network.node[found.mapped]
    mapped[nodes[nodes < instance.blocks]] = True
    if area(instance, mapped) > instance.capacity:
        return IntegerSolution(mapped=None, bound=found.bound, closed=False)
    least = cost(instance, mapped)
    bound = None if found.bound is None else min(least, found.bound)
    return IntegerSolution(mapped=mapped, bound=bound, closed=found.closed)


def integer_program_of(
    network: Network,
    blocks: int,
    capacity: int,
    *,
    time_limit: float,
    most_nodes: int | None = None,
) -> IntegerSolution:
    """The cheapest set of nodes of a network that fits."""
    free = np.zeros(network.nodes, np.bool_)
    merged = contract(network, free, free, merge=True)
    nodes, arcs = merged.nodes, len(merged.tail)
    if nodes == 0:
        return IntegerSolution(mapped=free, bound=merged.constant, closed=True)
    # HiGHS' tolerances are absolute, and costs of 1e4 are far from them and from large numbers
    unit = max(1.0, float(np.abs(merged.cost).max()), float(merged.capacity.max(initial=0))) / 1e4
    real = merged.node < blocks
    rows = np.arange(arcs)
    ends = csr_array(
        (
            np.concatenate((np.ones(arcs), -np.ones(arcs))),
            (np.concatenate((rows, rows)), np.concatenate((merged.tail, merged.head))),
        ),
        shape=(arcs, nodes),
    )
    used = csr_array(np.concatenate((merged.area, np.zeros(arcs, np.int64)))[None, :].astype(float))
    constraints = [LinearConstraint(used, -np.inf, capacity)]
    if arcs:
        apart = hstack((ends, -identity(arcs, format="csr")), format="csr")
        constraints.append(LinearConstraint(apart, -np.inf, 0))
    with _silence():
        answer = milp(
            np.concatenate((merged.cost, merged.capacity)) / unit,
            integrality=np.concatenate((real, np.zeros(arcs, np.bool_))),
            bounds=Bounds(0, 1),
            constraints=constraints,
            options={"time_limit": time_limit, "node_limit": most_nodes, "mip_rel_gap": 0.0},
        )
    bound = None
    if answer.mip_dual_bound is not None and np.isfinite(answer.mip_dual_bound):
        room = TOLERANCE * float(np.abs(merged.cost).sum() + merged.capacity.sum())
        bound = merged.constant + ceil(answer.mip_dual_bound * unit - room)
    mapped = None if answer.x is None else answer.x[:nodes] > 0.5
    return IntegerSolution(mapped=mapped, bound=bound, closed=answer.status == 0)


@contextmanager
def _silence() -> Iterator[None]:
    """Keep HiGHS from the standard output, to which it writes some warnings whatever it is told."""
    sys.stdout.flush()
    kept, nowhere = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    try:
        yield
    finally:
        # what the C library still holds would come out later; Windows has no such handle
        with suppress(OSError, TypeError):
            CDLL(None).fflush(None)
        os.dup2(kept, 1)
        os.close(nowhere)
        os.close(kept)
