"""L1 against a cache that is an ordered dictionary, and by laws of LRU caches."""

from collections import OrderedDict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from logca.gpu.bounds.l1_cache import LINE, l1_misses


def brute(loads: list[list[int]], turns: list[int], lines: int) -> tuple[list[int], list[bool]]:
    """Missed sectors and waits of each load, with lines in an ordered dictionary."""
    cache: OrderedDict[int, dict[int, int]] = OrderedDict()
    missed, waits = [], []
    for sectors, turn in zip(loads, turns, strict=True):
        number, waiting = 0, False
        for sector in sectors:
            line = sector // 4
            if line not in cache:
                cache[line] = {}
                if len(cache) > lines:
                    cache.popitem(last=False)
            cache.move_to_end(line)
            if sector not in cache[line]:
                cache[line][sector] = turn
                number += 1
            waiting |= cache[line][sector] == turn
        missed.append(number)
        waits.append(waiting)
    return missed, waits


def found(loads: list[list[int]], turns: list[int], size: int) -> tuple[list[int], list[bool]]:
    start = np.append(0, np.cumsum([len(each) for each in loads])).astype(np.int64)
    sector = np.array([each for load in loads for each in load], np.int64)
    turn = np.array(turns, np.int64)
    result = l1_misses(start, sector, turn, np.zeros_like(turn), size)
    return result.sectors.tolist(), result.waits.tolist()


@given(
    st.lists(st.lists(st.integers(0, 90), max_size=6, unique=True), min_size=1, max_size=60),
    st.integers(1, 12),
    st.integers(1, 3),
)
def test_is_an_lru_cache_of_lines_with_sectors(
    loads: list[list[int]], lines: int, together: int
) -> None:
    turns = [place // together for place in range(len(loads))]
    assert found(loads, turns, lines * LINE) == brute(loads, turns, lines)


@pytest.mark.parametrize("lines", [1, 7, 64, 1000])
def test_is_one_for_many_loads_too(lines: int) -> None:
    random = np.random.default_rng(lines)
    loads = [
        np.unique(random.integers(0, 3000, random.integers(1, 33))).tolist() for _ in range(800)
    ]
    turns = [place // 8 for place in range(len(loads))]
    assert found(loads, turns, lines * LINE) == brute(loads, turns, lines)


@given(
    st.lists(st.lists(st.integers(0, 40), max_size=6, unique=True), min_size=2, max_size=40),
    st.integers(0, 12),
    st.data(),
)
def test_a_wave_misses_each_sector_for_the_first_time_once(
    loads: list[list[int]], lines: int, data: st.DataObject
) -> None:
    """Of what a load misses, what no load before it in its wave has asked for."""
    begin = data.draw(st.integers(1, len(loads) - 1))
    waves = [int(place >= begin) for place in range(len(loads))]
    missed: list[int] = []
    cache: OrderedDict[int, set[int]] = OrderedDict()
    asked: set[tuple[int, int]] = set()
    for load, wave in zip(loads, waves, strict=True):
        number = 0
        for sector in load:
            there = cache.setdefault(sector // 4, set())
            cache.move_to_end(sector // 4)
            if sector not in there:
                number += (wave, sector) not in asked
            there.add(sector)
            asked.add((wave, sector))
            while len(cache) > lines:
                cache.popitem(last=False)
        missed.append(number)
    start = np.append(0, np.cumsum([len(each) for each in loads])).astype(np.int64)
    sector = np.array([each for load in loads for each in load], np.int64)
    turns = np.arange(len(loads))
    result = l1_misses(start, sector, turns, np.array(waves, np.int64), lines * LINE)
    assert result.fresh.tolist() == missed


def test_a_larger_cache_misses_no_more() -> None:
    """LRU caches of lines include each other (Mattson et al. 1970)."""
    random = np.random.default_rng(5)
    loads = [random.choice(400, 8, replace=False).tolist() for _ in range(500)]
    misses = [sum(found(loads, [*range(500)], lines * LINE)[0]) for lines in (2, 8, 32, 128)]
    assert misses == sorted(misses, reverse=True)
    assert misses[-1] == len({sector for load in loads for sector in load})


def test_without_room_for_a_line_everything_goes_to_l2() -> None:
    assert found([[0, 1], [0, 1]], [0, 1], LINE - 1) == ([2, 2], [True, True])
