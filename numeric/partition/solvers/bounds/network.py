"""Couplings of blocks, and partitions as cuts: the cheapest, without or with a price of area.

A value that only one block fetches, or whose push costs at least as much as all its pulls, is a set
of pairs. Pairs of the same two blocks are added up. What costs nothing is left out.

A block on the source's side is mapped, one on the sink's side stays on the CPU. Execution becomes
arcs from the source or to the sink, a pair of blocks two arcs, and a value of which one push serves
several consumers two nodes (kenter2010, Section II.A, in the reading of `Instance`)::

    producer -push-> y -pull-> consumer        charged when the producer is mapped
    consumer -pull-> z -push-> producer        charged when the producer is not

The cut through the first is min(push, pulls of the consumers on the CPU), since y goes to the
cheaper side; likewise the second. So the cost is a cut function, which is submodular: for all sets
X and Y of mapped blocks, cost(X & Y) + cost(X | Y) <= cost(X) + cost(Y).

Persistency. Let M minimise the cost without the limit of area, and let X fit the area. Then X & M
fits as well, and costs at most as much as X: cost(X & M) <= cost(X) + cost(M) - cost(X | M)
<= cost(X), because M is a minimiser. So some optimal partition lies in M, and all blocks outside M
can be fixed to the CPU.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from logca.common.extras import require
from logca.numeric.partition.problem.instance_and_objective import Instance, InstanceError

__all__ = [
    "Couplings",
    "Cut",
    "Network",
    "build",
    "contract",
    "couplings",
    "minimum_cut",
    "representable_price",
    "with_pinned_blocks",
]

Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Couplings:
    """Pairs and values of an instance without repetition."""

    # first, second: pairs of blocks, the smaller number first [1]
    first: Integers
    second: Integers
    cost: Integers  # what each costs if apart, more than 0 [scaled cycles]
    producer: Integers  # blocks that produce the values that are no pairs [1]
    push: Integers  # what sending each to all consumers costs [scaled cycles]
    # start, consumer: the consumers of each, as in `Instance` [1]
    start: Integers
    consumer: Integers
    pull: Integers  # what fetching costs each consumer, at most the push [scaled cycles]
    pair: Integers  # for each pair of the instance its pair here, or -1 [1]
    single: Integers  # for each consumer of the instance its pair here, or -1 [1]
    shared: Integers  # for each consumer of the instance its place in `consumer`, or -1 [1]


def couplings(instance: Instance) -> Couplings:
    """Pairs and values of an instance without repetition."""
    values = len(instance.producer)
    value = np.repeat(np.arange(values), np.diff(instance.consumer_start))
    home = instance.producer[value]
    pull = np.minimum(instance.pull, instance.push[value])
    real = (instance.consumer != home) & (pull > 0)
    fetchers = np.bincount(value[real], minlength=values)
    total = np.zeros(values, np.int64)
    np.add.at(total, value[real], instance.pull[real])
    shared = (fetchers > 1) & (total > instance.push)
    alone, together = real & ~shared[value], real & shared[value]
    paired = (instance.pair_first != instance.pair_second) & (instance.pair_cost > 0)
    one = np.concatenate((instance.pair_first[paired], home[alone]))
    other = np.concatenate((instance.pair_second[paired], instance.consumer[alone]))
    keys = np.minimum(one, other) * instance.blocks + np.maximum(one, other)
    kept, place = np.unique(keys, return_inverse=True)
    cost = np.zeros(len(kept), np.int64)
    np.add.at(cost, place, np.concatenate((instance.pair_cost[paired], pull[alone])))
    return Couplings(
        first=kept // max(1, instance.blocks),
        second=kept % max(1, instance.blocks),
        cost=cost,
        producer=instance.producer[shared],
        push=instance.push[shared],
        start=np.concatenate((np.zeros(1, np.int64), np.cumsum(fetchers[shared]))),
        consumer=instance.consumer[together],
        pull=pull[together],
        pair=_placed(paired, place[: paired.sum()]),
        single=_placed(alone, place[paired.sum() :]),
        shared=_placed(together, np.arange(together.sum())),
    )


def _placed(chosen: NDArray[np.bool_], place: Integers) -> Integers:
    placed = np.full(len(chosen), -1, np.int64)
    placed[chosen] = place
    return placed


Mask = NDArray[np.bool_]
LARGEST = 2**62


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Network:
    """A capacitated network whose cuts are partitions.

    Nodes have the numbers 0 to k - 1; k is the source (mapped), k + 1 the sink (CPU).
    """

    constant: int  # what every cut costs besides [scaled cycles]
    # which node of the network of the whole instance each node is; blocks come first [1]
    node: Integers
    # cost, area: what being mapped costs each node [scaled cycles], and what area it takes [1]
    cost: Integers
    area: Integers
    # tail, head: where arcs begin and end [1]
    tail: Integers
    head: Integers
    capacity: Integers  # what it costs if its tail is mapped and its head is not [scaled cycles]
    arc: Integers  # which arc of the network of the whole instance each arc is [1]
    # no sum of its costs, or of those of a network that it comes from, is larger [scaled cycles]
    size: int

    @property
    def nodes(self) -> int:
        """Number of nodes besides source and sink [1]."""
        return len(self.node)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Cut:
    """A cheapest cut at a price of area."""

    price: Fraction  # price of area [scaled cycles]
    value: Fraction  # cost and price of all area used, together [scaled cycles]
    # least, most: the smallest and the largest set of mapped nodes that attain it
    least: Mask
    most: Mask
    # a flow through the arcs that proves it [scaled cycles / denominator of the price]
    flow: Integers


def build(instance: Instance, found: Couplings) -> Network:
    """The network of an instance and its couplings; pinned blocks are in it."""
    blocks, values = instance.blocks, len(found.producer)
    entries = np.repeat(np.arange(values), np.diff(found.start))
    before, after = blocks + np.arange(values), blocks + values + np.arange(values)
    cost = np.concatenate((instance.accelerator - instance.cpu, np.zeros(2 * values, np.int64)))
    capacity = np.concatenate(
        (found.cost, found.cost, found.push, found.push, found.pull, found.pull)
    )
    return Network(
        constant=int(instance.cpu.sum()),
        node=np.arange(blocks + 2 * values),
        cost=cost,
        area=np.concatenate((instance.area, np.zeros(2 * values, np.int64))),
        tail=np.concatenate(
            (found.first, found.second, found.producer, after, before[entries], found.consumer)
        ),
        head=np.concatenate(
            (found.second, found.first, before, found.producer, found.consumer, after[entries])
        ),
        capacity=capacity,
        arc=np.arange(len(capacity)),
        size=_size(cost, capacity),
    )


def contract(network: Network, mapped: Mask, unmapped: Mask, *, merge: bool = False) -> Network:
    """The network with some nodes moved into the source and others into the sink."""
    free = ~(mapped | unmapped)
    source = int(free.sum())
    sink = source + 1
    label = np.empty(network.nodes + 2, np.int64)
    label[:-2][free] = np.arange(source)
    label[:-2][mapped] = source
    label[:-2][unmapped] = sink
    label[-2:] = source, sink
    tail, head = label[network.tail], label[network.head]
    across = (tail == source) & (head == sink)
    kept = (tail != head) & (tail != sink) & (head != source) & ~across
    constant = network.constant + int(network.cost[mapped].sum())
    constant += int(network.capacity[across].sum())
    cost, size = network.cost[free], network.size
    if merge:
        outgoing, incoming = kept & (head == sink), kept & (tail == source)
        cost = cost.copy()
        np.add.at(cost, tail[outgoing], network.capacity[outgoing])
        np.subtract.at(cost, head[incoming], network.capacity[incoming])
        constant += int(network.capacity[incoming].sum())
        kept &= (head != sink) & (tail != source)
        size = _size(cost, network.capacity[kept])
    return Network(
        constant=constant,
        node=network.node[free],
        cost=cost,
        area=network.area[free],
        tail=tail[kept],
        head=head[kept],
        capacity=network.capacity[kept],
        arc=network.arc[kept],
        size=size,
    )


def minimum_cut(network: Network, price: Fraction = Fraction(0)) -> Cut:
    """The cheapest cut at a price of area, by OR-tools' maximum flow, in whole numbers."""
    above, below = price.numerator, price.denominator
    if _total(network, price) * below > LARGEST:
        raise InstanceError(
            f"costs times {below}, a difference of areas, leave 64 bits: "
            "divide all executions by a number, or give latencies fewer digits"
        )
    own = network.cost * below + network.area * above
    gains, losses = np.flatnonzero(own < 0), np.flatnonzero(own > 0)
    source, sink = network.nodes, network.nodes + 1
    # the solver knows only nodes that have arcs: one of capacity 0 joins source and sink
    tails = np.concatenate((network.tail, np.full(len(gains), source), losses, [source]))
    heads = np.concatenate((network.head, gains, np.full(len(losses), sink), [sink]))
    capacities = np.concatenate((network.capacity * below, -own[gains], own[losses], [0]))
    solver: Any = require("ortools.graph.python.max_flow", "partition").SimpleMaxFlow()
    arcs = solver.add_arcs_with_capacity(tails.astype(np.int32), heads.astype(np.int32), capacities)
    status = solver.solve(source, sink)
    if status != solver.OPTIMAL:
        raise InstanceError(f"the maximum flow ended with {status}: costs are too large")
    least = np.zeros(network.nodes + 2, np.bool_)
    least[solver.get_source_side_min_cut()] = True
    most = np.ones(network.nodes + 2, np.bool_)
    most[solver.get_sink_side_min_cut()] = False
    flow = solver.flows(arcs[: len(network.tail)])
    total = solver.optimal_flow() + int(own[gains].sum())
    return Cut(
        price=price,
        value=network.constant + Fraction(total, below),
        least=least[:-2],
        most=most[:-2],
        flow=flow,
    )


def with_pinned_blocks(instance: Instance, whole: Network) -> Network:
    """The network of an instance with its pinned blocks moved into the sink."""
    pinned = np.zeros(whole.nodes, np.bool_)
    pinned[: instance.blocks] = instance.pinned
    return contract(whole, np.zeros_like(pinned), pinned)


def representable_price(network: Network, price: Fraction) -> Fraction:
    """The price, or the next lower one that leaves costs within 64 bits [scaled cycles]."""
    room = max(1, LARGEST // (2 * _total(network, price)))
    if price.denominator <= room:
        return price
    return Fraction(price.numerator * room // price.denominator, room)


def _size(cost: Integers, capacity: Integers) -> int:
    return int(np.abs(cost).sum(dtype=np.float64) + capacity.sum(dtype=np.float64)) + 1


def _total(network: Network, price: Fraction) -> int:
    return network.size + int(float(network.area.sum()) * float(price))
