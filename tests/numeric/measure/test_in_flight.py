"""Measuring with several requests in flight: what is timed, and what the file says."""

import json
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from pathlib import Path
from threading import Lock, get_ident
from typing import Any

import numpy as np
import pytest
from measuring_world import MACHINE

from logca.numeric.measure import in_flight
from logca.numeric.measure.experiment import Experiment, FailedRunError, Timer
from logca.numeric.measure.in_flight import measure_in_flight, numbers_in_flight, side_by_side
from logca.numeric.measure.measure import Measured
from logca.numeric.measure.sizes_and_precision import Plan, PlanError
from logca.numeric.timings.sample_file import notes_of

LEAST = 16_384


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(in_flight, "_LONG", 2e-3)


def asleep(seconds: float, lock: Any = None) -> Timer:
    """A timer that waits so long a call, or for others."""

    def timer(size: int, calls: int) -> float:
        with lock or nullcontext():
            start = time.perf_counter()
            time.sleep(seconds * calls)
            return time.perf_counter() - start

    return timer


def test_requests_are_in_flight_at_the_same_time() -> None:
    """However late the machine wakes up those that sleep."""
    took: list[float] = []

    def timer(size: int, calls: int) -> float:
        took.append(asleep(0.01)(size, calls))
        return took[-1]

    with ThreadPoolExecutor(3) as pool:
        found = side_by_side([timer] * 3, pool)(7, 1)
    assert min(took) / 3.01 <= found <= 0.7 * max(took)


def test_what_one_did_before_the_others_began_or_after_one_ended_does_not_count() -> None:
    """Two calls a second while both are there, and one and a half of another."""
    one = [in_flight._Answers(4, 0.0, 2.0), in_flight._Answers(4, 2.0, 4.0)]
    other = [in_flight._Answers(3, 1.0, 3.0), in_flight._Answers(3, 3.0, 5.0)]
    assert in_flight._rate([one, other]) == pytest.approx(2 + 1.5)


def test_waiting_for_another_counts() -> None:
    """Two requests that cannot run at once take as long as one after the other."""
    lock = Lock()
    with ThreadPoolExecutor(2) as pool:
        found = side_by_side([asleep(0.01, lock)] * 2, pool)(1, 1)
    assert found >= 0.0095


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("good", [0, 1])
def test_one_that_fails_stops_the_others_and_says_why(first: bool, good: int) -> None:
    """At its first call, or later."""
    seen = []

    def fails(size: int, calls: int) -> float:
        seen.append(calls)
        if len(seen) > good:
            raise FailedRunError("out of memory")
        return 1e-4

    timers = [fails, asleep(0.001)]
    with ThreadPoolExecutor(2) as pool, pytest.raises(FailedRunError, match="out of memory"):
        side_by_side(timers if first else timers[::-1], pool)(1, 1)


def test_a_clock_that_stands_still_is_told() -> None:
    with ThreadPoolExecutor(1) as pool, pytest.raises(FailedRunError, match="took no time"):
        side_by_side([lambda size, calls: 0.0], pool)(1, 1)


def experiment(
    *, lock: Any = None, host: Callable[[int], float] = lambda g: 1e-8 * g
) -> Experiment:
    """A host whose requests wait for each other, if there is a lock; an offload never waits."""
    return Experiment(
        name="world",
        title="a world",
        host=lambda size, calls: asleep(host(size), lock)(size, calls),
        accelerated=lambda size, calls: asleep(5e-4 + 1e-9 * size)(size, calls),
        sizes=(LEAST, 262_144),
        step=1,
    )


def measured(output: Path, numbers: tuple[int, ...], one: Experiment) -> dict[int, Measured]:
    plan = Plan(budget=1.0, precision=0.3, points=4, warm_up=0)
    return measure_in_flight(lambda: one, output, plan, numbers, machine=MACHINE, resolution=1e-9)


def test_all_numbers_are_in_one_file_and_a_request_takes_its_share(output: Path) -> None:
    found = measured(output, (2,), experiment(lock=Lock()))
    assert set(found) == {1, 2}
    lines = [json.loads(line) for line in output.read_text().splitlines()]
    assert lines[0]["how"] == {"pin": False, "in_flight": [1, 2], "warm_up": 0}
    assert {line.get("in_flight") for line in lines[1:]} == {None, 2}
    turns = [line.get("in_flight", 1) for line in lines[1:]]
    assert turns != sorted(turns)  # a round each, in turn
    times = {
        (number, path): np.median(
            [
                each.seconds
                for each in one.recorded.samples
                if (each.size, each.path) == (LEAST, path)
            ]
        )
        for number, one in found.items()
        for path in ("host", "accelerated")
    }
    host, other = (times[1, path] / times[2, path] for path in ("host", "accelerated"))
    assert host < 1.5 < other


def test_a_failure_belongs_to_its_number(output: Path) -> None:
    seen: set[int] = set()

    def crowded(size: int) -> float:
        if size > 100_000:
            seen.add(get_ident())
            if len(seen) > 1:
                raise FailedRunError("out of memory")
        return 1e-8 * size

    found = measured(output, (2,), experiment(host=crowded))
    assert any("out of memory" in note for note in notes_of(found[2].recorded))


@pytest.mark.parametrize("wrong", [0, 257, True, 1.5])
def test_numbers_are_whole_and_few(wrong: int) -> None:
    with pytest.raises(PlanError, match="must be a whole number from 1 to 256"):
        numbers_in_flight([wrong])
