"""What is left of a network once blocks are fixed, and a flow through the rest of it.

Persistency (see `network`) fixes the first ones; their flow is the one without a price of area. A
pair of two fixed blocks, and a value whose blocks are all fixed, cost what they cost: a flow
through them that says so is written down at once.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from logca.numeric.partition.solvers.network import Network, contract, cut

__all__ = ["FREE", "Region", "completed", "narrowed", "persistent", "shrunk", "through"]

Integers = NDArray[np.int64]
Sides = NDArray[np.int8]

FREE = -1
"""The side of what is not fixed; others are 1, mapped, and 0 [1]."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Region:
    """The network of the blocks that are not fixed.

    Parameters
    ----------
    network : Network
        The network.
    capacity : int
        Area that is left for its nodes; negative if what is fixed does not fit [1].
    mapped : array of int64
        Blocks that are fixed to the accelerator [1].
    place : array of int64
        For each block its node, -1 if it is fixed [1].
    flow : array of int64
        The flow through all arcs of the whole network that are not in this one [scaled cycles].
    """

    network: Network
    capacity: int
    mapped: Integers
    place: Integers
    flow: Integers


def persistent(network: Network, blocks: int, arcs: int, capacity: int) -> Region:
    """What a cheapest partition without a limit of area maps; all else is fixed to the CPU.

    Parameters
    ----------
    network : Network
        The network; pinned blocks are in the sink.
    blocks, arcs : int
        How many blocks and arcs the whole network has [1].
    capacity : int
        The area [1].
    """
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
    """Give a side to the nodes of values whose blocks all have one.

    Parameters
    ----------
    network : Network
        The network.
    side : array of int8
        For each node its side.
    blocks : int
        How many blocks the instance has [1].
    """
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
    """A flow through the arcs between nodes that have a side, as large as what they cost.

    Parameters
    ----------
    network : Network
        The network.
    side : array of int8
        For each node its side, from `completed`.
    blocks : int
        How many blocks the instance has [1].
    """
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
