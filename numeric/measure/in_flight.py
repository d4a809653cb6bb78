"""Measuring with several requests in flight: paths that are asked again before they answer.

Each request has a thread of its own, and its own instance of the experiment, so that nothing waits
for another but what the machine makes wait.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from threading import Barrier
from typing import Any

from logca.numeric.measure.experiment import Experiment, Timer
from logca.numeric.measure.measure import Measured, header_of
from logca.numeric.measure.resumable_file import opened, read_samples
from logca.numeric.measure.run import Progress, run
from logca.numeric.measure.sizes_and_precision import Plan, PlanError

__all__ = ["MOST", "measure_in_flight", "numbers_in_flight", "side_by_side"]

MOST = 256
"""Most requests in flight [1]."""


def numbers_in_flight(given: Sequence[int]) -> tuple[int, ...]:
    """Numbers of requests in flight, ascending; one at a time is always among them [1].

    Examples
    --------
    >>> numbers_in_flight([8, 2])
    (1, 2, 8)
    """
    for each in given:
        if isinstance(each, bool) or not isinstance(each, int) or not 1 <= each <= MOST:
            raise PlanError(f"in_flight = {each!r} must be a whole number from 1 to {MOST}")
    return tuple(sorted({1, *given}))


def side_by_side(
    timers: Sequence[Timer],
    pool: ThreadPoolExecutor,
    stopwatch: Callable[[], float] = time.perf_counter,
) -> Timer:
    """A timer of as many requests in flight as there are timers.

    They begin together; what it gives is the time from the first start to the last end over their
    number, so that the time of a call is that of all calls over the number of calls. A timer tells
    how long it took, and its end is seen, so that inputs made before the start do not count, and
    waiting for a core does.

    Examples
    --------
    >>> with ThreadPoolExecutor(2) as pool:
    ...     timers = [lambda size, calls: 3.0, lambda size, calls: 4.0]
    ...     side_by_side(timers, pool, lambda: 0.0)(1, 1)
    2.0
    """
    if len(timers) == 1:
        return timers[0]

    def timer(size: int, calls: int) -> float:
        start = Barrier(len(timers))

        def asked(one: Timer) -> tuple[float, float]:
            start.wait()
            took = one(size, calls)
            end = stopwatch()
            return end - took, end

        each = [pool.submit(asked, one) for one in timers]
        starts, ends = zip(*(future.result() for future in each), strict=True)
        return float(max(ends) - min(starts)) / len(timers)

    return timer


def measure_in_flight(
    open_one: Callable[[], Experiment],
    output: Path,
    plan: Plan,
    numbers: Sequence[int],
    *,
    sizes: tuple[int, int] | None = None,
    other_machine: bool = False,
    machine: Mapping[str, Any] | None = None,
    tell: Progress = lambda share, what: None,
    clock: Callable[[], float] = time.monotonic,
    resolution: float | None = None,
    stopwatch: Callable[[], float] = time.perf_counter,
) -> dict[int, Measured]:
    """Measure an experiment with each number of requests in flight, all into one file.

    The budget is shared out evenly. No process is kept on one core: requests would take turns.
    """
    asked = numbers_in_flight(numbers)
    part = replace(plan, budget=plan.budget / len(asked))
    with _instances(open_one, max(asked)) as (instances, pool):
        header = header_of(
            instances[0],
            plan,
            {"pin": False, "in_flight": list(asked)},
            sizes=sizes,
            machine=machine,
            resolution=resolution,
        )
        ended = {}
        with opened(output, header, other_machine=other_machine) as store:
            for place, number in enumerate(asked):
                some = instances[:number]
                joined = replace(
                    instances[0],
                    host=side_by_side([each.host for each in some], pool, stopwatch),
                    accelerated=side_by_side([each.accelerated for each in some], pool, stopwatch),
                )

                def told(share: float, what: str, place: int = place, number: int = number) -> None:
                    tell((place + min(share, 1.0)) / len(asked), f"{number} in flight, {what}")

                ended[number] = run(joined, store.of(number), part, tell=told, clock=clock)
    found = read_samples(output)
    return {
        number: Measured(recorded=found.of(number), ended=each) for number, each in ended.items()
    }


@contextmanager
def _instances(
    open_one: Callable[[], Experiment], count: int
) -> Iterator[tuple[list[Experiment], ThreadPoolExecutor]]:
    """As many instances of an experiment, and threads, as there are requests in flight."""
    with ExitStack() as stack:
        found = []
        for _ in range(count):
            one = open_one()
            stack.callback(one.close)
            found.append(one)
        yield found, stack.enter_context(ThreadPoolExecutor(count))
