"""The optimum with memory: against all partitions, laws, and the paper's six programs."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from random import Random
from types import ModuleType

import numpy as np
import pytest
from coupled_instances import Coupled, coupled, every_cost, least_coupled, random_coupling
from effort import examples
from every_partition import instances, partitions
from hypothesis import given, settings
from hypothesis import strategies as st

from logca.numeric.partition.memory.caches import Latencies
from logca.numeric.partition.memory.coupling import Coupling, coupling_of
from logca.numeric.partition.memory.designs import DESIGNS
from logca.numeric.partition.problem.costs import costs_of, with_own_costs
from logca.numeric.partition.problem.instance_and_objective import Instance, InstanceError, area
from logca.numeric.partition.problem.platform import platform
from logca.numeric.partition.program.tracing import traced
from logca.numeric.partition.solvers.heuristics.greedy import greedy
from logca.numeric.partition.solvers.heuristics.greedy_loop_clusters import cluster_greedy
from logca.numeric.partition.solvers.heuristics.move_loops import flip
from logca.numeric.partition.solvers.heuristics.moves import moves_from
from logca.numeric.partition.solvers.optimum import Optimum, check_optimum, optimal


def proved(case: Coupled) -> Optimum:
    """The optimum; its certificate is checked."""
    found = optimal(case.instance, case.coupling)
    check_optimum(case.instance, found, case.coupling)
    assert found.proof == "certificate"
    assert found.gap == 0
    return found


@examples(40, 200)
@given(coupled())
def test_coupled_optimum_is_the_cheapest_of_all_partitions(case: Coupled) -> None:
    assert proved(case).cost == least_coupled(case)


@settings(max_examples=25, deadline=None)
@given(coupled(most=12))
def test_coupled_optimum_is_the_cheapest_up_to_twelve_blocks(case: Coupled) -> None:
    assert proved(case).cost == least_coupled(case)


@examples(30, 100)
@given(coupled(), st.lists(st.lists(st.integers(0, 6), max_size=4), max_size=4))
def test_coupled_bound_optimum_greedy_and_no_accelerator_come_in_this_order(
    case: Coupled, sets: list[list[int]]
) -> None:
    instance, coupling = case.instance, case.coupling
    clusters = [[block % instance.blocks for block in each] for each in sets]
    # no row costs less than nothing
    uncoupled = optimal(with_own_costs(instance, coupling)).bound
    best = optimal(instance, coupling, clusters=clusters).cost
    by_loops = cluster_greedy(instance, clusters, coupling)
    tried = [greedy(instance, coupling), by_loops]
    nothing = every_cost(case, np.zeros((1, instance.blocks), np.bool_))[0]
    assert uncoupled <= best
    for each, cost in zip(tried, every_cost(case, np.array(tried)), strict=True):
        assert area(instance, each) <= instance.capacity
        assert not np.any(each & instance.pinned)
        assert best <= cost <= nothing


@examples(40, 200)
@given(coupled(), st.lists(st.integers(0, 6), max_size=12))
def test_changes_with_memory_are_differences_of_costs(case: Coupled, moves: list[int]) -> None:
    own = with_own_costs(case.instance, case.coupling)
    mapped = np.zeros(own.blocks, np.bool_)
    at = moves_from(own, mapped, coupling=case.coupling)
    for move in moves:
        flip(at, move % own.blocks)
        mapped[move % own.blocks] ^= True
    others = mapped ^ np.eye(own.blocks, dtype=np.bool_)
    now = every_cost(case, mapped[None])[0]
    assert at.total.tolist() == [now, own.area[mapped].sum()]
    assert np.array_equal(at.change, every_cost(case, others) - now)


def slow_greedy(case: Coupled, sets: list[list[int]]) -> np.ndarray:
    """Move the set that saves most for its area, all costs computed anew."""
    instance = case.instance
    mapped = np.zeros(instance.blocks, np.bool_)
    while True:
        best, chosen = None, mapped
        for each in sets:
            moved = mapped.copy()
            moved[each] = True
            moved &= ~instance.pinned
            now, after = every_cost(case, np.stack((mapped, moved))).tolist()
            size = int(instance.area[moved & ~mapped].sum())
            if now <= after or area(instance, moved) > instance.capacity:
                continue
            worth = (Fraction(now - after, size), 0) if size else (Fraction(10**30), now - after)
            if best is None or worth > best:
                best, chosen = worth, moved
        if best is None:
            return mapped
        mapped = chosen


@examples(25, 80)
@given(coupled(), st.lists(st.lists(st.integers(0, 6), max_size=4), max_size=4))
def test_greedy_with_memory_moves_what_saves_most_for_its_area(
    case: Coupled, sets: list[list[int]]
) -> None:
    clusters = [[block % case.instance.blocks for block in each] for each in sets]
    single = [[block] for block in range(case.instance.blocks)]
    by_block = greedy(case.instance, case.coupling)
    by_loops = cluster_greedy(case.instance, clusters, case.coupling)
    assert np.array_equal(by_block, slow_greedy(case, single))
    assert np.array_equal(by_loops, slow_greedy(case, [*clusters, *single]))


@examples(20, 50)
@given(coupled(most=5), st.integers(0, 10))
def test_with_memory_more_area_never_costs_more(case: Coupled, more: int) -> None:
    wider = replace(case.instance, capacity=case.instance.capacity + more)
    assert optimal(wider, case.coupling).cost <= proved(case).cost


@examples(20, 50)
@given(coupled(most=5), st.sampled_from((7, 1000, 10**9)))
def test_with_memory_costs_in_other_units_change_nothing(case: Coupled, factor: int) -> None:
    names = ("cpu", "accelerator", "pair_cost", "push", "pull")
    instance = replace(
        case.instance, **{name: getattr(case.instance, name) * factor for name in names}
    )
    times = ("l1", "l2", "memory", "write_back", "penalty")
    latencies = replace(
        case.latencies, **{name: getattr(case.latencies, name) * factor for name in times}
    )
    coupling = coupling_of(case.signatures, case.design, latencies)
    other = replace(case, instance=instance, coupling=coupling)
    assert proved(other).cost == factor * proved(case).cost


@settings(max_examples=20, deadline=None)
@given(coupled(design=DESIGNS["SL1"]))
def test_where_no_row_couples_blocks_it_is_the_plain_optimum(case: Coupled) -> None:
    assert case.coupling.rows == 0
    plain = optimal(with_own_costs(case.instance, case.coupling))
    found = proved(case)
    assert found.cost == plain.cost
    assert np.array_equal(found.mapped, plain.mapped)


@settings(max_examples=30, deadline=None)
@given(instances(), st.randoms(use_true_random=False))
def test_a_known_partition_is_never_lost(instance: Instance, random: Random) -> None:
    seed = random.getrandbits(32)
    case = random_coupling(instance, seed=seed, accesses=60)
    every = partitions(instance)
    every = every[(every @ instance.area) <= instance.capacity]
    start = every[seed % len(every)]
    found = optimal(instance, case.coupling, start=start, most_nodes=0)
    check_optimum(instance, found, case.coupling)
    assert found.bound <= least_coupled(case) <= found.cost <= every_cost(case, start[None])[0]


@pytest.fixture(scope="module")
def large(programs: ModuleType) -> Coupled:
    """A program of 150 blocks that takes some branching."""
    instance = programs.program(150, seed=4, share=0.2)
    return random_coupling(instance, seed=4, accesses=800, weight=10)


@pytest.fixture(scope="module")
def best(large: Coupled) -> Optimum:
    """Its optimum."""
    return proved(large)


def test_with_memory_the_gap_is_honest_when_the_time_is_over(large: Coupled, best: Optimum) -> None:
    found = optimal(large.instance, large.coupling, time_limit=1e-6)
    check_optimum(large.instance, found, large.coupling)
    assert found.bound < best.cost <= found.cost
    assert found.gap == (found.cost - found.bound) / found.cost
    assert 0 < found.gap < 0.5


def test_with_memory_the_bound_rises_node_by_node(large: Coupled, best: Optimum) -> None:
    assert best.nodes > 1
    bounds = []
    for nodes in range(0, best.nodes, max(1, best.nodes // 4)):
        found = optimal(large.instance, large.coupling, most_nodes=nodes)
        check_optimum(large.instance, found, large.coupling)
        assert found.bound <= best.cost <= found.cost
        bounds.append(found.bound)
    assert bounds == sorted(bounds)
    assert bounds[0] < best.cost


def test_memory_changes_what_is_best(large: Coupled, best: Optimum) -> None:
    own = with_own_costs(large.instance, large.coupling)
    plain = optimal(own).mapped
    assert every_cost(large, plain[None])[0] > best.cost


@pytest.mark.parametrize("limit", [0.0, -1.0, float("nan")])
def test_with_memory_a_time_that_is_none_is_refused(limit: float, large: Coupled) -> None:
    with pytest.raises(InstanceError, match="time limit must be positive"):
        optimal(large.instance, large.coupling, time_limit=limit)


@pytest.mark.parametrize("solve", [optimal, greedy, lambda i, c: cluster_greedy(i, [], c)])
def test_memory_of_another_program_is_refused(
    solve: Callable[..., object], large: Coupled, programs: ModuleType
) -> None:
    with pytest.raises(InstanceError, match="memory costs of"):
        solve(programs.program(20, seed=0), large.coupling)


def test_with_memory_a_beginning_that_does_not_fit_is_refused(large: Coupled) -> None:
    every = np.ones(large.instance.blocks, np.bool_)
    with pytest.raises(InstanceError, match="maps a pinned block or exceeds the area"):
        optimal(large.instance, large.coupling, start=every)


def test_with_memory_a_cluster_of_unknown_blocks_is_refused(large: Coupled) -> None:
    with pytest.raises(InstanceError, match="a cluster has the blocks"):
        optimal(large.instance, large.coupling, clusters=[[0, large.instance.blocks]])


def test_with_memory_costs_beyond_64_bits_are_refused(large: Coupled) -> None:
    cpu = large.instance.cpu.copy()
    cpu[0] = 2**58
    with pytest.raises(InstanceError, match="divide all executions by a number"):
        optimal(replace(large.instance, cpu=cpu), large.coupling)


PROGRAMS = Path(__file__).parents[5] / "examples/partition"
SIX = ("aes", "md5", "jpeg", "fft", "sor", "whetstone")


@pytest.fixture(scope="module", params=SIX)
def program(request: pytest.FixtureRequest) -> tuple[Instance, dict[str, Coupling]]:
    """What a program costs on the paper's platform, and its memory by design."""
    for library in ("llvmlite", "ziglang", "networkx"):
        pytest.importorskip(library)
    costs = platform("kenter2010")
    trace = traced(PROGRAMS / f"{request.param}.c", costs)
    instance = costs_of(trace.problem, costs).instance
    scale = instance.scale
    times = Latencies(l1=3 * scale, l2=15 * scale, memory=200 * scale, write_back=15 * scale)
    far = replace(times, write_back=200 * scale)
    return replace(instance, capacity=128), {
        name: coupling_of(trace.signatures, design, far if "SMM" in name else times)
        for name, design in DESIGNS.items()
    }


def test_optima_of_the_six_programs_are_proven_in_all_designs(
    program: tuple[Instance, dict[str, Coupling]],
) -> None:
    instance, couplings = program
    for name, coupling in couplings.items():
        found = optimal(instance, coupling, time_limit=20)
        check_optimum(instance, found, coupling)
        assert found.proof == "certificate"
        assert found.gap == 0, name
        for start in (greedy(instance), greedy(instance, coupling)):
            known = optimal(instance, coupling, start=start, most_nodes=0)
            assert found.cost <= known.cost
