"""Laws of optimal partitions, of their bounds and of their proofs; docs/partition-laws.md.

``make laws`` tries each with 1,000 examples.
"""

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from effort import examples
from every_partition import areas, costs, hull, instances, least, partitions
from hypothesis import assume, given
from hypothesis import strategies as st

from logca.numeric.partition.problem.instance_and_objective import Instance, area, cost
from logca.numeric.partition.solvers.bounds.frontier import bound, frontier, mapped
from logca.numeric.partition.solvers.bounds.integer_program import integer_program
from logca.numeric.partition.solvers.certificates.checker import check
from logca.numeric.partition.solvers.certificates.format import Branch, Certificate, Leaf
from logca.numeric.partition.solvers.certificates.tree import CertificateError, check_partition
from logca.numeric.partition.solvers.heuristics.greedy import greedy
from logca.numeric.partition.solvers.heuristics.greedy_loop_clusters import cluster_greedy
from logca.numeric.partition.solvers.heuristics.incumbent import improved
from logca.numeric.partition.solvers.search.flow_bound import branch_and_bound

SEEDS = st.integers(0, 2**32 - 1)
COSTS = ("cpu", "accelerator", "pair_cost", "push", "pull")
COMMUNICATION = ("pair_cost", "push", "pull")


def proved(instance: Instance) -> int:
    """What the optimum costs, with its certificate and its partition checked."""
    found = branch_and_bound(instance)
    check(instance, found.certificate)
    check_partition(instance, found.mapped, found.cost)
    assert found.certificate.bound == found.cost
    return found.cost


def changed(
    instance: Instance, names: tuple[str, ...], change: Callable[[Any], Any], **others: Any
) -> Instance:
    """The instance with some of its arrays changed."""
    return replace(instance, **{name: change(getattr(instance, name)) for name in names}, **others)


@examples(30)
@given(instances(most=12))
def test_branch_and_bound_is_brute_force(instance: Instance) -> None:
    assert proved(instance) == least(instance)


@examples(30)
@given(instances(most=12))
def test_branch_and_bound_is_the_integer_program(instance: Instance) -> None:
    solved = integer_program(instance)
    assert solved.closed
    assert solved.mapped is not None
    assert not np.any(solved.mapped & instance.pinned)
    assert area(instance, solved.mapped) <= instance.capacity
    assert cost(instance, solved.mapped) == solved.bound == proved(instance)


@examples(30)
@given(instances(), st.lists(st.lists(st.integers(0, 6), max_size=4), max_size=4))
def test_the_optimum_is_at_most_greedy_which_is_at_most_the_cpu_alone(
    instance: Instance, sets: list[list[int]]
) -> None:
    clusters = [[block % instance.blocks for block in each] for each in sets]
    best, nothing = branch_and_bound(instance).cost, int(instance.cpu.sum())
    by_loops = cluster_greedy(instance, clusters)
    better = improved(instance, by_loops)
    for found in (greedy(instance), by_loops, better):
        assert area(instance, found) <= instance.capacity
        assert not np.any(found & instance.pinned)
        assert best <= cost(instance, found) <= nothing
    assert cost(instance, better) <= cost(instance, by_loops)


@examples(30)
@given(instances())
def test_the_lagrangian_bound_is_the_hull_and_at_most_the_optimum(instance: Instance) -> None:
    lowest = bound(frontier(instance), instance.capacity)
    assert lowest == hull(instance, instance.capacity)
    assert lowest <= branch_and_bound(instance).cost


@examples(30)
@given(instances())
def test_the_sets_of_the_frontier_are_nested(instance: Instance) -> None:
    found = frontier(instance)
    every = partitions(instance)
    sets = [mapped(found, which) for which in range(found.corners)]
    assert all(np.all(small <= large) for small, large in pairwise(sets))
    for chosen, used, price in zip(sets, found.area, found.cost, strict=True):
        assert (area(instance, chosen), cost(instance, chosen)) == (used, price)
        assert least(instance, int(used)) == price
    # where more area saves nothing, there is no corner
    assert found.cost[-1] == costs(instance, every).min()


@examples(30)
@given(instances(), st.integers(0, 10))
def test_the_optimum_never_rises_with_area(instance: Instance, more: int) -> None:
    wider = replace(instance, capacity=instance.capacity + more)
    assert branch_and_bound(wider).cost <= branch_and_bound(instance).cost


