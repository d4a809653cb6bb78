"""The Lagrangian frontier against every partition of small programs."""

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import pytest
from effort import examples
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from logca.numeric.partition.problem.instance_and_objective import Instance, area, cost
from logca.numeric.partition.solvers.bounds.frontier import bound, frontier, mapped

for library in ("numba", "ortools"):
    pytest.importorskip(library)


def instance(seed: int) -> Instance:
    rng = np.random.default_rng(seed)
    blocks, pairs, values = int(rng.integers(1, 8)), int(rng.integers(0, 10)), int(rng.integers(5))
    readers = rng.integers(1, 4, values)
    start = np.concatenate([[0], np.cumsum(readers)]).astype(np.int64)

    def some(high: int, number: int) -> NDArray[np.int64]:
        return rng.integers(0, high, number).astype(np.int64)

    return Instance(
        cpu=some(40, blocks),
        accelerator=some(30, blocks),
        area=some(6, blocks),
        capacity=int(rng.integers(0, 15)),
        pinned=rng.random(blocks) < 0.2,
        pair_first=some(blocks, pairs),
        pair_second=some(blocks, pairs),
        pair_cost=some(9, pairs),
        producer=some(blocks, values),
        push=some(12, values),
        consumer_start=start,
        consumer=some(blocks, int(start[-1])),
        pull=some(8, int(start[-1])),
    )


def partitions(of: Instance) -> Iterator[NDArray[np.bool_]]:
    for number in range(1 << of.blocks):
        chosen = np.array([bool(number >> n & 1) for n in range(of.blocks)])
        if not (chosen & of.pinned).any():
            yield chosen


@examples(40, 150)
@given(st.integers(0, 10**6))
def test_no_partition_is_below_the_frontier_and_its_corners_are_optimal(seed: int) -> None:
    made = instance(seed)
    found = frontier(made)
    every = [(area(made, chosen), cost(made, chosen)) for chosen in partitions(made)]
    for capacity in range(int(made.area.sum()) + 2):
        least = min(price for size, price in every if size <= capacity)
        assert bound(found, capacity) <= least
    for which in range(found.corners):
        chosen = mapped(found, which)
        size, price = int(found.area[which]), int(found.cost[which])
        assert not (chosen & made.pinned).any()
        assert (area(made, chosen), cost(made, chosen)) == (size, price)
        assert price == min(each for other, each in every if other <= size)


@examples(20, 50)
@given(st.integers(0, 10**6))
def test_corners_are_nested_and_prices_fall(seed: int) -> None:
    found = frontier(instance(seed))
    assert np.all(np.diff(found.area) > 0)
    assert np.all(np.diff(found.cost) < 0)
    assert all(price > 0 for price in found.price)
    assert all(a > b for a, b in pairwise(found.price))
    for which in range(1, found.corners):
        assert np.all(mapped(found, which) >= mapped(found, which - 1))
