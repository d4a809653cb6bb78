"""Measuring with several requests in flight: paths that are asked again before they answer.

Each request has a thread of its own, and its own instance of the experiment, so that nothing waits
for another but what the machine makes wait.
"""

import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from math import ceil
from pathlib import Path
from threading import Barrier, BrokenBarrierError, Lock
from typing import Any, NamedTuple

from logca.numeric.measure.experiment import Experiment, FailedRunError, Timer
from logca.numeric.measure.measure import Measured, header_of
from logca.numeric.measure.resumable_file import opened, read_samples
from logca.numeric.measure.run import Ended, Progress, in_rounds
from logca.numeric.measure.sizes_and_precision import Plan, PlanError

__all__ = ["MOST", "measure_in_flight", "numbers_in_flight", "side_by_side"]

MOST = 256
"""Most requests in flight [1]."""

_LONG = 0.01  # that calls together take at least, so that threads waking up are little of it [s]


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


def side_by_side(timers: Sequence[Timer], pool: ThreadPoolExecutor) -> Timer:
    """A timer of as many requests in flight as there are timers.

    Each is asked again at once, until all have answered to a question that was put while all were
    in flight. What counts is the span in which all were: the rate at which calls end in it is that
    of a stream, neither of its beginning nor of its end. Inputs are made before.
    """

    def timer(size: int, calls: int) -> float:
        stream = _Stream(len(timers))
        each = [pool.submit(stream.answers, one, size, calls) for one in timers]
        return calls / _rate([future.result() for future in each])

    return timer


class _Answers(NamedTuple):
    """Calls that were asked for together, and from when to when they took."""

    calls: int
    start: float
    end: float


class _Stream:
    """Requests that are asked again until all have answered while all were in flight."""

    def __init__(self, number: int) -> None:
        self.number, self.start, self.lock = number, Barrier(number), Lock()
        self.begun = self.answered = 0
        self.failed = False

    def answers(self, one: Timer, size: int, calls: int) -> list[_Answers]:
        """All that one of them answers to."""
        try:
            once = one(size, 1)  # makes inputs, too
            calls = max(calls, ceil(_LONG / once) if once > 0 else 1)
            self.start.wait()
            return self._asked(one, size, calls)
        except BrokenBarrierError:
            return []  # another one failed, and says why
        except BaseException:
            self.failed = True
            self.start.abort()
            raise

    def _asked(self, one: Timer, size: int, calls: int) -> list[_Answers]:
        found: list[_Answers] = []
        counted = False
        with self.lock:
            self.begun += 1
        while not self.failed and (self.answered < self.number or not found):
            all_there = self.begun == self.number
            took = one(size, calls)
            end = time.perf_counter()
            if not took > 0:
                raise FailedRunError(f"{calls} calls took no time: the clock stood still")
            found.append(_Answers(calls, end - took, end))
            if all_there and not counted:
                counted = True
                with self.lock:
                    self.answered += 1
        return found


def _rate(found: Sequence[Sequence[_Answers]]) -> float:
    """Calls per time while all requests were in flight [1/s]."""
    first = max(each[0].start for each in found)
    last = min(each[-1].end for each in found)
    return sum(
        each.calls / (each.end - each.start) * max(min(each.end, last) - max(each.start, first), 0)
        for answers in found
        for each in answers
    ) / (last - first)


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
) -> dict[int, Measured]:
    """Measure an experiment with each number of requests in flight, all into one file.

    The budget is shared out evenly. All numbers take turns, round by round, so that a machine that
    becomes slower meanwhile does so for all. No process is kept on one core: requests would too.
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
        shares = dict.fromkeys(asked, 0.0)
        ready = instances[0].prepare
        with opened(output, header, other_machine=other_machine, prepare=ready) as store:

            def turn(number: int) -> tuple[_OwnClock, Generator[None, None, Ended]]:
                some = instances[:number]
                joined = replace(
                    instances[0],
                    host=side_by_side([each.host for each in some], pool),
                    accelerated=side_by_side([each.accelerated for each in some], pool),
                )

                def told(share: float, what: str) -> None:
                    shares[number] = min(share, 1.0)
                    tell(sum(shares.values()) / len(asked), f"{number} in flight, {what}")

                own = _OwnClock(clock)
                return own, in_rounds(joined, store.of(number), part, tell=told, clock=own.now)

            ended = _in_turn({number: turn(number) for number in asked})
    found = read_samples(output)
    return {number: Measured(recorded=found.of(number), ended=ended[number]) for number in asked}


class _OwnClock:
    """A clock that stands still while others have their turn."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self.clock = clock
        self.passed = 0.0
        self.since: float | None = None

    def now(self) -> float:
        return self.passed + (0.0 if self.since is None else self.clock() - self.since)

    @contextmanager
    def running(self) -> Iterator[None]:
        self.since = self.clock()
        yield
        self.passed, self.since = self.now(), None


def _in_turn(
    turns: Mapping[int, tuple[_OwnClock, Generator[None, None, Ended]]],
) -> dict[int, Ended]:
    """Ends of runs that go on a round each, until all have ended."""
    ended: dict[int, Ended] = {}
    while len(ended) < len(turns):
        for number, (own, rounds) in turns.items():
            if number not in ended:
                with own.running():
                    try:
                        next(rounds)
                    except StopIteration as end:
                        ended[number] = end.value
    return ended


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
