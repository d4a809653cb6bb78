"""What is measured next."""

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from logca.numeric.measure.sizes_and_precision import (
    Plan,
    PlanError,
    due,
    expected,
    finer,
    shuffled,
    spread,
)

Times = dict[float, dict[str, list[float]]]


def constant(ratios: dict[float, float], repeats: int = 6) -> Times:
    """Times without scatter: on the host always 1 s."""
    return {
        size: {"host": [1.0] * repeats, "accelerated": [1 / speedup] * repeats}
        for size, speedup in ratios.items()
    }


@given(
    least=st.integers(1, 10_000),
    times=st.floats(2, 1e6),
    points=st.integers(4, 40),
    step=st.sampled_from([1, 8, 16, 1000]),
)
def test_sizes_are_multiples_ascending_and_within(
    least: int, times: float, points: int, step: int
) -> None:
    most = least * times
    try:
        found = spread(least, most, points, step)
    except PlanError:
        assert most // step * step < least
        return
    assert least <= found[0] < least + step
    assert most - step < found[-1] <= most
    assert all(low < high for low, high in pairwise(found))
    assert not any(size % step for size in found)
    assert len(found) <= points
    gaps = [high / low for low, high in pairwise(found)]
    wide = (found[-1] / found[0]) ** (1 / (points - 1))
    assert all(gap <= wide * (1 + 2 * step / found[0]) or step > 1 for gap in gaps)


@pytest.mark.parametrize(
    ("sizes", "said"),
    [((64, 64), "least first"), ((0, 64), "1 B or more"), ((64, 1), "least"), ((17, 30), "16 B")],
)
def test_no_sizes(sizes: tuple[int, int], said: str) -> None:
    with pytest.raises(PlanError, match=said):
        spread(*sizes, 4, 16)


def test_finer_sizes_are_around_the_crossing_alone() -> None:
    times = constant({1: 0.2, 10: 0.5, 100: 2.0, 1000: 4.0})
    assert all(10 < size < 100 for size in finer(times))
    times |= constant({size: 0.7 if size < 30 else 1.4 for size in finer(times)})
    again = finer(times)
    low, high = sorted(size for size in times if 10 < size < 100)
    assert again
    assert all(low < size < high for size in again)


def test_finer_sizes_come_to_an_end() -> None:
    times = constant({2.0**power: 2.0**power / 1500 for power in range(4, 20)})
    count = 0
    while added := finer(times):
        times |= constant({float(size): size / 1500 for size in added})
        count += len(added)
    assert 3 <= count <= 8
    below = max(size for size in times if size < 1500)
    above = min(size for size in times if size > 1500)
    assert above / below < 1.13


def test_finer_sizes_keep_to_the_steps() -> None:
    assert finer(constant({1024.0: 0.9, 1040.0: 1.1}), 16) == ()
    assert set(finer(constant({1024.0: 0.9, 2048.0: 1.1}), 16)) == {1296, 1632}


def test_no_finer_sizes_without_a_crossing() -> None:
    assert finer(constant({1.0: 2.0, 10.0: 3.0, 100.0: 4.0})) == ()


def test_near_the_crossing_times_must_be_more_precise() -> None:
    plan = Plan(precision=0.02)
    scattered = [1.0, 1.05, 1.1, 1.0, 1.05, 1.1, 1.02, 1.08]
    times = constant({1: 0.01, 100: 0.5, 200: 2.0, 20000: 90.0})
    for size in times:
        times[size]["host"] = scattered
    assert [size for size, _ in due(times, plan)] == [100, 200]
    assert due(times, Plan(precision=0.1)) == ()


def test_five_times_are_never_enough_for_an_interval() -> None:
    assert len(due(constant({1: 0.5, 2: 2.0}, repeats=5), Plan())) == 4
    assert due(constant({1: 0.5, 2: 2.0}, repeats=6), Plan()) == ()


def test_a_round_alternates_the_paths_and_mixes_the_sizes() -> None:
    pairs = [(float(size), path) for size in range(20) for path in ("host", "accelerated")]
    first, second = shuffled(pairs, 1), shuffled(pairs, 2)
    assert sorted(first) == sorted(second) == sorted(pairs)
    assert first == shuffled(pairs, 1)
    assert [size for size, _ in first] != [size for size, _ in second]
    assert [size for size, _ in first] != sorted(size for size, _ in first)
    for order in (first, second):
        assert all(order[at][0] == order[at + 1][0] for at in range(0, len(order), 2))
    assert first[0][1] != second[0][1]


@given(
    exponent=st.floats(0, 3),
    factor=st.floats(1e-9, 1e3),
    size=st.floats(1, 1e9),
)
def test_times_of_a_power_law_are_expected_exactly(
    exponent: float, factor: float, size: float
) -> None:
    known = {each: factor * each**exponent for each in (16.0, 64.0, 4096.0)}
    assert expected(known, size) == pytest.approx(factor * size**exponent, rel=1e-6)


@pytest.mark.parametrize(
    "wrong",
    [
        {"budget": 0},
        {"budget": float("nan")},
        {"precision": 0},
        {"precision": 1},
        {"points": 3},
        {"points": 10**9},
        {"warm_up": -1},
    ],
)
def test_what_no_plan_can_be(wrong: dict[str, Any]) -> None:
    with pytest.raises(PlanError, match=next(iter(wrong))):
        Plan(**wrong)
