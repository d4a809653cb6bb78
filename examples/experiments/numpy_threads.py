"""NumPy on one thread, and on several that share the array."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import ExitStack
from functools import lru_cache, partial
from threading import Barrier
from time import perf_counter_ns
from typing import Any

import numpy as np

from logca.common.processes import usable_cores
from logca.examples.experiments.options import called, choice, whole
from logca.numeric.measure.experiment import Experiment, ExperimentError

__all__ = ["open_numpy_threads"]

_NUMBER = 8

Part = tuple[Any, Any]
"""Numbers, and where their exponentials belong."""


def open_numpy_threads(*, threads: int | str | None = None, pool: str = "kept") -> Experiment:
    """Exponentials of an array by one thread, and by several, each with its part of it."""
    cores = usable_cores()
    count = cores if threads is None else whole("threads", threads, 2)
    if cores < 2:
        raise ExperimentError("numpy-threads: this process may use one core only; run it on more")
    kind = choice("pool", pool, ("kept", "new"))
    with ExitStack() as opened:
        start = perf_counter_ns()
        kept = opened.enter_context(ThreadPoolExecutor(count))
        arrays = lru_cache(maxsize=2)(_numbers_and_room)  # each instance has its own
        together = Barrier(count)  # no thread can do the work of two
        opened.callback(together.abort)  # or those that began wait for ever where one cannot
        wait([kept.submit(together.wait) for _ in range(count)])
        once = (perf_counter_ns() - start) * 1e-9
        return Experiment(
            name=called("numpy-threads", threads=(count, cores), pool=(kind, "kept")),
            title=f"exponentials in NumPy: one thread (host), and {count} threads",
            host=partial(_seconds, arrays, _alone, 1),
            accelerated=partial(
                _seconds, arrays, partial(_shared, kept) if kind == "kept" else _started, count
            ),
            sizes=(4096, 32 << 20),
            step=_NUMBER,
            notes=(
                f"NumPy {np.__version__}; {count} threads on {cores} cores; granularity is "
                f"{_NUMBER} B for each number; results go to memory that is there",
                "threads are started once and wait (ThreadPoolExecutor)"
                if kind == "kept"
                else "each call starts its threads and ends them (ThreadPoolExecutor)",
            ),
            once={"start of the threads": once} if kind == "kept" else {},
            pin=False,
            close=opened.pop_all().close,
        )


def _alone(parts: list[Part]) -> None:
    for numbers, results in parts:
        np.exp(numbers, out=results)


def _shared(pool: ThreadPoolExecutor, parts: list[Part]) -> None:
    for each in [pool.submit(np.exp, numbers, out=results) for numbers, results in parts]:
        each.result()


def _started(parts: list[Part]) -> None:
    with ThreadPoolExecutor(len(parts)) as pool:
        _shared(pool, parts)


@lru_cache(maxsize=2)
def _numbers(count: int) -> Any:
    return np.random.default_rng(count).standard_normal(count)


def _numbers_and_room(count: int) -> tuple[Any, Any]:
    return _numbers(count).copy(), _numbers(count).copy()


def _seconds(
    arrays: Callable[[int], tuple[Any, Any]],
    function: Callable[[list[Part]], None],
    count: int,
    size: int,
    calls: int,
) -> float:
    parts = list(
        zip(*(np.array_split(each, count) for each in arrays(size // _NUMBER)), strict=True)
    )
    start = perf_counter_ns()
    for _ in range(calls):
        function(parts)
    return (perf_counter_ns() - start) * 1e-9
