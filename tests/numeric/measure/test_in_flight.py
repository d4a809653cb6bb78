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

from logca.numeric.in_flight.units import read_in_flight
from logca.numeric.measure import in_flight
from logca.numeric.measure.experiment import Experiment, FailedRunError, Timer
from logca.numeric.measure.in_flight import measure_in_flight, numbers_in_flight, side_by_side
from logca.numeric.measure.measure import Measured
from logca.numeric.measure.sizes_and_precision import Plan, PlanError
from logca.numeric.timings.sample_file import notes_of


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
    with ThreadPoolExecutor(3) as pool:
        found = side_by_side([asleep(0.01)] * 3, pool)(7, 2)
    assert found == pytest.approx(2 * 0.01 / 3, rel=0.3)


def test_a_stream_of_unequal_requests_has_the_rates_of_all() -> None:
    """Where one begins late, or ends late, does not count."""
    with ThreadPoolExecutor(2) as pool:
        found = side_by_side([asleep(0.01), asleep(0.03)], pool)(1, 1)
    assert found == pytest.approx(1 / (1 / 0.01 + 1 / 0.03), rel=0.3)


def test_waiting_for_another_counts() -> None:
    """Two requests that cannot run at once take as long as one after the other."""
    lock = Lock()
    with ThreadPoolExecutor(2) as pool:
        found = side_by_side([asleep(0.01, lock)] * 2, pool)(1, 1)
    assert found >= 0.0095


def test_one_that_fails_stops_the_others() -> None:
    def fails(size: int, calls: int) -> float:
        if calls == 1:
            return 1e-4
        raise FailedRunError("out of memory")

    with ThreadPoolExecutor(2) as pool, pytest.raises(FailedRunError, match="out of memory"):
        side_by_side([fails, asleep(0.001)], pool)(1, 1)


def experiment(
    *, lock: Any = None, host: Callable[[int], float] = lambda g: 1e-8 * g
) -> Experiment:
    """A host whose requests wait for each other, if there is a lock; an offload never waits."""
    return Experiment(
        name="world",
        title="a world",
        host=lambda size, calls: asleep(host(size), lock)(size, calls),
        accelerated=lambda size, calls: asleep(5e-4 + 1e-9 * size)(size, calls),
        sizes=(16_384, 262_144),
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
    one, two = (each.timings for each in read_in_flight(output).values())
    for path, gain in (("host", 1), ("accelerated", 2)):
        times = [np.median(getattr(each, path)[-1]) for each in (one, two)]
        assert times[0] / times[1] == pytest.approx(gain, rel=0.3)


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
