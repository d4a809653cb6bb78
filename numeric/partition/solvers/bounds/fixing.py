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
from typing import Any

import numpy as np
from numpy.typing import NDArray

from logca.common.jit import compiled
from logca.numeric.partition.solvers.bounds.network import Cut, Network, contract, minimum_cut

__all__ = [
    "FREE",
    "FreeNetwork",
    "Settled",
    "after_persistency",
    "flow_through_fixed",
    "free_part",
    "settle",
    "slacks",
    "with_values_placed",
    "without_fixed",
]

Integers = NDArray[np.int64]
Sides = NDArray[np.int8]

FREE = -1
"""The side of what is not fixed; others are 1, mapped, and 0 [1]."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FreeNetwork:
    """The network of the blocks that are not fixed."""

    network: Network  # the network
    capacity: int  # area that is left for its nodes; negative if what is fixed does not fit [1]
    mapped: Integers  # blocks that are fixed to the accelerator [1]
    place: Integers  # for each block its node, -1 if it is fixed [1]
    # the flow through all arcs of the whole network that are not in this one [scaled cycles]
    flow: Integers


def after_persistency(network: Network, blocks: int, arcs: int, capacity: int) -> FreeNetwork:
    """Network of what a cheapest partition without a limit of area maps; the rest is on the CPU."""
    found = minimum_cut(network)
    made = contract(network, np.zeros_like(found.least), ~found.least)
    flow = np.zeros(arcs, np.int64)
    flow[network.arc] = found.flow
    flow[made.arc] = 0
    return FreeNetwork(
        network=made,
        capacity=capacity,
        mapped=np.zeros(0, np.int64),
        place=_places(made, blocks),
        flow=flow,
    )


def without_fixed(region: FreeNetwork, side: Sides) -> FreeNetwork:
    """The region without the blocks that have a side."""
    network, blocks = region.network, len(region.place)
    whole = with_values_placed(network, side, blocks)
    made = free_part(network, whole)
    flow = region.flow.copy()
    flow[network.arc] = flow_through_fixed(network, whole, blocks)
    flow[made.arc] = 0
    moved = network.node[whole == 1]
    return FreeNetwork(
        network=made,
        capacity=region.capacity - int(network.area[whole == 1].sum()),
        mapped=np.concatenate((region.mapped, moved[moved < blocks])),
        place=_places(made, blocks),
        flow=flow,
    )


def with_values_placed(network: Network, side: Sides, blocks: int) -> Sides:
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


def free_part(network: Network, side: Sides) -> Network:
    """The network without the nodes that have a side."""
    return contract(network, side == 1, side == 0)


def flow_through_fixed(network: Network, side: Sides, blocks: int) -> Integers:
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
"""Most nodes that the search for paths from one block looks at [1]."""

MOST_VISITS = 10_000_000
"""Most nodes that the searches from all blocks look at [1]: some seconds."""

PASSES = 3
"""Most passes over all blocks, as long as they help [1]."""


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
    """Rest that a flow leaves of the cost of each node, price of its area included."""
    own = network.cost * found.price.denominator + network.area * found.price.numerator
    whole = np.append(own, (0, 0))
    np.add.at(whole, network.tail, found.flow)
    np.subtract.at(whole, network.head, found.flow)
    return whole


def settle(network: Network, found: Cut, blocks: int, need: int) -> Iterator[Settled]:
    """The blocks that are settled, one after the other; each counts for the next ones."""
    probe = compiled(_probe)
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
    log, amount = np.zeros((2, 4096), np.int64)
    scratch = seen, parent, queue, log, amount
    open_ = np.flatnonzero(network.node < blocks)
    stamp = visits = 0
    for _ in range(PASSES):
        left = []
        for node in open_[np.argsort(-np.abs(slack[open_]), kind="stable")].tolist():
            mapped = bool(found.least[node])
            if visits > MOST_VISITS:
                return
            pushed, length, looked_at = probe(
                (start, order, ends), (room, slack, fixed), node, mapped, need, stamp, scratch
            )
            # each path that is pushed takes a stamp, and the log has room for fewer
            stamp += len(log)
            visits += looked_at
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


def _probe(
    graph: Any, state: Any, block: int, backward: bool, need: int, stamp: int, scratch: Any
) -> tuple[int, int, int]:
    """Push flow from a block to the sink, or from the source to it; then take it back.

    Arcs 2 k and 2 k + 1 are each other's reverse; `room` is what they can still carry. The answer
    is how much was pushed, how many entries of the log say where, and how many nodes were looked
    at. The search for paths is local and resumes from a maximum flow, which OR-tools cannot.
    """
    start, arc, head = graph
    room, slack, fixed = state
    seen, parent, queue, log, amount = scratch
    sign = -1 if backward else 1
    goal = 0 if backward else 1
    own = max(sign * slack[block], 0)
    pushed, length = own, 0
    slack[block] -= sign * own
    visits = 0
    while pushed < need and length + 64 < log.size:
        stamp += 1
        seen[block] = stamp
        queue[0] = block
        first, last = 0, 1
        found = -1
        while first < last and found < 0 and visits < PATIENCE:
            node = queue[first]
            first += 1
            visits += 1
            for place in range(start[node], start[node + 1]):
                forth = arc[place]
                other = head[forth]
                if seen[other] == stamp or room[forth ^ 1 if backward else forth] <= 0:
                    continue
                seen[other] = stamp
                if fixed[other] == 1 - goal:
                    parent[other] = forth
                    found = other
                    break
                if fixed[other] != -1:
                    continue
                parent[other] = forth
                if sign * slack[other] > 0:
                    found = other
                    break
                queue[last] = other
                last += 1
        if found < 0:
            break
        more = need - pushed
        if fixed[found] == -1:
            more = min(more, sign * slack[found])
        node, steps = found, 0
        while node != block:
            forth = parent[node]
            more = min(more, room[forth ^ 1 if backward else forth])
            node = head[forth ^ 1]
            steps += 1
        if length + steps + 1 >= log.size:
            break
        if fixed[found] == -1:
            slack[found] -= sign * more
            log[length], amount[length] = -1 - found, more
            length += 1
        node = found
        while node != block:
            forth = parent[node]
            along = forth ^ 1 if backward else forth
            room[along] -= more
            room[along ^ 1] += more
            log[length], amount[length] = along, more
            length += 1
            node = head[forth ^ 1]
        pushed += more
    for place in range(length):
        if log[place] < 0:
            slack[-1 - log[place]] += sign * amount[place]
        else:
            room[log[place]] += amount[place]
            room[log[place] ^ 1] -= amount[place]
    slack[block] += sign * own
    return pushed, length, visits
