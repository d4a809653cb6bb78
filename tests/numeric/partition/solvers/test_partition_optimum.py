"""The optimum against all partitions, HiGHS, and the laws that hold for it."""

from dataclasses import replace
from types import ModuleType

import numpy as np
import pytest
from every_partition import hull, instances, least
from hypothesis import given, settings
from hypothesis import strategies as st

from logca.numeric.partition.instance import Instance, InstanceError, area, cost
from logca.numeric.partition.solvers.branch import branch_and_bound
from logca.numeric.partition.solvers.clusters import cluster_greedy, improved
from logca.numeric.partition.solvers.frontier import bound, frontier
from logca.numeric.partition.solvers.greedy import greedy
from logca.numeric.partition.solvers.milp import integer_program
from logca.numeric.partition.solvers.optimal import Optimum, check_optimum, optimal


def proved(instance: Instance) -> int:
    """What the optimum costs; its certificate is checked."""
    found = optimal(instance)
    check_optimum(instance, found)
    assert found.proof == "certificate"
    assert found.gap == 0
    return found.cost


@settings(max_examples=300)
@given(instances())
def test_optimum_is_the_cheapest_of_all_partitions(instance: Instance) -> None:
    assert proved(instance) == least(instance)


@settings(max_examples=40)
@given(instances(most=12))
def test_optimum_is_the_cheapest_up_to_twelve_blocks(instance: Instance) -> None:
    assert proved(instance) == least(instance)


@settings(max_examples=100)
@given(instances())
def test_integer_program_finds_the_same(instance: Instance) -> None:
    solved = integer_program(instance)
    assert solved.closed
    assert solved.mapped is not None
    assert cost(instance, solved.mapped) == solved.bound == least(instance)


@settings(max_examples=200)
@given(instances(), st.lists(st.lists(st.integers(0, 6), max_size=4), max_size=4))
def test_bound_optimum_greedy_and_no_accelerator_come_in_this_order(
    instance: Instance, sets: list[list[int]]
) -> None:
    clusters = [[block % instance.blocks for block in each] for each in sets]
    lowest = bound(frontier(instance), instance.capacity)
    best = branch_and_bound(instance).cost
    nothing = int(instance.cpu.sum())
    by_loops = cluster_greedy(instance, clusters)
    better = improved(instance, by_loops)
    assert lowest == hull(instance, instance.capacity)
    assert lowest <= best
    for found in (greedy(instance), by_loops, better):
        assert area(instance, found) <= instance.capacity
        assert not np.any(found & instance.pinned)
        assert best <= cost(instance, found) <= nothing
    assert cost(instance, better) <= cost(instance, by_loops)


@settings(max_examples=100)
@given(instances(), st.integers(0, 10))
def test_more_area_never_costs_more(instance: Instance, more: int) -> None:
    wider = replace(instance, capacity=instance.capacity + more)
    assert branch_and_bound(wider).cost <= branch_and_bound(instance).cost


@settings(max_examples=100)
@given(instances(), st.integers(0, 5), st.integers(0, 5), st.integers(0, 5))
def test_dearer_communication_never_costs_less(
    instance: Instance, pair: int, push: int, pull: int
) -> None:
    dearer = replace(
        instance,
        pair_cost=instance.pair_cost + pair,
        push=instance.push + push,
        pull=instance.pull + pull,
    )
    assert branch_and_bound(dearer).cost >= branch_and_bound(instance).cost


@settings(max_examples=100)
@given(instances(), st.sampled_from((2, 7, 1000, 10**13)), st.integers(1, 9))
def test_costs_and_areas_in_other_units_change_nothing(
    instance: Instance, factor: int, size: int
) -> None:
    other = replace(
        instance,
        **{
            name: getattr(instance, name) * factor
            for name in ("cpu", "accelerator", "pair_cost", "push", "pull")
        },
        area=instance.area * size,
        capacity=instance.capacity * size,
    )
    assert proved(other) == factor * branch_and_bound(instance).cost


@settings(max_examples=100)
@given(instances(), st.randoms(use_true_random=False))
def test_numbers_of_blocks_do_not_matter(instance: Instance, random: object) -> None:
    order = np.random.default_rng(random.getrandbits(32)).permutation(instance.blocks)  # type: ignore[attr-defined]
    renamed = np.argsort(order)
    other = replace(
        instance,
        **{
            name: getattr(instance, name)[order]
            for name in ("cpu", "accelerator", "area", "pinned")
        },
        **{
            name: renamed[getattr(instance, name)]
            for name in ("pair_first", "pair_second", "producer", "consumer")
        },
    )
    assert branch_and_bound(other).cost == branch_and_bound(instance).cost


