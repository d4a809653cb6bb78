"""NumPy against a loop, and on several threads: both paths compute the same, and are timed."""

import os
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from logca.examples.experiments import numpy_loop, numpy_threads
from logca.examples.experiments.numpy_loop import open_numpy_loop
from logca.examples.experiments.numpy_threads import open_numpy_threads
from logca.examples.experiments.options import choice, truth, whole
from logca.examples.experiments.registry import EXPERIMENTS
from logca.numeric.measure.experiment import Experiment, ExperimentError
from logca.numeric.measure.known_experiments import open_experiment

two_cores = pytest.mark.skipif(
    len(os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else [0, 1]) < 2,
    reason="needs two cores",
)


def timed(experiment: Experiment, size: int) -> None:
    try:
        assert experiment.host(size, 2) > 0
        assert experiment.accelerated(size, 2) > 0
    finally:
        experiment.close()


def test_a_loop_and_numpy_compute_the_same() -> None:
    values = np.linspace(-3, 3, 77)
    assert numpy_loop._in_a_loop(values.tolist()) == numpy_loop._in_numpy(values).tolist()
    assert numpy_loop._in_a_loop([2.0, 0.0]) == [4 - 6 + 5 + 1, 1]
    timed(open_numpy_loop(), 800)


def test_a_wrong_result_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numpy_loop, "_in_numpy", lambda values: values)
    with pytest.raises(ExperimentError, match="computes other numbers"):
        open_numpy_loop()


@pytest.mark.parametrize("count", [2, 3])
@pytest.mark.parametrize("kind", ["kept", "new"])
def test_threads_compute_what_one_computes(count: int, kind: str) -> None:
    numbers = np.linspace(-1, 1, 1001)
    results = np.zeros_like(numbers)
    parts = list(zip(np.array_split(numbers, count), np.array_split(results, count), strict=True))
    if kind == "new":
        numpy_threads._started(parts)
    else:
        with ThreadPoolExecutor(count) as pool:
            numpy_threads._shared(pool, parts)
    assert np.array_equal(results, np.exp(numbers))


@two_cores
def test_threads_end_with_the_experiment() -> None:
    before = threading.active_count()
    experiment = open_numpy_threads(threads="3")
    assert experiment.name == "numpy-threads threads=3" or os.cpu_count() == 3
    assert experiment.once["start of the threads"] > 0
    assert threading.active_count() == before + 3
    timed(experiment, 8192)
    assert threading.active_count() == before


@two_cores
def test_new_threads_are_part_of_each_call() -> None:
    experiment = open_numpy_threads(pool="new")
    assert not experiment.once
    assert any("each call starts its threads" in note for note in experiment.notes)
    timed(experiment, 8192)


def test_one_core_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: {0}, raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    with pytest.raises(ExperimentError, match="one core only"):
        open_numpy_threads()


@pytest.mark.parametrize("value", ["1", "many", 0, -3, "2.5"])
def test_a_number_of_threads_that_is_none_is_told(value: str | int) -> None:
    with pytest.raises(ExperimentError, match=r"threads = .* whole number, 2 or more"):
        whole("threads", value, 2)


def test_options_are_read_as_texts_and_as_values() -> None:
    assert [truth("x", each) for each in ("True", "on", "no", False)] == [True, True, False, False]
    assert choice("mode", "CTR", ("cbc", "ctr")) == "ctr"
    with pytest.raises(ExperimentError, match="x = 1: give"):
        truth("x", 1)


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_every_experiment_takes_only_options(name: str) -> None:
    with pytest.raises(ExperimentError, match="has no option 'colour'"):
        open_experiment(name, {"colour": "blue"})


@two_cores
def test_more_threads_than_the_system_can_start_are_an_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    start = threading.Thread.start
    begun: list[threading.Thread] = []

    def limited(thread: threading.Thread) -> None:
        if len(begun) == 2:
            raise RuntimeError("can't start new thread")
        begun.append(thread)
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", limited)
    with pytest.raises(ExperimentError, match="can't start new thread"):
        open_experiment("numpy-threads", {"threads": "3"})
    assert not any(each.is_alive() for each in begun)
