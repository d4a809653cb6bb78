"""The optimum against all partitions, HiGHS, and the laws that hold for it."""

from dataclasses import replace
from types import ModuleType

import numpy as np
import pytest
from numpy.typing import NDArray

from logca.numeric.partition.problem.instance_and_objective import Instance, InstanceError, cost
from logca.numeric.partition.solvers.bounds.integer_program import integer_program
from logca.numeric.partition.solvers.heuristics.greedy import greedy
from logca.numeric.partition.solvers.heuristics.greedy_loop_clusters import cluster_greedy
from logca.numeric.partition.solvers.optimum import Optimum, check_optimum, optimal
from logca.numeric.partition.solvers.search.flow_bound import branch_and_bound


def proved(instance: Instance) -> int:
    """What the optimum costs; its certificate is checked."""
    found = optimal(instance)
    check_optimum(instance, found)
    assert found.proof == "certificate"
    assert found.gap == 0
    return found.cost


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


def nothing(instance: Instance) -> NDArray[np.bool_]:
    return np.zeros(instance.blocks, np.bool_)


def stopped(instance: Instance) -> Optimum:
    found = optimal(instance, time_limit=1e-6)
    check_optimum(instance, found)
    return found


def test_when_the_time_is_over_the_gap_is_honest(programs: ModuleType) -> None:
    instance = programs.program(1500, seed=3, share=0.05)
    best = proved(instance)
    found = stopped(instance)
    # the first bound is that of an accelerator of any size, and the time is over after it
    everything = replace(instance, capacity=int(instance.area.sum()))
    assert (
        proved(everything) <= found.bound < best <= found.cost < cost(instance, nothing(instance))
    )
    assert (found.cost - best) / found.cost <= found.gap
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
    with pytest.raises(InstanceError, match="divide all executions by a number"):
        branch_and_bound(instance)
