"""Blocks whose side is settled: were they on the other one, the bound would reach the best cost.

A maximum flow leaves each node with a slack, what its move would cost at least. Where that is not
enough, more flow is pushed through what the first one left, from the block to the sink or from the
source to it. Blocks that are settled count as source or sink for those that follow.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from logca.numeric.partition.solvers.network import Cut, Network

__all__ = ["Settled", "settle", "slacks"]

Integers = NDArray[np.int64]
Mask = NDArray[np.bool_]

PATIENCE = 400
"""How many nodes the search for paths from one block may look at [1]."""

PASSES = 3
"""How often all blocks are tried, as long as it helps [1]."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Settled:
    """A block that is settled.

    Parameters
    ----------
    node : int
        Which one [1].
    mapped : bool
        Whether it is mapped.
    arc, change : array of int64
        By how much the flow through which arcs grows if it is not where it is [1], [scaled cycles
        x denominator of the price].
    """

    node: int
    mapped: bool
    arc: Integers
    change: Integers


def slacks(network: Network, found: Cut) -> Integers:
    """What a flow leaves of the cost of each node, price of its area included.

    Parameters
    ----------
    network : Network
        The network.
    found : Cut
        The cut and its flow.
    """
    own = network.cost * found.price.denominator + network.area * found.price.numerator
    whole = np.append(own, (0, 0))
    np.add.at(whole, network.tail, found.flow)
    np.subtract.at(whole, network.head, found.flow)
    return whole


def settle(network: Network, found: Cut, blocks: int, need: int) -> Iterator[Settled]:
    """The blocks that are settled, one after the other; each counts for the next ones.

    Parameters
    ----------
    network : Network
        The network.
    found : Cut
        A cut and its flow.
    blocks : int
        How many blocks the instance has [1].
    need : int
        What a move must cost to be settled [scaled cycles x denominator of the price].
    """
    from logca.numeric.partition.solvers.probe_loops import probe

    size = network.nodes + 2
    slack = slacks(network, found)
    ends = np.stack((network.head, network.tail), axis=1).ravel()
    capacity = network.capacity * found.price.denominator
    room = np.stack((capacity - found.flow, found.flow), axis=1).ravel()
    tails = ends.reshape(-1, 2)[:, ::-1].ravel()
    order = np.argsort(tails, kind="stable")
    start = np.concatenate((np.zeros(1, np.int64), np.cumsum(np.bincount(tails, minlength=size))))
    fixed = np.full(size, -1, np.int8)
    fixed[-2:] = 1, 0
    seen, parent, queue = (np.zeros(size, np.int64) for _ in range(3))
    log, amount = np.zeros(4096, np.int64), np.zeros(4096, np.int64)
    open_ = np.flatnonzero(network.node < blocks)
    stamp = 0
    for _ in range(PASSES):
        left = []
        for node in open_[np.argsort(-np.abs(slack[open_]), kind="stable")].tolist():
            mapped = bool(found.least[node])
            pushed, length = probe(
                start, order, ends, room, slack, fixed, node, mapped, need, PATIENCE,
                stamp, seen, parent, queue, log, amount,
            )  # fmt: skip
            stamp += 4096
            if pushed < need:
                left.append(node)
                continue
            fixed[node] = mapped
            arcs = log[:length][log[:length] >= 0]
            change = amount[:length][log[:length] >= 0]
            yield Settled(
                node=node,
                mapped=mapped,
                arc=arcs >> 1,
                change=np.where(arcs & 1, -change, change),
            )
        if len(left) == len(open_):
            break
        open_ = np.array(left, np.int64)
