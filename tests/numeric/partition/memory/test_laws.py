"""Laws of the memory profile, and what is none; docs/partition-laws.md.

``make laws`` tries the first with 2,000 examples.
"""

import itertools
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from accesses_by_outcome import memory_time
from effort import examples
from hypothesis import given
from hypothesis import strategies as st

from logca.numeric.partition.memory.caches import Geometry, Latencies
from logca.numeric.partition.memory.designs import DESIGNS
from logca.numeric.partition.memory.recording import Recorder

Access = tuple[int, int, int, bool]
Play = Callable[..., Any]

GEOMETRIES = ((16, 64, 256), (32, 32, 128), (64, 256, 256), (8, 128, 1024))
SERVED = (3, 15, 200)
SHARED = {"SL1": 1, "SL2+": 2, "SL2-": 2, "SMM+": 3, "SMM-": 3}
DOCUMENT = Path(__file__).parents[4] / "docs/partition-laws.md"


def simulated_time(
    play: Play,
    trace: Sequence[Access],
    mapped: Sequence[bool],
    name: str,
    sizes: tuple[int, int, int],
    *,
    penalty: int = 0,
    resident: bool = False,
) -> int:
    """Memory time by the naive simulation [cycles]."""
    found = play(trace, mapped, name, sizes, resident=resident)
    write_back = SERVED[max(SHARED[name], 2) - 1]
    total = int(found[:, :, 1].sum()) * write_back
    for level, time in enumerate(SERVED, 1):
        extra = penalty if level == SHARED[name] < 3 else 0
        total += int(found[:, level - 1].sum()) * (time + extra)
    return total


def time_of(
    trace: Sequence[Access],
    mapped: Sequence[bool],
    name: str,
    sizes: tuple[int, int, int],
    *,
    penalty: int = 0,
    resident: bool = False,
) -> int:
    """Memory time from the profile of one pass [cycles]."""
    recorder = Recorder(
        len(mapped), Geometry(line=sizes[0], l1=sizes[1], l2=sizes[2]), resident=resident
    )
    columns = zip(*trace, strict=True) if trace else ((), (), (), ())
    types = (np.int64, np.uint64, np.uint32, np.bool_)
    recorder.push(*(np.array(each, kind) for each, kind in zip(columns, types, strict=True)))
    design = DESIGNS[name]
    latencies = Latencies(
        l1=SERVED[0],
        l2=SERVED[1],
        memory=SERVED[2],
        write_back=SERVED[max(design.shared, 2) - 1],
        penalty=penalty,
    )
    return memory_time(recorder.signatures(), design, latencies, mapped, resident=resident)


@st.composite
def cases(draw: st.DrawFn) -> tuple[list[Access], list[bool], tuple[int, int, int]]:
    """A trace of 1 to 8 blocks that goes beyond the caches, a partition, and sizes of caches."""
    sizes = draw(st.sampled_from(GEOMETRIES))
    mapped = draw(st.lists(st.booleans(), min_size=1, max_size=8))
    span = draw(st.sampled_from((2 * sizes[1], 2 * sizes[2], 4 * sizes[2])))
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    length, writes = draw(st.integers(0, 80)), draw(st.sampled_from((0.0, 0.1, 0.5, 1.0)))
    widths = random.choice((1, 4, 8, sizes[0] + 1, 2 * sizes[0]), length)
    trace = [
        (int(random.integers(len(mapped))), int(random.integers(span)), int(width), bool(store))
        for width, store in zip(widths, random.random(length) < writes, strict=True)
    ]
    return trace, mapped, sizes


@examples(100, 2_000)
@given(cases(), st.booleans(), st.sampled_from((0, 1, 7)))
def test_the_profile_of_one_pass_is_the_naive_simulation(
    played: Play,
    case: tuple[list[Access], list[bool], tuple[int, int, int]],
    resident: bool,
    penalty: int,
) -> None:
    for name in DESIGNS:
        options = {"penalty": penalty, "resident": resident}
        assert time_of(*case[:2], name, case[2], **options) == simulated_time(
            played, *case[:2], name, case[2], **options
        )


@examples(30)
@given(cases())
def test_a_shared_first_level_takes_as_long_for_every_partition(
    case: tuple[list[Access], list[bool], tuple[int, int, int]],
) -> None:
    trace, mapped, sizes = case
    nothing = [False] * len(mapped)
    assert time_of(trace, mapped, "SL1", sizes) == time_of(trace, nothing, "SL1", sizes)


TWO_LINES, CACHES = (0, 16), (16, 16, 32)
PRIVATE_IS_FASTER: tuple[Access, ...] = ((0, 0, 1, False), (1, 16, 1, False), (0, 0, 1, False))


def test_private_first_levels_may_be_faster_than_a_shared_one(played: Play) -> None:
    """Two of them hold more than one: no shorter trace of two blocks and two lines shows it."""
    mapped = [False, True]
    rows = []
    for length in range(1, 4):
        row = [length]
        for name in ("SL1", "SL2+"):
            times = [
                time_of(PRIVATE_IS_FASTER[:number], mapped, name, CACHES)
                for number in (length - 1, length)
            ]
            row.append(times[1] - times[0])
        rows.append(row)
    rows.append(["all", *(sum(row[place] for row in rows) for place in (1, 2))])
    assert rows[-1][2] < rows[-1][1]
    for name, total in zip(("SL1", "SL2+"), rows[-1][1:], strict=True):
        assert simulated_time(played, PRIVATE_IS_FASTER, mapped, name, CACHES) == total
    lines = [["access", "SL1", "SL2+"], ["---:"] * 3, *rows]
    shown = "\n".join("| " + " | ".join(map(str, each)) + " |" for each in lines)
    assert shown in DOCUMENT.read_text(encoding="utf-8")
    every = list(itertools.product((0, 1), TWO_LINES, (1,), (False, True)))
    for length in (0, 1, 2):
        for trace in itertools.product(every, repeat=length):
            times = [
                simulated_time(played, trace, mapped, name, CACHES) for name in ("SL2+", "SL1")
            ]
            assert times[0] >= times[1]


@pytest.mark.parametrize("name", sorted(DESIGNS))
def test_the_cpu_alone_takes_as_long_in_every_design_without_a_penalty(name: str) -> None:
    trace, sizes = [(0, 40 * k % 700, 8, k % 3 == 0) for k in range(60)], GEOMETRIES[0]
    assert time_of(trace, [False], name, sizes) == time_of(trace, [False], "SL1", sizes)
