"""Changes by moving a region are those between whole partitions, evaluated one by one."""

from pathlib import Path

import pytest
from small_problems import problem

from logca.numeric.partition.answer.case import case_of
from logca.numeric.partition.answer.methods import METHODS
from logca.numeric.partition.answer.partition import evaluated, solve
from logca.numeric.partition.answer.reasons_to_stay import reasons_to_stay
from logca.numeric.partition.problem.blocks import Problem
from logca.numeric.partition.problem.platform import platform
from logca.numeric.partition.program.locations import regions_of
from logca.numeric.partition.program.tracing import Traced, traced

for library in ("numba", "ortools"):
    pytest.importorskip(library)

KENTER = platform("kenter2010")
FFT = Path(__file__).parents[4] / "examples/partition/fft.c"


@pytest.mark.parametrize("seed", range(6))
def test_of_problems(seed: int) -> None:
    checked(problem(seed, blocks=12), area=40)


@pytest.mark.parametrize("design", ["SL1", "SL2+", "SMM+"])
def test_of_a_traced_program(design: str) -> None:
    for each in ("llvmlite", "ziglang"):
        pytest.importorskip(each)
    checked(traced(FFT, KENTER), area=60, design=design)


def checked(source: Problem | Traced, *, area: int, design: str = "SL2+") -> None:
    case = case_of(source, KENTER, design, area=area)
    for method in ("greedy", "frontier"):
        found = solve(case, method)
        regions = regions_of(source)
        staying = reasons_to_stay(found, regions)
        assert staying
        for each in staying:
            movable = [block for block in each.blocks if not case.instance.pinned[block]]
            if not movable:
                assert each.change is None
                continue
            moved = found.mapped.copy()
            moved[movable] = True
            after, change = case.times(moved), each.change
            assert change is not None
            for part in ("te", "tm", "tc", "tr"):
                expected = getattr(after, part) - getattr(found.time, part)
                assert getattr(change, part) == expected, part


@pytest.mark.parametrize("design", ["SL2+", "SMM+"])
def test_corners_cost_what_their_partitions_cost(design: str) -> None:
    for each in ("llvmlite", "ziglang"):
        pytest.importorskip(each)
    case = case_of(traced(FFT, KENTER), KENTER, design, area=60)
    optimum, corners = METHODS["frontier"](case, 10.0)
    best = evaluated(case, "frontier", optimum, elapsed_s=0.0, frontier=corners)
    assert min(each.time for each in corners if each.area <= 60) == best.time.total
