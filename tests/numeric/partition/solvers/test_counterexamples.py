"""What is no law, with examples; docs/partition-laws.md shows the same numbers."""

from pathlib import Path

import numpy as np
import pytest
from counterexamples import GREEDY_IN_AREA, GREEDY_IN_LATENCY, NESTED, Example, named, table
from every_partition import areas, costs, least, partitions

from logca.numeric.partition.problem.instance_and_objective import Instance
from logca.numeric.partition.solvers.heuristics.greedy import greedy
from logca.numeric.partition.solvers.search.flow_bound import branch_and_bound

DOCUMENT = Path(__file__).parents[4] / "docs/partition-laws.md"
COLUMNS = ("greedy maps", "its cost", "the optimum costs")


def cheapest(instance: Instance) -> tuple[np.ndarray, int]:
    """The only cheapest partition of all, and what it costs."""
    every = partitions(instance)
    every = every[areas(instance, every) <= instance.capacity]
    found = costs(instance, every)
    assert (found == found.min()).sum() == 1
    return every[found.argmin()], int(found.min())


def step(instance: Instance, mapped: np.ndarray) -> int | None:
    """What the paper's rule moves next; it must be the only one of its ratio."""
    rows = [
        np.array(mapped) | (np.arange(instance.blocks) == block)
        for block in np.flatnonzero(~mapped)
    ]
    now = int(costs(instance, mapped[None])[0])
    ratios = [
        ((now - int(costs(instance, row[None])[0])) / int(instance.area[row & ~mapped][0]), row)
        for row in rows
        if int(areas(instance, row[None])[0]) <= instance.capacity
    ]
    ratios = [(ratio, row) for ratio, row in ratios if ratio > 0]
    if not ratios:
        return None
    best = max(ratio for ratio, _ in ratios)
    (chosen,) = [row for ratio, row in ratios if ratio == best]
    return int(np.flatnonzero(chosen & ~mapped)[0])


def by_hand(instance: Instance) -> np.ndarray:
    """The paper's greedy, one step after the other."""
    mapped = np.zeros(instance.blocks, np.bool_)
    while (block := step(instance, mapped)) is not None:
        mapped[block] = True
    return mapped


def cost(instance: Instance, mapped: np.ndarray) -> int:
    return int(costs(instance, mapped[None])[0])


def compared(example: Example, latency: int, capacity: int) -> tuple[str, int, int]:
    """Greedy and the optimum, each checked."""
    instance = example.instance(latency, capacity)
    found, best = greedy(instance), least(instance)
    assert branch_and_bound(instance).cost == best
    return named(found.tolist()), cost(instance, found), best


def test_greedy_may_lose_by_area() -> None:
    rows = [(c, *compared(GREEDY_IN_AREA, 1, c)) for c in GREEDY_IN_AREA.capacities]
    found = {capacity: cost for capacity, _, cost, _ in rows}
    assert found[3] > found[2]
    for capacity in (2, 3):
        instance = GREEDY_IN_AREA.instance(1, capacity)
        assert np.array_equal(by_hand(instance), greedy(instance))
    assert table(("area", *COLUMNS), rows) in DOCUMENT.read_text(encoding="utf-8")


def test_greedy_may_gain_by_latency() -> None:
    (capacity,) = GREEDY_IN_LATENCY.capacities
    rows = [(each, *compared(GREEDY_IN_LATENCY, each, capacity)) for each in (0, 1, 2, 3)]
    found = {latency: cost for latency, _, cost, _ in rows}
    assert found[1] < found[0]
    for latency in (0, 1):
        instance = GREEDY_IN_LATENCY.instance(latency, capacity)
        assert np.array_equal(by_hand(instance), greedy(instance))
    assert table(("latency", *COLUMNS), rows) in DOCUMENT.read_text(encoding="utf-8")


def test_optimal_sets_need_not_be_nested() -> None:
    found = [cheapest(NESTED.instance(0, capacity)) for capacity in NESTED.capacities]
    (small, _), (large, _), _ = found
    assert np.any(small & ~large)
    rows = [
        (capacity, named(mapped.tolist()), cost)
        for capacity, (mapped, cost) in zip(NESTED.capacities, found, strict=True)
    ]
    shown = table(("area", "the optimum maps", "its cost"), rows)
    assert shown in DOCUMENT.read_text(encoding="utf-8")


@pytest.mark.parametrize("example", [GREEDY_IN_AREA, GREEDY_IN_LATENCY, NESTED])
def test_the_document_has_the_numbers_of_the_examples(example: Example) -> None:
    pair = "" if example.pair is None else f"; {named_pair(example.pair)}"
    said = f"saves {example.saves}, areas {example.areas}{pair}"
    assert said in DOCUMENT.read_text(encoding="utf-8")


def named_pair(pair: tuple[int, int, int]) -> str:
    first, second, cost = pair
    return f"{chr(65 + first)} and {chr(65 + second)} apart cost {cost} for each unit of latency"
