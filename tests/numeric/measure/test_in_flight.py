"""Measuring with several requests in flight: what is timed, and what the file says."""

import json
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier, Lock

import pytest
from measuring_world import MACHINE, World

from logca.numeric.fit.in_flight import read_in_flight
from logca.numeric.measure.experiment import FailedRunError
from logca.numeric.measure.in_flight import measure_in_flight, numbers_in_flight, side_by_side
from logca.numeric.measure.sizes_and_precision import Plan, PlanError
from logca.numeric.timings.sample_file import notes_of

PLAN = Plan(budget=2.0, precision=0.05, points=5, warm_up=0)


def test_requests_are_in_flight_at_the_same_time() -> None:
    """Three timers that wait for each other: one after the other none would end."""
    together = Barrier(3)

    def timer(size: int, calls: int) -> float:
        together.wait(timeout=10)
        return float(size * calls)

    with ThreadPoolExecutor(3) as pool:
        found = side_by_side([timer] * 3, pool, lambda: 0.0)
        assert found(7, 2) == pytest.approx(14 / 3)


def test_waiting_for_another_counts() -> None:
    """Two requests that cannot run at once: together they take twice as long as one."""
    lock = Lock()

    def timer(size: int, calls: int) -> float:
        with lock:
            start = time.perf_counter()
            time.sleep(0.02)
            return time.perf_counter() - start

    with ThreadPoolExecutor(2) as pool:
        assert side_by_side([timer] * 2, pool)(1, 1) >= 0.0195


def measured(output: Path, numbers: tuple[int, ...], world: World) -> dict[int, int]:
    found = measure_in_flight(
        lambda: world.experiment(1024, 1 << 20),
        output,
        PLAN,
        numbers,
        machine=MACHINE,
        clock=lambda: world.now,
        resolution=1e-9,
        stopwatch=lambda: 0.0,
    )
    return {number: each.ended.taken for number, each in found.items()}


def test_all_numbers_are_in_one_file_and_a_request_takes_its_share(output: Path) -> None:
    world = World(host=lambda g: 1e-9 * g, accelerated=lambda g: 20e-6 + 1e-10 * g)
    taken = measured(output, (2,), world)
    assert set(taken) == {1, 2}
    assert all(taken.values())
    lines = [json.loads(line) for line in output.read_text().splitlines()]
    assert lines[0]["how"] == {"pin": False, "in_flight": [1, 2], "warm_up": 0}
    assert {line.get("in_flight") for line in lines[1:]} == {None, 2}
    readings = read_in_flight(output)
    for size, one, two in zip(
        readings[1].timings.granularity,
        readings[1].timings.accelerated,
        readings[2].timings.accelerated,
        strict=True,
    ):
        assert one[0] == pytest.approx(20e-6 + 1e-10 * float(size))
        assert two[0] == pytest.approx(one[0] / 2)
    assert set(measured(output, (1, 2), world).values()) == {0}


def test_a_failure_belongs_to_its_number(output: Path) -> None:
    fails = Barrier(2)

    def crowded(size: int, path: str) -> None:
        if size > 100_000 and path == "host":
            try:
                fails.wait(timeout=0.05)  # with one at a time nobody else comes
            except Exception:
                fails.reset()
                return
            raise FailedRunError("out of memory")

    world = World(host=lambda g: 1e-9 * g, accelerated=lambda g: 2e-6 + 1e-10 * g, before=crowded)
    found = measure_in_flight(
        lambda: world.experiment(1024, 1 << 20),
        output,
        Plan(budget=0.02, precision=0.5, points=4, warm_up=0),
        (2,),
        machine=MACHINE,
        clock=lambda: world.now,
        resolution=1e-9,
        stopwatch=lambda: 0.0,
    )
    assert not found[1].recorded.failed
    assert any("out of memory" in note for note in notes_of(found[2].recorded))


@pytest.mark.parametrize("wrong", [0, 257, True, 1.5])
def test_numbers_are_whole_and_few(wrong: int) -> None:
    with pytest.raises(PlanError, match="must be a whole number from 1 to 256"):
        numbers_in_flight([wrong])
