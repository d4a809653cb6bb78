"""Random instances, and all their partitions with what they cost, written down once more."""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from logca.numeric.partition.problem.instance_and_objective import Instance

Partitions = NDArray[np.bool_]
Integers = NDArray[np.int64]


@st.composite
def instances(draw: st.DrawFn, most: int = 7, values: bool = True) -> Instance:
    """An instance of a few blocks, with ties, blocks without area, loops and repeated consumers."""
    blocks = draw(st.integers(1, most))
    block = st.integers(0, blocks - 1)
    small = draw(st.sampled_from((3, 10, 50)))
    number = st.integers(0, small)

    def array(of: st.SearchStrategy[int], size: int) -> Integers:
        return np.array(draw(st.lists(of, min_size=size, max_size=size)), np.int64)

    pairs = draw(st.integers(0, 2 * blocks))
    produced = draw(st.integers(0, blocks)) if values else 0
    uses = [draw(st.lists(block, max_size=4)) for _ in range(produced)]
    consumer = np.array([user for each in uses for user in each], np.int64)
    cpu, accelerator = array(st.integers(0, 4 * small), blocks), array(number, blocks)
    return Instance(
        cpu=cpu,
        accelerator=accelerator,
        area=array(st.integers(0, 6), blocks),
        capacity=draw(st.integers(0, 3 * blocks)),
        pinned=array(st.sampled_from((0, 0, 0, 0, 1)), blocks).astype(np.bool_),
        pair_first=array(block, pairs),
        pair_second=array(block, pairs),
        pair_cost=array(number, pairs),
        producer=array(block, produced),
        push=array(number, produced),
        consumer_start=np.concatenate([[0], np.cumsum([len(u) for u in uses])]).astype(np.int64),
        consumer=consumer,
        pull=array(number, len(consumer)),
    )


def instance_of(
    *,
    cpu: Sequence[int],
    accelerator: Sequence[int],
    area: Sequence[int],
    capacity: int,
    pinned: Sequence[bool] | None = None,
    values: Sequence[tuple[int, int, Sequence[tuple[int, int]]]] = (),
) -> Instance:
    """An instance without pairs; values have a producer, a push, and consumers with their pulls."""
    users = [user for _, _, each in values for user in each]
    return Instance(
        cpu=np.array(cpu, np.int64),
        accelerator=np.array(accelerator, np.int64),
        area=np.array(area, np.int64),
        capacity=capacity,
        pinned=np.array(pinned if pinned is not None else [False] * len(cpu), np.bool_),
        pair_first=np.zeros(0, np.int64),
        pair_second=np.zeros(0, np.int64),
        pair_cost=np.zeros(0, np.int64),
        producer=np.array([producer for producer, _, _ in values], np.int64),
        push=np.array([push for _, push, _ in values], np.int64),
        consumer_start=np.cumsum([0, *(len(each) for _, _, each in values)]).astype(np.int64),
        consumer=np.array([block for block, _ in users], np.int64),
        pull=np.array([pull for _, pull in users], np.int64),
    )


def partitions(instance: Instance) -> Partitions:
    """All partitions that map no pinned block, a row each."""
    rows = np.arange(1 << instance.blocks)[:, None] >> np.arange(instance.blocks) & 1
    every = rows.astype(np.bool_)
    return every[~(every & instance.pinned).any(axis=1)]


def costs(instance: Instance, every: Partitions) -> Integers:
    """What each of them costs, summed pair by pair and value by value."""
    total = np.where(every, instance.accelerator, instance.cpu).sum(axis=1)
    pairs = (instance.pair_first, instance.pair_second, instance.pair_cost)
    for first, second, cost in zip(*pairs, strict=True):
        total += cost * (every[:, first] ^ every[:, second])
    start = instance.consumer_start
    for value, home in enumerate(instance.producer):
        pulls = np.zeros(len(every), np.int64)
        for place in range(start[value], start[value + 1]):
            apart = every[:, instance.consumer[place]] ^ every[:, home]
            pulls += instance.pull[place] * apart
        total += np.minimum(pulls, instance.push[value])
    return total


def areas(instance: Instance, every: Partitions) -> Integers:
    """What area each of them takes."""
    return (every * instance.area).sum(axis=1)


def least(instance: Instance, capacity: int | None = None) -> int:
    """What the cheapest partition costs that fits."""
    every = partitions(instance)
    fits = areas(instance, every) <= (instance.capacity if capacity is None else capacity)
    return int(costs(instance, every)[fits].min())


def hull(instance: Instance, capacity: int) -> Fraction:
    """The lower convex hull of area and cost at an area: the best that mixing two can do."""
    every = partitions(instance)
    both = areas(instance, every).tolist(), costs(instance, every).tolist()
    points = set(zip(*both, strict=True))
    below = [(a, c) for a, c in points if a <= capacity]
    above = [(a, c) for a, c in points if a > capacity]
    best = Fraction(min(c for _, c in below))
    for area, cost in below:
        for wide, cheap in above:
            mixed = cost + Fraction((cheap - cost) * (capacity - area), wide - area)
            best = min(best, mixed)
    return best
