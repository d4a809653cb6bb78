"""Minimum cuts, persistency, and the frontier against all partitions."""

from fractions import Fraction
from itertools import pairwise
from types import ModuleType

import numpy as np
import pytest
from effort import examples
from every_partition import areas, costs, hull, instances, least, partitions
from hypothesis import given
from hypothesis import strategies as st

from logca.numeric.partition.problem.instance_and_objective import (
    Instance,
    InstanceError,
    area,
    cost,
)
from logca.numeric.partition.solvers.bounds.frontier import bound, corner, frontier, mapped
from logca.numeric.partition.solvers.bounds.lagrangian import best_price
from logca.numeric.partition.solvers.bounds.network import (
    Network,
    build,
    couplings,
    minimum_cut,
    with_pinned_blocks,
)


def network(instance: Instance) -> Network:
    return with_pinned_blocks(instance, build(instance, couplings(instance)))


def blocks(of: Network, nodes: np.ndarray, instance: Instance) -> np.ndarray:
    chosen = np.zeros(instance.blocks, np.bool_)
    numbers = of.node[nodes]
    chosen[numbers[numbers < instance.blocks]] = True
    return chosen


@examples(40, 200)
@given(instances(), st.fractions(0, 20, max_denominator=9))
def test_a_cut_is_the_cheapest_partition_at_a_price(instance: Instance, price: Fraction) -> None:
    made = network(instance)
    found = minimum_cut(made, price)
    every = partitions(instance)
    priced = [
        c + price * a
        for c, a in zip(
            costs(instance, every).tolist(), areas(instance, every).tolist(), strict=True
        )
    ]
    cheapest = every[[value == min(priced) for value in priced]]
    assert found.value == min(priced)
    assert np.array_equal(blocks(made, found.least, instance), cheapest.all(axis=0))
    assert np.array_equal(blocks(made, found.most, instance), cheapest.any(axis=0))


@examples(40, 200)
@given(instances(), st.fractions(0, 20, max_denominator=9))
def test_flow_is_one_and_proves_the_cut(instance: Instance, price: Fraction) -> None:
    made = network(instance)
    found = minimum_cut(made, price)
    own = made.cost * price.denominator + made.area * price.numerator
    assert np.all(found.flow >= 0)
    assert np.all(found.flow <= made.capacity * price.denominator)
    passing = np.zeros(made.nodes + 2, np.int64)
    np.add.at(passing, made.tail, found.flow)
    np.subtract.at(passing, made.head, found.flow)
    inner = made.node >= instance.blocks
    assert not passing[:-2][inner].any()
    # what a block sends out must come from what it gains, and what it keeps be what it loses
    left = own + passing[:-2]
    assert np.all(left[~inner] >= np.minimum(own[~inner], 0))
    assert np.all(left[~inner] <= np.maximum(own[~inner], 0))


@examples(40, 200)
@given(instances())
def test_some_optimum_lies_in_any_cheapest_set(instance: Instance) -> None:
    made = network(instance)
    found = minimum_cut(made)
    every = partitions(instance)
    for nodes in (found.least, found.most):
        outside = ~blocks(made, nodes, instance)
        inside = every[~(every & outside).any(axis=1)]
        fits = areas(instance, inside) <= instance.capacity
        assert costs(instance, inside)[fits].min() == least(instance)


@examples(40, 200)
@given(instances())
def test_best_price_reaches_the_hull(instance: Instance) -> None:
    found = best_price(network(instance), instance.capacity)
    assert found.value == hull(instance, instance.capacity) <= least(instance)
    assert found.fits.area <= instance.capacity


@pytest.mark.parametrize("seed", range(3))
def test_frontier_of_a_program_is_nested_and_convex(programs: ModuleType, seed: int) -> None:
    instance = programs.program(400, seed=seed)
    found = frontier(instance)
    assert found.corners > 20
    assert all(high > low for high, low in pairwise(found.price))
    slopes = zip(found.price, np.diff(found.area), np.diff(found.cost), strict=True)
    assert all(price * int(wider) == -int(dearer) for price, wider, dearer in slopes)
    for which in range(found.corners):
        chosen = mapped(found, which)
        assert cost(instance, chosen) == found.cost[which]
        assert area(instance, chosen) == found.area[which]
        if which:
            assert np.all(mapped(found, which - 1) <= chosen)
        capacity = int(found.area[which])
        assert corner(found, capacity) == which
        assert bound(found, capacity) == found.cost[which]


def test_large_costs_have_a_frontier_or_a_clear_error(programs: ModuleType) -> None:
    instance = programs.program(300, seed=1)
    names = ("cpu", "accelerator", "pair_cost", "push", "pull")

    def times(factor: int) -> Instance:
        given = {name: getattr(instance, name) for name in Instance.__dataclass_fields__}
        return Instance(**{**given, **{name: given[name] * factor for name in names}})

    room = 2**61 // (2 * int(instance.cpu.sum()))
    assert frontier(times(room // 10**5)).corners == frontier(instance).corners
    with pytest.raises(InstanceError, match="divide all executions by a number"):
        frontier(times(room))
