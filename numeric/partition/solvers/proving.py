"""From flows to certificates: what a flow through a level's network says of pairs and consumers."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from logca.numeric.partition.instance import Instance
from logca.numeric.partition.solvers.certificate import Duals
from logca.numeric.partition.solvers.couplings import Couplings

__all__ = ["Entries", "both_ways", "duals", "entries"]

Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Entries:
    """Which pairs and consumers of the instance stand behind which arcs.

    Parameters
    ----------
    instance : Instance
        The problem.
    found : Couplings
        Its couplings.
    start, entry : array of int64
        For each pair of the couplings the pairs of the instance, and after them the consumers,
        which have numbers from the number of pairs on [1].
    room : array of int64
        What each may be charged [scaled cycles].
    ahead : array of bool
        Whether it goes from its pair's first block to the second.
    consumer : array of int64
        For each consumer of the couplings that of the instance [1].
    """

    instance: Instance
    found: Couplings
    start: Integers
    entry: Integers
    room: Integers
    ahead: NDArray[np.bool_]
    consumer: Integers


def entries(instance: Instance, found: Couplings) -> Entries:
    """Which pairs and consumers of the instance stand behind which arcs of `network.build`."""
    value = np.repeat(np.arange(len(instance.producer)), np.diff(instance.consumer_start))
    place = np.concatenate((found.pair, found.single))
    order = np.argsort(place, kind="stable")
    order = order[np.searchsorted(place[order], 0) :]
    counts = np.bincount(place[order], minlength=len(found.cost))
    tails = np.concatenate((instance.pair_first, instance.producer[value]))
    pull = np.minimum(instance.pull, instance.push[value])
    consumer = np.zeros(len(found.consumer), np.int64)
    chosen = np.flatnonzero(found.shared >= 0)
    consumer[found.shared[chosen]] = chosen
    return Entries(
        instance=instance,
        found=found,
        start=np.concatenate((np.zeros(1, np.int64), np.cumsum(counts))),
        entry=order,
        room=np.concatenate((instance.pair_cost, pull)),
        ahead=tails == np.append(found.first, -1)[place],
        consumer=consumer,
    )


def duals(known: Entries, arcs: Integers, flow: Integers, *, base: int, below: int) -> Duals:
    """What a flow says of the pairs and consumers that some arcs stand for.

    Parameters
    ----------
    known : Entries
        What stands behind the arcs.
    arcs, flow : array of int64
        Arcs of the whole network, with each also what `both_ways` adds [1], and the flow through
        them [scaled cycles / below].
    base : int
        Whose duals these change [1].
    below : int
        The denominator [1].
    """
    pair, pair_dual, consumer, consumer_dual = _duals(known, arcs, flow, below)
    return Duals(
        base=base,
        denominator=below,
        pair=pair,
        pair_dual=pair_dual,
        consumer=consumer,
        consumer_dual=consumer_dual,
    )


def both_ways(known: Entries, arcs: Integers) -> Integers:
    """The arcs of all pairs and consumers that some arcs stand for, in order [1].

    Parameters
    ----------
    known : Entries
        What stands behind the arcs.
    arcs : array of int64
        Arcs of the whole network [1].
    """
    pairs, users = len(known.found.cost), len(known.found.consumer)
    start = 2 * (pairs + len(known.found.producer))
    two = arcs[arcs < 2 * pairs] % max(1, pairs)
    many = start + (arcs[arcs >= start] - start) % max(1, users)
    return np.unique(np.concatenate((two, two + pairs, many, many + users)))


def _duals(
    known: Entries, arcs: Integers, flow: Integers, below: int
) -> tuple[Integers, Integers, Integers, Integers]:
    """Pairs and their duals, consumers and theirs, from the flow through some arcs."""
    found = known.found
    pairs, values, users = len(found.cost), len(found.producer), len(found.consumer)
    two = arcs < 2 * pairs
    touched, net = _net(arcs[two], flow[two], pairs)
    counts = known.start[touched + 1] - known.start[touched]
    owner = np.repeat(np.arange(len(touched)), counts)
    first = (np.cumsum(counts) - counts)[owner]
    entry = known.entry[np.arange(len(owner)) - first + known.start[touched][owner]]
    room = known.room[entry] * below
    filled = np.cumsum(room) - room
    share = np.clip(np.abs(net)[owner] - (filled - filled[first]), 0, room)
    dual = np.where(known.ahead[entry], 1, -1) * np.sign(net)[owner] * share
    start = 2 * (pairs + values)
    many = arcs >= start
    used, sent = _net(arcs[many] - start, flow[many], users)
    last = len(known.instance.pair_cost)
    pair = entry < last
    return (
        entry[pair],
        dual[pair],
        np.concatenate((entry[~pair] - last, known.consumer[used])),
        np.concatenate((dual[~pair], sent)),
    )


def _net(arcs: Integers, flow: Integers, number: int) -> tuple[Integers, Integers]:
    """Which of so many places arcs that go forth, and after them those back, touch; net flows."""
    touched, place = np.unique(arcs % max(1, number), return_inverse=True)
    net = np.zeros(len(touched), np.int64)
    np.add.at(net, place, np.where(arcs < number, flow, -flow))
    return touched, net
