"""Blocks whose side a bound settles, and the network that is left once blocks are fixed.

Persistency (see `network`) fixes the first ones; their flow is the one without a price of area. A
pair of two fixed blocks, and a value whose blocks are all fixed, cost what they cost: a flow
through them that says so is written down at once.

A maximum flow leaves each node with a slack, what its move would cost at least. Where that is not
enough, more flow is pushed through what the first one left, from the block to the sink or from the
source to it. Blocks that are settled count as source or sink for those that follow.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from logca.numeric.partition.solvers.bounds.network import Cut, Network, contract, cut

__all__ = [
    "FREE",
    "Region",
    "Settled",
    "completed",
    "narrowed",
    "persistent",
    "settle",
    "shrunk",
    "slacks",
    "through",
]

Integers = NDArray[np.int64]
Sides = NDArray[np.int8]

FREE = -1
"""The side of what is not fixed; others are 1, mapped, and 0 [1]."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Region:
    """The network of the blocks that are not fixed."""

    network: Network  # the network
    capacity: int  # area that is left for its nodes; negative if what is fixed does not fit [1]
    mapped: Integers  # blocks that are fixed to the accelerator [1]
    place: Integers  # for each block its node, -1 if it is fixed [1]
    # the flow through all arcs of the whole network that are not in this one [scaled cycles]
    flow: Integers


def persistent(network: Network, blocks: int, arcs: int, capacity: int) -> Region:
    """What a cheapest partition without a limit of area maps; all else is fixed to the CPU."""
    found = cut(network)
    made = contract(network, np.zeros_like(found.least), ~found.least)
    flow = np.zeros(arcs, np.int64)
    flow[network.arc] = found.flow
    flow[made.arc] = 0
    return Region(
        network=made,
        capacity=capacity,
        mapped=np.zeros(0, np.int64),
        place=_places(made, blocks),
        flow=flow,
    )


def narrowed(region: Region, side: Sides) -> Region:
    """The region without the blocks that have a side."""
    network, blocks = region.network, len(region.place)
    whole = completed(network, side, blocks)
    made = shrunk(network, whole)
    flow = region.flow.copy()
    flow[network.arc] = through(network, whole, blocks)
    flow[made.arc] = 0
    moved = network.node[whole == 1]
    return Region(
        network=made,
        capacity=region.capacity - int(network.area[whole == 1].sum()),
        mapped=np.concatenate((region.mapped, moved[moved < blocks])),
        place=_places(made, blocks),
        flow=flow,
    )


def completed(network: Network, side: Sides, blocks: int) -> Sides:
    """Give a side to the nodes of values whose blocks all have one."""
    free = np.append((network.node < blocks) & (side == FREE), (False, False))
    near = np.zeros(network.nodes + 2, np.bool_)
    near[network.tail[free[network.head]]] = True
    near[network.head[free[network.tail]]] = True
    alone = (network.node >= blocks) & ~near[:-2] & (side == FREE)
    enters, leaves = _passing(network, side)
    made = side.copy()
    made[alone] = (enters > leaves)[alone]
    return made


def shrunk(network: Network, side: Sides) -> Network:
    """The network without the nodes that have a side."""
    return contract(network, side == 1, side == 0)


def through(network: Network, side: Sides, blocks: int) -> Integers:
    """A flow through the arcs between nodes that have a side, as large as what they cost."""
    ends = np.append(side, np.array([1, 0], np.int8))
    across = (ends[network.tail] == 1) & (ends[network.head] == 0)
    flow = np.where(across, network.capacity, 0)
    # through nodes of values flows what enters from mapped blocks or leaves to others, if less
    enters, leaves = _passing(network, side)
    amount = np.append(np.minimum(enters, leaves), (0, 0))
    value = np.append((side != FREE) & (network.node >= blocks), (False, False))
    for end, chosen in (
        (network.head, value[network.head] & (ends[network.tail] == 1)),
        (network.tail, value[network.tail] & (ends[network.head] == 0)),
    ):
        arcs = np.flatnonzero(chosen)
        arcs = arcs[np.argsort(end[arcs], kind="stable")]
        flow[arcs] = _filled(end[arcs], network.capacity[arcs], amount)
    return flow


def _passing(network: Network, side: Sides) -> tuple[Integers, Integers]:
    """For each node what may enter it from mapped ones, and leave it to unmapped ones."""
    ends = np.append(side, np.array([1, 0], np.int8))
    enters, leaves = np.zeros((2, network.nodes + 2), np.int64)
    entering, leaving = ends[network.tail] == 1, ends[network.head] == 0
    np.add.at(enters, network.head[entering], network.capacity[entering])
    np.add.at(leaves, network.tail[leaving], network.capacity[leaving])
    return enters[:-2], leaves[:-2]


def _filled(owner: Integers, room: Integers, amount: Integers) -> Integers:
    """Fill room in order with what belongs to its owner; owners are sorted."""
    if not len(owner):
        return room
    before = np.cumsum(room) - room
    first = np.searchsorted(owner, owner)
    return np.clip(amount[owner] - (before - before[first]), 0, room)


def _places(network: Network, blocks: int) -> Integers:
    place = np.full(blocks, -1, np.int64)
    chosen = np.flatnonzero(network.node < blocks)
    place[network.node[chosen]] = chosen
    return place


Mask = NDArray[np.bool_]

PATIENCE = 400
"""How many nodes the search for paths from one block may look at [1]."""

PASSES = 3
"""How often all blocks are tried, as long as it helps [1]."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Settled:
    """A block that is settled."""

    node: int  # which one [1]
    mapped: bool  # whether it is mapped
    # arc, change: by how much the flow through which arcs grows if it is not where it is [1],
    # [scaled cycles x denominator of the price]
    arc: Integers
    change: Integers


def slacks(network: Network, found: Cut) -> Integers:
    """What a flow leaves of the cost of each node, price of its area included."""
    own = network.cost * found.price.denominator + network.area * found.price.numerator
    whole = np.append(own, (0, 0))
    np.add.at(whole, network.tail, found.flow)
    np.subtract.at(whole, network.head, found.flow)
    return whole


def settle(network: Network, found: Cut, blocks: int, need: int) -> Iterator[Settled]:
    """The blocks that are settled, one after the other; each counts for the next ones."""
    from logca.numeric.partition.solvers.bounds.bound_loops import probe

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
