"""Ranges in which partitions stay optimal, against every partition of small problems."""

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_problems import lines, problem

from logca.numeric.partition.exploration.explorer import Explorer, Setting
from logca.numeric.partition.exploration.latency_ranges import (
    LatencyRange,
    RuntimeLine,
    latency_ranges,
    least_lines,
)
from logca.numeric.partition.problem.platform import PlatformError, changed, platform

for library in ("numba", "ortools"):
    pytest.importorskip(library)

HIGH = Fraction(64)


def ranges(
    seed: int, area: int, high: Fraction = HIGH
) -> tuple[tuple[LatencyRange, ...], Explorer]:
    machine = changed(platform("kenter2010"), {"area": area})
    explorer = Explorer({"small": problem(seed)}, machine)
    return latency_ranges(explorer, Setting(program="small"), high=high), explorer


def least(every: list[tuple[Fraction, Fraction]], factor: Fraction) -> Fraction:
    return min(fixed + factor * communication for fixed, communication in every)


@settings(max_examples=25)
@given(seed=st.integers(0, 10_000), area=st.integers(10, 120))
def test_ranges_are_those_of_the_least_of_all_lines(seed: int, area: int) -> None:
    found, explorer = ranges(seed, area)
    every = lines(problem(seed), explorer.platform)
    assert found[0].low == 0
    assert all(each.proven for each in found)
    ends = [HIGH if each.high is None else each.high for each in found]
    assert [each.low for each in found[1:]] == ends[:-1]
    assert ends[-1] == HIGH
    for each, end in zip(found, ends, strict=True):
        for part in range(5):
            factor = each.low + (end - each.low) * part / 4
            assert each.line.at(factor) == least(every, factor)
    for before, after in pairwise(found):
        # another one takes over just here: the lines cross, and neither goes on being least
        assert before.line.at(after.low) == after.line.at(after.low)
        assert before.line.communication > after.line.communication


@settings(max_examples=10)
@given(seed=st.integers(0, 10_000))
def test_a_dense_grid_is_nowhere_below(seed: int) -> None:
    found, explorer = ranges(seed, 60)
    every = lines(problem(seed), explorer.platform)
    for place in range(257):
        factor = HIGH * place / 256
        holding = [e for e in found if e.low <= factor and (e.high is None or factor <= e.high)]
        assert {each.line.at(factor) for each in holding} == {least(every, factor)}


def test_what_does_not_communicate_stays_optimal_for_ever() -> None:
    found, _ = ranges(3, 60, high=Fraction(4096))
    assert found[-1].high is None
    assert found[-1].line.communication == 0
    assert found[-1].speedups[0] == found[-1].speedups[1] >= 1


def test_speedups_are_those_at_both_ends() -> None:
    found, explorer = ranges(5, 60)
    every = lines(problem(5), explorer.platform)
    alone = every[0][0]  # nothing mapped comes first
    assert found[0].speedups[0] == pytest.approx(float(alone / least(every, Fraction(0))))


def test_least_lines_by_hand() -> None:
    made = [
        RuntimeLine(mapped=(k,), area=k, fixed=Fraction(fixed), communication=Fraction(slope))
        for k, (fixed, slope) in enumerate([(0, 4), (3, 3), (4, 2), (9, 0), (20, 0)])
    ]
    found = least_lines(made, Fraction(0), Fraction(100))
    assert [(at, line.area) for at, line in found] == [(0, 0), (2, 2), (Fraction(5, 2), 3)]


def test_factors_out_of_range_are_refused() -> None:
    explorer = Explorer({"small": problem(1)})
    for low, high in ((Fraction(-1), Fraction(1)), (Fraction(2), Fraction(2))):
        with pytest.raises(PlatformError, match="0 <= low < high"):
            latency_ranges(explorer, Setting(program="small"), low=low, high=high)


def test_without_a_proof_no_range_is_called_proven(monkeypatch: pytest.MonkeyPatch) -> None:
    from logca.numeric.partition.answer import result

    monkeypatch.setattr(result.Partition, "proven", property(lambda self: False))
    found, _ = ranges(7, 60)
    assert not any(each.proven for each in found)