@examples(30)
@given(instances(), st.integers(0, 9), SEEDS)
def test_the_optimum_never_falls_with_latencies(instance: Instance, most: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    dearer = changed(
        instance, COMMUNICATION, lambda old: old + random.integers(0, most + 1, len(old))
    )
    assert branch_and_bound(dearer).cost >= branch_and_bound(instance).cost


@examples(30)
@given(instances(), st.sampled_from((2, 7, 1000, 10**13)), st.integers(1, 9))
def test_units_of_cost_and_area_do_not_matter(instance: Instance, factor: int, size: int) -> None:
    other = changed(
        instance,
        COSTS,
        lambda old: old * factor,
        area=instance.area * size,
        capacity=instance.capacity * size,
    )
    assert proved(other) == factor * branch_and_bound(instance).cost


@examples(30)
@given(instances(), SEEDS)
def test_names_of_blocks_do_not_matter(instance: Instance, seed: int) -> None:
    order = np.random.default_rng(seed).permutation(instance.blocks)
    renamed = np.argsort(order)
    other = changed(instance, ("cpu", "accelerator", "area", "pinned"), lambda old: old[order])
    other = changed(
        other, ("pair_first", "pair_second", "producer", "consumer"), lambda old: renamed[old]
    )
    assert proved(other) == branch_and_bound(instance).cost


@examples(30)
@given(instances())
def test_without_latencies_each_block_chooses_and_area_makes_it_a_knapsack(
    instance: Instance,
) -> None:
    free = changed(instance, COMMUNICATION, np.zeros_like)
    saved = [0] * (instance.capacity + 1)
    blocks = (instance.cpu, instance.accelerator, instance.area, instance.pinned)
    for slow, fast, size, pinned in zip(*(each.tolist() for each in blocks), strict=True):
        for room in range(instance.capacity, size - 1, -1):
            if not pinned:
                saved[room] = max(saved[room], saved[room - size] + slow - fast)
    assert proved(free) == int(instance.cpu.sum()) - saved[-1]
    wide = replace(free, capacity=int(free.area.sum()))
    either = np.where(free.pinned, free.cpu, np.minimum(free.cpu, free.accelerator))
    assert proved(wide) == int(either.sum())


@examples(30)
@given(instances())
def test_values_cost_at_most_what_their_pairs_do(instance: Instance) -> None:
    value = np.repeat(np.arange(len(instance.producer)), np.diff(instance.consumer_start))
    home, none = instance.producer[value], np.zeros(0, np.int64)
    pull = np.minimum(instance.pull, instance.push[value])
    pairs = replace(
        instance,
        pair_first=np.concatenate((instance.pair_first, home)),
        pair_second=np.concatenate((instance.pair_second, instance.consumer)),
        pair_cost=np.concatenate((instance.pair_cost, pull)),
        producer=none,
        push=none,
        consumer_start=np.zeros(1, np.int64),
        consumer=none,
        pull=none,
    )
    every = partitions(instance)
    assert np.all(costs(instance, every) <= costs(pairs, every))
    assert branch_and_bound(instance).cost <= branch_and_bound(pairs).cost


@examples(30)
@given(instances(), st.integers(0, 10))
def test_without_communication_greedy_never_loses_by_area(instance: Instance, more: int) -> None:
    small = changed(instance, COMMUNICATION, np.zeros_like)
    large = replace(small, capacity=small.capacity + more)
    assert cost(large, greedy(large)) <= cost(small, greedy(small))


def forged(proof: Certificate, random: np.random.Generator) -> Certificate:
    """The certificate with something changed in one of its nodes or bases."""
    nodes, bases = list(proof.nodes), list(proof.bases)
    place = int(random.integers(0, len(nodes)))
    node, kind = nodes[place], random.integers(0, 4)
    if isinstance(node, Branch):
        ends = (node.within, node.without) if kind < 2 else (node.without, node.without)
        nodes[place] = replace(node, without=ends[0], within=ends[1])
    elif node.duals is None or kind == 0:
        nodes[place] = replace(node, price=int(random.integers(-2, 50)))
    elif kind == 1:
        nodes[place] = Leaf(price=None, duals=node.duals)
    else:
        duals = node.duals
        if kind == 2 and bases:
            which = int(random.integers(0, len(bases)))
            duals = bases[which]
        name = ("pair_dual", "consumer_dual")[int(random.integers(0, 2))]
        new = getattr(duals, name) + random.integers(-3, 4, len(getattr(duals, name)))
        if kind == 2 and bases:
            bases[which] = replace(duals, **{name: new})
        else:
            nodes[place] = replace(node, duals=replace(duals, **{name: new}))
    return replace(proof, nodes=tuple(nodes), bases=tuple(bases))


@examples(30)
@given(instances(), SEEDS)
def test_no_certificate_proves_more_than_the_optimum(instance: Instance, seed: int) -> None:
    found = branch_and_bound(instance)
    check(instance, found.certificate)
    too_much = replace(found.certificate, bound=least(instance) + 1)
    with pytest.raises(CertificateError):
        check(instance, too_much)
    random = np.random.default_rng(seed)
    for _ in range(4):
        with pytest.raises(CertificateError):
            check(instance, forged(too_much, random))


@examples(30)
@given(instances(), st.integers(0, 6))
def test_a_partition_that_does_not_fit_or_costs_something_else_is_refused(
    instance: Instance, block: int
) -> None:
    found = branch_and_bound(instance)
    check_partition(instance, found.mapped, found.cost)
    with pytest.raises(CertificateError, match="costs"):
        check_partition(instance, found.mapped, found.cost - 1)
    other = found.mapped.copy()
    other[block % instance.blocks] ^= True
    fits = int(areas(instance, other[None])[0]) <= instance.capacity
    assume(not fits or np.any(other & instance.pinned))
    with pytest.raises(CertificateError, match=r"pinned|area"):
        check_partition(instance, other, int(costs(instance, other[None])[0]))