@settings(max_examples=100)
@given(instances())
def test_without_communication_it_is_a_knapsack(instance: Instance) -> None:
    free = replace(
        instance,
        pair_cost=instance.pair_cost * 0,
        push=instance.push * 0,
        pull=instance.pull * 0,
    )
    saved = [0] * (instance.capacity + 1)
    blocks = (instance.cpu, instance.accelerator, instance.area, instance.pinned)
    for slow, fast, size, pinned in zip(*(each.tolist() for each in blocks), strict=True):
        for room in range(instance.capacity, size - 1, -1):
            if not pinned:
                saved[room] = max(saved[room], saved[room - size] + slow - fast)
    assert proved(free) == int(instance.cpu.sum()) - saved[-1]


@settings(max_examples=100)
@given(instances())
def test_values_never_cost_more_than_their_pairs(instance: Instance) -> None:
    value = np.repeat(np.arange(len(instance.producer)), np.diff(instance.consumer_start))
    home = instance.producer[value]
    none = np.zeros(0, np.int64)
    pairs = replace(
        instance,
        pair_first=np.concatenate((instance.pair_first, home)),
        pair_second=np.concatenate((instance.pair_second, instance.consumer)),
        pair_cost=np.concatenate(
            (instance.pair_cost, np.minimum(instance.pull, instance.push[value]))
        ),
        producer=none,
        push=none,
        consumer_start=np.zeros(1, np.int64),
        consumer=none,
        pull=none,
    )
    assert branch_and_bound(instance).cost <= branch_and_bound(pairs).cost


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("share", [None, 0.05, 0.2])
def test_structured_programs_agree_with_highs(
    programs: ModuleType, seed: int, share: float | None
) -> None:
    instance = programs.program(150, seed=seed, share=share)
    solved = integer_program(instance)
    assert solved.mapped is not None
    assert proved(instance) == cost(instance, solved.mapped)


@pytest.mark.parametrize("coupled", [0.0, 0.5, 2.0])
@pytest.mark.parametrize("share", [0.1, 0.5])
def test_hard_knapsacks_are_proved(programs: ModuleType, coupled: float, share: float) -> None:
    instance = programs.knapsack(120, seed=1, share=share, coupled=coupled)
    solved = integer_program(instance)
    assert solved.mapped is not None
    assert proved(instance) == cost(instance, solved.mapped)


def test_what_is_given_is_never_lost(programs: ModuleType) -> None:
    instance, loops = programs.program_with_loops(300, seed=4, share=0.1)
    start = greedy(instance)
    for found in (
        branch_and_bound(instance, start=start, most_nodes=0),
        optimal(instance, start=start, clusters=loops),
    ):
        assert found.cost <= cost(instance, start)


def stopped(instance: Instance) -> Optimum:
    found = optimal(instance, time_limit=1e-6)
    check_optimum(instance, found)
    return found


def test_when_the_time_is_over_the_gap_is_honest(programs: ModuleType) -> None:
    instance = programs.program(1500, seed=3, share=0.05)
    best = proved(instance)
    found = stopped(instance)
    assert found.bound < best <= found.cost
    assert 0 < found.gap < 0.1
    assert found.gap == (found.cost - found.bound) / found.cost


def test_after_some_nodes_the_bound_is_proved_as_well(programs: ModuleType) -> None:
    instance = programs.program(500, seed=5, share=0.2)
    best = proved(instance)
    bounds = []
    for nodes in range(0, 12, 3):
        found = branch_and_bound(instance, most_nodes=nodes)
        assert found.certificate.bound <= best <= found.cost
        bounds.append(found.certificate.bound)
    assert bounds == sorted(bounds)
    assert bounds[0] < best


@pytest.mark.parametrize("limit", [0.0, -1.0, float("nan")])
def test_a_time_that_is_none_is_refused(limit: float, programs: ModuleType) -> None:
    with pytest.raises(InstanceError, match="time limit must be positive"):
        optimal(programs.program(20, seed=0), time_limit=limit)


def test_a_beginning_that_does_not_fit_is_refused(programs: ModuleType) -> None:
    instance = programs.program(60, seed=0, share=0.1)
    with pytest.raises(InstanceError, match="maps a pinned block or exceeds the area"):
        optimal(instance, start=np.ones(instance.blocks, np.bool_))


def test_a_cluster_of_unknown_blocks_is_refused(programs: ModuleType) -> None:
    instance = programs.program(20, seed=0)
    with pytest.raises(InstanceError, match="a cluster has the blocks"):
        cluster_greedy(instance, [[0, instance.blocks]])


def test_costs_beyond_64_bits_are_refused() -> None:
    none = np.zeros(0, np.int64)
    instance = Instance(
        cpu=np.full(3, 2**62),
        accelerator=np.zeros(3, np.int64),
        area=np.array([3, 4, 5]),
        capacity=7,
        pinned=np.zeros(3, np.bool_),
        pair_first=none,
        pair_second=none,
        pair_cost=none,
        producer=none,
        push=none,
        consumer_start=np.zeros(1, np.int64),
        consumer=none,
        pull=none,
    )
    with pytest.raises(InstanceError, match="choose a smaller scale"):
        branch_and_bound(instance)
