"""What couples blocks, in one form: pairs of different blocks, and values with a real choice.

A value that only one block fetches, or whose push costs at least as much as all its pulls, is a set
of pairs. Pairs of the same two blocks are added up. What costs nothing is left out.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from logca.numeric.partition.instance import Instance

__all__ = ["Couplings", "couplings"]

Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Couplings:
    """Pairs and values of an instance without repetition.

    Parameters
    ----------
    first, second : array of int64
        Pairs of blocks, the smaller number first [1].
    cost : array of int64
        What each costs if apart, more than 0 [scaled cycles].
    producer : array of int64
        Blocks that produce the values that are no pairs [1].
    push : array of int64
        What sending each to all consumers costs [scaled cycles].
    start, consumer : array of int64
        The consumers of each, as in `Instance` [1].
    pull : array of int64
        What fetching costs each consumer, at most the push [scaled cycles].
    pair : array of int64
        For each pair of the instance its pair here, or -1 [1].
    single : array of int64
        For each consumer of the instance its pair here, or -1 [1].
    shared : array of int64
        For each consumer of the instance its place in `consumer`, or -1 [1].
    """

    first: Integers
    second: Integers
    cost: Integers
    producer: Integers
    push: Integers
    start: Integers
    consumer: Integers
    pull: Integers
    pair: Integers
    single: Integers
    shared: Integers


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
