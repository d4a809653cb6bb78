"""Running an experiment: first all sizes, then finer ones around the break-even, then repeats."""

import time
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter

from logca.common.sizes import format_size
from logca.numeric.measure.calibration import Clocking, Timed, timed, timed_first
from logca.numeric.measure.experiment import Experiment, ExperimentError, FailedRunError, Timer
from logca.numeric.measure.resumable_file import Store
from logca.numeric.measure.sizes_and_precision import (
    LEAST_REPEATS,
    Plan,
    due,
    expected,
    finer,
    shuffled,
)
from logca.numeric.timings.crossing import median
from logca.numeric.timings.sample_file import PATHS, Failed, TimingSample, UnmeasuredSize
from logca.numeric.timings.timings import LEAST_SIZES

__all__ = ["Ended", "Progress", "in_rounds", "run"]

Progress = Callable[[float, str], None]
"""tell(share of the budget that is spent [1], what is measured now)."""

_ROUNDS_KEPT = 2


class _TooLongError(Exception):
    """At this size a call takes longer than what is left of the budget; the message says so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """End of a run: times taken, and sizes whose medians are not precise enough."""

    taken: int  # times that were taken [1]
    # sizes whose medians are not known as precisely as wanted, because the budget ended [B]
    coarse: tuple[float, ...]


def run(
    experiment: Experiment,
    store: Store,
    plan: Plan,
    *,
    tell: Progress = lambda share, what: None,
    clock: Callable[[], float] = time.monotonic,
) -> Ended:
    """Measure until the medians near the break-even are precise enough, or the budget ends.

    Parameters
    ----------
    experiment : Experiment
        What to time.
    store : Store
        Where the times go, and those that are there already.
    plan : Plan
        How much, and how well.
    tell : callable
        Is told how far it is.
    clock : callable
        The time that the budget is spent by [s].

    Raises
    ------
    ExperimentError
        If no size can be measured.
    """
    rounds = in_rounds(experiment, store, plan, tell=tell, clock=clock)
    while True:
        try:
            next(rounds)
        except StopIteration as end:
            ended: Ended = end.value
            return ended


def in_rounds(
    experiment: Experiment, store: Store, plan: Plan, *, tell: Progress, clock: Callable[[], float]
) -> Generator[None, None, Ended]:
    """A `run` that others can take turns with, round by round; the clock is its own."""
    found = _Run(experiment=experiment, store=store, plan=plan, tell=tell, clock=clock)
    found.first_pass()
    yield
    while found.next_round():
        yield
    found.leave_out()
    if not found.both():
        raise ExperimentError(found.why_none())
    return Ended(
        taken=found.taken,
        coarse=tuple(dict.fromkeys(size for size, _ in found.due())),
    )


@dataclass(slots=True, kw_only=True)
class _Run:
    """State of a run."""

    experiment: Experiment
    store: Store
    plan: Plan
    tell: Progress
    clock: Callable[[], float]
    times: dict[float, dict[str, list[float]]] = field(default_factory=dict)
    calls: dict[tuple[float, str], int] = field(default_factory=dict)
    failed: dict[float, str] = field(default_factory=dict)
    too_long: dict[float, str] = field(default_factory=dict)
    warm: set[tuple[float, str]] = field(default_factory=set)
    round: int = 0
    taken: int = 0
    numbered: int = 0
    began: float = 0.0

    def __post_init__(self) -> None:
        before = self.store.before
        for each in before.samples:
            self._keep(each)
            self.round = max(self.round, each.round + 1)
        spent = max((each.spent for each in before.samples), default=0.0)
        self.began = self.clock() - spent

    @property
    def spent(self) -> float:
        return self.clock() - self.began

    @property
    def left(self) -> float:
        return self.plan.budget - self.spent

    def first_pass(self) -> None:
        """Every planned size once on both paths, from the least on, as far as the budget allows."""
        for size in self.store.before.header.sizes:
            if self._is_begun(size):
                continue
            if self.left <= 0 or not self._is_affordable(size):
                break
            self._begin(size)
        self._next_number()

    def next_round(self) -> bool:
        """Sizes that are due once more, after new ones; whether anything was run."""
        both, taken = self.both(), self.taken
        if all(len(paths[path]) >= LEAST_REPEATS for paths in both.values() for path in PATHS):
            self.first_pass()  # for sizes that are affordable after all
            for added in finer(both, self.experiment.step):
                if not self._is_begun(added) and self._is_affordable(added):
                    self._begin(added)
            self._next_number()
        for size, paths in groupby(shuffled(self.due(), self.round), key=itemgetter(0)):
            wanted = [path for _, path in paths]
            if sum(self._cost(size, path) for path in wanted) <= self.left:
                for path in wanted:
                    if not self._is_out(size):
                        self._attempt(int(size), path)
        self._next_number()
        return self.taken > taken

    def leave_out(self) -> None:
        """Note the sizes that the budget did not allow."""
        noted = {each.size for each in self.store.before.left_out}
        left = f"{max(self.left, 0):.3g} s of the budget of {self.plan.budget:g} s are left"
        for size in self.store.before.header.sizes:
            if size in self.too_long:
                why = self.too_long[size]
            elif self._is_begun(size):
                continue
            elif not self.times:
                why = "not even the least size could be measured"
            else:
                why = f"a call of both paths would take about {self._expected(size):.3g} s"
            if size not in noted:
                self.store.append(UnmeasuredSize(size=size, message=f"{why}, and {left}"))

    def due(self) -> tuple[tuple[float, str], ...]:
        """Sizes and paths that need another time."""
        return due(self.both(), self.plan)

    def both(self) -> dict[float, dict[str, list[float]]]:
        """The times at all sizes that both paths can do."""
        return {
            size: paths
            for size, paths in self.times.items()
            if len(paths) == len(PATHS) and not self._is_out(size)
        }

    def why_none(self) -> str:
        """Why no size is left that both paths can do."""
        reasons = [
            *self.failed.values(),
            *self.too_long.values(),
            "the budget is too small for a single size",
        ]
        if any(len(paths) == len(PATHS) for paths in self.times.values()):
            return f"every size fails by now: {reasons[0]}; the times before that are kept"
        return f"no size could be measured: {reasons[0]}"

    def _cost(self, size: float, path: str) -> float:
        """Expected time of one more time at a size [s]."""
        calls = self.calls[size, path]
        if (size, path) not in self.warm:
            calls += self.plan.warm_up
        return calls * median(self.times[size][path]).value

    def _is_out(self, size: float) -> bool:
        return size in self.failed or size in self.too_long

    def _is_begun(self, size: int) -> bool:
        return self._is_out(size) or len(self.times.get(size, {})) == len(PATHS)

    def _begin(self, size: int) -> None:
        for path in PATHS:
            if not self._is_out(size) and path not in self.times.get(size, {}):
                self._attempt(size, path)

    def _attempt(self, size: int, path: str) -> None:
        """One more time at a size, or a note that it failed."""
        self.tell(self.spent / self.plan.budget, f"{format_size(size)} {path}")
        timer: Timer = getattr(self.experiment, path)
        try:
            found = self._timed(timer, size, path)
        except ExperimentError:
            raise
        except _TooLongError as error:
            self.too_long[size] = str(error)
        except FailedRunError as error:
            self._fail(size, path, str(error))
        except Exception as error:
            reason = str(error).strip().partition("\n")[0]
            self._fail(size, path, f"{type(error).__name__}: {reason}".rstrip(": "))
        else:
            sample = TimingSample(
                size=size,
                path=path,
                seconds=found.seconds,
                calls=found.calls,
                round=self.round,
                spent=round(self.spent, 6),
            )
            self.store.append(sample)
            self._keep(sample)
            self.taken += 1

    def _timed(self, timer: Timer, size: int, path: str) -> Timed:
        warm = None
        if self.plan.warm_up and (size, path) not in self.warm:
            warm = self._warmed_up(timer, size, path)
            self.warm.add((size, path))
        calls = self.calls.get((size, path))
        if calls is not None:
            found = timed(timer, size, calls)
            if found.seconds == 0:
                raise FailedRunError(f"{calls} calls took no time: the clock stood still")
            return found
        if warm is not None and self.times and warm.seconds > self.left:
            raise _TooLongError(f"a call of {path} took {warm.seconds:.3g} s")
        return timed_first(timer, size, warm, self._clocking())

    def _warmed_up(self, timer: Timer, size: int, path: str) -> Timed:
        """The calls that are not counted, if what the first one takes lets all of them fit."""
        began = self.spent
        warm = timed(timer, size, 1)
        took, rest = self.spent - began, self.plan.warm_up - 1
        if rest * took > max(self.left, 0):
            raise _TooLongError(
                f"{self.plan.warm_up} calls of {path} to warm up would take about "
                f"{self.plan.warm_up * took:.3g} s"
            )
        return timed(timer, size, rest) if rest else warm

    def _clocking(self) -> Clocking:
        header = self.store.before.header
        return Clocking(
            resolution=header.resolution, budget=self.plan.budget, points=len(header.sizes)
        )

    def _keep(self, sample: TimingSample) -> None:
        paths = self.times.setdefault(sample.size, {})
        paths.setdefault(sample.path, []).append(sample.seconds)
        self.calls[sample.size, sample.path] = sample.calls

    def _fail(self, size: int, path: str, message: str) -> None:
        self.store.append(Failed(size=size, path=path, message=message))
        self.failed[size] = f"{path} at {format_size(size)}: {message}"

    def _next_number(self) -> None:
        """Begin another round, unless nothing was taken in this one."""
        if self.numbered != self.taken:
            self.numbered = self.taken
            self.round += 1

    def _expected(self, size: int) -> float:
        """Time of a call of both paths [s]."""
        found = 0.0
        for path in PATHS:
            known = {
                other: median(paths[path]).value
                for other, paths in self.times.items()
                if path in paths
            }
            found += expected(known, size) or 0.0
        return found

    def _is_affordable(self, size: int) -> bool:
        """True if a size can be begun: after it, all sizes can be repeated some times."""
        if not self.times:
            return not self.too_long
        pair = max(self._expected(size), 2 * self._clocking().wanted)
        first = (1 + self.plan.warm_up) * self._expected(size)
        if len(self.times) < LEAST_SIZES:
            return first <= self.left
        others = sum(
            self.calls[each, path] * median(paths[path]).value
            for each, paths in self.both().items()
            for path in PATHS
        )
        return first + _ROUNDS_KEPT * (others + pair) <= self.left
