"""Single moves, and the paper's greedy, against the same thing done slowly."""

from fractions import Fraction

import numpy as np
import pytest
from effort import examples
from every_partition import costs, instances
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from logca.numeric.partition.problem.instance_and_objective import Instance
from logca.numeric.partition.solvers.heuristics.greedy import greedy
from logca.numeric.partition.solvers.heuristics.greedy_loop_clusters import cluster_greedy
from logca.numeric.partition.solvers.heuristics.incumbent import exchange, least_changing
from logca.numeric.partition.solvers.heuristics.move_loops import flip, independent
from logca.numeric.partition.solvers.heuristics.moves import moves_from

INFINITE = Fraction(10**30)


def slow_greedy(instance: Instance, sets: list[list[int]]) -> NDArray[np.bool_]:
    """Move the set that saves most for its area, all costs computed anew."""
    mapped = np.zeros(instance.blocks, np.bool_)
    while True:
        best, chosen = None, mapped
        for each in sets:
            moved = mapped.copy()
            moved[each] = True
            moved &= ~instance.pinned
            now, after = costs(instance, np.stack((mapped, moved)))
            saved = int(now - after)
            size = int(instance.area[moved & ~mapped].sum())
            if saved <= 0 or int(instance.area[moved].sum()) > instance.capacity:
                continue
            worth = (Fraction(saved, size), 0) if size else (INFINITE, saved)
            if best is None or worth > best:
                best, chosen = worth, moved
        if best is None:
            return mapped
        mapped = chosen


@examples(40, 200)
@given(instances(), st.lists(st.integers(0, 6), max_size=12))
def test_changes_are_differences_of_costs(instance: Instance, moves: list[int]) -> None:
    at = moves_from(instance, np.zeros(instance.blocks, np.bool_))
    mapped = np.zeros(instance.blocks, np.bool_)
    for move in moves:
        flip(at, move % instance.blocks)
        mapped[move % instance.blocks] ^= True
    others = mapped ^ np.eye(instance.blocks, dtype=np.bool_)
    now = costs(instance, mapped[None])[0]
    assert np.array_equal(at.mapped, mapped)
    assert at.total.tolist() == [now, instance.area[mapped].sum()]
    assert np.array_equal(at.change, costs(instance, others) - now)


@examples(40, 200)
@given(instances())
def test_greedy_moves_what_saves_most_for_its_area(instance: Instance) -> None:
    slow = slow_greedy(instance, [[block] for block in range(instance.blocks)])
    assert np.array_equal(greedy(instance), slow)


@examples(40, 200)
@given(instances(), st.lists(st.lists(st.integers(0, 6), max_size=4), max_size=4))
def test_cluster_greedy_moves_sets(instance: Instance, sets: list[list[int]]) -> None:
    clusters = [[block % instance.blocks for block in each] for each in sets]
    every = [*clusters, *([block] for block in range(instance.blocks))]
    assert np.array_equal(cluster_greedy(instance, clusters), slow_greedy(instance, every))


@examples(40, 200)
@given(instances(), st.floats(0, 20), st.lists(st.booleans(), min_size=7, max_size=7))
def test_exchange_makes_the_best_of_moves_that_do_not_change_each_other(
    instance: Instance, price: float, begin: list[bool]
) -> None:
    mapped = np.array(begin[: instance.blocks]) & ~instance.pinned
    at = moves_from(instance, mapped)
    core = independent(at, least_changing(at, price), 4)
    assert not np.any(instance.pinned[core])
    rows = np.repeat(mapped[None], 1 << len(core), axis=0)
    rows[:, core] = np.arange(1 << len(core))[:, None] >> np.arange(len(core)) & 1
    moved = rows[:, core] != mapped[core]
    # the changes of such moves add up
    every = costs(instance, rows)
    assert np.array_equal(every, at.total[0] + (moved * at.change[core]).sum(axis=1))
    if at.total[1] > instance.capacity:
        return
    before = int(at.total[0])
    lower = exchange(at, instance.capacity, price)
    assert at.total.tolist() == [
        costs(instance, at.mapped[None])[0],
        instance.area[at.mapped].sum(),
    ]
    assert at.total[1] <= instance.capacity
    assert at.total[0] <= every[(rows * instance.area).sum(axis=1) <= instance.capacity].min()
    assert lower == (at.total[0] < before)


def best_of_uncoupled(saved: list[int], area: list[int], capacity: int) -> Instance:
    none = np.zeros(0, np.int64)
    return Instance(
        cpu=np.array(saved),
        accelerator=np.zeros(len(saved), np.int64),
        area=np.array(area),
        capacity=capacity,
        pinned=np.zeros(len(saved), np.bool_),
        pair_first=none,
        pair_second=none,
        pair_cost=none,
        producer=none,
        push=none,
        consumer_start=np.zeros(1, np.int64),
        consumer=none,
        pull=none,
    )


@pytest.mark.parametrize(
    ("saved", "area", "capacity", "mapped"),
    [
        ([6, 3], [2, 1], 2, [True, False]),  # of equal ratios the lower number
        ([3, 6], [1, 2], 2, [True, False]),
        ([10, 9], [3, 2], 3, [False, True]),  # what does not fit any more is passed over
        ([30, 9, 1], [3, 2, 1], 4, [True, False, True]),
        ([1, 5, 9], [0, 0, 4], 3, [True, True, False]),  # no area: first
        ([0, -1], [0, 0], 3, [False, False]),  # what saves nothing stays
        ([10**15, 10**15 - 1], [3, 3], 3, [True, False]),  # ratios are not rounded
    ],
)
def test_where_the_paper_is_silent(
    saved: list[int], area: list[int], capacity: int, mapped: list[bool]
) -> None:
    assert greedy(best_of_uncoupled(saved, area, capacity)).tolist() == mapped


def test_greedy_misses_a_loop_that_clusters_find() -> None:
    """The failure that the paper names: two blocks that only save together."""
    loop = best_of_uncoupled([5, 5], [1, 1], 2)
    coupled = Instance(
        **{name: getattr(loop, name) for name in ("cpu", "accelerator", "area", "capacity")},
        **{name: getattr(loop, name) for name in ("pinned", "producer", "push", "consumer_start")},
        **{name: getattr(loop, name) for name in ("consumer", "pull")},
        pair_first=np.array([0]),
        pair_second=np.array([1]),
        pair_cost=np.array([8]),
    )
    assert greedy(coupled).tolist() == [False, False]
    assert cluster_greedy(coupled, [[0, 1]]).tolist() == [True, True]
