"""Experiment: a cubic of each number, in a loop of Python and in NumPy."""

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from time import perf_counter_ns
from typing import Any

import numpy as np

from logca.numeric.measure.experiment import Experiment, ExperimentError

__all__ = ["open_numpy_loop"]

_NUMBER = 8
_COEFFICIENTS = (0.5, -1.5, 2.5, 1.0)


def open_numpy_loop() -> Experiment:
    """A cubic of every number of a list in Python, of an array in NumPy; each time a new one."""
    values = np.random.default_rng(0).standard_normal(100)
    if not np.array_equal(_in_a_loop(values.tolist()), _in_numpy(values)):
        raise ExperimentError("numpy-loop: NumPy computes other numbers than Python")
    return Experiment(
        name="numpy-loop",
        title="a cubic of each number: of a list in a loop of Python (host), of an array in NumPy",
        host=partial(_seconds, _in_a_loop, np.ndarray.tolist),
        accelerated=partial(_seconds, _in_numpy, np.copy),
        sizes=(16 * _NUMBER, 128 << 10),
        step=_NUMBER,
        notes=(
            f"NumPy {np.__version__}; granularity is {_NUMBER} B for each number",
            "numbers are where each side wants them: a list for the loop, an array for NumPy; "
            "converting one to the other is not timed",
            "NumPy makes a new array for each of six operations; the loop makes one list",
            "sizes end where the objects of the list leave a usual cache; a call of the loop's "
            "function costs some 0.1 us that the model of the host does not know",
        ),
    )


def _in_a_loop(values: Sequence[float]) -> list[float]:
    a, b, c, d = _COEFFICIENTS
    return [((a * x + b) * x + c) * x + d for x in values]


def _in_numpy(values: Any) -> Any:
    a, b, c, d = _COEFFICIENTS
    return ((a * values + b) * values + c) * values + d


@lru_cache(maxsize=2)
def _numbers(count: int) -> Any:
    return np.random.default_rng(count).standard_normal(count)


def _seconds(
    function: Callable[[Any], Any], made: Callable[[Any], Any], size: int, calls: int
) -> float:
    values = made(_numbers(size // _NUMBER))
    start = perf_counter_ns()
    for _ in range(calls):
        function(values)
    return (perf_counter_ns() - start) * 1e-9
