"""An experiment: two ways to compute the same thing, each of which can be timed."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import inf
from operator import index

from logca.common.errors import LogcaError
from logca.common.real_numbers import is_real
from logca.common.sizes import format_size

__all__ = ["Experiment", "ExperimentError", "FailedRunError", "Timer"]

Timer = Callable[[int, int], float]
"""timer(size [B], calls [1]) is the time of that many calls together [s].

Inputs are made outside what is timed. A `FailedRunError` says that this size cannot be run.
"""


class ExperimentError(LogcaError, ValueError):
    """An experiment cannot be opened or run; the message says what to do."""


class FailedRunError(LogcaError, ValueError):
    """A run failed at one size; other sizes may do. The message says why, in one line."""


def _nothing() -> None:
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class Experiment:
    """Two ways to compute the same thing, each of which can be timed at any size.

    Examples
    --------
    >>> from time import perf_counter
    >>> def summing(size, calls):
    ...     data = bytes(size)
    ...     start = perf_counter()
    ...     for _ in range(calls):
    ...         sum(data)
    ...     return perf_counter() - start
    >>> experiment = Experiment(
    ...     name="sum", title="sum of bytes", host=summing, accelerated=summing, sizes=(16, 64)
    ... )
    >>> experiment.host(64, 3) > 0
    True
    """

    name: str  # what it is called; the options that change what is measured belong to it
    title: str  # one line that says what is computed, and by what
    # host, accelerated: time of a number of calls at a size [s]
    host: Timer
    accelerated: Timer
    sizes: tuple[int, int]  # least and largest size to measure [B]
    step: int = 1  # all sizes are multiples of it, such as a cipher's block [B]
    notes: tuple[str, ...] = ()  # what the reader of the timings should know
    # times spent once before the first call, apart from all calls [s]
    once: Mapping[str, float] = field(default_factory=dict)
    # whether the measuring process may be tied to one core; not so for threads and where a second
    # process does the work [1]
    pin: bool = True
    close: Callable[[], None] = _nothing  # gives back what was opened
    # builds the programs that are timed, once no other process measures into the file; a digest of
    # them, by which a later run tells if they have changed, or none
    prepare: Callable[[], str] = str

    def __post_init__(self) -> None:
        self._check_kinds()
        least, most = self.sizes
        if self.step < 1:
            raise ExperimentError(f"{self.name}: step = {self.step} B; give 1 B or more")
        if not 1 <= least < most:
            raise ExperimentError(
                f"{self.name}: sizes {least} B to {most} B: give the least first, 1 B or more"
            )
        if most // self.step - (least - 1) // self.step < 1:
            raise ExperimentError(
                f"{self.name}: no multiple of {format_size(self.step)} lies between "
                f"{format_size(least)} and {format_size(most)}"
            )

    def _check_kinds(self) -> None:
        """Object to what a file of samples cannot hold; whole numbers of NumPy become Python's."""
        for name in ("name", "title"):
            if not isinstance(getattr(self, name), str):
                raise ExperimentError(f"{name} = {getattr(self, name)!r} of an experiment: a text")
        if isinstance(self.notes, str) or not all(isinstance(each, str) for each in self.notes):
            raise ExperimentError(f"{self.name}: notes = {self.notes!r}; give a tuple of texts")
        for told, seconds in self.once.items():
            if not (is_real(seconds) and 0 <= seconds < inf):
                raise ExperimentError(f"{self.name}: once, {told!r} = {seconds!r}; give seconds")
        try:
            least, most = map(index, self.sizes)
            step = index(self.step)
        except (TypeError, ValueError):
            raise ExperimentError(
                f"{self.name}: sizes = {self.sizes!r}, step = {self.step!r}; give two whole "
                "numbers of bytes, and one"
            ) from None
        object.__setattr__(self, "sizes", (least, most))
        object.__setattr__(self, "step", step)
        once = {told: float(seconds) for told, seconds in self.once.items()}
        object.__setattr__(self, "once", once)
